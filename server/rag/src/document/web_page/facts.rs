//! What a page declares in its elements: title, links, and directives for robots.

use encoding_rs::Encoding;
use scraper::{ElementRef, Html, Selector};

use super::addresses::encode_query;
use crate::document::{Unreadable, html, kind::Kind};

/// Maximum links of one page.
const MAX_LINKS: usize = 2_000;
/// Seconds after which a page that leads on by itself is taken for a redirect, at most.
const MAX_REFRESH_SECONDS: u32 = 5;

/// What a page declares.
#[derive(Default)]
pub(super) struct Facts {
    pub(super) title: String,
    pub(super) first_heading: String,
    pub(super) links: Vec<String>,
    pub(super) base: Option<String>,
    pub(super) canonical: Option<String>,
    pub(super) alternates: Vec<(String, String)>,
    pub(super) refresh: Option<String>,
    pub(super) noindex: bool,
    pub(super) nofollow: bool,
    pub(super) has_password: bool,
    pub(super) has_scripts: bool,
}

/// What a page declares, also if a library panics.
pub(super) fn read_facts(text: &str) -> Result<Facts, Unreadable> {
    let broken = |_| Err(Unreadable::Malformed(Kind::Html.name(), "its structure is broken".to_owned()));
    std::panic::catch_unwind(|| Ok(facts(&Html::parse_document(text)))).unwrap_or_else(broken)
}

fn facts(page: &Html) -> Facts {
    let Ok(selector) = Selector::parse(
        "title, h1, base, link[rel], meta[name], meta[http-equiv], a[href], area[href], input[type], script",
    ) else {
        return Facts::default();
    };
    let mut facts = Facts::default();
    for element in page.select(&selector) {
        facts.add(element);
    }
    facts
}

impl Facts {
    fn add(&mut self, element: ElementRef<'_>) {
        let attribute = |name: &str| element.attr(name).map(str::trim).unwrap_or_default();
        match element.value().name() {
            "title" if self.title.is_empty() => self.title = text_of(element),
            "h1" if self.first_heading.is_empty() => self.first_heading = text_of(element),
            "base" if self.base.is_none() => self.base = element.attr("href").map(str::to_owned),
            "link" => self.add_link(attribute("rel"), attribute("href"), attribute("hreflang")),
            "meta" if self.refresh.is_none() && attribute("http-equiv").eq_ignore_ascii_case("refresh") => {
                self.refresh = refresh_target(attribute("content"));
            }
            "meta" if ["robots", "chatbotcrawler"].iter().any(|name| attribute("name").eq_ignore_ascii_case(name)) => {
                let (noindex, nofollow) = robots_directives(attribute("content"));
                self.noindex |= noindex;
                self.nofollow |= nofollow;
            }
            "a" | "area" if self.links.len() < MAX_LINKS && !has_word(attribute("rel"), "nofollow") => {
                self.links.push(attribute("href").to_owned());
            }
            "input" => {
                self.has_password |=
                    attribute("type").eq_ignore_ascii_case("password") && !html::is_beside_text(element);
            }
            "script" => self.has_scripts = true,
            _ => {}
        }
    }

    /// Encodes the queries of addresses as the page's encoding asks.
    pub(super) fn encode_queries(&mut self, encoding: &'static Encoding) {
        let alternates = self.alternates.iter_mut().map(|(_, address)| address);
        let all = self.links.iter_mut().chain(&mut self.canonical).chain(&mut self.refresh).chain(alternates);
        for address in all {
            encode_query(address, encoding);
        }
    }

    fn add_link(&mut self, rel: &str, href: &str, language: &str) {
        if href.is_empty() {
            return;
        }
        if has_word(rel, "canonical") && self.canonical.is_none() {
            self.canonical = Some(href.to_owned());
        }
        if has_word(rel, "alternate") && !language.is_empty() {
            self.alternates.push((language.to_ascii_lowercase(), href.to_owned()));
        }
    }
}

/// The address in the content of a refresh, such as `0; url=/home`, if it is followed within seconds.
pub(super) fn refresh_target(content: &str) -> Option<String> {
    let content = content.trim_start();
    let digits = content.len() - content.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let is_soon = content[..digits].parse::<u32>().is_ok_and(|seconds| seconds <= MAX_REFRESH_SECONDS);
    let rest = content[digits..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ';' | ','));
    let after_name = rest.get(..3).filter(|name| name.eq_ignore_ascii_case("url")).map(|_| rest[3..].trim_start());
    let target = after_name.and_then(|rest| rest.strip_prefix('=')).unwrap_or(rest).trim();
    let target = match target.chars().next() {
        Some(quote @ ('"' | '\'')) => target[1..].split(quote).next().unwrap_or_default(),
        _ => target,
    };
    (is_soon && !target.is_empty()).then(|| target.to_owned())
}

/// Whether directives for robots forbid to index a page, and to follow its links.
pub fn robots_directives(text: &str) -> (bool, bool) {
    let has = |words: [&str; 2]| {
        text.split(',').map(str::trim).any(|word| words.iter().any(|other| word.eq_ignore_ascii_case(other)))
    };
    (has(["noindex", "none"]), has(["nofollow", "none"]))
}

fn has_word(text: &str, word: &str) -> bool {
    text.split_whitespace().any(|other| other.eq_ignore_ascii_case(word))
}

fn text_of(element: ElementRef<'_>) -> String {
    element.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_leads_on_within_seconds_is_known() {
        for (content, target) in [
            ("0; url=/home", Some("/home")),
            ("0;URL='/home'", Some("/home")),
            ("5 ; url = \"/home\" ", Some("/home")),
            ("0.5,/home", Some("/home")),
            ("1;url=/a?b=1;c=2", Some("/a?b=1;c=2")),
            ("30; url=/home", None),
            ("300", None),
            ("0", None),
            ("", None),
            ("url=/home", None),
        ] {
            assert_eq!(refresh_target(content).as_deref(), target, "{content}");
        }
        assert_eq!(
            read_facts("<meta http-equiv=Refresh content=0;url=/home>").unwrap().refresh.as_deref(),
            Some("/home")
        );
    }
}

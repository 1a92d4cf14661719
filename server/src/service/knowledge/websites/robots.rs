//! Parses a site's robots.txt for the platform's crawler (RFC 9309), including the common delay and sitemap extensions.

use std::time::Duration;

use url::Url;

use super::pattern;

/// The crawler's name in robots.txt.
pub(crate) const PRODUCT: &str = "ChatbotCrawler";
/// Maximum bytes of a robots.txt; the rest is ignored.
pub(super) const MAX_BYTES: usize = 500 * 1024;
/// The longest pause that a site may ask for.
const MAX_DELAY: Duration = Duration::from_secs(10);
/// Maximum rules that are stored.
const MAX_RULES: usize = 5_000;

/// The rules of a robots.txt for the crawler.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Robots {
    rules: Vec<Rule>,
    delay: Option<Duration>,
    /// The addresses of sitemaps, as written.
    pub sitemaps: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    pattern: String,
    allows: bool,
}

/// The rules of one kind of group.
#[derive(Default)]
struct Group {
    is_named: bool,
    rules: Vec<Rule>,
    delay: Option<Duration>,
}

impl Robots {
    /// Parses a robots.txt. Unknown lines are ignored.
    pub(super) fn parse(text: &str) -> Self {
        let (mut own, mut any) = (Group::default(), Group::default());
        // The groups that the lines belong to, and whether a rule has ended the list of names.
        let (mut is_own, mut is_any, mut has_rule) = (false, false, false);
        let mut sitemaps = Vec::new();
        for line in text.trim_start_matches('\u{feff}').lines() {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else { continue };
            let value = value.trim();
            match key.trim().to_ascii_lowercase().as_str() {
                "user-agent" => {
                    if std::mem::take(&mut has_rule) {
                        (is_own, is_any) = (false, false);
                    }
                    is_own |= is_product(value);
                    is_any |= value == "*";
                    own.is_named |= is_own;
                }
                key @ ("allow" | "disallow") => {
                    has_rule = true;
                    for group in [is_own.then_some(&mut own), is_any.then_some(&mut any)].into_iter().flatten() {
                        if !value.is_empty() && group.rules.len() < MAX_RULES {
                            group.rules.push(Rule { pattern: encoded(value), allows: key == "allow" });
                        }
                    }
                }
                "crawl-delay" => {
                    has_rule = true;
                    let delay = value.parse::<f64>().ok().filter(|seconds| *seconds >= 0.0);
                    let delay = delay.map(|seconds| Duration::from_secs_f64(seconds.min(MAX_DELAY.as_secs_f64())));
                    for group in [is_own.then_some(&mut own), is_any.then_some(&mut any)].into_iter().flatten() {
                        group.delay = delay.or(group.delay);
                    }
                }
                "sitemap" if !value.is_empty() => sitemaps.push(value.to_owned()),
                _ => {}
            }
        }
        let Group { rules, delay, .. } = if own.is_named { own } else { any };
        Self { rules, delay, sitemaps }
    }

    /// Whether an address may be fetched: the longest rule decides, and of two that are as long the one that allows.
    pub(super) fn allows(&self, url: &Url) -> bool {
        let path = match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        };
        let path = encoded(&path);
        let matching = self.rules.iter().filter(|rule| pattern::matches(&rule.pattern, &path));
        matching.max_by_key(|rule| (rule.pattern.len(), rule.allows)).is_none_or(|rule| rule.allows)
    }

    /// The requested delay between two requests, at most ten seconds.
    pub(super) fn delay(&self) -> Option<Duration> {
        self.delay
    }
}

/// Whether a name in robots.txt is the crawler's: its first word, in any case.
fn is_product(name: &str) -> bool {
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_')).unwrap_or(name.len());
    name[..end].eq_ignore_ascii_case(PRODUCT)
}

/// A path with non-ASCII characters escaped as in addresses, and with upper-case escapes.
fn encoded(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    let mut after_percent = 0;
    for byte in path.bytes() {
        match byte {
            b'%' => after_percent = 3,
            byte if !byte.is_ascii() => {
                encoded.push_str(&format!("%{byte:02X}"));
                continue;
            }
            _ => {}
        }
        let is_escape = after_percent > 0 && byte.is_ascii_hexdigit();
        encoded.push(char::from(if is_escape { byte.to_ascii_uppercase() } else { byte }));
        after_percent = usize::saturating_sub(after_percent, 1);
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> Url {
        Url::parse("https://example.com").unwrap().join(path).unwrap()
    }

    #[test]
    fn the_longest_rule_decides_and_allowing_wins_a_tie() {
        let robots = Robots::parse("User-agent: *\nDisallow: /shop\nAllow: /shop/help\nDisallow: /a\nAllow: /a\n");
        assert!(!robots.allows(&url("/shop/cart")));
        assert!(robots.allows(&url("/shop/help/returns")));
        assert!(robots.allows(&url("/a")));
        assert!(robots.allows(&url("/other")));
    }

    #[test]
    fn a_group_of_its_own_replaces_the_group_of_all() {
        let text = "User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: chatbotcrawler/1.0\nDisallow: /private\n\
                    Crawl-delay: 60\nSitemap: https://example.com/map.xml\n";
        let robots = Robots::parse(text);
        assert!(robots.allows(&url("/")));
        assert!(!robots.allows(&url("/private/a")));
        assert_eq!(robots.delay(), Some(MAX_DELAY));
        assert_eq!(robots.sitemaps, ["https://example.com/map.xml"]);
        assert!(!Robots::parse("User-agent: *\nDisallow: /").allows(&url("/")));
    }

    #[test]
    fn an_empty_rule_and_broken_lines_refuse_nothing() {
        for text in ["", "User-agent: *\nDisallow:", "<html>", "Disallow: /", "\u{feff}User-agent: x\nDisallow: /"] {
            assert!(Robots::parse(text).allows(&url("/a")), "{text}");
        }
    }

    #[test]
    fn rules_match_escaped_paths() {
        let robots = Robots::parse("User-agent: *\nDisallow: /größe\nDisallow: /a%c3%bc");
        assert!(!robots.allows(&url("/größe/1")));
        assert!(!robots.allows(&url("/aü")));
    }
}

//! Finds rows of links between the pages of a document, such as "Previous", "Up" and "Next". The relations that links and
//! the page's head name tell them apart from links in the text.

use std::collections::HashSet;

use ego_tree::{NodeId, iter::Edge};
use scraper::{Html, Node, Selector, node::Element};

use super::{is_heading, weight::WITHOUT_TEXT};

/// Values of `rel` that name another page of the same document.
const RELATIONS: &[&str] =
    &["prev", "previous", "next", "up", "home", "top", "start", "first", "last", "contents", "toc", "index"];
/// Elements that can be a row of links.
const ROWS: &[&str] = &["p", "div", "center", "ul", "ol", "menu", "dl", "table", "tr"];
/// Maximum letters of a row. A longer one is text after a link that is not closed.
const MAX_LETTERS: usize = 1_000;

/// The paragraphs, lists, tables and boxes whose text is links to related pages and hardly anything else.
pub(super) fn find(page: &Html) -> HashSet<NodeId> {
    let related = Related::of(page);
    let mut navigation = HashSet::new();
    let mut rows: Vec<Row> = Vec::new();
    let (mut skip_end, mut link) = (None, None);
    for edge in page.tree.root().traverse() {
        match edge {
            Edge::Open(node) if skip_end.is_none() => match node.value() {
                Node::Element(element) if is_skipped(element.name()) => skip_end = Some(node.id()),
                Node::Element(element) => {
                    if ROWS.contains(&element.name()) {
                        rows.push(Row::default());
                    }
                    let Some(row) = rows.last_mut() else { continue };
                    row.has_other |= is_heading(element.name());
                    if let Some(signs) = related.signs(element) {
                        row.signs += signs;
                        link = Some(node.id());
                    }
                }
                Node::Text(text) => {
                    if let Some(row) = rows.last_mut() {
                        row.add(text, link.is_some() || is_label(text) || related.is_title(text));
                    }
                }
                _ => {}
            },
            Edge::Close(node) if skip_end == Some(node.id()) => skip_end = None,
            Edge::Close(node) if skip_end.is_none() => {
                let Node::Element(element) = node.value() else { continue };
                if link == Some(node.id()) {
                    link = None;
                }
                if !ROWS.contains(&element.name()) {
                    continue;
                }
                let Some(row) = rows.pop() else { continue };
                if row.is_navigation() {
                    navigation.insert(node.id());
                }
                if let Some(outer) = rows.last_mut() {
                    outer.add_row(&row);
                }
            }
            _ => {}
        }
    }
    navigation
}

/// The pages that the page's head names with `<link rel="next" href="..." title="...">` and the like.
struct Related<'a> {
    addresses: HashSet<&'a str>,
    titles: HashSet<String>,
}

impl<'a> Related<'a> {
    fn of(page: &'a Html) -> Self {
        let mut related = Self { addresses: HashSet::new(), titles: HashSet::new() };
        let Ok(selector) = Selector::parse("link[rel][href]") else { return related };
        for link in page.select(&selector).filter(|link| names_relation(link.value())) {
            related.addresses.extend(link.value().attr("href").map(str::trim).filter(|to| !to.is_empty()));
            related.titles.extend(link.value().attr("title").map(words).filter(|title| !title.is_empty()));
        }
        related
    }

    /// How strongly a link looks like navigation, or `None` for a link of the text. A relation of its own counts 2, and
    /// so does an access key of a link to a page that the head names. Without an access key such a link counts 1,
    /// because the text may link to the next page too. Any other link with an access key counts 0.
    fn signs(&self, element: &Element) -> Option<usize> {
        let to = element.attr("href").filter(|_| element.name() == "a")?;
        let has_key = element.attr("accesskey").is_some();
        match (names_relation(element), self.addresses.contains(to.trim())) {
            (true, _) => Some(2),
            (false, true) => Some(if has_key { 2 } else { 1 }),
            (false, false) => has_key.then_some(0),
        }
    }

    fn is_title(&self, text: &str) -> bool {
        self.titles.contains(&words(text))
    }
}

/// Whether the element is no part of a row of links.
fn is_skipped(name: &str) -> bool {
    WITHOUT_TEXT.contains(&name) || matches!(name, "nav" | "footer" | "aside" | "button" | "dialog" | "template")
}

fn names_relation(element: &Element) -> bool {
    let mut relations = element.attr("rel").unwrap_or_default().split_whitespace();
    relations.any(|relation| RELATIONS.contains(&relation.to_ascii_lowercase().as_str()))
}

/// Whether the text is one word with a colon, such as "Next:".
fn is_label(text: &str) -> bool {
    let words = text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric));
    text.trim_end().ends_with(':') && words.count() == 1
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What an element of [`ROWS`] contains.
#[derive(Default)]
struct Row {
    letters: usize,
    /// Letters of links to related pages, of their titles and of labels.
    link_letters: usize,
    signs: usize,
    /// Whether it has a heading, or a row of other text.
    has_other: bool,
    has_rows: bool,
    /// Letters of other text outside its inner rows.
    unlinked: usize,
}

impl Row {
    fn add(&mut self, text: &str, is_linked: bool) {
        let letters = text.chars().filter(|character| character.is_alphanumeric()).count();
        self.letters += letters;
        if is_linked {
            self.link_letters += letters;
        } else {
            self.unlinked += letters;
        }
    }

    fn add_row(&mut self, inner: &Self) {
        self.letters += inner.letters;
        self.link_letters += inner.link_letters;
        self.signs += inner.signs;
        self.has_other |= !inner.is_only_links();
        self.has_rows = true;
    }

    /// A few letters may be other text, such as "2 of 9". Next to an inner row, any other text counts as text of the page.
    fn is_only_links(&self) -> bool {
        let has_text = self.has_rows && self.unlinked > 0;
        !self.has_other && !has_text && self.link_letters * 10 >= self.letters * 9
    }

    fn is_navigation(&self) -> bool {
        self.signs > 1 && self.letters <= MAX_LETTERS && self.is_only_links()
    }
}

#[cfg(test)]
mod tests {
    use super::super::content;

    const HEAD: &str = r#"<head><title>Rights</title><link rel="home" href="index.html" title="The Handbook">
        <link rel="prev" href="login.html" title="Remote login"><link rel="next" href="admin.html" title="Tools">
        <link rel="stylesheet" href="style.css" title="Style"></head>"#;

    /// The texts of the sections of a page.
    fn texts(body: &str) -> Vec<String> {
        let content = content(&format!("<html>{HEAD}<body>{body}</body></html>"));
        content.sections.into_iter().map(|section| section.text).collect()
    }

    #[test]
    fn lists_of_links_with_access_keys_are_left_out() {
        let body = r##"<ul><li><a accesskey="p" href="login.html"><b>Zur&uuml;ck</b></a></li><li>The Handbook</li>
            <li><a accesskey="n" href="admin.html"><b>Weiter</b></a></li></ul><h2>Rights</h2><p>Text.</p>
            <ul><li><a accesskey="p" href="login.html"><b>Zur&uuml;ck</b>9.2. Remote login</a></li>
            <li><a accesskey="u" href="#"><b>Nach oben</b></a></li>
            <li><a accesskey="n" href="admin.html"><b>Weiter</b>9.4. Tools</a></li></ul>"##;
        assert_eq!(texts(body), ["Text."]);
    }

    #[test]
    fn paragraphs_of_links_with_relations_are_left_out() {
        let body = r#"Start<div class="header"><p>Next: <a href="b.html" rel="next">Types</a>, Previous:
            <a href="a.html" rel="prev">Basics</a> &nbsp; [<a href="i.html" rel="index">Index</a>]</p></div>end.
            <p><a rel="nofollow NEXT" href="b.html">Go on with the types</a></p>"#;
        assert_eq!(texts(body), ["Start\n\nend."]);
    }

    #[test]
    fn tables_of_links_and_titles_are_left_out() {
        let body = r#"<p>Text.</p><table><tr><td><a href="login.html">Prev</a></td><td><a href="index.html">Home</a></td>
            <td><a href="admin.html">Next</a></td></tr><tr><td>Remote login</td><td></td><td>Tools</td></tr></table>"#;
        assert_eq!(texts(body), ["Text."]);
    }

    #[test]
    fn links_in_the_text_stay() {
        let list =
            r#"<ul><li><a href="admin.html">Tools</a> for the rights</li><li><a href="x.html">Users</a></li></ul>"#;
        assert_eq!(texts(list), ["- Tools for the rights\n- Users"]);
        let one =
            r#"<p><a href="admin.html">Set up the tools</a></p><p><a accesskey="d" href="f.pdf">The form</a></p>"#;
        assert_eq!(texts(one), ["Set up the tools\n\nThe form"]);
        let sentence = r#"<p>Read <a rel="prev" href="login.html">Remote login</a> before you change the rights.</p>"#;
        assert_eq!(texts(sentence), ["Read Remote login before you change the rights."]);
    }

    #[test]
    fn text_next_to_a_row_of_links_stays() {
        let row = r#"<p><a rel="prev" href="login.html">How to log in from a remote computer to the server</a>
            <a rel="next" href="admin.html">How to use the tools for the administration of the server</a></p>"#;
        assert_eq!(texts(&format!("<div>Closed.{row}</div>")), ["Closed."]);
        assert_eq!(texts(&format!("<div><p>Closed.</p>{row}</div>")), ["Closed."]);
        let item = row.replace("<p>", "<ul><li>").replace("</p>", "</li><li><p>We are closed today.</p></li></ul>");
        assert!(texts(&item)[0].ends_with("- We are closed today."));
    }

    #[test]
    fn text_after_a_link_without_an_end_stays() {
        let text = "We are open every day. ".repeat(60);
        assert_eq!(texts(&format!(r#"<p><a rel="next" href="admin.html">{text}</p>"#)), [text.trim()]);
    }
}

//! Parses sitemaps: lists of a site's pages, and lists of such lists (sitemaps.org). A plain text with one address per
//! line counts as well.

use roxmltree::{Document, ParsingOptions};

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sitemap {
    /// Addresses of pages.
    pub pages: Vec<String>,
    /// Addresses of further sitemaps.
    pub sitemaps: Vec<String>,
}

/// Addresses that one sitemap may list (sitemaps.org).
const MAX_ENTRIES: usize = 50_000;
/// Entities of XML, in the order in which they are replaced.
const NAMED: [(&str, &str); 5] = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
/// Elements and texts of one file.
const MAX_NODES: u32 = 1_000_000;

impl Sitemap {
    /// Parses a sitemap; anything else gives an empty list.
    pub(super) fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if !text.starts_with('<') {
            let lines = text.lines().map(str::trim).filter(|line| line.starts_with("http"));
            return Self { pages: lines.take(MAX_ENTRIES).map(str::to_owned).collect(), sitemaps: Vec::new() };
        }
        let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
        let Ok(document) = Document::parse_with_options(text, options) else { return Self::scan(text) };
        let mut sitemap = Self::default();
        for entry in document.root_element().children().filter(roxmltree::Node::is_element).take(MAX_ENTRIES) {
            let place = entry.children().find(|child| child.tag_name().name() == "loc");
            let Some(place) = place.and_then(|place| place.text()) else { continue };
            match entry.tag_name().name() {
                "url" => sitemap.pages.push(place.trim().to_owned()),
                "sitemap" => sitemap.sitemaps.push(place.trim().to_owned()),
                _ => {}
            }
        }
        sitemap
    }

    /// The addresses of a file that breaks the rules of XML, as many sitemaps do: by a stray `&`, a document type, or a
    /// prefix without a namespace. Entities are not expanded, so a file that declares some lists nothing.
    fn scan(text: &str) -> Self {
        if text.contains("<!ENTITY") {
            return Self::default();
        }
        let places = text.split("<loc>").skip(1).filter_map(|rest| Some(rest.split_once("</loc>")?.0.trim()));
        let places = places.take(MAX_ENTRIES).map(plain).collect();
        if text.contains("<sitemapindex") {
            Self { pages: Vec::new(), sitemaps: places }
        } else {
            Self { pages: places, sitemaps: Vec::new() }
        }
    }
}

/// The text of an element as it is written.
fn plain(text: &str) -> String {
    let section = text.strip_prefix("<![CDATA[").and_then(|text| text.strip_suffix("]]>"));
    if let Some(section) = section {
        return section.trim().to_owned();
    }
    NAMED.iter().fold(text.to_owned(), |text, (name, letter)| text.replace(name, letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sitemap_lists_pages_and_further_sitemaps() {
        let index = br#"<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
            <sitemap><loc> https://example.com/a.xml </loc></sitemap></sitemapindex>"#;
        assert_eq!(Sitemap::parse(index).sitemaps, ["https://example.com/a.xml"]);
        let pages = br#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
            <url><loc>https://example.com/a?x=1&amp;y=2</loc><lastmod>2026-01-01</lastmod></url><url/></urlset>"#;
        assert_eq!(Sitemap::parse(pages).pages, ["https://example.com/a?x=1&y=2"]);
        assert_eq!(Sitemap::parse(b"https://example.com/a\n\nfoo\n").pages, ["https://example.com/a"]);
    }

    #[test]
    fn a_sitemap_that_breaks_the_rules_of_xml_counts() {
        let entries = "<url><loc>https://example.com/a?x=1&y=2</loc></url><url><loc> https://example.com/b?c&amp;d
            </loc></url><url><loc><![CDATA[https://example.com/c]]></loc>";
        for text in [
            format!("<urlset>{entries}</urlset>"),
            format!("<?xml version=\"1.0\"?><!DOCTYPE urlset SYSTEM \"https://example.com/map.dtd\"><urlset>{entries}"),
            format!(
                "<urlset>{entries}<image:image><image:loc>https://example.com/d.png</image:loc></image:image></urlset>"
            ),
        ] {
            let pages = ["https://example.com/a?x=1&y=2", "https://example.com/b?c&d", "https://example.com/c"];
            assert_eq!(Sitemap::parse(text.as_bytes()).pages, pages, "{text}");
        }
        let index = b"<!DOCTYPE html><sitemapindex><sitemap><loc>/a.xml</loc></sitemap></sitemapindex>";
        assert_eq!(Sitemap::parse(index).sitemaps, ["/a.xml"]);
    }

    #[test]
    fn a_file_that_is_no_sitemap_lists_nothing() {
        let bomb =
            b"<!DOCTYPE l [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><urlset><url><loc>&b;</loc></url></urlset>";
        for text in [b"".as_slice(), b"<html><body>404</body></html>", b"<urlset><url>", b"\xff\xfe", bomb] {
            assert_eq!(Sitemap::parse(text), Sitemap::default());
        }
    }
}

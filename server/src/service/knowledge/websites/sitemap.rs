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
/// Elements and texts of one file.
const MAX_NODES: u32 = 1_000_000;

impl Sitemap {
    /// Parses a sitemap; anything else gives an empty list. Refuses documents that declare entities.
    pub(super) fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if !text.starts_with('<') {
            let lines = text.lines().map(str::trim).filter(|line| line.starts_with("http"));
            return Self { pages: lines.take(MAX_ENTRIES).map(str::to_owned).collect(), sitemaps: Vec::new() };
        }
        let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
        let Ok(document) = Document::parse_with_options(text, options) else { return Self::default() };
        let mut found = Self::default();
        for entry in document.root_element().children().filter(roxmltree::Node::is_element).take(MAX_ENTRIES) {
            let place = entry.children().find(|child| child.tag_name().name() == "loc");
            let Some(place) = place.and_then(|place| place.text()) else { continue };
            match entry.tag_name().name() {
                "url" => found.pages.push(place.trim().to_owned()),
                "sitemap" => found.sitemaps.push(place.trim().to_owned()),
                _ => {}
            }
        }
        found
    }
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
    fn a_file_that_is_no_sitemap_lists_nothing() {
        let bomb =
            b"<!DOCTYPE l [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><urlset><url><loc>&b;</loc></url></urlset>";
        for text in [b"".as_slice(), b"<html><body>404</body></html>", b"<urlset><url>", b"\xff\xfe", bomb] {
            assert_eq!(Sitemap::parse(text), Sitemap::default());
        }
    }
}

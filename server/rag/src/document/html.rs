//! HTML to sections: the page's own text, without navigation, page headers and footers, scripts and forms.

mod boilerplate;
mod navigation;

use std::collections::HashSet;

use ego_tree::{NodeId, NodeRef, iter::Edge};
use scraper::{Html, Node, Selector, node::Element};

use self::boilerplate::is_around;
use super::{Section, builder::Builder};

/// Elements that begin and end a block of text.
const BLOCKS: &[&str] = &[
    "p",
    "div",
    "section",
    "article",
    "main",
    "blockquote",
    "figure",
    "figcaption",
    "address",
    "details",
    "summary",
    "header",
    "hr",
    "dl",
    "caption",
    "body",
    "center",
];

/// The page's title and its sections.
pub(super) fn read(text: &str) -> (Option<String>, Vec<Section>) {
    let page = Html::parse_document(text);
    let root = ["main", "[role=main]", "article", "body"].iter().filter_map(|css| Selector::parse(css).ok()).find_map(
        |selector| {
            let mut found = page.select(&selector);
            let first = found.next()?;
            // Several articles on one page: use the body, which contains them all.
            (first.value().name() != "article" || found.next().is_none()).then_some(first)
        },
    );
    let mut reader = HtmlReader::default();
    if let Some(root) = root {
        reader.walk(*root, &navigation::find(&page));
    }
    let sections = reader.builder.finish();
    (title(&page).or(reader.first_heading), sections)
}

fn title(page: &Html) -> Option<String> {
    let selector = Selector::parse("head title").ok()?;
    let text: String = page.select(&selector).next()?.text().collect();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

#[derive(Default)]
struct HtmlReader {
    builder: Builder,
    first_heading: Option<String>,
    /// The nearest id before the next heading: of the section, of the heading, or inside it.
    anchor: Option<String>,
    /// Text of the `pre` or `code` element that is being read.
    verbatim: Option<(&'static str, String)>,
    /// Depth of open tables; only the outermost becomes a table.
    tables: usize,
    heading_depth: usize,
}

impl HtmlReader {
    /// Visits the tree without recursion, so that deep nesting cannot exhaust the stack.
    fn walk(&mut self, root: NodeRef<'_, Node>, navigation: &HashSet<NodeId>) {
        let mut dropped = None;
        for edge in root.traverse() {
            match edge {
                Edge::Open(node) if dropped.is_none() => match node.value() {
                    Node::Element(_) if node.id() != root.id() && navigation.contains(&node.id()) => {
                        self.separate();
                        dropped = Some(node.id());
                    }
                    Node::Element(element)
                        if node.id() != root.id() && is_around(element, node) && !self.is_title(element) =>
                    {
                        dropped = Some(node.id());
                    }
                    Node::Element(element) => self.open(element),
                    Node::Text(text) => self.text(text),
                    _ => {}
                },
                Edge::Close(node) if dropped == Some(node.id()) => dropped = None,
                Edge::Close(node) if dropped.is_none() => {
                    if let Node::Element(element) = node.value() {
                        self.close(element);
                    }
                }
                _ => {}
            }
        }
    }

    fn text(&mut self, text: &str) {
        match &mut self.verbatim {
            Some((_, code)) => code.push_str(text),
            None => self.builder.text(text),
        }
        if self.heading_depth == 0 && !text.trim().is_empty() {
            self.anchor = None;
        }
    }

    fn open(&mut self, element: &Element) {
        let name = element.name();
        if let Some(id) = element.id().filter(|_| self.heading_depth == 0 || self.builder.pending().is_empty()) {
            self.anchor = Some(id.to_owned());
        }
        match name {
            _ if self.verbatim.is_some() => {
                if let ("br", Some((_, code))) = (name, &mut self.verbatim) {
                    code.push('\n');
                }
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.builder.end_block();
                self.heading_depth += 1;
            }
            "pre" => self.verbatim = Some(("pre", String::new())),
            "code" | "kbd" | "samp" | "tt" => self.verbatim = Some(("code", String::new())),
            "a" if leads_away(element) => self.builder.open_link(),
            "ul" | "menu" => self.builder.open_list(None),
            "ol" => self.builder.open_list(Some(element.attr("start").and_then(|n| n.parse().ok()).unwrap_or(1))),
            "li" | "dt" => self.builder.open_item(),
            "br" => self.builder.text(" "),
            "table" => self.tables += 1,
            "thead" | "tbody" | "tfoot" if self.tables == 1 => self.builder.open_rows(),
            "tr" if self.tables == 1 => self.builder.open_row(),
            _ if BLOCKS.contains(&name) => self.separate(),
            _ => {}
        }
    }

    /// Whether the element is the button that opens a section, such as a question of an FAQ. The title of the section is its
    /// text. A button behind a title, such as one that copies a link, is none.
    fn is_title(&self, element: &Element) -> bool {
        element.name() == "button" && self.heading_depth > 0 && self.builder.pending().is_empty()
    }

    /// Ends the current block, where the text may have blocks.
    fn separate(&mut self) {
        if self.tables > 0 || self.heading_depth > 0 || self.builder.awaits_definition() {
            self.builder.text(" ");
        } else if self.verbatim.is_none() {
            self.builder.end_block();
        }
    }

    fn close(&mut self, element: &Element) {
        let name = element.name();
        if let Some((kind, _)) = &self.verbatim {
            let ends = match *kind {
                "pre" => name == "pre",
                _ => matches!(name, "code" | "kbd" | "samp" | "tt"),
            };
            if ends && let Some((kind, code)) = self.verbatim.take() {
                if kind == "pre" { self.builder.code(&code) } else { self.builder.code_span(&code) }
            }
            return;
        }
        match name {
            "h1" => self.heading(1),
            "h2" => self.heading(2),
            "h3" => self.heading(3),
            "h4" => self.heading(4),
            "h5" => self.heading(5),
            "h6" => self.heading(6),
            "a" if leads_away(element) => self.builder.close_link(),
            "ul" | "menu" | "ol" => self.builder.close_list(),
            "dt" => self.builder.end_term(),
            "li" | "dd" => self.builder.end_block(),
            "td" | "th" if self.tables == 1 => {
                self.builder.close_cell_over(span(element, "colspan"), span(element, "rowspan"));
            }
            "table" => {
                self.tables = self.tables.saturating_sub(1);
                if self.tables == 0 {
                    self.builder.close_table();
                }
            }
            _ if !BLOCKS.contains(&name) => {}
            _ if self.tables > 0 || self.heading_depth > 0 => self.builder.text(" "),
            _ => self.builder.end_block(),
        }
    }

    fn heading(&mut self, level: u8) {
        self.heading_depth = self.heading_depth.saturating_sub(1);
        let text = self.builder.pending();
        if self.first_heading.is_none() && !text.is_empty() {
            self.first_heading = Some(text.to_owned());
        }
        self.builder.heading(level, self.anchor.take());
    }
}

/// Whether the element is a link to another page, and not a mail address or the like.
fn leads_away(element: &Element) -> bool {
    element.attr("href").is_some_and(|to| !["tel:", "mailto:", "#"].iter().any(|start| to.starts_with(start)))
}

/// How many columns or rows a cell covers.
fn span(cell: &Element, attribute: &str) -> usize {
    cell.attr(attribute).and_then(|count| count.trim().parse().ok()).unwrap_or(1)
}

fn is_heading(name: &str) -> bool {
    matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r#"<html><head><title>Chapter 1.  Basics</title><style>p{}</style></head><body>
        <div class="navheader">Prev Next</div><header><a href="/">Site</a></header>
        <h1><a id="basics"></a>Basics</h1><p>Use <code>apt</code>
        often.</p><script>alert(1)</script>
        <section id="tools"><h2>Tools</h2><ul><li><p>Update:</p><pre>
apt update

apt upgrade
</pre><p>(do this often)</p></li><li>Two</li></ul>
        <dl><dt>foo</dt><dd><p>A program.</p></dd></dl></section>
        <h2>Files</h2><table><tr><th>Name</th><th>Use</th></tr><tr><td><p>a.txt</p></td><td>text</td></tr></table>
        <footer>Imprint</footer></body></html>"#;

    #[test]
    fn a_page_gives_its_own_text_and_nothing_around_it() {
        let (title, sections) = read(PAGE);
        assert_eq!(title.as_deref(), Some("Chapter 1. Basics"));
        assert_eq!(sections[0].text, "Use `apt` often.");
        assert_eq!(sections[0].anchor.as_deref(), Some("basics"));
        let tools = "- Update:\n\n```\napt update\n\napt upgrade\n```\n\n(do this often)\n\n- Two\n- foo: A program.";
        assert_eq!(sections[1].text, tools);
        assert_eq!(sections[1].anchor.as_deref(), Some("tools"));
        assert_eq!(sections[2].text, "| Name | Use |\n|---|---|\n| a.txt | text |");
        assert_eq!((sections[2].anchor.as_deref(), sections.len()), (None, 3));
    }

    #[test]
    fn a_page_with_a_main_part_is_that_part() {
        let (_, sections) = read("<body><p>Buy now</p><main><p>The text.</p></main></body>");
        assert_eq!(sections.len(), 1);
        assert_eq!(sections[0].text, "The text.");
    }

    #[test]
    fn a_button_that_opens_a_section_is_its_title() {
        let page = r#"<body><h2><button>How do I pay?</button></h2><div><p>By card. <button>Copy</button></p></div>
            <h2>Delivery <button>Link</button></h2><p>Two days.</p></body>"#;
        let (_, sections) = read(page);
        let found: Vec<_> =
            sections.iter().map(|section| (section.heading_path.as_slice(), section.text.as_str())).collect();
        assert_eq!(
            found,
            [(["How do I pay?".to_owned()].as_slice(), "By card."), (["Delivery".to_owned()].as_slice(), "Two days.")]
        );
    }

    #[test]
    fn soft_hyphens_are_left_out() {
        let (_, sections) = read("<body><h2>Rück&shy;gabe</h2><p>Das Rück&shy;gabe&shy;recht gilt.</p></body>");
        assert_eq!(
            (sections[0].heading_path[0].as_str(), sections[0].text.as_str()),
            ("Rückgabe", "Das Rückgaberecht gilt.")
        );
    }

    #[test]
    fn text_that_a_script_would_show_is_kept() {
        let (_, sections) = read("<body><h2>Hours</h2><div hidden><p>We open at nine.</p></div></body>");
        assert_eq!(sections[0].text, "We open at nine.");
    }

    #[test]
    fn a_list_that_only_leads_to_other_pages_is_left_out() {
        let page = r##"<body><p>Text.</p><h2>Related topics</h2><ul><li><a href="a.html">Orders</a></li>
            <li><a href="b.html">Returns</a></li></ul>
            <h2>Contact</h2><ul><li><a href="tel:1">0800 1</a></li><li><a href="mailto:a@b.example">a@b.example</a></li></ul>
            <h2>Steps</h2><ol><li><a href="c.html">Open</a> the page.</li><li>Sign the <a href="d.html">form</a>.
            <ul><li><a href="e.html">Form A</a></li><li><a href="f.html">Form B</a></li></ul></li></ol></body>"##;
        let (_, sections) = read(page);
        let texts: Vec<&str> = sections.iter().map(|section| section.text.as_str()).collect();
        assert_eq!(texts, ["Text.", "- 0800 1\n- a@b.example", "1. Open the page.\n2. Sign the form."]);
    }

    #[test]
    fn a_sidebar_is_left_out_when_it_is_navigation() {
        let page = r#"<body><p>Text.</p><div class="sidebar"><p>A box of the manual, see <a href="a.html">there</a>.</p></div>
            <div class="sidebar"><a href="a.html">Orders</a> <a href="b.html">Returns</a></div></body>"#;
        let (_, sections) = read(page);
        assert_eq!(sections[0].text, "Text.\n\nA box of the manual, see there.");
    }

    #[test]
    fn boilerplate_of_manuals_is_left_out() {
        let page = r##"<body><a id="skip-link" href="#end">Skip</a><div id="banner"><a href="/get"><span>Download the ebook</span></a></div>
            <ol aria-label="Breadcrumb"><li>Manual</li></ol>
            <p itemscope itemtype="https://schema.org/BreadcrumbList"><a href="/">Manual</a> / Tools</p>
            <h2>Tools<a class="header-anchor" href="#tools">#</a></h2><p>Text.</p>
            <div class="related"><h3>Related</h3><a href="a.html">Orders and returns</a></div>
            <div class="prev-next-area"><a href="a.html">Basics</a></div><p id="end">The end.</p></body>"##;
        let (_, sections) = read(page);
        assert_eq!(sections.len(), 1);
        assert_eq!(sections[0].heading_path, ["Tools"]);
        assert_eq!(sections[0].text, "Text.\n\nThe end.");
    }

    #[test]
    fn text_with_a_name_of_boilerplate_stays() {
        let page = r#"<body><div id="banner">Closed today. <a href="/hours">Hours</a></div>
            <div class="related"><p>Two related terms are explained in <a href="a.html">the glossary</a>.</p></div>
            <h2 id="navigation">Navigation</h2><p>Use the arrow keys.</p>
            <section id="menu"><h2><a id="menu"/>Menu</h2><p>Soup.</p></section>
            <div class="section" id="pagination"><h2>Pagination</h2><p>Pages have numbers.</p></div></body>"#;
        let (_, sections) = read(page);
        let texts: Vec<&str> = sections.iter().map(|section| section.text.as_str()).collect();
        let first = "Closed today. Hours\n\nTwo related terms are explained in the glossary.";
        assert_eq!(texts, [first, "Use the arrow keys.", "Soup.", "Pages have numbers."]);
        assert_eq!(sections[1].heading_path, ["Navigation"]);
    }

    #[test]
    fn a_table_that_draws_a_box_around_a_note_is_a_paragraph() {
        let note = |text: &str| {
            format!(
                r#"<table><tr><td rowspan="2"><img src="n.png"></td><th>Caution</th></tr><tr><td>{text}</td></tr></table>"#
            )
        };
        let page = format!("<body><p>Copy it.</p>{}{}</body>", note("<p>Nothing is kept.</p>"), note(""));
        let (_, sections) = read(&page);
        assert_eq!(sections[0].text, "Copy it.\n\nCaution: Nothing is kept.\n\nCaution");
        let table = "<body><table><tr><th></th><th>Price</th></tr><tr><td>Card</td><td>5</td></tr></table></body>";
        assert_eq!(read(table).1[0].text, "|  | Price |\n|---|---|\n| Card | 5 |");
    }

    #[test]
    fn each_cell_belongs_to_the_heading_above_it() {
        let page = "<body><table><tr><td>News</td><td><h2>Hours</h2><p>Nine to five.</p></td><td>Ring twice.</td></tr>
            <tr><td><h2>Fees</h2><table><tr><td>Two euros.</td></tr></table></td></tr></table><p>End.</p></body>";
        let (_, sections) = read(page);
        let found: Vec<_> =
            sections.iter().map(|section| (section.heading_path.concat(), section.text.as_str())).collect();
        let expected =
            [("", "News"), ("Hours", "| Nine to five. | Ring twice. |\n|---|---|"), ("Fees", "Two euros.\n\nEnd.")];
        assert_eq!(found, expected.map(|(heading, text)| (heading.to_owned(), text)));
    }

    #[test]
    fn cells_next_to_spanning_cells_stay_in_their_columns() {
        let page = r#"<body><table><thead><tr><th rowspan="9">Day</th><th>From</th><th>To</th></tr></thead>
            <tr><td rowspan="2">Monday</td><td>9</td><td>12</td></tr><tr><td>14</td><td>18</td></tr>
            <tr><td>Sunday</td><td colspan="2">closed</td></tr></table>
            <p>Fees:</p><table><tr><th></th><th colspan="2">Adults</th><th>Children</th></tr>
            <tr><td>Fee</td><td>10</td><td rowspan="2">8</td><td>5</td></tr><tr><td>Deposit</td><td>2</td><td>1</td></tr></table>"#;
        let days = "| Day | From | To |\n|---|---|---|\n| Monday | 9 | 12 |\n| Monday | 14 | 18 |\n| Sunday | closed | closed |";
        let fees =
            "|  | Adults | Adults | Children |\n|---|---|---|---|\n| Fee | 10 | 8 | 5 |\n| Deposit | 2 | 8 | 1 |";
        assert_eq!(read(page).1[0].text, format!("{days}\n\nFees:\n\n{fees}"));
        let wide =
            "<body><table><tr><td colspan=9999999999>a</td><td>b</td></tr><tr><td colspan=1000>c</td></tr></table>";
        assert!(read(wide).1[0].text.len() < 1_000);
    }

    #[test]
    fn deep_nesting_does_not_exhaust_the_stack() {
        let page = format!("{}deep{}", "<div>".repeat(3_000), "</div>".repeat(3_000));
        assert_eq!(read(&page).1[0].text, "deep");
    }
}

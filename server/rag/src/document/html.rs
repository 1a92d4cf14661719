//! HTML to sections: the page's own text, without navigation, page headers and footers, scripts and forms.

mod boilerplate;
mod contact;
mod navigation;
mod page;
mod panels;
mod style;
mod tables;
#[cfg(test)]
mod tests;
mod weight;

use ego_tree::{NodeId, NodeRef, iter::Edge};
use scraper::{ElementRef, Html, Node, Selector, node::Element};

use self::{
    page::{Page, SkipReason, text_after},
    tables::Tables,
};
use super::{Content, Layout, Omissions, builder::Builder, formula, raised};

pub(crate) use self::contact::has_contact;
pub(super) use self::style::looks;

/// The name that `noscript` gets, so that its content is parsed as elements.
const NOSCRIPT: &str = "x-noscript";
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
    "footer",
    "aside",
    "form",
    "fieldset",
    "nav",
    "dialog",
    "template",
    NOSCRIPT,
    "hr",
    "dl",
    "caption",
    "body",
    "center",
];

/// The page's title, its sections, and what they leave out.
pub(super) fn content(text: &str) -> Content {
    let html = parse(text);
    let page = Page::of(&html);
    let mut reader = HtmlReader::of(&page);
    let Some(root) = page.root() else { return Content::from((title(&html), Vec::new())) };
    reader.walk(root);
    let mut contacts = std::mem::take(&mut reader.contacts);
    contacts.extend(page.contacts_outside(root));
    let HtmlReader { builder, first_heading, omissions, .. } = reader;
    let mut sections = builder.finish();
    if !sections.is_empty() {
        let read = |part: &NodeRef<'_, Node>| {
            let mut reader = HtmlReader::of(&page);
            reader.walk(*part);
            reader.builder.finish()
        };
        let (asides, contacts): (Vec<_>, Vec<_>) = contacts.into_iter().partition(|part| page.is_text_aside(*part));
        sections.extend(asides.iter().flat_map(read));
        sections.extend(contact::section(contacts.iter().map(read)));
    }
    Content { layout: Layout::WebPage, omissions, ..Content::from((title(&html).or(first_heading), sections)) }
}

/// Whether a tag by itself hides its text: by its attributes, its style or a class of a framework.
pub(super) fn hides(tag: &str) -> bool {
    const EMPTY: [&str; 5] = ["br", "hr", "img", "input", "wbr"];
    let may_hide = ["hid", "none", "collapse"].iter().any(|word| tag.contains(word)) && !tag.ends_with("/>");
    let page = may_hide.then(|| Html::parse_fragment(tag));
    let element = page.as_ref().and_then(|page| page.root_element().child_elements().next());
    element.is_some_and(|element| {
        !EMPTY.contains(&element.value().name())
            && style::ElementStyles::default().is_hidden(element.id(), element.value())
    })
}

/// Whether an element stands in a part around the text, or in one that a visitor has to open: a header, a menu, a dialog.
pub(super) fn is_beside_text(element: ElementRef<'_>) -> bool {
    let mut outer = element.ancestors().filter_map(|node| node.value().as_element());
    outer.any(boilerplate::is_beside_text)
}

/// The page, with the content of `noscript` as elements.
fn parse(text: &str) -> Html {
    let lower = text.to_ascii_lowercase();
    let body = lower.find("<body").unwrap_or(0);
    if !lower[body..].contains("<noscript") {
        return Html::parse_document(text);
    }
    let (mut page, mut from) = (String::with_capacity(text.len() + 64), 0);
    for (at, name) in lower.match_indices("noscript").filter(|(at, _)| *at > body) {
        if lower[..at].ends_with(['<', '/']) {
            page.push_str(&text[from..at]);
            page.push_str(NOSCRIPT);
            from = at + name.len();
        }
    }
    page.push_str(&text[from..]);
    Html::parse_document(&page)
}

fn title(page: &Html) -> Option<String> {
    let selector = Selector::parse("head title").ok()?;
    let text: String = page.select(&selector).next()?.text().collect();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

struct HtmlReader<'a> {
    page: &'a Page<'a>,
    builder: Builder,
    first_heading: Option<String>,
    /// The nearest id before the next heading: of the section, of the heading, or inside it.
    anchor: Option<String>,
    /// Text of the `pre` or `code` element that is being read.
    verbatim: Option<(&'static str, String)>,
    /// Text of the raised or lowered element that is being read.
    raised: Option<Raised>,
    tables: Tables,
    heading_depth: usize,
    omissions: Omissions,
    /// Panels that have their title as a heading.
    open_panels: Vec<NodeId>,
    /// Parts around the text that may have the contact data of the site.
    contacts: Vec<NodeRef<'a, Node>>,
}

struct Raised {
    name: &'static str,
    text: String,
    /// Whether it leads to a note of the page.
    is_link: bool,
}

impl<'a> HtmlReader<'a> {
    fn of(page: &'a Page<'a>) -> Self {
        Self {
            page,
            builder: Builder::default(),
            first_heading: None,
            anchor: None,
            verbatim: None,
            raised: None,
            tables: Tables::default(),
            heading_depth: 0,
            omissions: Omissions::new(),
            open_panels: Vec::new(),
            contacts: Vec::new(),
        }
    }

    /// Visits the tree without recursion, so that deep nesting cannot exhaust the stack.
    fn walk(&mut self, root: NodeRef<'a, Node>) {
        let mut skip_end = None;
        for edge in root.traverse() {
            match edge {
                Edge::Open(node) if skip_end.is_none() => match node.value() {
                    Node::Element(element) if node.id() != root.id() && self.leaves_out(element, node) => {
                        skip_end = Some(node.id());
                    }
                    Node::Element(element) => self.open(element, node),
                    Node::Text(text) => self.text(text),
                    _ => {}
                },
                Edge::Close(node) if skip_end == Some(node.id()) => skip_end = None,
                Edge::Close(node) if skip_end.is_none() => {
                    if let Node::Element(element) = node.value() {
                        self.close(element, node);
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether the element is not read. Notes what is lost by that.
    fn leaves_out(&mut self, element: &Element, node: NodeRef<'a, Node>) -> bool {
        if self.page.panels().is_control(node.id()) && self.heading_depth == 0 {
            return true;
        }
        if element.name() == "math" {
            let formula = ElementRef::wrap(node).and_then(|math| formula::of_element(&math.html()));
            formula.into_iter().for_each(|formula| self.text(&formula));
            return true;
        }
        let weight = self.page.weight(node);
        let is_list_of_links =
            matches!(element.name(), "ul" | "ol" | "menu") && weight.link_letters * 10 >= weight.letters * 9;
        if self.tables.is_in_cell() && !self.tables.has_header() && weight.link_letters > 0 && is_list_of_links {
            return true;
        }
        let Some(reason) = self.page.leaves_out(element, node).filter(|_| !self.is_title(element)) else {
            return false;
        };
        match reason {
            SkipReason::Omitted(kind) if weight.letters > 0 => *self.omissions.entry(kind).or_default() += 1,
            SkipReason::Omitted(_) => {}
            SkipReason::Navigation => self.separate(),
            SkipReason::Around => {
                if boilerplate::may_have_contact(element) {
                    self.contacts.push(node);
                }
            }
        }
        if weight.letters > 0 || !matches!(element.name(), "script" | "style") {
            self.builder.leave_out();
        }
        true
    }

    fn text(&mut self, text: &str) {
        match (&mut self.verbatim, &mut self.raised) {
            (Some((_, code)), _) => code.push_str(text),
            (None, Some(raised)) => raised.text.push_str(text),
            (None, None) => self.builder.text(text),
        }
        if self.heading_depth == 0 && !text.trim().is_empty() {
            self.anchor = None;
        }
    }

    fn open(&mut self, element: &Element, node: NodeRef<'a, Node>) {
        let name = element.name();
        if style::is_bold(element) {
            self.builder.open_bold();
        }
        if let Some(id) = element.id().filter(|_| self.heading_depth == 0 || self.builder.pending().is_empty()) {
            self.anchor = Some(id.to_owned());
        }
        self.open_panel(node);
        match name {
            _ if self.verbatim.is_some() => {
                if let ("br", Some((_, code))) = (name, &mut self.verbatim) {
                    code.push('\n');
                }
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" if !self.tables.has_header() => {
                self.builder.end_block();
                self.heading_depth += 1;
            }
            "pre" => self.verbatim = Some(("pre", String::new())),
            "code" | "kbd" | "samp" | "tt" => self.verbatim = Some(("code", String::new())),
            "sup" | "sub" if self.raised.is_none() => {
                let name = if name == "sup" { "sup" } else { "sub" };
                self.raised = Some(Raised { name, text: String::new(), is_link: false });
            }
            "a" => self.open_link(element),
            "li" | "dt" | "dd" if self.tables.is_in_cell() => {
                self.builder.separate_in_cell(if name == "dd" { ": " } else { "; " })
            }
            "ul" | "menu" | "ol" if self.tables.is_in_cell() => self.builder.text(" "),
            "ul" | "menu" => self.builder.open_list(None),
            "ol" => self.builder.open_list(Some(element.attr("start").and_then(|n| n.parse().ok()).unwrap_or(1))),
            "li" | "dt" => self.builder.open_item(),
            "br" if self.tables.is_in_cell() && self.verbatim.is_none() && self.raised.is_none() => {
                self.builder.end_line()
            }
            "br" => self.text(" "),
            "img" | "video" | "picture" => self.builder.leave_out(),
            "table" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" => {
                self.tables.open(element, node, &mut self.builder)
            }
            _ if BLOCKS.contains(&name) => self.separate(),
            _ => {}
        }
    }

    fn open_link(&mut self, element: &Element) {
        if leads_away(element) {
            self.builder.open_link();
        } else if let Some(raised) = &mut self.raised {
            raised.is_link |= element.attr("href").is_some();
        }
    }

    /// Begins a section with the title of a panel that a button opens.
    fn open_panel(&mut self, node: NodeRef<'a, Node>) {
        let Some(title) = self.page.panels().title(node.id()) else { return };
        let weight = self.page.weight(node);
        if self.tables.is_in_cell() || self.heading_depth > 0 || weight.is_mostly_links() || weight.text() == 0 {
            return;
        }
        self.builder.end_block();
        self.builder.text(title);
        self.builder.open_panel(self.anchor.take());
        self.open_panels.push(node.id());
    }

    /// Whether the element is the button that opens a section, such as a question of an FAQ. The title of the section is its
    /// text. A button behind a title, such as one that copies a link, is none.
    fn is_title(&self, element: &Element) -> bool {
        element.name() == "button" && self.heading_depth > 0 && self.builder.pending().is_empty()
    }

    /// Ends the current block, where the text may have blocks.
    fn separate(&mut self) {
        if self.tables.is_in_cell() || self.heading_depth > 0 || self.builder.awaits_definition() {
            self.builder.text(" ");
        } else if self.verbatim.is_none() {
            self.builder.end_block();
        }
    }

    fn close(&mut self, element: &Element, node: NodeRef<'a, Node>) {
        self.close_part(element, node);
        if style::is_bold(element) {
            self.builder.close_bold();
        }
    }

    fn close_part(&mut self, element: &Element, node: NodeRef<'a, Node>) {
        let name = element.name();
        if let Some((kind, _)) = &self.verbatim {
            let ends = match *kind {
                "pre" => name == "pre",
                _ => matches!(name, "code" | "kbd" | "samp" | "tt"),
            };
            if ends && let Some((kind, code)) = self.verbatim.take() {
                let is_block = kind == "pre" && !self.tables.is_in_cell();
                if is_block { self.builder.code(&code) } else { self.builder.code_span(&code) }
            }
            return;
        }
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" if self.heading_depth > 0 => {
                self.heading(name.as_bytes().get(1).map_or(1, |digit| digit - b'0'));
            }
            "sup" | "sub" => self.close_raised(name, node),
            "a" if leads_away(element) => self.builder.close_link(),
            "ul" | "menu" | "ol" | "dt" | "li" | "dd" if self.tables.is_in_cell() => {}
            "ul" | "menu" | "ol" => self.builder.close_list(),
            "dt" => self.builder.end_term(),
            "li" | "dd" => self.builder.end_block(),
            "table" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" => self.tables.close(element, &mut self.builder),
            _ if !BLOCKS.contains(&name) => {}
            _ if self.tables.is_in_cell() || self.heading_depth > 0 => self.builder.text(" "),
            _ => self.builder.end_block(),
        }
        if self.open_panels.pop_if(|open| *open == node.id()).is_some() {
            self.builder.close_panel();
        }
    }

    /// Joins raised or lowered text with the text before it: cents, exponents and marks of notes.
    fn close_raised(&mut self, name: &str, node: NodeRef<'_, Node>) {
        let Some(raised) = self.raised.take_if(|raised| raised.name == name) else { return };
        let (before, after) = (self.builder.inline(), text_after(node));
        let text = raised.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = match name {
            // A link to a note is never a part of the number before it.
            "sup" if raised.is_link => {
                raised::raised_text(before, &format!("[{}]", text.trim_matches(['[', ']', '(', ')'])), &after)
            }
            "sup" => raised::raised_text(before, &text, &after),
            _ => raised::lowered_text(before, &text, &after),
        };
        self.builder.text(&text);
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

fn is_heading(name: &str) -> bool {
    matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

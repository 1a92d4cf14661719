//! Renders the Markdown tree as DOM nodes: a closed set of elements, text nodes, and links without referrer.

use web_sys::{Element, HtmlElement, Node};

use crate::dom;
use crate::plain::decimal;
use contract::markdown::{Block, Inline};

/// Creates the element of a citation mark; `None` leaves the mark as text.
type Cite<'a> = &'a dyn Fn(u32) -> Option<Element>;

/// Appends blocks to an element.
pub(super) fn render(parent: &Node, blocks: &[Block], cite: Cite<'_>) {
    for block in blocks {
        let element = match block {
            Block::Paragraph(content) => with_inlines("p", content, cite),
            Block::Heading(content) => with_inlines("h3", content, cite),
            Block::List { start, items } => list(*start, items, cite),
            Block::Code(code) => {
                let pre = dom::element("pre", "");
                dom::attribute(&pre, "tabindex", "0");
                dom::attribute(&pre, "dir", "ltr");
                dom::append(&pre, &[&dom::labelled("code", "", code)]);
                pre.into()
            }
            Block::Quote(blocks) => {
                let quote = dom::element("blockquote", "");
                render(&quote, blocks, cite);
                quote.into()
            }
            Block::Rule => dom::element("hr", "").into(),
        };
        dom::append(parent, &[&element]);
    }
}

fn list(start: Option<u32>, items: &[Vec<Block>], cite: Cite<'_>) -> Element {
    let list = dom::element(if start.is_some() { "ol" } else { "ul" }, "");
    if let Some(start) = start.filter(|start| *start != 1) {
        dom::attribute(&list, "start", &decimal(start));
    }
    for blocks in items {
        let item = dom::element("li", "");
        match blocks.as_slice() {
            [Block::Paragraph(content)] => inlines(&item, content, cite),
            [Block::Paragraph(content), rest @ ..] => {
                inlines(&item, content, cite);
                render(&item, rest, cite);
            }
            blocks => render(&item, blocks, cite),
        }
        dom::append(&list, &[&item]);
    }
    list.into()
}

fn with_inlines(tag: &str, content: &[Inline], cite: Cite<'_>) -> Element {
    let element = dom::element(tag, "");
    inlines(&element, content, cite);
    element.into()
}

fn inlines(parent: &Node, content: &[Inline], cite: Cite<'_>) {
    // The last mark, with which the punctuation after it must stay on one line.
    let mut mark: Option<HtmlElement> = None;
    for inline in content {
        let before = mark.take();
        let node: Node = match inline {
            Inline::Text(text) => {
                let mut rest = text.as_str();
                if let Some(mark) = before {
                    let end = text.bytes().take_while(is_punctuation).count();
                    let joined = dom::document().create_text_node(text.get(..end).unwrap_or_default());
                    dom::append(&mark, &[&joined]);
                    rest = text.get(end..).unwrap_or_default();
                }
                dom::document().create_text_node(rest).into()
            }
            Inline::Strong(content) => with_inlines("strong", content, cite).into(),
            Inline::Emphasis(content) => with_inlines("em", content, cite).into(),
            Inline::Code(code) => dom::labelled("code", "", code).into(),
            Inline::Link { href, children } => link(href, children, cite).into(),
            Inline::Marker(marker) => match cite(*marker) {
                Some(element) => {
                    let together = dom::element("span", "svc-mark");
                    dom::append(&together, &[&element]);
                    mark = Some(together.clone());
                    together.into()
                }
                None => dom::document().create_text_node(&["[", &decimal(*marker), "]"].concat()).into(),
            },
            Inline::Break => dom::element("br", "").into(),
        };
        dom::append(parent, &[&node]);
    }
}

/// Whether it belongs to the word before it.
fn is_punctuation(byte: &u8) -> bool {
    matches!(byte, b'.' | b',' | b';' | b':' | b'!' | b'?' | b')')
}

fn link(href: &str, children: &[Inline], cite: Cite<'_>) -> Element {
    let link = with_inlines("a", children, cite);
    lead(&link, href);
    link
}

/// Sets the address of a link, which opens in a new tab.
pub(super) fn lead(link: &Element, href: &str) {
    for (name, value) in [("href", href), ("target", "_blank"), ("rel", "noopener noreferrer nofollow")] {
        dom::attribute(link, name, value);
    }
}

//! Shared code of the readers of XML in zip containers.

use roxmltree::{Document, Node, ParsingOptions};

use super::{Unreadable, titles};

/// Maximum nesting of elements, because parsing recurses.
const MAX_DEPTH: usize = 200;

/// A reader's format, named in its errors.
#[derive(Clone, Copy)]
pub(super) struct Format(pub &'static str);

impl Format {
    pub(super) fn malformed(self, error: &dyn std::fmt::Display) -> Unreadable {
        Unreadable::Malformed(self.0, error.to_string())
    }

    /// A required part of the container, as text.
    pub(super) fn text(self, part: Option<Vec<u8>>, name: &str) -> Result<String, Unreadable> {
        let part = part.ok_or_else(|| self.malformed(&format_args!("it has no {name}")))?;
        String::from_utf8(part).map_err(|error| self.malformed(&error))
    }

    /// Parses a part. Refuses entities of its own and deep nesting.
    pub(super) fn parse(self, text: &str) -> Result<Document<'_>, Unreadable> {
        // Older programs name a document type, which declares nothing.
        let options = ParsingOptions { allow_dtd: !text.contains("<!ENTITY"), ..ParsingOptions::default() };
        let page = Document::parse_with_options(text, options).map_err(|error| self.malformed(&error))?;
        if depth(&page) > MAX_DEPTH {
            return Err(self.malformed(&"its elements are nested too deeply"));
        }
        Ok(page)
    }
}

/// The nesting depth of elements, computed without recursion.
fn depth(page: &Document<'_>) -> usize {
    let (mut open, mut deepest) = (Vec::new(), 0);
    for node in page.descendants() {
        while open.last().is_some_and(|above| Some(*above) != node.parent()) {
            open.pop();
        }
        open.push(node);
        deepest = deepest.max(open.len());
    }
    deepest
}

/// Whether an element has this name, in any namespace.
pub(super) fn is(node: Node<'_, '_>, name: &str) -> bool {
    node.tag_name().name() == name
}

pub(super) fn child<'a, 'b>(node: Node<'a, 'b>, name: &str) -> Option<Node<'a, 'b>> {
    node.children().find(|child| is(*child, name))
}

/// An attribute, in any namespace.
pub(super) fn attribute<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.attributes().find(|attribute| attribute.name() == name).map(|attribute| attribute.value())
}

/// The trimmed text of an element; `None` when it is empty.
pub(super) fn plain(node: Node<'_, '_>) -> Option<String> {
    let text = node.text()?.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

/// The title in a document's properties.
pub(super) fn title(format: Format, properties: Option<Vec<u8>>) -> Result<Option<String>, Unreadable> {
    let Some(properties) = properties else { return Ok(None) };
    let text = format.text(Some(properties), "properties")?;
    let page = format.parse(&text)?;
    Ok(page.descendants().find(|node| is(*node, "title")).and_then(plain).and_then(titles::meaningful))
}

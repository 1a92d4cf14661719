//! What is drawn on a sheet: text boxes, charts and diagrams, in the order of their cells.

use roxmltree::Node;

use super::{
    super::{
        Omission, Unreadable,
        builder::Builder,
        drawing,
        ooxml::{Package, Parts, Relations, choice, relations_path},
        xml::{attribute, child, is},
    },
    FORMAT,
    cells::Book,
};

/// The drawings of all sheets.
pub(super) struct Drawings {
    /// The relations of sheets and of drawings, the drawings themselves.
    parts: Parts,
    /// Charts and diagrams.
    more: Parts,
    sheets: Vec<Option<(String, Relations)>>,
}

impl Drawings {
    /// Finds the drawings of the sheets with these paths.
    pub(super) fn find(package: &Package<'_>, sheets: &[&str]) -> Result<Self, Unreadable> {
        let lists: Vec<String> = sheets.iter().map(|path| relations_path(path)).collect();
        let mut parts = package.parts(lists.iter().map(String::as_str))?;
        let mut paths = Vec::new();
        for path in sheets {
            paths.push(parts.relations(FORMAT, path)?.of_kind("drawing").map(str::to_owned));
        }
        let lists: Vec<String> = paths.iter().flatten().map(|path| relations_path(path)).collect();
        let mut parts = package.parts(paths.iter().flatten().chain(&lists).map(String::as_str))?;
        let mut sheets = Vec::new();
        for path in paths {
            sheets.push(match path {
                Some(path) => {
                    let relations = parts.relations(FORMAT, &path)?;
                    Some((path, relations))
                }
                None => None,
            });
        }
        let charts = sheets.iter().flatten().flat_map(|(_, relations)| relations.all(&drawing::KINDS));
        Ok(Self { parts, more: package.parts(charts)?, sheets })
    }

    /// Adds what is drawn on a sheet, counted from 0.
    pub(super) fn read(&mut self, builder: &mut Builder, sheet: usize, book: &mut Book) -> Result<(), Unreadable> {
        let Some((path, relations)) = self.sheets.get_mut(sheet).and_then(Option::take) else { return Ok(()) };
        let Some(part) = self.parts.take(&path) else { return Ok(()) };
        let text = FORMAT.text(Some(part), "drawing")?;
        let page = FORMAT.parse(&text)?;
        let mut anchors: Vec<Node<'_, '_>> = page.root_element().children().filter(Node::is_element).collect();
        anchors.sort_by_key(|anchor| place(*anchor));
        let mut open: Vec<Node<'_, '_>> = anchors.into_iter().rev().collect();
        while let Some(node) = open.pop() {
            match node.tag_name().name() {
                "sp" | "graphicFrame" | "grpSp" if is_hidden(node) => {
                    let has_text = node.descendants().any(|node| is(node, "t"));
                    book.omit(Omission::HiddenText, usize::from(has_text));
                }
                "AlternateContent" => open.extend(choice(node)),
                "sp" => paragraphs(builder, node),
                "chart" | "relIds" => {
                    drawing::read(builder, FORMAT, node, &relations, &mut self.more, &mut book.omissions)?;
                }
                _ => open.extend(node.children().filter(Node::is_element).rev()),
            }
        }
        Ok(())
    }
}

/// The row and the column of a drawing's first cell.
fn place(anchor: Node<'_, '_>) -> (u32, u32) {
    let number = |name: &str| child(child(anchor, "from")?, name)?.text()?.trim().parse().ok();
    (number("row").unwrap_or(0), number("col").unwrap_or(0))
}

fn is_hidden(shape: Node<'_, '_>) -> bool {
    let properties = shape.children().find_map(|own| child(own, "cNvPr"));
    properties.is_some_and(|properties| matches!(attribute(properties, "hidden"), Some("1" | "true")))
}

/// The paragraphs of a text box.
fn paragraphs(builder: &mut Builder, shape: Node<'_, '_>) {
    for paragraph in shape.descendants().filter(|node| is(*node, "p")) {
        for text in paragraph.descendants().filter(|node| is(*node, "t") || is(*node, "br")) {
            builder.text(if is(text, "br") { " " } else { text.text().unwrap_or_default() });
        }
        builder.end_block();
    }
}

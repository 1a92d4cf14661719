//! DOCX to sections: headings, paragraphs, lists and tables of the main text, without headers, footers and comments.

use std::collections::HashMap;

use roxmltree::{Document as Xml, Node};

use super::{
    Section, Unreadable,
    builder::Builder,
    xml::{Format, attribute, child, is, title},
    zip,
};

const FORMAT: Format = Format("DOCX");
/// Maximum bytes of one XML part.
const MAX_PART: u64 = 64 * 1024 * 1024;

/// The document's title and its sections.
pub(super) fn read(bytes: &[u8]) -> Result<(Option<String>, Vec<Section>), Unreadable> {
    let parts = zip::files(bytes, ["word/document.xml", "word/styles.xml", "docProps/core.xml"], MAX_PART)?;
    let [main, styles, core] = parts;
    let main = FORMAT.text(main, "main text")?;
    let (levels, lists) = match styles {
        Some(styles) => {
            let styles = FORMAT.text(Some(styles), "styles")?;
            let styles = FORMAT.parse(&styles)?;
            (heading_levels(&styles), list_depths(&styles))
        }
        None => Default::default(),
    };
    let mut reader = DocxReader { levels, lists, ..DocxReader::default() };
    let page = FORMAT.parse(&main)?;
    if let Some(body) = page.descendants().find(|node| is(*node, "body")) {
        reader.blocks(body);
    }
    reader.lists_to(0);
    Ok((title(FORMAT, core)?.or(reader.title), reader.builder.finish()))
}

/// The attribute `val`.
fn value<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    attribute(node, "val")
}

/// The level of each heading style by its id, from its outline level or its name, because ids depend on the language.
/// The title of the document is level 0.
fn heading_levels(styles: &Xml<'_>) -> HashMap<String, u8> {
    let mut levels = HashMap::new();
    for style in styles.descendants().filter(|node| is(*node, "style")) {
        let id = attribute(style, "styleId");
        let name = child(style, "name").and_then(value).unwrap_or_default().to_lowercase();
        let outline = child(style, "pPr").and_then(outline_level);
        let level = match name.as_str() {
            "title" => Some(0),
            name => name.strip_prefix("heading ").and_then(|level| level.parse().ok()).or(outline),
        };
        if let (Some(id), Some(level)) = (id, level) {
            levels.insert(id.to_owned(), level);
        }
    }
    levels
}

/// The depth of the list items of each style by its id.
fn list_depths(styles: &Xml<'_>) -> HashMap<String, usize> {
    let depth = |style: Node<'_, '_>| {
        let numbering = child(child(style, "pPr")?, "numPr")?;
        Some((attribute(style, "styleId")?.to_owned(), list_depth(numbering)?))
    };
    styles.descendants().filter(|node| is(*node, "style")).filter_map(depth).collect()
}

/// The depth of a list item from 0; `None` if the list of its style was removed.
fn list_depth(numbering: Node<'_, '_>) -> Option<usize> {
    let is_removed = child(numbering, "numId").and_then(value) == Some("0");
    let depth = child(numbering, "ilvl").and_then(value).and_then(|level| level.parse().ok()).unwrap_or(0);
    (!is_removed).then_some(usize::min(depth, 8))
}

/// The rows of a table or the cells of a row, also inside content controls.
fn table_parts<'a, 'b>(parent: Node<'a, 'b>, name: &str) -> Vec<Node<'a, 'b>> {
    let mut found = Vec::new();
    for node in parent.children() {
        match node.tag_name().name() {
            known if known == name => found.push(node),
            "sdt" | "sdtContent" | "customXml" => found.extend(table_parts(node, name)),
            _ => {}
        }
    }
    found
}

/// Outline levels count from 0; 9 is running text.
fn outline_level(properties: Node<'_, '_>) -> Option<u8> {
    let level: u8 = child(properties, "outlineLvl").and_then(value)?.parse().ok()?;
    (level < 9).then_some(level + 1)
}

#[derive(Default)]
struct DocxReader {
    builder: Builder,
    levels: HashMap<String, u8>,
    lists: HashMap<String, usize>,
    title: Option<String>,
    depth: usize,
}

impl DocxReader {
    /// Paragraphs and tables, also inside content controls.
    fn blocks(&mut self, parent: Node<'_, '_>) {
        for node in parent.children().filter(Node::is_element) {
            match node.tag_name().name() {
                "p" => self.paragraph(node),
                "tbl" => self.table(node),
                "sdt" | "sdtContent" | "ins" | "moveTo" | "customXml" => self.blocks(node),
                _ => {}
            }
        }
    }

    fn paragraph(&mut self, node: Node<'_, '_>) {
        let properties = child(node, "pPr");
        let style = properties.and_then(|found| child(found, "pStyle")).and_then(value);
        let level = style.and_then(|style| self.levels.get(style).copied()).or(properties.and_then(outline_level));
        let depth = match properties.and_then(|found| child(found, "numPr")) {
            Some(numbering) => list_depth(numbering),
            None => style.and_then(|style| self.lists.get(style).copied()),
        };
        match depth.filter(|_| level.is_none()) {
            Some(depth) => {
                self.lists_to(depth + 1);
                self.builder.open_item();
            }
            None => self.lists_to(0),
        }
        self.inline(node);
        match level {
            Some(level) => self.heading(level),
            None => self.builder.end_block(),
        }
    }

    fn heading(&mut self, level: u8) {
        let text = self.builder.pending().to_owned();
        if level <= 1 && self.title.is_none() && !text.is_empty() {
            self.title = Some(text);
        }
        self.builder.heading(level.max(1), None);
    }

    /// Opens and closes lists until `depth` of them are open.
    fn lists_to(&mut self, depth: usize) {
        while self.depth > depth {
            self.builder.close_list();
            self.depth -= 1;
        }
        while self.depth < depth {
            self.builder.open_list(None);
            self.depth += 1;
        }
    }

    /// The words of a paragraph, without field codes and text deleted with tracked changes.
    fn inline(&mut self, parent: Node<'_, '_>) {
        for node in parent.children().filter(Node::is_element) {
            match node.tag_name().name() {
                "t" => self.builder.text(node.text().unwrap_or_default()),
                "tab" | "br" | "cr" => self.builder.text(" "),
                "noBreakHyphen" => self.builder.text("-"),
                "del" | "moveFrom" | "pPr" | "rPr" | "instrText" | "AlternateContent" => {}
                _ => self.inline(node),
            }
        }
    }

    fn table(&mut self, table: Node<'_, '_>) {
        self.lists_to(0);
        self.builder.end_block();
        for row in table_parts(table, "tr") {
            self.builder.open_row();
            for cell in table_parts(row, "tc") {
                let inner = |node: &Node<'_, '_>| {
                    node.ancestors().skip(1).take_while(|above| *above != cell).any(|above| is(above, "p"))
                };
                for paragraph in cell.descendants().filter(|node| is(*node, "p") && !inner(node)) {
                    self.inline(paragraph);
                    self.builder.text(" ");
                }
                let property = |name: &str| child(cell, "tcPr").and_then(|found| child(found, name));
                let columns =
                    property("gridSpan").and_then(value).and_then(|columns| columns.parse().ok()).unwrap_or(1);
                match property("vMerge") {
                    Some(merge) if value(merge) != Some("restart") => self.builder.close_continued(columns),
                    _ => self.builder.close_cell_over(columns, 1),
                }
            }
        }
        self.builder.close_table();
    }
}

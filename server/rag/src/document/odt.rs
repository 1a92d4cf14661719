//! ODT to sections: headings, paragraphs, lists and tables of the text, without comments and deleted text.

use roxmltree::Node;

use super::{
    Section, Unreadable,
    builder::Builder,
    xml::{Format, attribute, child, is, title},
    zip,
};

const FORMAT: Format = Format("ODT");
/// Maximum bytes of one XML part.
const MAX_PART: u64 = 64 * 1024 * 1024;

/// The document's title and its sections.
pub(super) fn read(bytes: &[u8]) -> Result<(Option<String>, Vec<Section>), Unreadable> {
    let [content, meta, manifest] = zip::files(bytes, ["content.xml", "meta.xml", "META-INF/manifest.xml"], MAX_PART)?;
    if manifest.is_some_and(|manifest| manifest.windows(15).any(|window| window == b"encryption-data")) {
        return Err(Unreadable::Encrypted);
    }
    let content = FORMAT.text(content, "text")?;
    let page = FORMAT.parse(&content)?;
    let mut reader = OdtReader::default();
    let body = page.descendants().find(|node| is(*node, "body"));
    if let Some(text) = body.and_then(|body| child(body, "text")) {
        reader.blocks(text);
    }
    Ok((title(FORMAT, meta)?.or(reader.title), reader.builder.finish()))
}

#[derive(Default)]
struct OdtReader {
    builder: Builder,
    title: Option<String>,
}

impl OdtReader {
    fn blocks(&mut self, parent: Node<'_, '_>) {
        for node in parent.children().filter(Node::is_element) {
            match node.tag_name().name() {
                "h" => self.heading(node),
                "p" => {
                    self.inline(node);
                    self.builder.end_block();
                }
                "list" => self.list(node),
                "table" => self.table(node),
                // Deleted text, and tables of contents.
                "tracked-changes" | "table-of-content" | "alphabetical-index" | "sequence-decls" | "forms" => {}
                _ => self.blocks(node),
            }
        }
    }

    fn heading(&mut self, node: Node<'_, '_>) {
        let level = attribute(node, "outline-level").and_then(|level| level.parse().ok()).unwrap_or(1u8).clamp(1, 9);
        self.inline(node);
        let text = self.builder.pending().to_owned();
        if level == 1 && self.title.is_none() && !text.is_empty() {
            self.title = Some(text);
        }
        self.builder.heading(level, None);
    }

    fn list(&mut self, list: Node<'_, '_>) {
        self.builder.open_list(None);
        for item in list.children().filter(|node| is(*node, "list-item") || is(*node, "list-header")) {
            self.builder.open_item();
            self.blocks(item);
        }
        self.builder.close_list();
    }

    fn table(&mut self, table: Node<'_, '_>) {
        self.builder.end_block();
        for row in table.descendants().filter(|node| is(*node, "table-row") && self::table_of(*node) == Some(table)) {
            self.builder.open_row();
            // Cells that another one covers are empty, and the builder adds them.
            for cell in row.children().filter(|node| is(*node, "table-cell")) {
                for paragraph in cell.descendants().filter(|node| is(*node, "p") || is(*node, "h")) {
                    self.inline(paragraph);
                    self.builder.text(" ");
                }
                let span = |name: &str| attribute(cell, name).and_then(|count| count.parse().ok()).unwrap_or(1);
                self.builder.close_cell_over(span("number-columns-spanned"), span("number-rows-spanned"));
            }
        }
        self.builder.close_table();
    }

    fn inline(&mut self, parent: Node<'_, '_>) {
        for node in parent.children() {
            match node.tag_name().name() {
                _ if node.is_text() => self.builder.text(node.text().unwrap_or_default()),
                "s" | "tab" | "line-break" => self.builder.text(" "),
                "annotation" | "note" | "p" | "list" | "frame" => {}
                _ => self.inline(node),
            }
        }
    }
}

/// The table that contains a row.
fn table_of<'a, 'b>(row: Node<'a, 'b>) -> Option<Node<'a, 'b>> {
    row.ancestors().find(|above| is(*above, "table"))
}

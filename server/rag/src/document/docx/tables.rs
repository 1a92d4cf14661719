//! Tables of a DOCX.

use roxmltree::Node;

use super::{
    super::builder::{add_paragraph_to_cell, add_to_cell, join_lines, separate},
    DocxReader, FORMAT, Omission, Unreadable, child, choice, drawing, is, notes, value,
};

impl DocxReader {
    /// A table that only arranges others on the page: what its cells have, one after the other.
    pub(super) fn layout(&mut self, table: Node<'_, '_>) -> Result<(), Unreadable> {
        for row in table_parts(table, "tr") {
            for cell in table_parts(row, "tc") {
                self.lists_to(0);
                self.blocks(cell)?;
            }
        }
        Ok(())
    }

    pub(super) fn table(&mut self, table: Node<'_, '_>) -> Result<(), Unreadable> {
        self.lists_to(0);
        self.builder.end_block();
        for row in table_parts(table, "tr") {
            let property = |name: &str| child(row, "trPr").and_then(|properties| child(properties, name));
            if property("del").is_some() {
                continue;
            }
            if property("hidden").is_some_and(|toggle| value(toggle) != Some("0")) {
                self.omit(Omission::HiddenRows);
                continue;
            }
            self.builder.open_row();
            let before = property("gridBefore").and_then(value).and_then(|columns| columns.parse().ok()).unwrap_or(0);
            if before > 0 {
                self.builder.close_cell_over(before, 1);
            }
            for cell in table_parts(row, "tc") {
                let text = self.cell_lines(cell);
                self.builder.text(&text);
                let property = |name: &str| child(cell, "tcPr").and_then(|properties| child(properties, name));
                let columns =
                    property("gridSpan").and_then(value).and_then(|columns| columns.parse().ok()).unwrap_or(1);
                match property("vMerge") {
                    Some(merge) if value(merge) != Some("restart") => self.builder.close_continued(columns),
                    _ => self.builder.close_cell_over(columns, 1),
                }
            }
        }
        self.builder.close_table();
        for node in table.descendants().filter(|node| is(*node, "chart") || is(*node, "relIds")) {
            drawing::read(&mut self.builder, FORMAT, node, &self.relations, &mut self.parts, &mut self.omissions)?;
        }
        Ok(())
    }

    /// The text of a note, or of a text box within a cell, on one line.
    pub(super) fn cell_text(&mut self, parent: Node<'_, '_>) -> String {
        join_lines(&self.cell_lines(parent))
    }

    /// The text of a cell with its lines.
    fn cell_lines(&mut self, parent: Node<'_, '_>) -> String {
        let mut text = String::new();
        self.add_cell_text(parent, &mut text);
        separate(&mut text, "");
        text
    }

    fn add_cell_text(&mut self, parent: Node<'_, '_>, text: &mut String) {
        for node in parent.children().filter(Node::is_element) {
            match node.tag_name().name() {
                "p" => self.add_cell_paragraph(node, text),
                "tcPr" | "tblPr" | "trPr" | "del" | "moveFrom" => {}
                "AlternateContent" => choice(node).into_iter().for_each(|branch| self.add_cell_text(branch, text)),
                "altChunk" => {
                    for section in self.chunk_content(node) {
                        section.heading_path.last().into_iter().for_each(|title| add_to_cell(text, title, false));
                        add_to_cell(text, &section.text.split_whitespace().collect::<Vec<_>>().join(" "), false);
                    }
                }
                name => {
                    match name {
                        "tr" => separate(text, "; "),
                        "tc" => separate(text, ", "),
                        _ => {}
                    }
                    self.add_cell_text(node, text);
                }
            }
        }
    }

    fn add_cell_paragraph(&mut self, node: Node<'_, '_>, text: &mut String) {
        let line = self.line(node);
        let properties = child(node, "pPr");
        let style = properties.and_then(|properties| child(properties, "pStyle")).and_then(value);
        let words = notes::place(&line.runs.text(), &line.notes);
        add_paragraph_to_cell(text, &words, &self.mark(properties, style).0);
        for inner in line.boxes.into_iter().filter(|node| is(*node, "txbxContent")) {
            let words = self.cell_text(inner);
            add_to_cell(text, &words, false);
        }
    }
}

/// The rows of a table or the cells of a row, also inside content controls.
fn table_parts<'a, 'b>(parent: Node<'a, 'b>, name: &str) -> Vec<Node<'a, 'b>> {
    let mut parts = Vec::new();
    for node in parent.children() {
        match node.tag_name().name() {
            own if own == name => parts.push(node),
            "sdt" | "sdtContent" | "customXml" | "ins" => parts.extend(table_parts(node, name)),
            _ => {}
        }
    }
    parts
}

/// Whether a table has one row or one column, and a table of several rows and columns in it.
pub(super) fn is_layout(table: Node<'_, '_>) -> bool {
    let rows = table_parts(table, "tr");
    let widths = |rows: &[Node<'_, '_>]| rows.iter().map(|row| table_parts(*row, "tc").len()).max().unwrap_or(0);
    let is_grid = |inner: Node<'_, '_>| {
        let rows = table_parts(inner, "tr");
        rows.len() > 1 && widths(&rows) > 1
    };
    (rows.len() == 1 || widths(&rows) == 1)
        && table.descendants().skip(1).any(|inner| is(inner, "tbl") && is_grid(inner))
}

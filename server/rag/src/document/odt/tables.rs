//! Tables of an ODT, and what stands in their cells.

use roxmltree::Node;

use super::{
    super::builder::{add_paragraph_to_cell, add_to_cell, join_lines, separate},
    Mark, OdtReader, Omission, Unreadable, attribute, is, notes,
};

impl OdtReader {
    /// A table that only arranges others on the page: what its cells have, one after the other.
    pub(super) fn layout(&mut self, table: Node<'_, '_>) -> Result<(), Unreadable> {
        for cell in rows_of(table).iter().flat_map(|row| cells_of(*row)) {
            self.builder.end_block();
            self.blocks(cell)?;
        }
        Ok(())
    }

    pub(super) fn table(&mut self, table: Node<'_, '_>) {
        self.builder.end_block();
        for row in rows_of(table) {
            if attribute(row, "visibility").is_some_and(|visibility| visibility != "visible") {
                self.omit(Omission::HiddenRows);
                continue;
            }
            self.builder.open_row();
            // Cells that another one covers are empty, and the builder adds them.
            for cell in cells_of(row) {
                let text = self.cell_lines(cell);
                self.builder.text(&text);
                let span = |name: &str| attribute(cell, name).and_then(|count| count.parse().ok()).unwrap_or(1);
                self.builder.close_cell_over(span("number-columns-spanned"), span("number-rows-spanned"));
            }
        }
        self.builder.close_table();
    }

    /// The text of a note, or of a frame within a cell, on one line.
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
            self.add_cell_block(node, text);
        }
    }

    /// Adds a block of a cell to its text.
    pub(super) fn add_cell_block(&mut self, node: Node<'_, '_>, text: &mut String) {
        match node.tag_name().name() {
            "p" | "h" => self.add_cell_paragraph(node, &Mark::None, text),
            // Within a cell, nothing of a list can fail.
            "list" => self.list(node, None, Some(text)).unwrap_or_default(),
            "annotation" | "number" => {}
            name => {
                match name {
                    "table-row" => separate(text, "; "),
                    "table-cell" => separate(text, ", "),
                    _ => {}
                }
                self.add_cell_text(node, text);
            }
        }
    }

    pub(super) fn add_cell_paragraph(&mut self, node: Node<'_, '_>, mark: &Mark, text: &mut String) {
        let line = self.line(node);
        let words = notes::place(&line.runs.text(), &line.notes);
        add_paragraph_to_cell(text, &words, mark);
        for frame in line.frames {
            let words = self.cell_text(frame);
            add_to_cell(text, &words, false);
        }
    }
}

/// The rows of a table, without those of tables in it.
fn rows_of<'a, 'b>(table: Node<'a, 'b>) -> Vec<Node<'a, 'b>> {
    let is_own = |row: &Node<'_, '_>| row.ancestors().find(|above| is(*above, "table")) == Some(table);
    table.descendants().filter(|node| is(*node, "table-row")).filter(is_own).collect()
}

fn cells_of<'a, 'b>(row: Node<'a, 'b>) -> impl Iterator<Item = Node<'a, 'b>> {
    row.children().filter(|node| is(*node, "table-cell"))
}

/// Whether a table has one row or one column, and a table of several rows and columns in it.
pub(super) fn is_layout(table: Node<'_, '_>) -> bool {
    let width = |rows: &[Node<'_, '_>]| rows.iter().map(|row| cells_of(*row).count()).max().unwrap_or(0);
    let is_grid = |inner: Node<'_, '_>| {
        let rows = rows_of(inner);
        rows.len() > 1 && width(&rows) > 1
    };
    let mut inner = table.descendants().skip(1).filter(|inner| is(*inner, "table"));
    let rows = rows_of(table);
    (rows.len() == 1 || width(&rows) == 1) && inner.any(is_grid)
}

//! Tables that are written as lines with tabulators.

use roxmltree::Node;

use super::{super::tabs, DocxReader, Unreadable, child, is, notes, styles::InList, value};

impl DocxReader {
    /// The number of blocks from the first on that are the lines of one table.
    pub(super) fn tabbed_lines(&self, blocks: &[Node<'_, '_>]) -> usize {
        let is_line = |block: &Node<'_, '_>| is(*block, "p") && self.is_plain(*block);
        tabs::lines(blocks.iter().map_while(|block| is_line(block).then(|| with_tabs(*block))))
    }

    /// Whether a paragraph is no heading and no item of a list.
    fn is_plain(&self, paragraph: Node<'_, '_>) -> bool {
        let properties = child(paragraph, "pPr");
        let style = properties
            .and_then(|properties| child(properties, "pStyle"))
            .and_then(value)
            .and_then(|id| self.styles.get(id));
        let own = properties.map(InList::read).unwrap_or_default();
        style.is_none_or(|style| style.level().is_none() && style.list.list.is_none()) && own.list.is_none()
    }

    /// The lines of a table.
    pub(super) fn tabbed(&mut self, lines: &[Node<'_, '_>]) -> Result<(), Unreadable> {
        self.lists_to(0);
        let mut boxes = Vec::new();
        for paragraph in lines {
            let line = self.line(*paragraph);
            tabs::add_row(&mut self.builder, &notes::place(&line.runs.text(), &line.notes));
            boxes.extend(line.boxes);
        }
        self.builder.close_table();
        self.boxes(&boxes)
    }
}

/// The text of a paragraph with its tabulators.
fn with_tabs(paragraph: Node<'_, '_>) -> String {
    let mut text = String::new();
    for node in paragraph.descendants() {
        match node.tag_name().name() {
            "t" => text.push_str(node.text().unwrap_or_default()),
            "tab" if node.parent().is_some_and(|run| is(run, "r")) => text.push('\t'),
            _ => {}
        }
    }
    text
}

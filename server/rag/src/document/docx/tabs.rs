//! Tables that are written as lines with tabulators.

use roxmltree::Node;

use super::{DocxReader, Unreadable, child, is, notes, styles::InList, value};
use crate::price;

/// Minimum lines and cells of a table.
const MIN_LINES: usize = 3;
const MIN_CELLS: usize = 3;

impl DocxReader {
    /// The number of blocks from the first on that are the lines of one table: each has as many cells between tabulators, and
    /// those below the first one have a value.
    pub(super) fn tabbed_lines(&self, blocks: &[Node<'_, '_>]) -> usize {
        let cells =
            |block: &Node<'_, '_>| if is(*block, "p") && self.is_plain(*block) { cells(*block) } else { Vec::new() };
        let Some(first) = blocks.first().map(cells).filter(|first| first.len() >= MIN_CELLS) else { return 0 };
        let is_value = |cell: &String| {
            let text = cell.trim_start_matches(|mark: char| mark.is_whitespace() || "$€£+-".contains(mark));
            text.starts_with(|mark: char| mark.is_ascii_digit()) || price::is_given(cell)
        };
        let is_row = |line: &Vec<String>| line.len() == first.len() && line[1..].iter().any(is_value);
        let count = 1 + blocks[1..].iter().map(cells).take_while(is_row).count();
        if count >= MIN_LINES { count } else { 0 }
    }

    /// Whether a paragraph is no heading and no item of a list.
    fn is_plain(&self, paragraph: Node<'_, '_>) -> bool {
        let properties = child(paragraph, "pPr");
        let style =
            properties.and_then(|found| child(found, "pStyle")).and_then(value).and_then(|id| self.styles.get(id));
        let own = properties.map(InList::read).unwrap_or_default();
        style.is_none_or(|style| style.level().is_none() && style.list.list.is_none()) && own.list.is_none()
    }

    /// The lines of a table.
    pub(super) fn tabbed(&mut self, lines: &[Node<'_, '_>]) -> Result<(), Unreadable> {
        self.lists_to(0);
        let mut boxes = Vec::new();
        for paragraph in lines {
            let line = self.line(*paragraph);
            self.builder.open_row();
            for cell in notes::placed(&line.runs.text(), &line.notes).split('\t').filter(|cell| !cell.trim().is_empty())
            {
                self.builder.text(cell);
                self.builder.close_cell();
            }
            boxes.extend(line.boxes);
        }
        self.builder.close_table();
        self.boxes(&boxes)
    }
}

/// The texts of a paragraph between its tabulators.
fn cells(paragraph: Node<'_, '_>) -> Vec<String> {
    let mut text = String::new();
    for node in paragraph.descendants() {
        match node.tag_name().name() {
            "t" => text.push_str(node.text().unwrap_or_default()),
            "tab" if node.parent().is_some_and(|run| is(run, "r")) => text.push('\t'),
            _ => {}
        }
    }
    text.split('\t').filter(|cell| !cell.trim().is_empty()).map(str::to_owned).collect()
}

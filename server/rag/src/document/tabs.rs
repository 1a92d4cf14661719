//! Lines with tabulators that are the rows of a table, as people write them in text documents.

use super::builder::Builder;
use crate::price;

/// Minimum lines and cells of a table.
const MIN_LINES: usize = 3;
const MIN_CELLS: usize = 3;

/// The number of lines from the first on that are one table: each has as many cells between tabulators, and those below the
/// first one have a value.
pub(super) fn lines(mut lines: impl Iterator<Item = String>) -> usize {
    let Some(width) = lines.next().map(|line| cells(&line).count()).filter(|width| *width >= MIN_CELLS) else {
        return 0;
    };
    let is_value = |cell: &str| {
        let text = cell.trim_start_matches(|mark: char| mark.is_whitespace() || "$€£+-".contains(mark));
        text.starts_with(|mark: char| mark.is_ascii_digit()) || price::is_given(cell)
    };
    let is_row = |line: &String| cells(line).count() == width && cells(line).skip(1).any(is_value);
    let count = 1 + lines.take_while(is_row).count();
    if count >= MIN_LINES { count } else { 0 }
}

/// Adds a line as a row.
pub(super) fn add_row(builder: &mut Builder, line: &str) {
    builder.open_row();
    for cell in cells(line) {
        builder.text(cell);
        builder.close_cell();
    }
}

/// The texts between tabulators. Several of these in a row only move the next text.
fn cells(line: &str) -> impl Iterator<Item = &str> {
    line.split('\t').filter(|cell| !cell.trim().is_empty())
}

//! Rewrites tables as lists, because answers are shown in narrow windows by clients that render lists but no tables.

use crate::block::{Block, blocks};

/// The rows of a table as a list, each cell with its column header: `- **Basic**: price: 10; seats: 3`. Leaves lines
/// that are not a table, and a table without rows, unchanged.
pub(super) fn as_list(table: &str) -> String {
    let mut lines = table.lines();
    let (head, is_table) = (lines.next().map(cells).unwrap_or_default(), lines.next().is_some_and(draws_rule));
    let items: Vec<String> = lines.filter_map(|row| item(&head, &cells(row))).collect();
    if is_table && !items.is_empty() { items.join("\n") } else { table.to_owned() }
}

/// Replaces each table of a document by a list. Vertical bars in code stay.
pub fn with_lists(text: &str) -> String {
    let texts = blocks(text).into_iter().map(|block| match block {
        Block::Table(table) => as_list(table),
        block => block.text().to_owned(),
    });
    texts.collect::<Vec<_>>().join("\n\n")
}

/// Whether a line is the rule below the header.
pub(super) fn draws_rule(line: &str) -> bool {
    line.contains('-') && line.chars().all(|letter| matches!(letter, '|' | '-' | ':' | ' '))
}

/// The cells of a line, without the outer bars.
pub(super) fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').filter(|rest| !rest.ends_with('\\')).unwrap_or(line);
    let (mut cells, mut cell, mut is_escaped) = (Vec::new(), String::new(), false);
    for character in line.chars() {
        match character {
            '|' if !is_escaped => cells.push(std::mem::take(&mut cell)),
            '|' => {
                cell.pop();
                cell.push('|');
            }
            _ => cell.push(character),
        }
        is_escaped = character == '\\';
    }
    cells.push(cell);
    cells.into_iter().map(|cell| cell.trim().to_owned()).collect()
}

/// A row as a list item; `None` when it is empty.
pub(super) fn item(head: &[String], row: &[String]) -> Option<String> {
    let labelled_cell = |(column, cell): (usize, &String)| {
        let head = head.get(column).filter(|head| !head.is_empty());
        (!cell.is_empty()).then(|| head.map_or_else(|| cell.clone(), |head| format!("{head}: {cell}")))
    };
    let mut parts: Vec<String> = row.iter().enumerate().skip(1).filter_map(labelled_cell).collect();
    let first = row.first().filter(|cell| !cell.is_empty()).map(|cell| strong(cell));
    match (first, parts.is_empty()) {
        (None, true) => None,
        (Some(first), true) => Some(format!("- {first}")),
        (Some(first), false) => Some(format!("- {first}: {}", parts.join("; "))),
        (None, false) => Some(format!("- {}", std::mem::take(&mut parts).join("; "))),
    }
}

/// The cell in bold, unless it has its own markup.
pub(super) fn strong(cell: &str) -> String {
    if cell.contains(['*', '_', '`', '[']) { cell.to_owned() } else { format!("**{cell}**") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_items_with_the_heads_of_their_columns() {
        let table = "| Plan | Price | Seats |\n|---|---|---|\n| Basic | 10 | 3 |\n| `Pro` | 20 |  |\n|  | 30 | 9 |";
        assert_eq!(as_list(table), "- **Basic**: Price: 10; Seats: 3\n- `Pro`: Price: 20\n- Price: 30; Seats: 9");
    }

    #[test]
    fn bars_inside_of_cells_stay() {
        assert_eq!(as_list("| Key | Use |\n|---|---|\n| a\\|b | this \\| that |"), "- **a|b**: Use: this | that");
    }

    #[test]
    fn each_table_of_a_text_becomes_a_list() {
        let text = "Prices:\n\n| Plan | Price |\n|---|---|\n| Basic | 10 |\n\nWith tax.\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n```\n| lone |";
        let list =
            "Prices:\n\n- **Basic**: Price: 10\n\nWith tax.\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n```\n| lone |";
        assert_eq!(with_lists(text), list);
        assert_eq!(with_lists(""), "");
    }

    #[test]
    fn a_table_without_rows_stays() {
        let table = "| Plan | Price |\n|---|---|";
        assert_eq!(as_list(table), table);
        assert_eq!(as_list(""), "");
        let bars = "| a |\n| b |\n| c |";
        assert_eq!(as_list(bars), bars, "no rule, no table");
    }
}

//! Tables, for the consoles. The widget does not support them: answers to visitors contain lists instead.

use super::{Block, Inline, block::fence_of, inline::parse_inline, parse};

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Text between two tables.
    Blocks(Vec<Block>),
    Table(Table),
}

/// A table with a head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The heads of the columns.
    pub head: Vec<Vec<Inline>>,
    /// The rows, each with as many cells as the head.
    pub rows: Vec<Vec<Vec<Inline>>>,
}

/// Parses a text with its tables: lines that begin with a bar, of which the second one draws the rule below the head. Tables in lists,
/// quotations and code stay text.
pub fn parse_with_tables(text: &str) -> Vec<Part> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut parts, mut between, mut at, mut fence) = (Vec::new(), Vec::new(), 0, None);
    while let Some(line) = lines.get(at) {
        fence = match fence {
            Some(open) => (!line.trim_start().starts_with(open)).then_some(open),
            None => fence_of(line.trim_start()),
        };
        let rows = if fence.is_some() { 0 } else { rows_of_table(&lines[at..]) };
        if rows == 0 {
            between.push(*line);
            at += 1;
        } else {
            push_blocks(&mut parts, &mut between);
            parts.push(Part::Table(table(&lines[at..at + rows])));
            at += rows;
        }
    }
    push_blocks(&mut parts, &mut between);
    parts
}

fn push_blocks(parts: &mut Vec<Part>, lines: &mut Vec<&str>) {
    let blocks = parse(&lines.join("\n"));
    if !blocks.is_empty() {
        parts.push(Part::Blocks(blocks));
    }
    lines.clear();
}

/// How many of the lines are a table that begins with the first one; none when that begins none.
fn rows_of_table(lines: &[&str]) -> usize {
    let rows = lines.iter().take_while(|line| line.starts_with('|')).count();
    if rows > 1 && is_rule(lines[1]) { rows } else { 0 }
}

/// Whether a line draws the rule below the head, such as `|---|:-:|`.
fn is_rule(line: &str) -> bool {
    line.contains('-') && line.chars().all(|letter| matches!(letter, '|' | '-' | ':' | ' '))
}

fn table(lines: &[&str]) -> Table {
    let mut rows = lines.iter().map(|line| cells(line));
    let head = rows.next().unwrap_or_default();
    let width = head.len();
    let fitted = |mut row: Vec<Vec<Inline>>| {
        row.resize(width, Vec::new());
        row
    };
    Table { head, rows: rows.skip(1).map(fitted).collect() }
}

/// The cells of a row, without the bars around them. A bar with a backslash before it is part of its cell.
fn cells(line: &str) -> Vec<Vec<Inline>> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').filter(|rest| !rest.ends_with('\\')).unwrap_or(line);
    let (mut cells, mut cell) = (Vec::new(), String::new());
    for part in line.split('|') {
        cell.push_str(part);
        if cell.ends_with('\\') {
            cell.pop();
            cell.push('|');
        } else {
            cells.push(parse_inline(cell.trim()));
            cell.clear();
        }
    }
    if !cell.is_empty() {
        cells.push(parse_inline(cell.trim()));
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Vec<Inline> {
        if text.is_empty() { Vec::new() } else { vec![Inline::Text(text.to_owned())] }
    }

    #[test]
    fn a_table_stands_between_the_other_blocks() {
        let parts = parse_with_tables("Prices:\n\n| Plan | Price |\n|---|:-:|\n| Basic | 10 |\n| Pro |\n\nWith tax.");
        let table = Table {
            head: vec![text("Plan"), text("Price")],
            rows: vec![vec![text("Basic"), text("10")], vec![text("Pro"), text("")]],
        };
        let paragraph = |content: &str| Part::Blocks(vec![Block::Paragraph(text(content))]);
        assert_eq!(parts, [paragraph("Prices:"), Part::Table(table), paragraph("With tax.")]);
    }

    #[test]
    fn an_empty_first_cell_keeps_its_column() {
        let parts = parse_with_tables("|| Price |\n|---|---|\n|| 10 |");
        let (head, rows) = (vec![text(""), text("Price")], vec![vec![text(""), text("10")]]);
        assert_eq!(parts, [Part::Table(Table { head, rows })]);
    }

    #[test]
    fn bars_in_cells_and_marks_are_kept() {
        let parts = parse_with_tables("| Key |\n|---|\n| a\\|b |\n| **c** |");
        let rows = vec![vec![text("a|b")], vec![vec![Inline::Strong(text("c"))]]];
        assert_eq!(parts, [Part::Table(Table { head: vec![text("Key")], rows })]);
    }

    #[test]
    fn a_table_after_code_is_a_table() {
        for code in ["```ls``` lists files.", "```\n~~~\n```", "~~~\n```\n~~~"] {
            let parts = parse_with_tables(&[code, "\n\n| a |\n|---|\n| 1 |"].concat());
            assert!(matches!(parts.as_slice(), [Part::Blocks(_), Part::Table(_)]), "{code}");
        }
    }

    #[test]
    fn what_only_looks_like_a_table_stays_text() {
        for other in
            ["| a |\n| b |", "a | b\n---|---\n1 | 2", "```\n| a |\n|---|\n```", "- | a |\n  |---|", "|", "|\n|-|"]
        {
            let _ = parse_with_tables(other);
        }
        for other in ["| a |\n| b |", "```\n| a |\n|---|\n| 1 |\n```"] {
            assert!(matches!(parse_with_tables(other).as_slice(), [Part::Blocks(_)]), "{other}");
        }
        assert_eq!(parse_with_tables(""), []);
    }
}

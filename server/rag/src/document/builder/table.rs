//! The rows of a table while they are read: cells that cover several columns or rows, titles, headers of two rows.

use super::{
    joining::{LINE, join_lines},
    lines,
};
use crate::price;

/// Columns in which a cell may cover several columns or rows, which bounds the memory of a table.
const MAX_COVERED: usize = 50;
/// Maximum bytes of a cell that is repeated in each column and row that it covers.
const MAX_REPEATED: usize = 100;
/// Maximum bytes of all repetitions in a document.
const MAX_REPETITIONS: usize = 1024 * 1024;

/// A table that is being read.
#[derive(Default)]
pub(super) struct Table {
    rows: Vec<Vec<Cell>>,
    /// For each column, how many rows from the current one on a cell covers, and the text that is repeated there.
    coverage: Vec<(usize, String)>,
    /// Bytes of all repetitions so far, in this table and those before it.
    repetitions: usize,
}

struct Cell {
    text: String,
    /// Whether it repeats a cell that covers several columns or rows.
    is_repeated: bool,
}

impl Cell {
    /// Whether it has a text of its own.
    fn is_filled(&self) -> bool {
        !self.is_repeated && !self.text.is_empty()
    }
}

impl Table {
    /// Whether it has no row.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(super) fn open_row(&mut self) {
        self.close_row();
        self.rows.push(Vec::new());
        self.coverage.iter_mut().for_each(|(rows, _)| *rows = rows.saturating_sub(1));
    }

    /// Begins a group of rows. No cell above covers a part of it.
    pub(super) fn open_rows(&mut self) {
        self.close_row();
        self.coverage.clear();
    }

    /// Fills the last columns of the current row, as far as cells above cover them. A row without a cell of its own is left
    /// out at the end.
    fn close_row(&mut self) {
        let end = self.coverage.iter().rposition(|(rows, _)| *rows > 0).map_or(0, |last| last + 1);
        while (1..end).contains(&self.width()) {
            self.repeat_above();
        }
    }

    /// The cells of the current row.
    fn width(&self) -> usize {
        self.rows.last().map_or(0, Vec::len)
    }

    /// Adds the text of the cell that covers the next column, or an empty cell.
    fn repeat_above(&mut self) {
        let above = self.coverage.get(self.width()).filter(|(rows, _)| *rows > 0);
        let text = above.map(|(_, text)| text.clone()).unwrap_or_default();
        self.repeat(&text);
    }

    /// Adds a cell that repeats another one. A long text is left out.
    fn repeat(&mut self, text: &str) {
        let fits = text.len() <= MAX_REPEATED && self.repetitions + text.len() <= MAX_REPETITIONS;
        let text = if fits { text.to_owned() } else { String::new() };
        self.repetitions += text.len();
        if let Some(row) = self.rows.last_mut() {
            row.push(Cell { text, is_repeated: true });
        }
    }

    /// Adds a cell that continues the one above it.
    pub(super) fn continue_above(&mut self, columns: usize) {
        for _ in 0..columns.clamp(1, MAX_COVERED) {
            let above = self.rows.iter().nth_back(1).and_then(|row| row.get(self.width()));
            let text = above.filter(|cell| cell.text.len() <= MAX_REPEATED).map(|cell| cell.text.clone());
            self.repeat(&text.unwrap_or_default());
        }
    }

    /// Adds a cell that covers several columns and rows. A short text is repeated in each of them, because each column and
    /// each row is read by itself. The label of a row is not repeated in the next columns.
    pub(super) fn add(&mut self, text: String, columns: usize, rows: usize) {
        while self.coverage.get(self.width()).is_some_and(|(rows, _)| *rows > 0) {
            self.repeat_above();
        }
        let start = self.width();
        let repetition = if text.len() <= MAX_REPEATED { text.clone() } else { String::new() };
        if let Some(row) = self.rows.last_mut() {
            row.push(Cell { text, is_repeated: false });
        }
        if start >= MAX_COVERED {
            return;
        }
        let beside = if start > 0 { repetition.clone() } else { String::new() };
        let end = start.saturating_add(columns.max(1)).min(MAX_COVERED);
        for _ in start + 1..end {
            self.repeat(&beside);
        }
        if rows > 1 {
            self.coverage.resize(self.coverage.len().max(end), (0, String::new()));
            self.coverage[start] = (rows, repetition);
            self.coverage[start + 1..end].fill((rows, beside));
        }
    }

    /// Ends the table and returns its blocks. Its first row is the header, together with the next one if that divides columns
    /// of the first; if it has values as the rows below it, the header is empty. A table of one column becomes paragraphs, and
    /// so does one that only draws a box around a note, with a title above its text.
    pub(super) fn close(&mut self) -> Vec<String> {
        self.open_rows();
        let mut rows: Vec<Vec<Cell>> = std::mem::take(&mut self.rows).into_iter().flat_map(drawn_rows).collect();
        rows.retain(|row| row.iter().any(Cell::is_filled));
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        let filled_cells = || rows.iter().map(|row| row.iter().filter(|cell| cell.is_filled()));
        if width < 2 || filled_cells().all(|cells| cells.count() == 1) {
            let lines: Vec<&str> = filled_cells().flatten().map(|cell| cell.text.as_str()).collect();
            return match lines[..] {
                [title, text] if width > 1 && !title.contains(['.', ':', '?', '!']) => vec![format!("{title}: {text}")],
                _ => lines.iter().copied().map(str::to_owned).collect(),
            };
        }
        let mut blocks = Vec::new();
        while has_title(&rows, width) {
            blocks.extend(rows.remove(0).into_iter().take(1).map(|title| title.text));
        }
        join_header(&mut rows);
        if has_no_header(&rows, width) {
            rows.insert(0, Vec::new());
        }
        let mut table = String::new();
        for (number, row) in rows.iter().enumerate() {
            let mut cells: Vec<&str> = row.iter().map(|cell| cell.text.as_str()).collect();
            cells.resize(width, "");
            table.push_str(&format!("| {} |\n", cells.join(" | ")));
            if number == 0 {
                table.push_str(&format!("|{}\n", "---|".repeat(width)));
            }
        }
        blocks.push(table.trim_end().to_owned());
        blocks
    }
}

/// The rows that a row draws by the lines of its cells.
fn drawn_rows(mut row: Vec<Cell>) -> Vec<Vec<Cell>> {
    if !row.iter().any(|cell| cell.text.contains(LINE)) {
        return vec![row];
    }
    let cells: Vec<(&str, bool)> = row.iter().map(|cell| (cell.text.as_str(), cell.is_repeated)).collect();
    match lines::rows(&cells) {
        Some(rows) => {
            let cell = |(text, original): (String, &Cell)| Cell { text, is_repeated: original.is_repeated };
            rows.into_iter().map(|texts| texts.into_iter().zip(&row).map(cell).collect()).collect()
        }
        None => {
            row.iter_mut().for_each(|cell| cell.text = join_lines(&cell.text));
            vec![row]
        }
    }
}

/// Whether the first row is the title of a table with a header below it, as in a price list: its only text is in the first of
/// three or more columns, and the row below it has names only. If all rows have names only, and a further row has only a
/// first cell, the first row names a group of rows, and the table has no header.
fn has_title(rows: &[Vec<Cell>], width: usize) -> bool {
    let [first, second, rest @ ..] = rows else { return false };
    let is_label =
        |row: &[Cell]| row.first().is_some_and(Cell::is_filled) && row.iter().skip(1).all(|cell| cell.text.is_empty());
    let has_names = |row: &[Cell]| {
        row.iter().filter(|cell| cell.is_filled()).all(|cell| cell.text.starts_with(char::is_alphabetic))
    };
    let has_groups = || rest.iter().any(|row| is_label(row)) && rest.iter().all(|row| has_names(row));
    width > 2
        && !rest.is_empty()
        && is_label(first)
        && second.iter().filter(|cell| cell.is_filled()).count() > 1
        && has_names(second)
        && !has_groups()
}

/// Whether the first row has values like those below it, such as opening hours or prices: a cell is written as another one of its
/// column. In tables of more than two columns only amounts of money count: a timetable may have hours as names.
fn has_no_header(rows: &[Vec<Cell>], width: usize) -> bool {
    let [first, rest @ ..] = rows else { return false };
    let is_value = |text: &str| {
        let has_digits = text.contains(|mark: char| mark.is_ascii_digit());
        let is_number = text.chars().all(|mark| mark.is_ascii_digit() || mark.is_whitespace());
        has_digits && !is_number && (width == 2 || price::is_given(text))
    };
    (1..width).any(|column| {
        let value = first.get(column).filter(|cell| !cell.is_repeated && is_value(&cell.text));
        let value_pattern = value.map(|cell| pattern(&cell.text));
        value_pattern.is_some()
            && rest.iter().any(|row| row.get(column).map(|cell| pattern(&cell.text)) == value_pattern)
    })
}

/// How a text is written: each number is one digit.
fn pattern(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for mark in text.chars() {
        match mark.is_ascii_digit() {
            true if pattern.ends_with('0') => {}
            true => pattern.push('0'),
            false => pattern.push(mark),
        }
    }
    pattern
}

/// Joins the first two rows if the second one divides columns that a cell of the first covers and has no label of its own:
/// "Amount" above "small" and "large" becomes "Amount small" and "Amount large".
fn join_header(rows: &mut Vec<Vec<Cell>>) {
    let [first, second, _, ..] = rows.as_slice() else { return };
    let divides = first.iter().any(|cell| cell.is_repeated && !cell.text.is_empty());
    if !divides || second.first().is_none_or(Cell::is_filled) {
        return;
    }
    let below = rows.remove(1);
    for (column, cell) in below.into_iter().enumerate().filter(|(_, cell)| cell.is_filled()) {
        match rows[0].get_mut(column) {
            Some(above) if above.text.is_empty() => above.text = cell.text,
            Some(above) => above.text = format!("{} {}", above.text, cell.text),
            None => rows[0].push(cell),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The blocks of a table whose cells are written as `text`, `text/columns` or `text/columns/rows`.
    fn blocks(rows: &[&[&str]]) -> String {
        let mut table = Table::default();
        for row in rows {
            table.open_row();
            for cell in *row {
                let mut parts = cell.split('/');
                let text = parts.next().unwrap_or_default().to_owned();
                let mut span = || parts.next().map_or(1, |count| count.parse().unwrap_or(1));
                table.add(text, span(), span());
            }
        }
        table.close().join("\n\n")
    }

    #[test]
    fn a_cell_counts_in_each_column_and_row_that_it_covers() {
        let days: &[&[&str]] =
            &[&["Day", "Hall", "Desk"], &["Mon", "closed/2"], &["Tue", "9-5", "8-9/1/2"], &["Wed", "9-6"]];
        let expected =
            "| Day | Hall | Desk |\n|---|---|---|\n| Mon | closed | closed |\n| Tue | 9-5 | 8-9 |\n| Wed | 9-6 | 8-9 |";
        assert_eq!(blocks(days), expected);
        let long = "x".repeat(MAX_REPEATED + 1);
        let table = blocks(&[&["A", "B", "C"], &["1", &format!("{long}/2")]]);
        assert_eq!(table.matches(&long).count(), 1, "a long text stands once");
        let label = blocks(&[&["A", "B", "C"], &["all/2", "5"], &["1", "2", "3"]]);
        assert!(label.contains("| all |  | 5 |"), "{label}");
    }

    #[test]
    fn a_header_of_two_rows_becomes_one() {
        let expected = "| Drink | Amount small | Amount large | Heat |\n|---|---|---|---|\n| Tea | 1 | 2 | hot |";
        let tea: &[&str] = &["Tea", "1", "2", "hot"];
        assert_eq!(blocks(&[&["Drink/1/2", "Amount/2", "Heat/1/2"], &["small", "large"], tea]), expected);
        assert_eq!(blocks(&[&["Drink", "Amount/2", "Heat"], &["", "small", "large", ""], tea]), expected);
        let rows = blocks(&[&["Drink", "Amount/2"], &["Tea", "1", "2"], &["Milk", "3", "4"]]);
        assert!(rows.starts_with("| Drink | Amount | Amount |\n"), "a row with a label is none: {rows}");
    }

    #[test]
    fn a_first_row_of_values_is_no_header() {
        for rows in [
            [["Monday", "9:00 to 17:00"], ["Tuesday", "10:00 to 12:30"], ["Sunday", "closed"]],
            [["Espresso", "2.40 €"], ["Tea", "12.10 €"], ["Water", "free"]],
        ] {
            let rows = rows.each_ref().map(|row| row.as_slice());
            let table = blocks(&rows);
            assert!(table.starts_with(&format!("|  |  |\n|---|---|\n| {} |", rows[0].join(" | "))), "{table}");
        }
        for rows in [
            [["Fee", "2025", "2026"], ["Membership", "52.00 €", "55.00 €"]],
            [["Persons", "1", "2"], ["Cabin", "40", "60"]],
            [["Stop", "8:00", "9:00"], ["Market", "8:05", "9:05"]],
            [["Stay", "1 day", "2 days"], ["Tent", "9 €", "17 €"]],
        ] {
            let rows = rows.each_ref().map(|row| row.as_slice());
            assert!(blocks(&rows).starts_with(&format!("| {} |", rows[0].join(" | "))));
        }
    }

    #[test]
    fn a_title_above_the_header_is_a_paragraph() {
        let head: &[&str] = &["Bike", "Day", "Week"];
        let table = "| Bike | Day | Week |\n|---|---|---|\n| Tandem | 28 | 130 |";
        let expected = format!("Prices\n\n{table}");
        assert_eq!(blocks(&[&["Prices/3"], head, &["Tandem", "28", "130"]]), expected);
        assert_eq!(blocks(&[&["Prices", "", ""], head, &["Tandem", "28", "130"]]), expected);
        let plain = blocks(&[&["Bikes"], &["Tandem", "28", "130"], &["Tricycle", "20", "90"]]);
        assert!(plain.starts_with("| Bikes |  |  |"), "values are no header: {plain}");
        let yoga: &[&str] = &["Yoga", "Anna", "Hall"];
        let groups = blocks(&[&["Monday/3"], yoga, &["Pilates", "Ben", "Hall"], &["Tuesday/3"], yoga]);
        assert!(groups.starts_with("| Monday |  |  |"), "a name of a group of rows is no title: {groups}");
    }

    #[test]
    fn all_repetitions_of_a_document_are_bounded() {
        let mut table = Table::default();
        for _ in 0..800 {
            table.open_row();
            table.add(String::new(), 1, 1);
            table.add("x".repeat(MAX_REPEATED), MAX_COVERED, 1);
        }
        assert!(table.close().concat().len() < 2 * MAX_REPETITIONS);
    }
}

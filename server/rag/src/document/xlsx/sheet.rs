//! The visible cells of a sheet as tables with their titles.

use std::collections::{HashMap, HashSet};

use roxmltree::{Document as Xml, Node};

use super::{
    super::{
        Omission, Unreadable,
        builder::Builder,
        xml::{attribute, is},
    },
    FORMAT,
    cells::{Book, Cell},
};

/// Maximum columns of a table: the days of a year. Further cells are left out.
const MAX_COLUMNS: usize = 400;
/// Columns in which merged cells are one cell.
const MAX_MERGED: usize = 50;
/// Maximum lines of a title above a header.
const MAX_TITLES: usize = 12;
/// Rows below a header that show whether it is one.
const ROWS_BELOW: usize = 20;

/// A row, from 1, and a column, from 0.
type Place = (usize, usize);

/// A row of cells with its number.
type Row = (usize, Vec<Cell>);

/// What of a sheet is visible.
struct Sheet {
    rows: Vec<Row>,
    /// The columns with text.
    columns: Vec<usize>,
    /// The last cell of a range of merged cells by its first.
    merged_ranges: HashMap<Place, Place>,
}

/// Adds the tables of a sheet.
///
/// # Errors
/// When the cells of the workbook have more text than is read.
pub(super) fn read(builder: &mut Builder, page: &Xml<'_>, book: &mut Book) -> Result<(), Unreadable> {
    let objects: HashSet<_> =
        page.descendants().filter(|node| is(*node, "oleObject")).map(|node| attribute(node, "shapeId")).collect();
    book.omit(Omission::EmbeddedObjects, objects.len());
    let has_colors =
        |node: Node<'_, '_>| ["tablePart", "conditionalFormatting", "picture"].iter().any(|name| is(node, name));
    book.has_colors = page.descendants().any(has_colors);
    let sheet = Sheet::read(page, book);
    if book.is_full() {
        return Err(FORMAT.malformed(&"its cells have too much text"));
    }
    sheet.tables(builder);
    Ok(())
}

/// Adds a table of texts, some of which are numbers. Returns the number of columns that are left out.
pub(in super::super) fn texts(builder: &mut Builder, rows: Vec<Vec<String>>) -> usize {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |text: String| {
        let is_value = text.trim().parse::<f64>().is_ok();
        Cell { text, is_value, is_bold: false }
    };
    let rows = (1..)
        .zip(rows)
        .map(|(number, row): (usize, Vec<String>)| (number, row.into_iter().take(MAX_COLUMNS).map(cell).collect()));
    let sheet = Sheet::new(rows.filter(|(_, cells): &Row| cells.iter().any(Cell::is_filled)).collect(), HashMap::new());
    sheet.tables(builder);
    width.saturating_sub(MAX_COLUMNS)
}

impl Sheet {
    fn read(page: &Xml<'_>, book: &mut Book) -> Self {
        let mut merged_ranges: HashMap<Place, Place> = page.descendants().filter_map(merged_range).collect();
        let hidden_columns: HashSet<usize> =
            page.descendants().filter(|node| is(*node, "col")).flat_map(hidden_columns).collect();
        let mut rows: Vec<Row> = Vec::new();
        let (mut number, mut hidden_rows, mut omitted_columns, mut beyond) = (0, 0, HashSet::new(), HashSet::new());
        // Merged cells whose first row is hidden show its text in the next one.
        let mut moved_down: HashMap<usize, Cell> = HashMap::new();
        for row in page.descendants().filter(|node| is(*node, "row")) {
            number = attribute(row, "r").and_then(|number| number.parse().ok()).unwrap_or(number + 1);
            let mut cells = if row.has_children() { read_row(row, book, &mut beyond) } else { Vec::new() };
            if is_hidden(row, "ht") {
                hidden_rows += usize::from(cells.iter().any(Cell::is_filled));
                for (column, cell) in cells.iter_mut().enumerate().filter(|(_, cell)| cell.is_filled()) {
                    if let Some(last) = merged_ranges.remove(&(number, column)).filter(|(last, _)| *last > number) {
                        merged_ranges.insert((number + 1, column), last);
                        moved_down.insert(column, std::mem::take(cell));
                    }
                }
                continue;
            }
            for (column, cell) in moved_down.drain() {
                if cells.len() <= column {
                    cells.resize(column + 1, Cell::default());
                }
                cells[column] = cell;
            }
            for column in 0..cells.len() {
                if !hidden_columns.contains(&column) {
                    continue;
                }
                let cell = std::mem::take(&mut cells[column]);
                let last = merged_ranges.remove(&(number, column)).filter(|(_, last)| *last > column);
                match last {
                    Some(last) => {
                        merged_ranges.insert((number, column + 1), last);
                        if cells.len() <= column + 1 {
                            cells.push(Cell::default());
                        }
                        cells[column + 1] = cell;
                    }
                    None if cell.is_filled() => drop(omitted_columns.insert(column)),
                    None => {}
                }
            }
            if cells.iter().any(Cell::is_filled) {
                rows.push((number, cells));
            }
        }
        book.omit(Omission::HiddenRows, hidden_rows);
        book.omit(Omission::HiddenColumns, omitted_columns.len());
        book.omit(Omission::BeyondMaximum, beyond.len());
        Self::new(rows, merged_ranges)
    }

    fn new(rows: Vec<Row>, merged_ranges: HashMap<Place, Place>) -> Self {
        let width = rows.iter().map(|(_, cells)| cells.len()).max().unwrap_or_default();
        let mut has_text = vec![false; width];
        for (_, cells) in &rows {
            cells.iter().zip(&mut has_text).for_each(|(cell, has_text)| *has_text |= cell.is_filled());
        }
        Self { rows, columns: (0..width).filter(|column| has_text[*column]).collect(), merged_ranges }
    }

    /// Adds all tables.
    fn tables(&self, builder: &mut Builder) {
        let mut start = 0;
        for at in 1..=self.rows.len() {
            let has_gap = at < self.rows.len() && self.rows[at].0 > self.rows[at - 1].0 + 1;
            // A gap between a title and its header divides nothing.
            let is_header = || header(&self.rows[start..]).is_some_and(|titles| start + titles == at);
            if at == self.rows.len() || has_gap && self.begins_table(at) && !is_header() || self.has_bold_header(at) {
                self.table(builder, start, at);
                start = at;
            }
        }
    }

    /// Adds some rows as titles and a table.
    fn table(&self, builder: &mut Builder, start: usize, end: usize) {
        let rows = &self.rows[start..end];
        let titles = header(rows).unwrap_or(0);
        for row in &rows[..titles] {
            line(builder, row);
        }
        let rows = &rows[titles..];
        // For each column, how many rows from the current one on have a cell already.
        let mut covered_rows = vec![0; self.columns.len()];
        for (at, (number, cells)) in rows.iter().enumerate() {
            builder.open_row();
            for (place, column) in self.columns.iter().enumerate() {
                if covered_rows[place] > 0 {
                    continue;
                }
                let cell = cells.get(*column).filter(|cell| cell.is_filled());
                let last = self.merged_ranges.get(&(*number, *column)).filter(|_| cell.is_some());
                let (last_row, last_column) = *last.unwrap_or(&(*number, *column));
                let width = self.columns[place..].iter().take_while(|column| **column <= last_column).count();
                let height = rows[at..].iter().take_while(|(number, _)| *number <= last_row).count();
                covered_rows[place..place + width].fill(height);
                for (number, line) in cell.into_iter().flat_map(|cell| cell.text.split('\n')).enumerate() {
                    if number > 0 {
                        builder.end_line();
                    }
                    builder.text(line);
                }
                builder.close_cell_over(width, height);
            }
            covered_rows.iter_mut().for_each(|rows: &mut usize| *rows = rows.saturating_sub(1));
        }
        builder.close_table();
    }

    /// Whether a table begins with bold names, below a title or not, between rows with values that are not bold.
    fn has_bold_header(&self, at: usize) -> bool {
        let header = at + usize::from(filled_cells(&self.rows[at]).count() == 1);
        let (Some(names), Some(below)) = (self.rows.get(header), self.rows.get(header + 1)) else { return false };
        let is_bold = |row: &Row| filled_cells(row).all(|cell| cell.is_bold);
        let has_values =
            |row: &Row| filled_cells(row).count() > 1 && !is_bold(row) && filled_cells(row).any(|cell| cell.is_value);
        let are_names =
            filled_cells(names).count() > 1 && is_bold(names) && filled_cells(names).all(|cell| !cell.is_value);
        are_names && has_values(&self.rows[at - 1]) && has_values(below)
    }

    /// Whether a table begins behind a gap: a header with values below it, or lines of text up to the end.
    fn begins_table(&self, at: usize) -> bool {
        let rows = &self.rows[at..];
        header(rows).is_some() || rows.iter().all(|row| filled_cells(row).count() == 1)
    }
}

/// Adds the cells of a row as a paragraph.
fn line(builder: &mut Builder, row: &Row) {
    for cell in filled_cells(row) {
        builder.text(&cell.text);
        builder.text(" ");
    }
    builder.end_block();
}

fn filled_cells(row: &Row) -> impl Iterator<Item = &Cell> {
    row.1.iter().filter(|cell| cell.is_filled())
}

/// The first row that is a header with values below it, if the rows above it are lines of a title, which have fewer cells.
fn header(rows: &[Row]) -> Option<usize> {
    let most = rows.iter().take(ROWS_BELOW * MAX_TITLES).map(|row| filled_cells(row).count()).max().unwrap_or(0);
    for (at, row) in rows.iter().enumerate().take(MAX_TITLES + 1) {
        let count = filled_cells(row).count();
        if count < 2 || count * 10 < most * 6 {
            continue;
        }
        let below = &rows[at + 1..rows.len().min(at + 1 + ROWS_BELOW)];
        return is_header(row, below).then_some(at);
    }
    None
}

/// Whether a row has names and the rows below it have values.
fn is_header(row: &Row, below: &[Row]) -> bool {
    let has_digit = |cell: &Cell| cell.text.contains(|letter: char| letter.is_ascii_digit());
    let is_year = |cell: &Cell| cell.text.parse().is_ok_and(|year: u32| (1900..=2100).contains(&year));
    let is_day = |cell: &Cell| cell.text.contains('-');
    let is_name = |cell: &Cell| !cell.is_value || is_year(cell) || is_day(cell);
    if below.is_empty() || !filled_cells(row).all(is_name) || filled_cells(row).next().is_some_and(|cell| cell.is_value)
    {
        return false;
    }
    let has_values = below.iter().any(|row| filled_cells(row).any(|cell| cell.is_value));
    // Values that are texts, such as prices and addresses: most rows have digits, the header has none.
    let rows_with_values =
        || below.iter().filter(|row| filled_cells(row).skip(1).any(|cell| has_digit(cell) || cell.text.contains('@')));
    let is_single = |row: &Row| filled_cells(row).count() == 1;
    let is_alphabetic = || filled_cells(row).all(|cell| cell.text.trim_start().starts_with(char::is_alphabetic));
    has_values
        || is_alphabetic()
            && !filled_cells(row).any(has_digit)
            && (rows_with_values().count() * 2 > below.len()
                || filled_cells(row).count() > 2 && !below.iter().any(is_single))
}

/// The cells of a row. Columns with values beyond the maximum are added to `beyond`.
fn read_row(row: Node<'_, '_>, book: &mut Book, beyond: &mut HashSet<usize>) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    for cell in row.children().filter(|node| is(*node, "c")) {
        let column = attribute(cell, "r").and_then(column).unwrap_or(cells.len());
        if column < MAX_COLUMNS && column >= cells.len() {
            cells.resize(column, Cell::default());
            cells.push(book.cell(cell));
        } else if column >= MAX_COLUMNS && cell.has_children() {
            beyond.insert(column);
        }
    }
    cells
}

/// Whether a row or column is hidden, or has no height or width.
fn is_hidden(node: Node<'_, '_>, size: &str) -> bool {
    let is_true = matches!(attribute(node, "hidden"), Some("1" | "true"));
    is_true || attribute(node, size).and_then(|size| size.parse::<f64>().ok()).is_some_and(|size| size < 0.2)
}

/// The columns, from 0, that an element hides.
fn hidden_columns(node: Node<'_, '_>) -> std::ops::Range<usize> {
    let number = |name: &str| attribute(node, name).and_then(|number| number.parse::<usize>().ok()).unwrap_or(0);
    let (first, last) = (number("min"), number("max"));
    if first == 0 || !is_hidden(node, "width") {
        return 0..0;
    }
    first - 1..last.min(MAX_COLUMNS)
}

/// The first and the last cell of a range of merged cells such as `A1:C2`.
fn merged_range(node: Node<'_, '_>) -> Option<(Place, Place)> {
    let place = |name: &str| {
        let row = name.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
        Some((row.parse::<usize>().ok()?, column(name)?))
    };
    let (first, last) = attribute(node, "ref").filter(|_| is(node, "mergeCell"))?.split_once(':')?;
    let (first, last) = (place(first)?, place(last)?);
    (last.0 >= first.0 && last.1 >= first.1 && last.1 < MAX_MERGED).then_some((first, last))
}

/// The number of a column, from 0, in the name of a cell such as `AB12`.
fn column(name: &str) -> Option<usize> {
    let letters = name.bytes().take_while(u8::is_ascii_uppercase);
    let number = letters.take(4).fold(0, |number, letter| number * 26 + usize::from(letter - b'A') + 1);
    number.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of a sheet with these rows. A cell that is a number is one; `^` hides a row.
    fn text(rows: &[&[&str]], more: &str) -> String {
        let cell = |(at, text): (usize, &&str), row: usize| {
            let name = format!("{}{row}", char::from(b'A' + at as u8));
            match text.parse::<f64>() {
                _ if text.is_empty() => String::new(),
                Ok(_) => format!("<c r=\"{name}\"><v>{text}</v></c>"),
                Err(_) => format!("<c r=\"{name}\" t=\"inlineStr\"><is><t>{text}</t></is></c>"),
            }
        };
        let row = |(at, cells): (usize, &&[&str])| {
            let hidden = if cells.first() == Some(&"^") { " hidden=\"1\"" } else { "" };
            let cells: String =
                cells.iter().filter(|text| **text != "^").enumerate().map(|one| cell(one, at + 1)).collect();
            format!("<row r=\"{}\"{hidden}>{cells}</row>", at + 1)
        };
        let rows: String = rows.iter().enumerate().map(row).collect();
        let page = format!("<worksheet>{more}<sheetData>{rows}</sheetData></worksheet>");
        let mut builder = Builder::default();
        read(&mut builder, &Xml::parse(&page).unwrap(), &mut Book::default()).unwrap();
        builder.finish().into_iter().map(|section| section.text).collect()
    }

    #[test]
    fn merged_cells_count_in_each_of_their_columns_and_rows() {
        let ranges = ["A1:C1", "B4:C4", "C5:C6", "A2:C2"].map(|range| format!("<mergeCell ref=\"{range}\"/>")).concat();
        let rows: &[&[&str]] = &[
            &["Prices of 2026"],
            &[],
            &["Boat", "Hour", "Day"],
            &["Canoe", "on request"],
            &["Raft", "9", "20"],
            &["Ferry", "8", "left over"],
        ];
        let expected = "Prices of 2026\n\n| Boat | Hour | Day |\n|---|---|---|\n| Canoe | on request | on request |\n\
                        | Raft | 9 | 20 |\n| Ferry | 8 | 20 |";
        assert_eq!(text(rows, &ranges), expected);
    }

    #[test]
    fn a_header_is_found_below_lines_of_a_title() {
        let ducks: &[&[&str]] = &[&["Ducks per year"], &["Year", "Ducks"], &["2019", "120"], &["2020", "135"]];
        assert_eq!(text(ducks, ""), "Ducks per year\n\n| Year | Ducks |\n|---|---|\n| 2019 | 120 |\n| 2020 | 135 |");
        let sales: &[&[&str]] = &[
            &["Sales by region"],
            &["in million francs", "", "", "audited"],
            &[],
            &["Region", "2024", "2025", "Change"],
            &["Asia", "12", "13", "1"],
            &["Europe", "20", "19", "-1"],
        ];
        let table =
            "| Region | 2024 | 2025 | Change |\n|---|---|---|---|\n| Asia | 12 | 13 | 1 |\n| Europe | 20 | 19 | -1 |";
        assert_eq!(text(sales, ""), format!("Sales by region\n\nin million francs audited\n\n{table}"));
        let hours: &[&[&str]] = &[&["Opening hours"], &["Mon", "9-17"], &["Tue", "9-18"]];
        assert!(text(hours, "").contains("| Mon | 9-17 |\n| Tue | 9-18 |"), "a day is no header");
        let mail: &[&[&str]] = &[&["Contacts"], &["Name", "Mail"], &["Ann", "ann@x.org"], &["Ben", "ben@x.org"]];
        assert!(text(mail, "").starts_with("Contacts\n\n| Name | Mail |"));
    }

    #[test]
    fn a_sheet_can_have_several_tables_and_lines_below_them() {
        let rows: &[&[&str]] = &[
            &["Boat", "Price"],
            &["Canoe", "9"],
            &[],
            &["Raft", "8"],
            &[],
            &["Room", "Beds"],
            &["Blue", "4"],
            &[],
            &["Prices include tax."],
        ];
        let expected = "| Boat | Price |\n|---|---|\n| Canoe | 9 |\n| Raft | 8 |\n\n\
                        | Room | Beds |\n|---|---|\n| Blue | 4 |\n\nPrices include tax.";
        assert_eq!(text(rows, ""), expected);
    }

    #[test]
    fn hidden_rows_and_columns_are_left_out_but_not_what_is_merged_over_them() {
        let columns = "<cols><col min=\"2\" max=\"2\" hidden=\"1\"/><col min=\"4\" max=\"4\" width=\"0\"/></cols>\
                       <mergeCells><mergeCell ref=\"B2:C2\"/><mergeCell ref=\"A3:A4\"/></mergeCells>";
        let rows: &[&[&str]] = &[
            &["Lamp", "Cost", "Price", "Margin"],
            &["Orla", "on request"],
            &["^", "Bero", "1", "2", "3"],
            &["", "5", "7", "9"],
            &["Tilo", "6", "8", "9"],
        ];
        let expected = "| Lamp | Price |\n|---|---|\n| Orla | on request |\n| Bero | 7 |\n| Tilo | 8 |";
        assert_eq!(text(rows, columns), expected);
    }

    #[test]
    fn names_of_cells_have_columns() {
        assert_eq!((column("A1"), column("Z9"), column("AB12"), column("1")), (Some(0), Some(25), Some(27), None));
    }
}

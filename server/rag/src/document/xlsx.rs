//! XLSX to sections: a table for each sheet, with its first row as the header. Formulas have their stored value.

mod amount;

use std::collections::HashMap;

use roxmltree::{Document as Xml, Node};

use self::amount::Amount;
use super::{
    Section, Unreadable,
    builder::Builder,
    xml::{Format, attribute, child, is, relations, title},
    zip,
};

const FORMAT: Format = Format("XLSX");
/// Maximum bytes of one XML part.
const MAX_PART: u64 = 64 * 1024 * 1024;
/// Maximum columns of a table; further cells are left out.
const MAX_COLUMNS: usize = 200;
/// Columns in which merged cells are one cell.
const MAX_MERGED: usize = 50;

/// The document's title and its sections.
pub(super) fn read(bytes: &[u8]) -> Result<(Option<String>, Vec<Section>), Unreadable> {
    let is_wanted =
        |path: &str| path.starts_with("xl/") && path.ends_with(".xml") || path.ends_with(".rels") || is_core(path);
    let mut parts = zip::wanted(bytes, is_wanted, MAX_PART)?;
    let workbook = FORMAT.text(parts.remove("xl/workbook.xml"), "workbook")?;
    let workbook = FORMAT.parse(&workbook)?;
    let targets = relations(FORMAT, parts.remove("xl/_rels/workbook.xml.rels"), "xl")?;
    let strings = strings(parts.remove("xl/sharedStrings.xml"))?;
    let formats = Formats::read(&workbook, parts.remove("xl/styles.xml"))?;
    let mut builder = Builder::default();
    for sheet in workbook.descendants().filter(|node| is(*node, "sheet")) {
        // Hidden sheets usually contain lists and sums for formulas only.
        let is_hidden = attribute(sheet, "state").is_some_and(|state| state != "visible");
        let target = sheet_id(sheet).and_then(|id| targets.get(id)).filter(|_| !is_hidden);
        let Some(content) = target.and_then(|path| parts.remove(path)) else { continue };
        let content = FORMAT.text(Some(content), "sheet")?;
        builder.text(attribute(sheet, "name").unwrap_or_default());
        builder.heading(1, None);
        table(&mut builder, &FORMAT.parse(&content)?, &strings, &formats);
    }
    Ok((title(FORMAT, parts.remove("docProps/core.xml"))?, builder.finish()))
}

fn is_core(path: &str) -> bool {
    path == "docProps/core.xml"
}

/// The id of a relation, which has the name of the sheet's own id but another namespace.
fn sheet_id<'a>(sheet: Node<'a, '_>) -> Option<&'a str> {
    sheet.attributes().find(|found| found.name() == "id" && found.namespace().is_some()).map(|found| found.value())
}

/// The texts that cells refer to by number.
fn strings(part: Option<Vec<u8>>) -> Result<Vec<String>, Unreadable> {
    let Some(part) = part else { return Ok(Vec::new()) };
    let text = FORMAT.text(Some(part), "texts")?;
    let page = FORMAT.parse(&text)?;
    Ok(page.root_element().children().filter(|node| is(*node, "si")).map(text_of).collect())
}

/// The text of a cell or a shared text, without its phonetic hints.
fn text_of(node: Node<'_, '_>) -> String {
    let is_hint = |node: &Node<'_, '_>| node.ancestors().any(|above| is(above, "rPh"));
    let parts = node.descendants().filter(|node| is(*node, "t") && !is_hint(node));
    parts.filter_map(|node| node.text()).collect()
}

fn table(builder: &mut Builder, sheet: &Xml<'_>, strings: &[String], formats: &Formats) {
    let merged: HashMap<Place, Place> = sheet.descendants().filter_map(merged).collect();
    let mut rows: Vec<(usize, Vec<String>)> = Vec::new();
    for row in sheet.descendants().filter(|node| is(*node, "row")) {
        let mut cells: Vec<String> = Vec::new();
        for cell in row.children().filter(|node| is(*node, "c")) {
            let column = attribute(cell, "r").and_then(column).unwrap_or(cells.len());
            if column < MAX_COLUMNS && column >= cells.len() {
                cells.resize(column, String::new());
                cells.push(value(cell, strings, formats));
            }
        }
        let after_last = rows.last().map_or(1, |(number, _)| number + 1);
        rows.push((attribute(row, "r").and_then(|number| number.parse().ok()).unwrap_or(after_last), cells));
    }
    rows.retain(|(_, cells)| cells.iter().any(|cell| !cell.trim().is_empty()));
    // Drops columns that are empty on the whole sheet.
    let width = rows.iter().map(|(_, cells)| cells.len()).max().unwrap_or_default();
    let is_filled = |cells: &[String], column: usize| cells.get(column).is_some_and(|cell| !cell.trim().is_empty());
    let columns: Vec<usize> = (0..width).filter(|column| rows.iter().any(|(_, row)| is_filled(row, *column))).collect();
    // For each column, how many rows from the current one on have a cell already.
    let mut covered = vec![0; columns.len()];
    for (at, (number, cells)) in rows.iter().enumerate() {
        builder.open_row();
        for (place, column) in columns.iter().enumerate() {
            if covered[place] > 0 {
                continue;
            }
            let last = merged.get(&(*number, *column)).filter(|_| is_filled(cells, *column));
            let (last_row, last_column) = *last.unwrap_or(&(*number, *column));
            let width = columns[place..].iter().take_while(|column| **column <= last_column).count();
            let height = rows[at..].iter().take_while(|(number, _)| *number <= last_row).count();
            covered[place..place + width].fill(height);
            builder.text(cells.get(*column).map_or("", String::as_str));
            builder.close_cell_over(width, height);
        }
        covered.iter_mut().for_each(|rows: &mut usize| *rows = rows.saturating_sub(1));
    }
    builder.close_table();
}

/// A row, from 1, and a column, from 0.
type Place = (usize, usize);

/// The first and the last cell of a range of merged cells such as `A1:C2`.
fn merged(node: Node<'_, '_>) -> Option<(Place, Place)> {
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

fn value(cell: Node<'_, '_>, strings: &[String], formats: &Formats) -> String {
    let raw = child(cell, "v").and_then(|node| node.text()).unwrap_or_default();
    match attribute(cell, "t").unwrap_or("n") {
        "s" => raw.parse().ok().and_then(|number: usize| strings.get(number)).cloned().unwrap_or_default(),
        "inlineStr" => child(cell, "is").map(text_of).unwrap_or_default(),
        "b" if raw == "1" => "TRUE".to_owned(),
        "b" => "FALSE".to_owned(),
        // The value of a broken formula.
        "e" => String::new(),
        "n" => {
            let style = attribute(cell, "s").and_then(|style| style.parse().ok()).unwrap_or(0);
            formats.shown(style, raw).unwrap_or_else(|| number(raw))
        }
        _ => raw.to_owned(),
    }
}

/// A number without digits that come from its binary representation.
fn number(raw: &str) -> String {
    match raw.parse::<f64>() {
        Ok(value) if value.is_finite() && value.abs() < 1e15 => {
            let rounded = format!("{value:.10}");
            rounded.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => raw.to_owned(),
    }
}

/// What a number format shows.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Shown {
    Number,
    /// A number with a currency or a unit.
    Amount(Amount),
    Percent,
    Day,
    Time,
    DayAndTime,
}

/// How cells show their numbers.
struct Formats {
    /// What each cell style shows.
    styles: Vec<Shown>,
    /// Whether dates are counted from 1904.
    from_1904: bool,
}

impl Formats {
    fn read(workbook: &Xml<'_>, styles: Option<Vec<u8>>) -> Result<Self, Unreadable> {
        let properties = workbook.descendants().find(|node| is(*node, "workbookPr"));
        let from_1904 = properties
            .and_then(|node| attribute(node, "date1904"))
            .is_some_and(|value| value != "0" && value != "false");
        let Some(styles) = styles else { return Ok(Self { styles: Vec::new(), from_1904 }) };
        let text = FORMAT.text(Some(styles), "styles")?;
        let page = FORMAT.parse(&text)?;
        let format = |node: Node<'_, '_>| {
            let id: u32 = attribute(node, "numFmtId")?.parse().ok()?;
            Some((id, shows(attribute(node, "formatCode")?)))
        };
        let own: HashMap<u32, Shown> =
            page.descendants().filter(|node| is(*node, "numFmt")).filter_map(format).collect();
        let of_cell = |node: Node<'_, '_>| {
            let id: u32 = attribute(node, "numFmtId").and_then(|id| id.parse().ok()).unwrap_or(0);
            own.get(&id).cloned().unwrap_or(match id {
                9 | 10 => Shown::Percent,
                14..=17 => Shown::Day,
                18..=21 | 45..=47 => Shown::Time,
                22 => Shown::DayAndTime,
                _ => Shown::Number,
            })
        };
        let cells = page.descendants().find(|node| is(*node, "cellXfs"));
        let styles = cells.into_iter().flat_map(|cells| cells.children()).filter(|node| is(*node, "xf")).map(of_cell);
        Ok(Self { styles: styles.collect(), from_1904 })
    }

    /// A number as the amount, date, time or percentage that its style shows; `None` when it shows none of them.
    fn shown(&self, style: usize, raw: &str) -> Option<String> {
        let shown = self.styles.get(style)?;
        let value: f64 = raw.parse().ok()?;
        match shown {
            Shown::Percent => return Some(format!("{}%", number(&(value * 100.0).to_string()))),
            Shown::Amount(amount) => return Some(amount.shown(value)),
            _ => {}
        }
        if !(0.0..2_958_466.0).contains(&value) {
            return None;
        }
        #[allow(clippy::cast_possible_truncation, reason = "at most three million days")]
        let (mut day, mut minutes) = (value.floor() as i64, ((value - value.floor()) * 1440.0).round() as i64);
        if minutes == 1440 {
            (day, minutes) = (day + 1, 0);
        }
        let time = format!("{:02}:{:02}", minutes / 60, minutes % 60);
        match shown {
            Shown::Number | Shown::Amount(_) | Shown::Percent => None,
            Shown::Day => Some(self.day(day)),
            Shown::Time => Some(time),
            Shown::DayAndTime => Some(format!("{} {time}", self.day(day))),
        }
    }

    /// A day number as year, month and day. Excel's day 60 of 1900 is February 29, which did not exist.
    fn day(&self, day: i64) -> String {
        let since_1970 = if self.from_1904 { day - 24_107 } else { day - 25_569 + i64::from(day < 60) };
        // Counts days in eras of 400 years that begin in March.
        let from_march = since_1970 + 719_468;
        let (era, of_era) = (from_march.div_euclid(146_097), from_march.rem_euclid(146_097));
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * of_year + 2) / 153;
        let of_month = of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        format!("{year:04}-{month:02}-{of_month:02}")
    }
}

fn shows(format: &str) -> Shown {
    let (mut plain, mut quoted, mut bracket, mut escaped) = (String::new(), false, false, false);
    for letter in format.chars() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            '[' if !quoted => bracket = true,
            ']' if !quoted => bracket = false,
            _ if quoted || bracket => {}
            _ => plain.extend(letter.to_lowercase()),
        }
    }
    match (plain.contains(['y', 'd']), plain.contains(['h', 's'])) {
        (true, true) => Shown::DayAndTime,
        (true, false) => Shown::Day,
        (false, true) => Shown::Time,
        (false, false) if plain.contains('%') => Shown::Percent,
        (false, false) => Amount::read(format).map_or(Shown::Number, Shown::Amount),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merged_cells_count_in_each_of_their_columns_and_rows() {
        let cell = |name: &str, text: &str| format!("<c r=\"{name}\" t=\"inlineStr\"><is><t>{text}</t></is></c>");
        let rows = [
            cell("A1", "Prices of 2026") + "<c r=\"B1\"/><c r=\"C1\"/>",
            String::new(),
            [cell("A3", "Boat"), cell("B3", "Hour"), cell("C3", "Day")].concat(),
            [cell("A4", "Canoe"), cell("B4", "on request")].concat() + "<c r=\"C4\"/>",
            [cell("A5", "Raft"), cell("B5", "9"), cell("C5", "20")].concat(),
            [cell("A6", "Ferry"), cell("B6", "8"), cell("C6", "left over")].concat(),
        ];
        let row = |(number, cells): (usize, &String)| format!("<row r=\"{}\">{cells}</row>", number + 1);
        let rows: String = rows.iter().enumerate().map(row).collect();
        let merged = ["A1:C1", "B4:C4", "C5:C6", "A2:C2"].map(|range| format!("<mergeCell ref=\"{range}\"/>")).concat();
        let sheet = format!("<worksheet><sheetData>{rows}</sheetData><mergeCells>{merged}</mergeCells></worksheet>");
        let mut builder = Builder::default();
        let formats = Formats { styles: Vec::new(), from_1904: false };
        table(&mut builder, &Xml::parse(&sheet).unwrap(), &[], &formats);
        let expected = "Prices of 2026\n\n| Boat | Hour | Day |\n|---|---|---|\n| Canoe | on request | on request |\n\
                        | Raft | 9 | 20 |\n| Ferry | 8 | 20 |";
        assert_eq!(builder.finish()[0].text, expected);
    }

    #[test]
    fn numbers_are_days_or_percentages_where_their_style_says_so() {
        let euros = shows("#,##0.00\\ \"€\"");
        let styles = vec![Shown::Number, Shown::Day, Shown::DayAndTime, Shown::Time, Shown::Percent, euros];
        let formats = Formats { styles, from_1904: false };
        for (style, raw, expected) in [
            (0, "45000", None),
            (1, "45000", Some("2023-03-15")),
            (1, "1", Some("1900-01-01")),
            (1, "61", Some("1900-03-01")),
            (2, "45000.75", Some("2023-03-15 18:00")),
            (3, "0.9999999", Some("00:00")),
            (4, "0.19", Some("19%")),
            (4, "-0.07", Some("-7%")),
            (4, "1.125", Some("112.5%")),
            (5, "35", Some("35.00 €")),
            (9, "1", None),
        ] {
            assert_eq!(formats.shown(style, raw).as_deref(), expected, "{style} {raw}");
        }
        assert_eq!(Formats { styles: vec![Shown::Day], from_1904: true }.shown(0, "0").as_deref(), Some("1904-01-01"));
        assert!(matches!(shows("0.00 \"days\""), Shown::Amount(_)) && matches!(shows("d \"days\""), Shown::Day));
        assert_eq!(shows("[$-407]dd.mm.yyyy"), Shown::Day);
        assert_eq!(shows("[Red]0.0"), Shown::Number);
        assert_eq!((shows("0.0 %;-0.0 %"), shows("0\\%")), (Shown::Percent, Shown::Number));
        assert_eq!(
            (number("0.30000000000000004"), number("12"), number("1e300")),
            ("0.3".into(), "12".into(), "1e300".into())
        );
        assert_eq!((column("A1"), column("Z9"), column("AB12"), column("1")), (Some(0), Some(25), Some(27), None));
    }
}

//! Lines within the cells of a table. A row whose cells have as many lines as values is drawn as several rows.

use super::joining::LINE;
use crate::price;

/// Maximum lines of a row that are rows of their own.
const MAX_LINES: usize = 200;

/// The rows that the cells of a row draw: names on each line of the first cell, and amounts beside them. `None` if they are
/// one row. A cell without lines counts in each of the rows if `is_repeated` says so.
pub(super) fn rows(cells: &[(&str, bool)]) -> Option<Vec<Vec<String>>> {
    let lines: Vec<Vec<&str>> = cells.iter().map(|(text, _)| text.split(LINE).map(str::trim).collect()).collect();
    let count = lines.first().map_or(0, Vec::len);
    if !(2..=MAX_LINES).contains(&count) {
        return None;
    }
    let is_whole = |(column, text): (usize, &(&str, bool))| {
        lines[column].len() == count || lines[column].len() == 1 && (text.1 || text.0.trim().is_empty())
    };
    let has_amounts = |lines: &Vec<&str>| {
        lines.len() == count
            && lines.iter().all(|line| line.is_empty() || is_amount(line))
            && !lines.concat().is_empty()
    };
    let is_named = |line: usize| {
        !lines[0][line].is_empty() || lines.iter().all(|cell| cell.get(line).is_none_or(|text| text.is_empty()))
    };
    if !cells.iter().enumerate().all(is_whole) || !lines[1..].iter().any(has_amounts) || !(0..count).all(is_named) {
        return None;
    }
    let of_line = |line: usize, texts: &Vec<&str>| {
        texts.get(if texts.len() == 1 { 0 } else { line }).copied().unwrap_or_default().to_owned()
    };
    let row = |line: usize| lines.iter().map(|texts| of_line(line, texts)).collect();
    Some((0..count).filter(|line| !lines[0][*line].is_empty()).map(row).collect())
}

/// Whether a line is an amount: a number without words, or a price.
fn is_amount(line: &str) -> bool {
    line.contains(|mark: char| mark.is_ascii_digit()) && (!line.contains(char::is_alphabetic) || price::is_given(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(cells: &[&str]) -> Option<String> {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('/', &LINE.to_string())).collect();
        let cells: Vec<(&str, bool)> = cells.iter().map(|cell| (cell.as_str(), false)).collect();
        Some(rows(&cells)?.iter().map(|row| row.join(" | ")).collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn names_and_amounts_on_the_same_lines_are_rows() {
        assert_eq!(split(&["Canoe/Raft", "12 €/8 €"]).as_deref(), Some("Canoe | 12 €\nRaft | 8 €"));
        let gaps = split(&["Income//Tax", "17,542//3,508", "34,000//0"]);
        assert_eq!(gaps.as_deref(), Some("Income | 17,542 | 34,000\nTax | 3,508 | 0"));
    }

    #[test]
    fn lines_of_a_text_are_no_rows() {
        for cells in [
            &["Deep tissue/massage", "60 min/90 min"][..],
            &["Harbour 5/12345 Town", "Mon 9-5/Tue 9-6"],
            &["Canoe/Raft", "12 €"],
            &["Canoe/Raft", "12 €/8 €/9 €"],
            &["Canoe/", "12 €/8 €"],
            &["Canoe", "12 €"],
        ] {
            assert_eq!(split(cells), None, "{cells:?}");
        }
    }
}

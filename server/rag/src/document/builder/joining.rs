//! Joins lines, and the parts of a cell, to text on one line.

use super::{super::numerals::Mark, SOFT_HYPHEN};

/// Words after a hyphen that stands for the end of a word: "Vor- und Nachteile", "two- or three-day". Dutch "en" is not
/// one: German words are divided before it ("Frau-en").
const AFTER_HYPHEN: [&str; 8] = ["und", "oder", "bzw", "sowie", "bis", "and", "or", "of"];

/// Marks the end of a line in a cell. Unicode reserves it for use within programs.
pub(in super::super) const LINE: char = '\u{fdd1}';

/// Adds the next line or word of a printed paragraph. Joins a word that was divided at the end of the line before.
pub(in super::super) fn add_line(paragraph: &mut String, line: &str) {
    let first = line.split(|mark: char| !mark.is_alphanumeric()).next().unwrap_or_default();
    let is_rest = line.starts_with(char::is_lowercase) && !AFTER_HYPHEN.contains(&first);
    if paragraph.ends_with(SOFT_HYPHEN) || (is_rest && paragraph.ends_with(['-', '\u{2010}'])) {
        paragraph.pop();
    } else if !paragraph.is_empty() {
        paragraph.push(' ');
    }
    paragraph.push_str(line);
}

/// Keeps what follows apart from the text so far, unless a mark does so.
pub(in super::super) fn separate(text: &mut String, mark: &str) {
    text.truncate(text.trim_end_matches(|mark: char| mark == LINE || mark.is_whitespace()).len());
    match text.chars().next_back() {
        None => {}
        Some(';' | ',' | ':' | '.' | '!' | '?') => text.push(' '),
        Some(_) => text.push_str(mark),
    }
}

/// Adds a line to the text of a cell, as one line. Items of a list are kept apart, and so are numbers that would become one.
pub(in super::super) fn add_to_cell(text: &mut String, paragraph: &str, is_item: bool) {
    let is_digit = |mark: char| mark.is_ascii_digit();
    let paragraph = paragraph.trim();
    if paragraph.is_empty() {
        return;
    }
    let are_numbers = text.trim_end().ends_with(is_digit) && paragraph.starts_with(is_digit);
    separate(text, if is_item || are_numbers { "; " } else { " " });
    text.push_str(paragraph);
}

/// The lines of a cell as one.
pub(in super::super) fn join_lines(text: &str) -> String {
    let mut cell = String::new();
    text.split(LINE).for_each(|line| add_to_cell(&mut cell, line, false));
    cell
}

/// Adds a paragraph to the text of a cell, on a line of its own. Items of a list stand on one line. An empty paragraph
/// still adds its number, which is that of the row.
pub(in super::super) fn add_paragraph_to_cell(text: &mut String, paragraph: &str, mark: &Mark) {
    let paragraph = paragraph.trim().replace('\n', LINE.encode_utf8(&mut [0; 4]));
    match mark {
        Mark::Number(number) => return add_to_cell(text, &format!("{number} {paragraph}"), true),
        Mark::Bullet => return add_to_cell(text, &paragraph, true),
        Mark::None => {}
    }
    if !text.is_empty() {
        text.push(LINE);
    }
    text.push_str(&paragraph);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_numbers_of_a_cell_are_kept_apart() {
        let cell = |parts: &[(&str, bool)]| {
            let mut text = String::new();
            parts.iter().for_each(|(part, is_item)| add_to_cell(&mut text, part, *is_item));
            text
        };
        assert_eq!(
            cell(&[("Included:", false), ("skates", true), ("", true), ("a locker ", true)]),
            "Included: skates; a locker"
        );
        assert_eq!(cell(&[("12", false), ("500", false), ("euros", false)]), "12; 500 euros");
        assert_eq!(join_lines(&"12/500/euros".replace('/', &LINE.to_string())), "12; 500 euros");
    }
}

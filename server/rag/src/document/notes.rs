//! Places notes behind the sentences that refer to them.

use crate::block::sentences;

/// Marks the place of a note in a line. Unicode reserves it for use within programs.
pub(super) const MARK: char = '\u{fdd0}';

/// The line with each note behind the sentence that has its mark, in brackets.
pub(super) fn place(line: &str, notes: &[String]) -> String {
    if notes.is_empty() {
        return line.to_owned();
    }
    let mut plain = String::with_capacity(line.len());
    let mut marks = Vec::new();
    for part in line.split_inclusive(MARK) {
        plain.push_str(part.trim_end_matches(MARK));
        if part.ends_with(MARK) {
            marks.push(plain.len());
        }
    }
    let end_of = |sentence: &str| sentence.as_ptr().addr() + sentence.len() - plain.as_ptr().addr();
    let ends: Vec<usize> = sentences(&plain).into_iter().map(end_of).collect();
    let mut text = String::with_capacity(line.len());
    let mut start = 0;
    for (mark, note) in marks.iter().zip(notes) {
        let end = ends.iter().copied().find(|end| end >= mark).unwrap_or(plain.trim_end().len()).max(start);
        text.push_str(&plain[start..end]);
        text.push_str(&format!(" ({note})"));
        start = end;
    }
    text + &plain[start..]
}

/// The line without marks.
pub(super) fn without_marks(line: &str) -> String {
    line.replace(MARK, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_stands_behind_its_sentence() {
        let notes = ["Students pay 25.".to_owned(), "No pets.".to_owned()];
        for (line, expected) in [
            ("The fee@ is 40 euros. Pay in cash.@", "The fee is 40 euros. (Students pay 25.) Pay in cash. (No pets.)"),
            ("The fee is 40 euros.@ Pay@ in cash", "The fee is 40 euros. (Students pay 25.) Pay in cash (No pets.)"),
            ("One.@@ Two.", "One. (Students pay 25.) (No pets.) Two."),
            ("@@", " (Students pay 25.) (No pets.)"),
        ] {
            assert_eq!(place(&line.replace('@', &MARK.to_string()), &notes), expected);
        }
    }
}

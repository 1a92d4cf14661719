//! Citation markers `[1]` in an answer: kept where the cited passage supports what stands before them.

use std::ops::Range;

use crate::terms::{overlap, terms};

/// Part of the statement's words that the passage must contain.
const SUPPORT: f32 = 0.3;

/// A marker in an answer and the source it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    /// The marker as it stands in the answer, for example `[1]`.
    pub marker: String,
    /// Index into the sources, from 0.
    pub source_index: usize,
}

/// Checks each marker of `text` against `passages`, where `[1]` names the first. A marker that names no passage, or
/// one that does not support the words before the marker, is removed. Gives the text and each kept marker once, in
/// order of appearance. Brackets in code and in links are no markers.
pub fn verify(text: &str, passages: &[&str]) -> (String, Vec<Citation>) {
    let mut kept = String::with_capacity(text.len());
    let mut citations: Vec<Citation> = Vec::new();
    let (mut copied, mut statement) = (0, Vec::new());
    for (range, number) in markers(text) {
        kept.push_str(&text[copied..range.start]);
        // Neighbouring markers speak of the same statement.
        let since = terms(&text[copied..range.start]);
        statement = if since.is_empty() { statement } else { since };
        copied = range.end;
        let passage = number.checked_sub(1).and_then(|index| Some((index, *passages.get(index)?)));
        match passage.filter(|(_, passage)| overlap(&statement, passage) >= SUPPORT) {
            Some((source_index, _)) => {
                let marker = text[range].to_owned();
                kept.push_str(&marker);
                if !citations.iter().any(|known| known.marker == marker) {
                    citations.push(Citation { marker, source_index });
                }
            }
            None => kept.truncate(kept.trim_end_matches(' ').len()),
        }
    }
    kept.push_str(&text[copied..]);
    (kept, citations)
}

/// Where markers stand in `text`, with their numbers: `[` digits `]` outside code, not after a letter or digit and
/// not before `(`.
fn markers(text: &str) -> Vec<(Range<usize>, usize)> {
    let mut found = Vec::new();
    let (mut in_code, mut before) = (false, ' ');
    for (at, character) in text.char_indices() {
        match character {
            '`' => in_code = !in_code,
            '[' if !in_code && !before.is_alphanumeric() => {
                let digits = text[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
                let end = at + 1 + digits;
                let rest = &text[end..];
                if (1..=3).contains(&digits) && rest.starts_with(']') && !rest.starts_with("](") {
                    found.push((at..end + 1, text[at + 1..end].parse().unwrap_or(0)));
                }
            }
            _ => {}
        }
        before = character;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSAGES: &[&str] = &["The widget keeps its session in a cookie.", "Operators create tenants."];

    fn citation(marker: &str, source_index: usize) -> Citation {
        Citation { marker: marker.into(), source_index }
    }

    #[test]
    fn supported_markers_stay_and_are_listed_once() {
        let text = "The session is in a cookie [1]. Operators create tenants [2][1], and cookies hold sessions [1].";
        let (kept, citations) = verify(text, PASSAGES);
        assert_eq!(
            kept,
            "The session is in a cookie [1]. Operators create tenants [2], and cookies hold sessions [1]."
        );
        assert_eq!(citations, [citation("[1]", 0), citation("[2]", 1)]);
    }

    #[test]
    fn unknown_and_unsupported_markers_are_removed() {
        let (kept, citations) = verify("Bananas are yellow fruit [1]. Nobody knows [7] [0].", PASSAGES);
        assert_eq!(kept, "Bananas are yellow fruit. Nobody knows.");
        assert_eq!(citations, []);
    }

    #[test]
    fn brackets_in_code_words_and_links_are_left_alone() {
        let text = "Use `list[1]` or a[1] or [1](https://example.org).";
        assert_eq!(verify(text, PASSAGES), (text.to_owned(), vec![]));
    }
}

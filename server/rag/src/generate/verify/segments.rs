//! Splits a model's output, which arrives in chunks, into sentences, list items, code blocks, table rows and headings.

use super::markers;
use crate::{
    block::{closing_length, ends_sentence, item_marker},
    months::is_month,
};

/// Maximum bytes of a sentence; longer text without an end is not a sentence.
const LONGEST_SENTENCE: usize = 1500;
/// Maximum bytes of a code block.
const LONGEST_CODE: usize = 4000;
/// Maximum bytes of a marker.
const LONGEST_MARKER: usize = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Sentence,
    /// The first sentence of a list item.
    Item,
    Code,
    Row,
    Heading,
}

/// A part of an answer that is kept or dropped as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) kind: Kind,
    /// White space and list marker before it.
    pub(super) lead: String,
    /// Its words, with the markers of passages.
    pub(super) text: String,
    /// Whether it is the only one on its line.
    pub(super) is_line: bool,
    /// Whether it is complete: not cut off and not far too long.
    pub(super) is_whole: bool,
}

/// Text that does not form a whole segment yet.
#[derive(Debug, Default)]
pub(super) struct Segments {
    buffer: String,
    has_started: bool,
    /// Whether the model writes markers before its sentences.
    markers_lead: bool,
}

impl Segments {
    /// Takes the next words.
    pub(super) fn push(&mut self, part: &str) {
        self.buffer.push_str(part);
    }

    /// The next segment; `None` while its end is unknown. With `last`, no more text follows.
    pub(super) fn next(&mut self, last: bool) -> Option<Segment> {
        let start = self.buffer.len() - self.buffer.trim_start().len();
        if start == self.buffer.len() {
            return None;
        }
        let is_line_start = !self.has_started || self.buffer[..start].contains('\n');
        let (kind, start) = self.kind(start, is_line_start, last)?;
        let (end, is_whole) = match kind {
            Kind::Code => self.code_end(start, last)?,
            Kind::Row | Kind::Heading => self.line_end(start, last)?,
            Kind::Sentence | Kind::Item => self.sentence_end(start, last)?,
        };
        let rest = self.buffer.split_off(end);
        let whole = std::mem::replace(&mut self.buffer, rest);
        let is_line = is_line_start && (last && self.buffer.trim().is_empty() || self.buffer.starts_with(['\n', '\r']));
        let (lead, text) = whole.split_at(start);
        if !self.has_started && kind != Kind::Code {
            self.markers_lead = leads(text);
        }
        self.has_started = true;
        Some(Segment { kind, lead: lead.to_owned(), text: text.trim_end().to_owned(), is_line, is_whole })
    }

    /// The kind of the segment at `start`, and where its text begins.
    fn kind(&self, start: usize, is_line_start: bool, last: bool) -> Option<(Kind, usize)> {
        let rest = &self.buffer[start..];
        if !is_line_start {
            return Some((Kind::Sentence, start));
        }
        let is_open = !last && !rest.contains(['\n', ' ']) && rest.len() < 6;
        if rest.starts_with("```") {
            return Some((Kind::Code, start));
        }
        if is_open
            && rest.chars().all(|mark| matches!(mark, '`' | '#' | '-' | '*' | '•' | '.' | ')') || mark.is_ascii_digit())
        {
            return None;
        }
        if rest.starts_with('#') && rest.trim_start_matches('#').starts_with(' ') {
            return Some((Kind::Heading, start));
        }
        if rest.starts_with('|') {
            return Some((Kind::Row, start));
        }
        Some(list_marker(rest).map_or((Kind::Sentence, start), |length| (Kind::Item, start + length)))
    }

    fn code_end(&self, start: usize, last: bool) -> Option<(usize, bool)> {
        let text = &self.buffer[start..];
        let fence = &text[..text.len() - text.trim_start_matches('`').len()];
        let mut at = 0;
        for (number, line) in text.split_inclusive('\n').enumerate() {
            at += line.len();
            let is_whole_line = line.ends_with('\n') || last;
            if number > 0 && is_whole_line && line.trim() == fence {
                return Some((start + at - (line.len() - line.trim_end_matches(['\n', '\r']).len()), true));
            }
        }
        (last || text.len() > LONGEST_CODE).then_some((self.buffer.len(), false))
    }

    fn line_end(&self, start: usize, last: bool) -> Option<(usize, bool)> {
        let text = &self.buffer[start..];
        match text.find('\n') {
            Some(end) => Some((start + end, true)),
            None => (last || text.len() > LONGEST_SENTENCE).then_some((self.buffer.len(), last)),
        }
    }

    fn sentence_end(&self, start: usize, last: bool) -> Option<(usize, bool)> {
        let text = &self.buffer[start..];
        let line = &text[..text.find('\n').unwrap_or(text.len())];
        // The line may continue with the next chunk.
        let is_open = line.len() == text.len() && !last;
        let markers_lead = self.markers_lead || !self.has_started && leads(text);
        let mut in_code = false;
        for (at, mark) in line.char_indices() {
            match mark {
                '`' => in_code = !in_code,
                '.' | '!' | '?' | '。' | '！' | '？' if !in_code && has_words(&line[..at]) => {
                    let end = at + mark.len_utf8();
                    let end = end + closing_length(&line[end..]);
                    let behind = behind_markers(line, end, markers_lead, is_open)?;
                    let after = &line[behind..];
                    if after.is_empty() && is_open {
                        return None;
                    }
                    // A marker may follow its sentence without a space.
                    let apart = if behind > end && !after.starts_with(char::is_whitespace) {
                        format!(" {after}")
                    } else {
                        after.to_owned()
                    };
                    if apart.trim().is_empty() && is_open {
                        return None;
                    }
                    if mark == '.' && ends_in_day(&line[..at]) {
                        let next = apart.trim_start();
                        let word: String = next.chars().take_while(|mark| mark.is_alphanumeric()).collect();
                        if is_open && word.len() == next.len() {
                            return None;
                        }
                        if is_month(&word.to_lowercase()) {
                            continue;
                        }
                    }
                    if matches!(mark, '。' | '！' | '？') || ends_sentence(&line[..at], mark, &apart) {
                        return Some((start + behind, true));
                    }
                }
                _ => {}
            }
        }
        if line.len() > LONGEST_SENTENCE {
            return Some((start + line.len(), false));
        }
        (!is_open).then_some((start + line.len(), true))
    }
}

/// Whether a text ends in a number that may be the day of a month: `30. Juni`.
fn ends_in_day(text: &str) -> bool {
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let before = text[..text.len() - digits].chars().next_back();
    (1..=2).contains(&digits) && before.is_some_and(|mark| mark.is_whitespace() || mark == '(')
}

/// Whether a text begins with a marker that words follow.
fn leads(text: &str) -> bool {
    markers::leading(text).is_some_and(|length| has_words(&text[length..]))
}

/// Whether a text has words in addition to its markers.
fn has_words(text: &str) -> bool {
    let mut rest = text.trim_start();
    while let Some(length) = markers::leading(rest) {
        rest = rest[length..].trim_start();
    }
    rest.contains(char::is_alphanumeric)
}

/// The end of the markers behind a sentence; `None` when more text is needed.
fn behind_markers(line: &str, end: usize, markers_lead: bool, is_open: bool) -> Option<usize> {
    let mut behind = end;
    if markers_lead {
        return Some(behind);
    }
    loop {
        let rest = &line[behind..];
        let spaces = rest.len() - rest.trim_start_matches(' ').len();
        let next = &rest[spaces..];
        match markers::leading(next) {
            Some(length) => behind += spaces + length,
            None if is_open && markers::may_lead(next) && next.len() < LONGEST_MARKER => return None,
            None => return Some(behind),
        }
    }
}

/// The length of a list marker with the white space behind it.
fn list_marker(line: &str) -> Option<usize> {
    if let Some(length) = item_marker(line) {
        return Some(length);
    }
    for bullet in ["* ", "• ", "+ ", "– "] {
        if line.starts_with(bullet) {
            return Some(bullet.len());
        }
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    ((1..=2).contains(&digits) && line[digits..].starts_with(") ")).then_some(digits + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The segments, asserted to be the same for any chunks.
    fn segments(text: &str) -> Vec<(Kind, String)> {
        let in_parts = |parts: &[&str]| {
            let mut segments = Segments::default();
            let mut segments_found = Vec::new();
            for part in parts {
                segments.push(part);
                segments_found.extend(std::iter::from_fn(|| segments.next(false)));
            }
            segments_found.extend(std::iter::from_fn(|| segments.next(true)));
            segments_found.into_iter().map(|segment| (segment.kind, segment.text)).collect::<Vec<_>>()
        };
        let whole = in_parts(&[text]);
        for cut in (0..text.len()).filter(|cut| text.is_char_boundary(*cut)) {
            assert_eq!(in_parts(&[&text[..cut], &text[cut..]]), whole, "{text:?} {cut}");
        }
        let letters: Vec<String> = text.chars().map(String::from).collect();
        assert_eq!(in_parts(&letters.iter().map(String::as_str).collect::<Vec<_>>()), whole, "{text:?}");
        whole
    }

    fn texts(text: &str) -> Vec<String> {
        segments(text).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn markers_belong_to_the_sentence_before_unless_they_come_first() {
        assert_eq!(texts("At nine. [1] It closes [2]. [3] At"), ["At nine. [1]", "It closes [2]. [3]", "At"]);
        assert_eq!(texts("At nine. [1]. It closes. [2]."), ["At nine. [1].", "It closes. [2]."]);
        assert_eq!(texts("At nine.[1] It closes.[2, 3]"), ["At nine.[1]", "It closes.[2, 3]"]);
        assert_eq!(
            texts("[1]. To start it, run it. [2]. Then stop."),
            ["[1]. To start it, run it.", "[2]. Then stop."]
        );
        assert_eq!(texts("[1]. [2]."), ["[1]. [2]."]);
    }

    #[test]
    fn lists_code_tables_and_headings_are_segments() {
        let text = "## Hours\nWe open:\n- at 9.30 a.m.\n* e.g. at ten\n1) later\n\n```sh\napt. Install\n\nx\n```\n| a | b |\nEnd";
        let segments_found = segments(text);
        use Kind::{Code, Heading, Item, Row, Sentence};
        let kinds: Vec<Kind> = segments_found.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds, [Heading, Sentence, Item, Item, Item, Code, Row, Sentence], "{segments_found:?}");
        assert_eq!(segments_found[5].1, "```sh\napt. Install\n\nx\n```");
        assert_eq!(segments_found[2].1, "at 9.30 a.m.");
    }

    #[test]
    fn the_day_of_a_date_ends_no_sentence() {
        assert_eq!(
            texts("Geben Sie sie bis zum 30. Juni zurück. [1] Sie kostet 9. Danach nichts."),
            ["Geben Sie sie bis zum 30. Juni zurück. [1]", "Sie kostet 9.", "Danach nichts."]
        );
        assert_eq!(texts("- jährlich (1. Januar um Mitternacht)"), ["jährlich (1. Januar um Mitternacht)"]);
    }

    #[test]
    fn a_sentence_without_end_is_given_up() {
        let mut segments = Segments::default();
        segments.push(&"again and ".repeat(200));
        assert!(segments.next(false).is_some_and(|segment| !segment.is_whole));
    }

    #[test]
    fn at_most_one_sentence_is_held_back() {
        let mut segments = Segments::default();
        segments.push("We open at nine. W");
        assert_eq!(segments.next(false).unwrap().text, "We open at nine.");
        assert_eq!(segments.next(false), None);
    }
}

//! Folds an answer to the characters that a reader sees: compatibility forms, invisible characters and look-alikes of
//! other scripts would otherwise hide a match. Positions of the folded text map back to the answer.
//!
//! A text is folded in segments: a character with the marks and invisible characters behind it. A segment is folded when
//! it is complete, so the result does not depend on the chunks.

use std::ops::Range;

use unicode_normalization::{
    UnicodeNormalization,
    char::{canonical_combining_class, is_combining_mark},
};

/// Maximum marks of one segment; further ones begin the next.
const MAX_MARKS: usize = 16;

/// Letters and marks that look like ASCII ones, after compatibility normalisation: the common ones of Unicode's table of
/// confusables. Dashes between numbers are left out, because they separate ranges of dates.
const LOOK_ALIKES: &[(&str, char)] = &[
    ("аɑα", 'a'),
    ("сϲ", 'c'),
    ("ԁ", 'd'),
    ("еҽ", 'e'),
    ("ɡց", 'g'),
    ("һհ", 'h'),
    ("іıι", 'i'),
    ("јϳ", 'j'),
    ("кκ", 'k'),
    ("ӏ", 'l'),
    ("ոп", 'n'),
    ("оοօ", 'o'),
    ("рρ", 'p'),
    ("ԛ", 'q'),
    ("ѕ", 's'),
    ("τ", 't'),
    ("սυ", 'u'),
    ("νѵ", 'v'),
    ("ԝ", 'w'),
    ("хχ", 'x'),
    ("уγү", 'y'),
    ("АΑ", 'A'),
    ("ВΒ", 'B'),
    ("СϹ", 'C'),
    ("ЕΕ", 'E'),
    ("Ԍ", 'G'),
    ("НΗ", 'H'),
    ("ІΙӀ", 'I'),
    ("ЈͿ", 'J'),
    ("КΚ", 'K'),
    ("МΜ", 'M'),
    ("Ν", 'N'),
    ("ОΟՕ", 'O'),
    ("РΡ", 'P'),
    ("Ԛ", 'Q'),
    ("Ѕ", 'S'),
    ("ТΤ", 'T'),
    ("Ս", 'U'),
    ("Ѵ", 'V'),
    ("Ԝ", 'W'),
    ("ХΧ", 'X'),
    ("ҮΥ", 'Y'),
    ("Ζ", 'Z'),
    ("‐‑‒−", '-'),
];

/// Characters without an own appearance: format characters (Cf), and the others that Unicode ignores by default.
const INVISIBLE: &[(u32, u32)] = &[
    (0xAD, 0xAD),
    (0x34F, 0x34F),
    (0x61C, 0x61C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x20DD, 0x20E4),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
];

/// A folded text with its positions in the answer.
#[derive(Debug)]
pub(super) struct Folded {
    pub(super) text: String,
    parts: Vec<Part>,
}

/// A part of the folded text, from `at` to the next part, and the part of the answer that it stands for.
#[derive(Debug)]
struct Part {
    at: usize,
    original: Range<usize>,
    /// Whether both are the same text, so that positions within correspond.
    is_same: bool,
}

impl Folded {
    /// A text that folding does not change.
    pub(super) fn unchanged(text: &str) -> Self {
        let parts = vec![Part { at: 0, original: 0..text.len(), is_same: true }];
        Self { text: text.to_owned(), parts }
    }

    /// Appends the segment of the answer that begins at `start`.
    pub(super) fn push(&mut self, segment: &str, start: usize) {
        let at = self.text.len();
        fold_segment(segment, &mut self.text);
        let (original, is_same) = (start..start + segment.len(), self.text[at..] == *segment);
        match self.parts.last_mut() {
            Some(last) if is_same && last.is_same && last.original.end == start => last.original.end = original.end,
            _ if self.text.len() == at => {}
            _ => self.parts.push(Part { at, original, is_same }),
        }
    }

    /// The range of the answer that a range of the folded text stands for.
    pub(super) fn original(&self, range: Range<usize>) -> Range<usize> {
        let end = range.end.checked_sub(1).map_or(0, |last| match self.part(last) {
            part if part.is_same => part.original.start + range.end - part.at,
            part => part.original.end,
        });
        self.original_start(range.start)..end
    }

    /// The position in the answer of a position before the folded text's end.
    pub(super) fn original_start(&self, at: usize) -> usize {
        match self.part(at) {
            part if part.is_same => part.original.start + at - part.at,
            part => part.original.start,
        }
    }

    fn part(&self, at: usize) -> &Part {
        let next = self.parts.partition_point(|part| part.at <= at);
        &self.parts[next.saturating_sub(1)]
    }
}

/// The length of the segment at the beginning of a text; `None` while more text could still belong to it.
pub(super) fn segment(text: &str, is_last: bool) -> Option<usize> {
    let mut characters = text.char_indices();
    let (_, base) = characters.next()?;
    if base.is_ascii() && !base.is_ascii_alphabetic() && !matches!(base, '<' | '=' | '>') {
        return Some(1);
    }
    for _ in 0..MAX_MARKS {
        match characters.next() {
            Some((_, character)) if is_combining_mark(character) || is_invisible(character) => {}
            Some((at, _)) => return Some(at),
            None => return is_last.then_some(text.len()),
        }
    }
    Some(characters.offset())
}

/// Whether folding changes a segment.
pub(super) fn changes(segment: &str) -> bool {
    if segment.is_ascii() {
        return false;
    }
    let mut folded = String::new();
    fold_segment(segment, &mut folded);
    folded != segment
}

/// A whole text, folded.
pub(super) fn fold(text: &str) -> String {
    let (mut folded, mut at) = (String::new(), 0);
    while let Some(length) = segment(&text[at..], true) {
        fold_segment(&text[at..at + length], &mut folded);
        at += length;
    }
    folded
}

fn fold_segment(segment: &str, folded: &mut String) {
    if segment.is_ascii() {
        folded.push_str(segment);
        return;
    }
    let visible = segment.chars().filter(|character| !is_invisible(*character)).nfkc();
    let plain = visible.filter(|character| canonical_combining_class(*character) == 0);
    folded.extend(plain.map(look_alike));
}

fn is_invisible(character: char) -> bool {
    let code = u32::from(character);
    code >= INVISIBLE[0].0 && INVISIBLE.iter().any(|(first, last)| (*first..=*last).contains(&code))
}

fn look_alike(character: char) -> char {
    if character.is_ascii() {
        return character;
    }
    let look_alikes = LOOK_ALIKES.iter().find(|(written, _)| written.contains(character));
    look_alikes.map_or(character, |(_, plain)| *plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_the_same_is_folded_to_the_same() {
        for (written, plain) in [
            ("ＡＫＩＡ", "AKIA"),
            ("𝗶𝗴𝗻𝗼𝗿𝗲", "ignore"),
            ("ig\u{200b}no\u{ad}re", "ignore"),
            ("іgnоrе", "ignore"),
            ("i\u{336}g\u{336}n", "ign"),
            ("fru\u{308}heren", "früheren"),
            ("ﬁle a\u{a0}b", "file a b"),
            ("Größe – 日本", "Größe – 日本"),
        ] {
            assert_eq!(fold(written), plain);
        }
    }

    #[test]
    fn positions_lead_back_to_whole_characters() {
        let text = "x ﬁ\u{200b} y";
        let mut folded = Folded::unchanged("x ");
        let mut at = 2;
        while let Some(length) = segment(&text[at..], true) {
            folded.push(&text[at..at + length], at);
            at += length;
        }
        assert_eq!(folded.text, "x fi y");
        let original = |range| &text[folded.original(range)];
        assert_eq!(original(0..1), "x");
        assert_eq!((original(2..3), original(3..4)), ("ﬁ\u{200b}", "ﬁ\u{200b}"));
        assert_eq!((original(5..6), original(1..6)), ("y", " ﬁ\u{200b} y"));
    }

    #[test]
    fn a_segment_is_bounded_and_waits_for_its_marks() {
        assert_eq!((segment("a", false), segment("a", true), segment("a.", false)), (None, Some(1), Some(1)));
        assert_eq!((segment(".", false), segment("", true)), (Some(1), None));
        let marks = format!("a{}", "\u{301}".repeat(40));
        assert_eq!(segment(&marks, false), Some(1 + 2 * MAX_MARKS));
    }
}

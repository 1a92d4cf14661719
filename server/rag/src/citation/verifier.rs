//! Verifies the markers of an answer that arrives in chunks. Text is released as soon as no marker can begin in it.

use super::Citation;
use crate::terms::{overlap, terms};

/// The share of the statement's words that the passage must contain.
const SUPPORT: f32 = 0.3;
/// Maximum digits of a marker.
const DIGITS: usize = 3;

/// Checks markers like [`super::verify`], independent of chunk borders. Holds back spaces, which are removed with their
/// marker, the beginning of a possible marker, and the text behind a backtick until it is known whether it is code.
#[derive(Debug)]
pub struct Verifier<'a> {
    passages: Vec<&'a str>,
    /// Text that is not released yet because a marker or code may begin with it.
    pending: String,
    /// Spaces before it.
    spaces: String,
    /// The text since the last marker.
    since: String,
    /// The words that the next marker must support.
    statement: Vec<String>,
    citations: Vec<Citation>,
    in_code: bool,
    before: char,
}

/// What an opening bracket begins.
enum Bracket {
    /// `[` digits `]`, not before `(`: its length in bytes and its number.
    Marker(usize, usize),
    Other,
    /// Undecided until more text arrives.
    Open,
}

impl<'a> Verifier<'a> {
    /// Starts an answer about `passages`; `[1]` refers to the first.
    pub fn new(passages: Vec<&'a str>) -> Self {
        Self {
            passages,
            pending: String::new(),
            spaces: String::new(),
            since: String::new(),
            statement: Vec::new(),
            citations: Vec::new(),
            in_code: false,
            before: ' ',
        }
    }

    /// Takes the next chunk of the answer and returns the text that is final.
    pub fn push(&mut self, part: &str) -> String {
        self.pending.push_str(part);
        let mut kept = self.settle(false);
        self.spaces = kept.split_off(kept.trim_end_matches(' ').len());
        kept
    }

    /// Ends the answer. Returns the rest of its text, and each remaining marker once, in order of appearance.
    pub fn finish(mut self) -> (String, Vec<Citation>) {
        let rest = self.settle(true);
        (rest, self.citations)
    }

    fn settle(&mut self, last: bool) -> String {
        let mut kept = std::mem::take(&mut self.spaces);
        let text = std::mem::take(&mut self.pending);
        let mut at = 0;
        while let Some(character) = text[at..].chars().next() {
            let Some(in_code) = self.is_code_after(character, &text[at + character.len_utf8()..], last) else { break };
            let may_be_marker = character == '[' && !self.in_code && !self.before.is_alphanumeric();
            match if may_be_marker { bracket(&text[at..], last) } else { Bracket::Other } {
                Bracket::Open => break,
                Bracket::Marker(length, number) => {
                    self.judge(&text[at..at + length], number, &mut kept);
                    self.before = ']';
                    at += length;
                }
                Bracket::Other => {
                    self.in_code = in_code;
                    kept.push(character);
                    self.since.push(character);
                    self.before = character;
                    at += character.len_utf8();
                }
            }
        }
        self.pending = text[at..].to_owned();
        kept
    }

    /// Whether the text after `character` is code; `None` until more of `rest` arrives. Code ends on its line, except in a
    /// fence, which has several backticks.
    fn is_code_after(&self, character: char, rest: &str, last: bool) -> Option<bool> {
        match character {
            '`' if self.in_code => Some(false),
            '`' if self.before == '`' => Some(true),
            '`' => match rest.find(['`', '\n']) {
                None => last.then_some(false),
                Some(end) => Some(rest[end..].starts_with('`')),
            },
            _ => Some(self.in_code),
        }
    }

    /// Keeps or removes a marker. The spaces before it share its fate.
    fn judge(&mut self, marker: &str, number: usize, kept: &mut String) {
        // Adjacent markers refer to the same statement.
        let since = terms(&std::mem::take(&mut self.since));
        if !since.is_empty() {
            self.statement = since;
        }
        let passage = number.checked_sub(1).and_then(|index| Some((index, *self.passages.get(index)?)));
        match passage.filter(|(_, passage)| overlap(&self.statement, passage) >= SUPPORT) {
            Some((source_index, _)) => {
                kept.push_str(marker);
                if !self.citations.iter().any(|known| known.marker == marker) {
                    self.citations.push(Citation { marker: marker.to_owned(), source_index });
                }
            }
            None => kept.truncate(kept.trim_end_matches(' ').len()),
        }
    }
}

/// Classifies a text that begins with `[`. With `last`, no more text follows.
fn bracket(text: &str, last: bool) -> Bracket {
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
    let after = &text[1 + digits..];
    match after.strip_prefix(']') {
        _ if digits > DIGITS => Bracket::Other,
        None if after.is_empty() && !last => Bracket::Open,
        Some("") if digits > 0 && !last => Bracket::Open,
        Some(next) if digits > 0 && !next.starts_with('(') => {
            Bracket::Marker(digits + 2, text[1..=digits].parse().unwrap_or(0))
        }
        _ => Bracket::Other,
    }
}

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
    /// `[` numbers `]`, not before `(`: its length in bytes and its numbers. Models also write `[1, 2]` and `[1-3]`.
    Marker(usize, Vec<usize>),
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
        let mut verified = self.settle(false);
        self.spaces = verified.split_off(verified.trim_end_matches(' ').len());
        verified
    }

    /// Ends the answer. Returns the rest of its text, and each remaining marker once, in order of appearance.
    pub fn finish(mut self) -> (String, Vec<Citation>) {
        let rest = self.settle(true);
        (rest, self.citations)
    }

    fn settle(&mut self, last: bool) -> String {
        let mut verified = std::mem::take(&mut self.spaces);
        let text = std::mem::take(&mut self.pending);
        let mut at = 0;
        while let Some(character) = text[at..].chars().next() {
            let Some(in_code) = self.is_code_after(character, &text[at + character.len_utf8()..], last) else { break };
            let may_be_marker = character == '[' && !self.in_code && !self.before.is_alphanumeric();
            match if may_be_marker { bracket(&text[at..], last) } else { Bracket::Other } {
                Bracket::Open => break,
                Bracket::Marker(length, numbers) => {
                    self.judge(&numbers, &mut verified);
                    self.before = ']';
                    at += length;
                }
                Bracket::Other => {
                    self.in_code = in_code;
                    verified.push(character);
                    self.since.push(character);
                    self.before = character;
                    at += character.len_utf8();
                }
            }
        }
        self.pending = text[at..].to_owned();
        verified
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

    /// Keeps or removes the markers of a bracket, each as one of its own. The spaces before them share their fate.
    fn judge(&mut self, numbers: &[usize], verified: &mut String) {
        // Adjacent markers refer to the same statement.
        let since = terms(&std::mem::take(&mut self.since));
        if !since.is_empty() {
            self.statement = since;
        }
        let mut is_kept = false;
        for number in numbers {
            let passage = number.checked_sub(1).and_then(|index| Some((index, *self.passages.get(index)?)));
            let passage = passage.filter(|(_, passage)| overlap(&self.statement, passage) >= SUPPORT);
            let Some((source_index, _)) = passage else { continue };
            let marker = format!("[{number}]");
            verified.push_str(&marker);
            is_kept = true;
            if !self.citations.iter().any(|citation| citation.marker == marker) {
                self.citations.push(Citation { marker, source_index });
            }
        }
        if !is_kept {
            verified.truncate(verified.trim_end_matches(' ').len());
        }
    }
}

/// Marks between the numbers of a bracket.
const SEPARATORS: [char; 7] = [',', ';', ' ', '-', '–', '—', '\u{a0}'];
/// Maximum bytes and numbers of a bracket with several numbers.
const LIST: usize = 40;
const RANGE: usize = 20;

/// Classifies a text that begins with `[`. With `last`, no more text follows.
fn bracket(text: &str, last: bool) -> Bracket {
    let inner = |mark: char| mark.is_ascii_digit() || SEPARATORS.contains(&mark);
    let Some(end) = text[1..].find(|mark| !inner(mark)).map(|end| end + 1) else {
        return if last || text.len() > LIST { Bracket::Other } else { Bracket::Open };
    };
    let Some(after) = text[end..].strip_prefix(']') else { return Bracket::Other };
    let Some(numbers) = numbers(&text[1..end]) else { return Bracket::Other };
    match after {
        "" if !last => Bracket::Open,
        next if next.starts_with('(') => Bracket::Other,
        _ => Bracket::Marker(end + 1, numbers),
    }
}

/// The numbers of a bracket's content: 1, 2 and 3 of `1, 2, 3` and of `1-3`.
fn numbers(text: &str) -> Option<Vec<usize>> {
    let is_list = |part: &str| part.trim_matches(' ').len() <= DIGITS && !part.trim().is_empty();
    if text.len() > LIST || text.starts_with(SEPARATORS) || text.ends_with(SEPARATORS) {
        return None;
    }
    let mut numbers = Vec::new();
    for part in text.split([',', ';']) {
        let ends: Vec<&str> = part.split(['-', '–', '—']).collect();
        if !ends.iter().all(|end| is_list(end)) {
            return None;
        }
        let ends: Vec<usize> = ends.iter().filter_map(|end| end.trim_matches(['\u{a0}', ' ']).parse().ok()).collect();
        match *ends.as_slice() {
            [number] => numbers.push(number),
            [first, end] if first <= end && end - first < RANGE => numbers.extend(first..=end),
            _ => return None,
        }
    }
    Some(numbers)
}

//! The map from a font's codes to characters that a PDF brings along (`ToUnicode`).

use std::collections::HashMap;

/// Maximum codes of a range that lists its characters, and of all single codes.
const MAX_CODES: usize = 0x20000;

/// Characters of codes. A code of one byte and one of two bytes with the same number count as the same.
#[derive(Default)]
pub(super) struct ToUnicode {
    single: HashMap<u32, String>,
    /// First and last code, and the UTF-16 of the first one.
    ranges: Vec<(u32, u32, Vec<u16>)>,
}

enum Token<'a> {
    Hex(&'a [u8]),
    Open,
    Close,
    Word(&'a [u8]),
}

impl ToUnicode {
    /// Reads a map. What is not understood is left out.
    pub(super) fn parse(map: &[u8]) -> Self {
        let mut read = Self::default();
        let mut rest = map;
        let mut block: &[u8] = b"";
        let mut entry: Vec<Vec<u16>> = Vec::new();
        let mut list: Option<Vec<Vec<u16>>> = None;
        while let Some(token) = next(&mut rest) {
            match token {
                Token::Word(word @ (b"beginbfchar" | b"beginbfrange")) => block = word,
                Token::Word(b"endbfchar" | b"endbfrange") => block = b"",
                Token::Hex(digits) if !block.is_empty() => match &mut list {
                    Some(list) => list.push(units(digits)),
                    None => entry.push(units(digits)),
                },
                Token::Open if !block.is_empty() => list = Some(Vec::new()),
                Token::Close => {
                    if let (Some(list), [first, ..]) = (list.take(), entry.as_slice()) {
                        for (code, text) in (number(first)..).zip(list).take(MAX_CODES) {
                            read.insert(code, &text);
                        }
                    }
                    entry.clear();
                }
                _ => {}
            }
            match entry.as_slice() {
                [code, text] if block == b"beginbfchar" => {
                    read.insert(number(code), text);
                    entry.clear();
                }
                [first, last, text] if block == b"beginbfrange" => {
                    if read.ranges.len() < MAX_CODES {
                        read.ranges.push((number(first), number(last), text.clone()));
                    }
                    entry.clear();
                }
                _ if block.is_empty() => entry.clear(),
                _ => {}
            }
        }
        read
    }

    fn insert(&mut self, code: u32, text: &[u16]) {
        if self.single.len() < MAX_CODES {
            self.single.insert(code, String::from_utf16_lossy(text));
        }
    }

    /// The text of a code, which may be empty.
    pub(super) fn text(&self, code: u32) -> Option<String> {
        if let Some(text) = self.single.get(&code) {
            return Some(text.clone());
        }
        let (first, _, text) = self.ranges.iter().find(|(first, last, _)| (*first..=*last).contains(&code))?;
        let mut text = text.clone();
        #[allow(clippy::cast_possible_truncation, reason = "the last unit counts up and wraps")]
        if let Some(last) = text.last_mut() {
            *last = last.wrapping_add((code - first) as u16);
        }
        Some(String::from_utf16_lossy(&text))
    }
}

/// The next hexadecimal string, bracket or word.
fn next<'a>(rest: &mut &'a [u8]) -> Option<Token<'a>> {
    let start = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let text = &rest[start..];
    let until = |is_end: fn(&u8) -> bool| text.iter().position(is_end).unwrap_or(text.len());
    let (token, end) = match text.first()? {
        b'<' if text.get(1) != Some(&b'<') => {
            let end = until(|byte| *byte == b'>');
            (Token::Hex(&text[1..end]), end + 1)
        }
        b'[' => (Token::Open, 1),
        b']' => (Token::Close, 1),
        b'%' => (Token::Word(b""), until(|byte| matches!(byte, b'\n' | b'\r'))),
        _ => {
            let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'<' | b'[' | b']' | b'%');
            let end = text.iter().skip(1).position(is_end).map_or(text.len(), |end| end + 1);
            (Token::Word(&text[..end]), end)
        }
    };
    *rest = &text[end.min(text.len())..];
    Some(token)
}

/// The UTF-16 of hexadecimal digits.
fn units(digits: &[u8]) -> Vec<u16> {
    let values: Vec<u16> = digits
        .iter()
        .filter_map(|digit| char::from(*digit).to_digit(16))
        .filter_map(|digit| u16::try_from(digit).ok())
        .collect();
    // A number of two digits has no byte before it.
    let lead = (4 - values.len() % 4) % 4;
    let padded: Vec<u16> = if values.len() < 4 { std::iter::repeat_n(0, lead).chain(values).collect() } else { values };
    if padded.iter().all(|digit| *digit == 0) && digits.is_empty() {
        return Vec::new();
    }
    padded.chunks(4).map(|digits| digits.iter().fold(0, |number, digit| number << 4 | digit)).collect()
}

/// The number of a code.
fn number(units: &[u16]) -> u32 {
    units.iter().fold(0, |number, unit| number << 16 | u32::from(*unit))
}

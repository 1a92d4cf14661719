//! The unigram tokenizer of XLM-RoBERTa and similar models: finds the most likely split of a word into known pieces.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use crate::{Error, Result};

/// Replaces the space before a word.
const SPACE: char = '▁';
/// How much less likely an unknown character is than the least likely piece.
const UNKNOWN_PENALTY: f32 = 10.0;
/// Characters of a text that are read; far more than fill any model.
const MAX_CHARS: usize = 32 * 1024;

/// The stored parts of a tokenizer.
pub(crate) struct Pieces<'a> {
    pub(crate) begin: u32,
    pub(crate) end: u32,
    pub(crate) padding: u32,
    pub(crate) unknown: u32,
    /// Where each piece begins in `text`, and where the last one ends.
    pub(crate) offsets: Vec<u32>,
    /// Logarithms of the pieces' probabilities.
    pub(crate) scores: Vec<f32>,
    pub(crate) text: &'a [u8],
    pub(crate) replaced: usize,
    /// For each replaced character its code point, the number of its replacements, and their code points.
    pub(crate) replacements: &'a [u8],
}

/// Splits texts into the tokens of a unigram model.
pub struct Unigram {
    begin: u32,
    end: u32,
    unknown: u32,
    text: Vec<u8>,
    offsets: Vec<u32>,
    scores: Vec<f32>,
    /// Hash table with open addressing: a piece's number plus one, or 0. A map with separate keys would take four times
    /// the memory.
    slots: Vec<u32>,
    longest_piece: usize,
    unknown_score: f32,
    replacements: HashMap<char, Box<str>>,
}

/// The best way to reach a place in a word.
#[derive(Clone, Copy)]
struct Step {
    score: f32,
    from: usize,
    piece: u32,
}

impl Unigram {
    pub(crate) fn new(pieces: &Pieces<'_>) -> Result<Self> {
        let ordered =
            pieces.offsets.is_sorted() && pieces.offsets.last().map(|end| *end as usize) == Some(pieces.text.len());
        let specials = [pieces.begin, pieces.end, pieces.padding, pieces.unknown];
        if !ordered || specials.iter().any(|special| *special as usize >= pieces.scores.len()) {
            return Err(Error::format("the tokenizer's pieces do not fit together"));
        }
        let lowest = pieces.scores.iter().copied().fold(0.0, f32::min);
        let mut tokenizer = Self {
            begin: pieces.begin,
            end: pieces.end,
            unknown: pieces.unknown,
            text: pieces.text.to_vec(),
            offsets: pieces.offsets.clone(),
            scores: pieces.scores.clone(),
            slots: vec![0; (pieces.scores.len() * 2).next_power_of_two()],
            longest_piece: 0,
            unknown_score: lowest - UNKNOWN_PENALTY,
            replacements: replacements(pieces)?,
        };
        for piece in (0..).take(pieces.scores.len()).filter(|piece| !specials.contains(piece)) {
            tokenizer.insert(piece);
        }
        Ok(tokenizer)
    }

    /// The tokens of `text` between the begin and end tokens, at most `longest` including both. Never empty.
    pub fn encode(&self, text: &str, longest: usize) -> Vec<u32> {
        let room = longest.saturating_sub(1);
        let mut tokens = vec![self.begin];
        let normal = self.normal(text);
        for word in normal.split(|character: char| character.is_whitespace() || character == SPACE) {
            if tokens.len() >= room {
                break;
            }
            if !word.is_empty() {
                self.cut(&format!("{SPACE}{word}"), &mut tokens);
            }
        }
        tokens.truncate(room.max(1));
        tokens.push(self.end);
        tokens
    }

    /// The text with composed characters, and with look-alikes replaced.
    fn normal(&self, text: &str) -> String {
        let mut normal = String::with_capacity(text.len());
        for character in text.nfc().take(MAX_CHARS) {
            match self.replacements.get(&character) {
                Some(replacement) => normal.push_str(replacement),
                None => normal.push(character),
            }
        }
        normal
    }

    /// Appends the likeliest pieces of one word (Viterbi).
    fn cut(&self, word: &str, tokens: &mut Vec<u32>) {
        let bytes = word.as_bytes();
        let mut best: Vec<Option<Step>> = vec![None; bytes.len() + 1];
        best[0] = Some(Step { score: 0.0, from: 0, piece: self.unknown });
        for (from, character) in word.char_indices() {
            let Some(Step { score, .. }) = best[from] else { continue };
            let limit = bytes.len().min(from + self.longest_piece);
            let mut hash = FNV_START;
            for to in from + 1..=limit {
                hash = fnv(hash, bytes[to - 1]);
                if word.is_char_boundary(to)
                    && let Some(piece) = self.find(hash, &bytes[from..to])
                {
                    offer(&mut best[to], Step { score: score + self.scores[piece as usize], from, piece });
                }
            }
            let next = from + character.len_utf8();
            offer(&mut best[next], Step { score: score + self.unknown_score, from, piece: self.unknown });
        }
        let begin = tokens.len();
        let mut at = bytes.len();
        while let Some(Step { from, piece, .. }) = best[at].filter(|_| at > 0) {
            // Unknown characters in a row are one token.
            if piece != self.unknown || tokens.len() == begin || tokens.last() != Some(&piece) {
                tokens.push(piece);
            }
            at = from;
        }
        tokens[begin..].reverse();
    }

    fn piece(&self, number: u32) -> &[u8] {
        let number = number as usize;
        &self.text[self.offsets[number] as usize..self.offsets[number + 1] as usize]
    }

    fn insert(&mut self, number: u32) {
        let piece = self.piece(number);
        if piece.is_empty() {
            return;
        }
        let (length, mut slot) = (piece.len(), self.slot(piece.iter().copied().fold(FNV_START, fnv)));
        while self.slots[slot] != 0 {
            slot = (slot + 1) % self.slots.len();
        }
        self.slots[slot] = number + 1;
        self.longest_piece = self.longest_piece.max(length);
    }

    fn find(&self, hash: u64, bytes: &[u8]) -> Option<u32> {
        let mut slot = self.slot(hash);
        loop {
            let number = self.slots[slot].checked_sub(1)?;
            if self.piece(number) == bytes {
                return Some(number);
            }
            slot = (slot + 1) % self.slots.len();
        }
    }

    fn slot(&self, hash: u64) -> usize {
        #[allow(clippy::cast_possible_truncation, reason = "the table's length is below 32 bits")]
        let slot = (hash ^ (hash >> 32)) as usize;
        slot & (self.slots.len() - 1)
    }
}

fn offer(place: &mut Option<Step>, step: Step) {
    if place.is_none_or(|known| step.score > known.score) {
        *place = Some(step);
    }
}

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
}

fn replacements(pieces: &Pieces<'_>) -> Result<HashMap<char, Box<str>>> {
    let mut rest = pieces.replacements;
    let mut replacements = HashMap::with_capacity(pieces.replaced);
    for _ in 0..pieces.replaced {
        let replaced = next_char(&mut rest)?;
        let (count, behind) = rest.split_first().ok_or_else(|| Error::format("the tokenizer's table is cut"))?;
        rest = behind;
        let replacement = (0..*count).map(|_| next_char(&mut rest)).collect::<Result<String>>()?;
        replacements.insert(replaced, replacement.into());
    }
    Ok(replacements)
}

fn next_char(rest: &mut &[u8]) -> Result<char> {
    let (code, behind) = rest.split_first_chunk::<4>().ok_or_else(|| Error::format("the tokenizer's table is cut"))?;
    *rest = behind;
    char::from_u32(u32::from_le_bytes(*code)).ok_or_else(|| Error::format("the tokenizer's table holds no characters"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces of the same score but one, so that fewer pieces are likelier.
    fn tokenizer() -> Unigram {
        let pieces = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁sea", "▁se", "a", "l", "al", "s", "e", "é"];
        let mut offsets = vec![0];
        for piece in pieces {
            offsets.push(offsets[offsets.len() - 1] + u32::try_from(piece.len()).unwrap());
        }
        let text = pieces.concat();
        let replacement =
            |from: char, to: char| [&u32::from(from).to_le_bytes()[..], &[1], &u32::from(to).to_le_bytes()].concat();
        let mut scores = vec![-1.0; pieces.len()];
        scores[5] = -0.9;
        let replacements = [replacement('ａ', 'a'), replacement('\u{3000}', ' ')].concat();
        Unigram::new(&Pieces {
            begin: 0,
            end: 2,
            padding: 1,
            unknown: 3,
            offsets,
            scores,
            text: text.as_bytes(),
            replaced: 2,
            replacements: &replacements,
        })
        .unwrap()
    }

    #[test]
    fn a_word_becomes_its_likeliest_pieces() {
        assert_eq!(tokenizer().encode("seal", 512), [0, 5, 8, 2], "not ▁se and al, which are less likely");
        assert_eq!(tokenizer().encode("  sea\tsea\n", 512), [0, 5, 5, 2]);
    }

    #[test]
    fn unknown_characters_in_a_row_are_one_token() {
        assert_eq!(tokenizer().encode("sea🦭🦭\0a", 512), [0, 5, 3, 7, 2]);
        assert_eq!(tokenizer().encode("🦭 🦭", 512), [0, 4, 3, 4, 3, 2], "two words");
    }

    #[test]
    fn characters_are_composed_and_replaced() {
        assert_eq!(tokenizer().encode("e\u{301}", 512), tokenizer().encode("é", 512));
        assert_eq!(tokenizer().encode("seａ\u{3000}seａ", 512), [0, 5, 5, 2]);
    }

    #[test]
    fn texts_are_cut_at_the_models_length_and_never_empty() {
        let long = "sea ".repeat(10_000);
        let tokens = tokenizer().encode(&long, 512);
        assert_eq!((tokens.len(), tokens[510], tokens[511]), (512, 5, 2));
        assert_eq!(tokenizer().encode(&"a".repeat(10_000), 64).len(), 64);
        assert_eq!(tokenizer().encode("", 512), [0, 2]);
        assert_eq!(tokenizer().encode("sea", 0), [0, 2]);
    }

    #[test]
    fn the_names_of_special_tokens_are_text() {
        let tokens = tokenizer().encode("<s></s>", 512);
        assert_eq!(tokens, [0, 4, 3, 10, 3, 10, 3, 2]);
    }
}

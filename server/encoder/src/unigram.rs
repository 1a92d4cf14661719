//! The unigram tokenizer of XLM-RoBERTa and similar models: finds the most likely split of a word into known pieces.

use std::collections::HashMap;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::Deserialize;
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use crate::{Error, Result, charsmap};

/// Replaces the space before a word.
const SPACE: char = '▁';
/// How much less likely an unknown character is than the least likely piece.
const UNKNOWN_PENALTY: f32 = 10.0;
/// Characters of a text that are read; far more than fill any model.
const MAX_CHARS: usize = 32 * 1024;

/// The stored parts of a tokenizer.
#[derive(Clone)]
pub(crate) struct Pieces<'a> {
    pub(crate) specials: Specials,
    /// Where each piece begins in `text`, and where the last one ends.
    pub(crate) offsets: Vec<u32>,
    /// Logarithms of the pieces' probabilities.
    pub(crate) scores: Vec<f32>,
    pub(crate) text: &'a [u8],
    pub(crate) replacements: HashMap<char, Box<str>>,
}

/// The numbers of the special tokens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Specials {
    pub(crate) begin: u32,
    pub(crate) end: u32,
    pub(crate) padding: u32,
    pub(crate) unknown: u32,
}

/// A tokenizer as `tokenizer.json` stores it.
#[derive(Deserialize)]
pub(crate) struct UnigramModel {
    unk_id: u32,
    /// Each piece with the logarithm of its probability.
    vocab: Vec<(String, f32)>,
}

/// Splits texts into the tokens of a unigram model.
pub(crate) struct Unigram {
    pub(crate) begin: u32,
    pub(crate) end: u32,
    pub(crate) unknown: u32,
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

impl UnigramModel {
    /// # Errors
    /// When a special token is missing, or the normalizer is of another kind.
    pub(crate) fn read(&self, normalizer: &Value) -> Result<Unigram> {
        let special = |name: &str| {
            let number = (0..).zip(&self.vocab).find(|(_, (piece, _))| piece == name).map(|(number, _)| number);
            number.ok_or_else(|| Error::format(format!("the tokenizer has no token {name}")))
        };
        let mut offsets = vec![0];
        let mut text = String::new();
        for (piece, _) in &self.vocab {
            text.push_str(piece);
            offsets.push(u32::try_from(text.len()).map_err(|_| Error::format("the tokenizer is too large"))?);
        }
        Unigram::new(Pieces {
            specials: Specials {
                begin: special("<s>")?,
                end: special("</s>")?,
                padding: special("<pad>")?,
                unknown: self.unk_id,
            },
            offsets,
            scores: self.vocab.iter().map(|(_, score)| *score).collect(),
            text: text.as_bytes(),
            replacements: replacements(normalizer)?,
        })
    }
}

/// The replacements of a normalizer, which may be one of several.
fn replacements(normalizer: &Value) -> Result<HashMap<char, Box<str>>> {
    let all = normalizer["normalizers"].as_array().map_or(std::slice::from_ref(normalizer), Vec::as_slice);
    let Some(map) = all.iter().find_map(|one| one["precompiled_charsmap"].as_str()) else {
        return Ok(HashMap::new());
    };
    let map = STANDARD.decode(map).ok().and_then(|map| charsmap::replacements(&map));
    map.ok_or_else(|| Error::format("the tokenizer's character map is cut off"))
}

/// The best way to reach a place in a word.
#[derive(Clone, Copy)]
struct Step {
    score: f32,
    from: usize,
    piece: u32,
}

impl Unigram {
    pub(crate) fn new(pieces: Pieces<'_>) -> Result<Self> {
        let ordered =
            pieces.offsets.is_sorted() && pieces.offsets.last().map(|end| *end as usize) == Some(pieces.text.len());
        let Specials { begin, end, padding, unknown } = pieces.specials;
        let specials = [begin, end, padding, unknown];
        if !ordered || specials.iter().any(|special| *special as usize >= pieces.scores.len()) {
            return Err(Error::format("the tokenizer's pieces do not fit together"));
        }
        let lowest = pieces.scores.iter().copied().fold(0.0, f32::min);
        let count = pieces.scores.len();
        let mut tokenizer = Self {
            begin,
            end,
            unknown,
            text: pieces.text.to_vec(),
            offsets: pieces.offsets,
            scores: pieces.scores,
            slots: vec![0; (count * 2).next_power_of_two()],
            longest_piece: 0,
            unknown_score: lowest - UNKNOWN_PENALTY,
            replacements: pieces.replacements,
        };
        for piece in (0..).take(count).filter(|piece| !specials.contains(piece)) {
            tokenizer.insert(piece);
        }
        Ok(tokenizer)
    }

    /// The tokens of `text`, at most `longest`.
    pub(crate) fn words(&self, text: &str, longest: usize) -> Vec<u32> {
        let mut tokens = Vec::new();
        let normal = self.normal(text);
        for word in normal.split(|character: char| character.is_whitespace() || character == SPACE) {
            if tokens.len() >= longest {
                break;
            }
            if !word.is_empty() {
                self.cut(&format!("{SPACE}{word}"), &mut tokens);
            }
        }
        tokens.truncate(longest);
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
    if place.is_none_or(|best| step.score > best.score) {
        *place = Some(step);
    }
}

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
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
        let mut scores = vec![-1.0; pieces.len()];
        scores[5] = -0.9;
        Unigram::new(Pieces {
            specials: Specials { begin: 0, end: 2, padding: 1, unknown: 3 },
            offsets,
            scores,
            text: text.as_bytes(),
            replacements: [('ａ', "a".into()), ('\u{3000}', " ".into())].into(),
        })
        .unwrap()
    }

    #[test]
    fn a_word_becomes_its_likeliest_pieces() {
        assert_eq!(tokenizer().words("seal", 512), [5, 8], "not ▁se and al, which are less likely");
        assert_eq!(tokenizer().words("  sea\tsea\n", 512), [5, 5]);
    }

    #[test]
    fn unknown_characters_in_a_row_are_one_token() {
        assert_eq!(tokenizer().words("sea🦭🦭\0a", 512), [5, 3, 7]);
        assert_eq!(tokenizer().words("🦭 🦭", 512), [4, 3, 4, 3], "two words");
    }

    #[test]
    fn characters_are_composed_and_replaced() {
        assert_eq!(tokenizer().words("e\u{301}", 512), tokenizer().words("é", 512));
        assert_eq!(tokenizer().words("seａ\u{3000}seａ", 512), [5, 5]);
    }

    #[test]
    fn texts_are_cut_at_the_given_length() {
        let long = "sea ".repeat(10_000);
        let tokens = tokenizer().words(&long, 510);
        assert_eq!((tokens.len(), tokens[509]), (510, 5));
        assert_eq!(tokenizer().words(&"a".repeat(10_000), 62).len(), 62);
        assert!(tokenizer().words("", 510).is_empty() && tokenizer().words("sea", 0).is_empty());
    }

    #[test]
    fn the_names_of_special_tokens_are_text() {
        let tokens = tokenizer().words("<s></s>", 512);
        assert_eq!(tokens, [4, 3, 10, 3, 10, 3]);
    }
}

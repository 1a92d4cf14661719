//! The WordPiece tokenizer of BERT: words are split at spaces and punctuation, and then into the longest known pieces.

use std::collections::HashMap;

use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::{Error, Result};

/// How characters are changed before a text is split.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Normalizer {
    /// Removes control characters.
    clean_text: bool,
    /// Makes each Chinese character a word.
    handle_chinese_chars: bool,
    /// As `lowercase`, unless it is given.
    strip_accents: Option<bool>,
    lowercase: bool,
}

/// Splits texts into the tokens of a WordPiece model.
pub(crate) struct WordPiece {
    pub(crate) begin: u32,
    pub(crate) end: u32,
    pub(crate) unknown: u32,
    /// Names that stand for a token wherever they occur in a text, such as `[SEP]`.
    names: Vec<(String, u32)>,
    /// Pieces at the beginning of a word.
    beginnings: HashMap<String, u32>,
    /// Pieces inside a word, without their prefix.
    continuations: HashMap<String, u32>,
    /// Bytes of the longest piece.
    longest_piece: usize,
    /// Characters of a word; a longer one is unknown.
    longest_word: usize,
    normalizer: Normalizer,
}

/// The stored parts of a tokenizer.
#[derive(Deserialize)]
pub(crate) struct WordPieceModel {
    vocab: HashMap<String, u32>,
    unk_token: String,
    continuing_subword_prefix: String,
    max_input_chars_per_word: usize,
}

impl WordPiece {
    /// # Errors
    /// When a special token is missing.
    pub(crate) fn new(model: WordPieceModel, normalizer: Normalizer, names: Vec<(String, u32)>) -> Result<Self> {
        let WordPieceModel { vocab, unk_token, continuing_subword_prefix: prefix, max_input_chars_per_word } = model;
        let special = |name: &str| {
            vocab.get(name).copied().ok_or_else(|| Error::format(format!("the tokenizer has no token {name}")))
        };
        let continuation = |(piece, number): (&String, &u32)| Some((piece.strip_prefix(&prefix)?.to_owned(), *number));
        Ok(Self {
            begin: special("[CLS]")?,
            end: special("[SEP]")?,
            unknown: special(&unk_token)?,
            names,
            continuations: vocab.iter().filter_map(continuation).collect(),
            longest_piece: vocab.keys().map(String::len).max().unwrap_or(0),
            longest_word: max_input_chars_per_word,
            beginnings: vocab,
            normalizer,
        })
    }

    /// The tokens of `text`, at most `longest`.
    pub(crate) fn words(&self, text: &str, longest: usize) -> Vec<u32> {
        let mut tokens = Vec::new();
        let mut rest = text;
        while !rest.is_empty() && tokens.len() < longest {
            let name_match = self.names.iter().filter_map(|(name, token)| Some((rest.find(name)?, name.len(), *token)));
            let name_match = name_match.min_by_key(|(at, length, _)| (*at, usize::MAX - length));
            let (at, length, _) = name_match.unwrap_or((rest.len(), 0, 0));
            self.split(&rest[..at], longest, &mut tokens);
            tokens.extend(name_match.map(|(_, _, token)| token));
            rest = &rest[at + length..];
        }
        tokens.truncate(longest);
        tokens
    }

    /// Appends the tokens of a text without names, until there are `longest`.
    fn split(&self, text: &str, longest: usize, tokens: &mut Vec<u32>) {
        // A word and its number of characters; a word that is too long is not kept.
        let (mut word, mut length) = (String::new(), 0);
        let mut finish = |word: &mut String, length: &mut usize| {
            if *length > self.longest_word {
                tokens.push(self.unknown);
            } else if *length > 0 {
                self.cut(word, tokens);
            }
            word.clear();
            *length = 0;
            tokens.len() >= longest
        };
        for character in self.normalizer.apply(text) {
            let is_punctuation = is_punctuation(character);
            if (is_punctuation || character.is_whitespace()) && finish(&mut word, &mut length) {
                return;
            }
            if !character.is_whitespace() {
                length += 1;
                if length <= self.longest_word {
                    word.push(character);
                }
            }
            if is_punctuation && finish(&mut word, &mut length) {
                return;
            }
        }
        finish(&mut word, &mut length);
    }

    /// Appends the pieces of a word, or the unknown token when they do not cover it.
    fn cut(&self, word: &str, tokens: &mut Vec<u32>) {
        let before = tokens.len();
        let mut rest = word;
        while !rest.is_empty() {
            let pieces = if rest.len() == word.len() { &self.beginnings } else { &self.continuations };
            let ends = (1..=rest.len().min(self.longest_piece)).rev().filter(|end| rest.is_char_boundary(*end));
            let piece = ends.into_iter().find_map(|end| Some((*pieces.get(&rest[..end])?, end)));
            let Some((piece, end)) = piece else {
                tokens.truncate(before);
                tokens.push(self.unknown);
                return;
            };
            tokens.push(piece);
            rest = &rest[end..];
        }
    }
}

impl Normalizer {
    fn apply<'a>(&self, text: &'a str) -> Box<dyn Iterator<Item = char> + 'a> {
        let Self { clean_text, handle_chinese_chars, strip_accents, lowercase } = *self;
        let cleaned = text.chars().filter(move |character| !clean_text || !is_removed(*character));
        let spaced = cleaned.flat_map(move |character| {
            let space = (handle_chinese_chars && is_chinese(character)).then_some(' ');
            [space, Some(character), space].into_iter().flatten()
        });
        let plain: Box<dyn Iterator<Item = char>> = match strip_accents.unwrap_or(lowercase) {
            true => Box::new(spaced.nfd().filter(|character| !is_accent(*character))),
            false => Box::new(spaced),
        };
        match lowercase {
            true => Box::new(plain.flat_map(char::to_lowercase)),
            false => plain,
        }
    }
}

/// Control, format and private characters, and the replacement of invalid bytes. Tabs and line ends are spaces.
fn is_removed(character: char) -> bool {
    use GeneralCategory::{Control, Format, PrivateUse};
    match character {
        '\t' | '\n' | '\r' => false,
        '\u{fffd}' => true,
        ' '..='~' => false,
        _ => matches!(character.general_category(), Control | Format | PrivateUse),
    }
}

fn is_accent(character: char) -> bool {
    !character.is_ascii() && character.general_category() == GeneralCategory::NonspacingMark
}

fn is_punctuation(character: char) -> bool {
    match character.is_ascii() {
        true => character.is_ascii_punctuation(),
        false => character.general_category_group() == GeneralCategoryGroup::Punctuation,
    }
}

/// The blocks of unified ideographs, as BERT's authors chose them.
fn is_chinese(character: char) -> bool {
    matches!(
        u32::from(character),
        0x4E00..=0x9FFF
            | 0x3400..=0x4DBF
            | 0x20000..=0x2A6DF
            | 0x2A700..=0x2B73F
            | 0x2B740..=0x2B81F
            | 0x2B920..=0x2CEAF
            | 0xF900..=0xFAFF
            | 0x2F800..=0x2FA1F
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokenizer() -> WordPiece {
        let pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "seal", "sea", "##l", "##ls", ".", "a", "##b", "野", "##野"];
        let model = WordPieceModel {
            vocab: pieces.into_iter().map(str::to_owned).zip(0..).collect(),
            unk_token: "[UNK]".to_owned(),
            continuing_subword_prefix: "##".to_owned(),
            max_input_chars_per_word: 10,
        };
        let normalizer =
            Normalizer { clean_text: true, handle_chinese_chars: true, strip_accents: None, lowercase: true };
        WordPiece::new(model, normalizer, vec![("[SEP]".to_owned(), 3)]).unwrap()
    }

    #[test]
    fn a_word_becomes_its_longest_pieces() {
        assert_eq!(tokenizer().words("seal sea. ab abb", 20), [4, 5, 8, 9, 10, 9, 10, 10]);
        assert_eq!(tokenizer().words("seals", 20), [1], "the longest beginning leaves an s, which is unknown");
    }

    #[test]
    fn case_accents_and_control_characters_do_not_matter() {
        assert_eq!(tokenizer().words("SE\u{0}Á\u{200d}L\u{301}\u{fffd}", 20), [4]);
        assert_eq!(tokenizer().words("sea\tsea\u{a0}\r\nsea\u{2003}", 20), [5, 5, 5]);
    }

    #[test]
    fn punctuation_and_ideographs_are_words() {
        assert_eq!(tokenizer().words("a.野野sea…", 20), [9, 8, 11, 11, 5, 1]);
    }

    #[test]
    fn a_long_word_is_unknown() {
        assert_eq!(tokenizer().words(&format!("a{} a{}", "b".repeat(9), "b".repeat(10)), 20)[9..], [10, 1]);
    }

    #[test]
    fn the_name_of_a_special_token_stands_for_it() {
        assert_eq!(tokenizer().words("sea[SEP]a [sep]", 20), [5, 3, 9, 1, 1, 1]);
    }

    #[test]
    fn a_text_is_cut_at_the_given_length() {
        assert_eq!(tokenizer().words(&"ab ".repeat(10_000), 5), [9, 10, 9, 10, 9]);
        assert!(tokenizer().words("", 5).is_empty() && tokenizer().words("a", 0).is_empty());
    }
}

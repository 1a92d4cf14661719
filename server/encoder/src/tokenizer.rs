//! Texts to tokens, by the tokenizer of a model's `tokenizer.json` or of the compact file.

use serde::Deserialize;

use crate::{
    Error, Result,
    network::Input,
    unigram::{Unigram, UnigramModel},
    word_piece::{Normalizer, WordPiece, WordPieceModel},
};

/// A tokenizer of one of two kinds.
pub struct Tokenizer(Kind);

enum Kind {
    WordPiece(WordPiece),
    Unigram(Unigram),
}

/// The parts of `tokenizer.json` that are used.
#[derive(Deserialize)]
struct File {
    #[serde(default)]
    added_tokens: Vec<AddedToken>,
    normalizer: Option<serde_json::Value>,
    model: Model,
}

#[derive(Deserialize)]
struct AddedToken {
    id: u32,
    content: String,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Model {
    WordPiece(WordPieceModel),
    Unigram(UnigramModel),
}

impl Tokenizer {
    /// Reads `tokenizer.json` of a BERT model (WordPiece) or an XLM-RoBERTa model (Unigram).
    ///
    /// # Errors
    /// When it has another kind of tokenizer, or contradicts itself.
    pub fn read(json: &[u8]) -> Result<Self> {
        let invalid = |error: serde_json::Error| Error::format(error.to_string());
        let File { added_tokens, normalizer, model } = serde_json::from_slice(json).map_err(invalid)?;
        let normalizer = normalizer.unwrap_or_default();
        match model {
            Model::WordPiece(model) => {
                let normalizer: Normalizer = serde_json::from_value(normalizer).map_err(invalid)?;
                let names = added_tokens.into_iter().map(|token| (token.content, token.id)).collect();
                Ok(Self(Kind::WordPiece(WordPiece::new(model, normalizer, names)?)))
            }
            Model::Unigram(model) => Ok(Self(Kind::Unigram(model.read(&normalizer)?))),
        }
    }

    pub(crate) fn unigram(unigram: Unigram) -> Self {
        Self(Kind::Unigram(unigram))
    }

    /// The tokens of a text without the special ones, at most `longest`.
    pub fn words(&self, text: &str, longest: usize) -> Vec<u32> {
        match &self.0 {
            Kind::WordPiece(tokenizer) => tokenizer.words(text, longest),
            Kind::Unigram(tokenizer) => tokenizer.words(text, longest),
        }
    }

    /// Whether the vocabulary has a word whole, as it is written here: it has most words that are not rare, and hardly any with a
    /// typing error.
    pub fn has_word(&self, word: &str) -> bool {
        let unknown = match &self.0 {
            Kind::WordPiece(tokenizer) => tokenizer.unknown,
            Kind::Unigram(tokenizer) => tokenizer.unknown,
        };
        matches!(*self.words(word, 2), [token] if token != unknown)
    }

    /// A text between the begin and end tokens; cut when it has more than `longest` tokens with both.
    pub fn single(&self, text: &str, longest: usize) -> Input {
        let (begin, end) = self.limits();
        let words = self.words(text, longest.saturating_sub(2));
        let tokens: Vec<u32> = [begin].into_iter().chain(words).chain([end]).collect();
        Input { first_type: tokens.len(), tokens }
    }

    /// Two texts that are read together. When they have more than `longest` tokens, the longer one is cut, or both to
    /// the same length.
    pub fn pair(&self, first: &str, second: &str, longest: usize) -> Input {
        let (begin, end) = self.limits();
        // XLM-RoBERTa separates the texts by two tokens, and has no token types.
        let separators: &[u32] = if self.has_types() { &[end] } else { &[end, end] };
        let room = longest.saturating_sub(2 + separators.len());
        let (mut first, mut second) = (self.words(first, room), self.words(second, room));
        first.truncate((room / 2).max(room.saturating_sub(second.len())));
        second.truncate(room - first.len());
        let mut tokens = vec![begin];
        tokens.extend(first);
        tokens.extend(separators);
        let first_type = tokens.len();
        tokens.extend(second);
        tokens.push(end);
        Input { first_type: if self.has_types() { first_type } else { tokens.len() }, tokens }
    }

    /// The begin and end tokens.
    fn limits(&self) -> (u32, u32) {
        match &self.0 {
            Kind::WordPiece(tokenizer) => (tokenizer.begin, tokenizer.end),
            Kind::Unigram(tokenizer) => (tokenizer.begin, tokenizer.end),
        }
    }

    fn has_types(&self) -> bool {
        matches!(self.0, Kind::WordPiece(_))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn word_piece() -> Tokenizer {
        let file = json!({
            "added_tokens": [{ "id": 2, "content": "[SEP]" }],
            "normalizer": {
                "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null,
                "lowercase": true,
            },
            "model": {
                "type": "WordPiece", "vocab": { "[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "a": 3, "b": 4 },
                "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
            },
        });
        Tokenizer::read(file.to_string().as_bytes()).unwrap()
    }

    fn unigram() -> Tokenizer {
        let pieces = ["<s>", "<pad>", "</s>", "<unk>", "▁a", "▁b"];
        let file = json!({
            "normalizer": null,
            "model": { "type": "Unigram", "unk_id": 3, "vocab": pieces.map(|piece| json!([piece, -1.0])) },
        });
        Tokenizer::read(file.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn both_kinds_mark_begin_and_end() {
        assert_eq!(word_piece().single("a b", 9), Input { tokens: vec![1, 3, 4, 2], first_type: 4 });
        assert_eq!(unigram().single("a b", 9), Input { tokens: vec![0, 4, 5, 2], first_type: 4 });
        assert_eq!(word_piece().single("a b", 0).tokens, [1, 2]);
    }

    #[test]
    fn a_word_of_the_vocabulary_is_one_known_token() {
        for tokenizer in [word_piece(), unigram()] {
            assert_eq!(
                ["a", "b", "c", "ab", "a b", ""].map(|word| tokenizer.has_word(word)),
                [true, true, false, false, false, false]
            );
        }
    }

    #[test]
    fn only_bert_gives_the_second_text_another_type() {
        assert_eq!(word_piece().pair("a", "b b", 9), Input { tokens: vec![1, 3, 2, 4, 4, 2], first_type: 3 });
        assert_eq!(unigram().pair("a", "b b", 9), Input { tokens: vec![0, 4, 2, 2, 5, 5, 2], first_type: 7 });
    }

    #[test]
    fn the_longer_text_of_a_pair_is_cut() {
        let lengths = |first: usize, second: usize| {
            let input = word_piece().pair(&"a ".repeat(first), &"b ".repeat(second), 13);
            (input.first_type - 2, input.tokens.len() - input.first_type - 1)
        };
        assert_eq!([lengths(3, 7), lengths(3, 20), lengths(20, 3), lengths(20, 20)], [(3, 7), (3, 7), (7, 3), (5, 5)]);
    }

    #[test]
    fn other_files_are_refused() {
        let read = |file: serde_json::Value| Tokenizer::read(file.to_string().as_bytes()).err().unwrap().to_string();
        let model = json!({ "type": "BPE", "vocab": {}, "merges": [] });
        assert!(read(json!({ "model": model })).contains("unknown variant `BPE`"));
        let model = json!({ "type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0]] });
        assert!(read(json!({ "model": model })).contains("<s>"));
        assert!(Tokenizer::read(b"").is_err());
    }
}

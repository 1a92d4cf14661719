//! Quotes the code, list or table that a passage has behind the sentence which an answer rests on: small models write "Use
//! iconv to convert it." and leave out the command.
//!
//! The block waits until the next words show that the model does not write it itself. It follows its sentence directly.

use std::ops::Range;

use super::{
    Unsupported, Verification,
    evidence::Evidence,
    segments::{self, Segment},
};
use crate::generate::{
    units::{Kind, Unit, units},
    window::{continued_end, quote},
};

/// Maximum bytes of a block with its marker; a longer one is not quoted.
const MAX_BLOCK_BYTES: usize = 600;
/// Share of a block's words with which an answer says what the block says.
const SAID: f32 = 0.7;

/// A block of a passage.
#[derive(Debug)]
struct Block {
    /// Index of the passage.
    passage: usize,
    /// Its parts in the passage.
    parts: Range<usize>,
    stems: Vec<String>,
    /// As it is quoted.
    text: String,
}

/// The block of an answer, which has at most one.
#[derive(Debug, Default)]
pub(super) struct QuotedBlock {
    waiting: Option<Block>,
    quoted: Option<Block>,
    /// The verified sentences and blocks of the model.
    verified: String,
}

impl Verification<'_> {
    /// The block that comes before the next verified words, unless they are part of it. `None` when these words repeat the
    /// quoted block. A block behind the passage's sentence that they rest on waits from now on.
    pub(super) fn block_before(&mut self, segment: &Segment, text: &str, cited: &[usize]) -> Option<String> {
        if !self.input.quotes_blocks || self.input.unsupported == Unsupported::Off {
            return Some(String::new());
        }
        // The model's fence may name a language, which the passage's does not.
        let words = match segment.kind {
            segments::Kind::Code => text.split_once('\n').map_or(text, |(_, lines)| lines),
            _ => text,
        };
        let nearest = self.judge.nearest_parts(words, cited);
        let is_in = |block: &Block| {
            nearest.iter().any(|(passage, part)| block.passage == *passage && block.parts.contains(part))
        };
        if segment.kind != segments::Kind::Sentence && self.block.quoted.as_ref().is_some_and(is_in) {
            self.answer.waiting.clear();
            return None;
        }
        if self.block.waiting.as_ref().is_some_and(is_in) {
            self.block.waiting = None;
        }
        let quoted = self.quote_block();
        self.block.verified.push_str(text);
        self.block.verified.push('\n');
        if self.block.quoted.is_none() {
            self.block.waiting = self.block_behind(segment, &nearest);
        }
        Some(quoted)
    }

    /// The waiting block, unless the answer says already what it says.
    pub(super) fn quote_block(&mut self) -> String {
        let Some(block) = self.block.waiting.take() else { return String::new() };
        let verified = Evidence::new("", &self.block.verified, self.input.language);
        let common = block.stems.iter().filter(|stem| verified.has_stem(stem)).count();
        if common as f32 >= SAID * block.stems.len() as f32 {
            return String::new();
        }
        let text = self.answer.quote(&block.text);
        self.block.quoted = Some(block);
        text
    }

    /// Drops the waiting block, because other words come behind its sentence.
    pub(super) fn forget_block(&mut self) {
        self.block.waiting = None;
    }

    /// The block behind the nearest part of the passages, if only one part is nearest. A list does not follow an item.
    fn block_behind(&self, segment: &Segment, nearest: &[(usize, usize)]) -> Option<Block> {
        let [(passage, part)] = *nearest else { return None };
        let units = units(&self.input.passages[passage].content);
        let parts = introduced(&units, part)?;
        let may_follow = match segment.kind {
            segments::Kind::Sentence => true,
            segments::Kind::Item => units[parts.start].is_code(),
            _ => false,
        };
        let picked: Vec<usize> = parts.clone().collect();
        let text = quote(&units, &picked, &format!("[{}]", passage + 1));
        let words: Vec<&str> = picked.iter().map(|at| units[*at].text).collect();
        let stems = self.input.language.stems(&words.join("\n"));
        (may_follow && text.len() <= MAX_BLOCK_BYTES).then_some(Block { passage, parts, stems, text })
    }
}

/// The units that the unit `at` introduces: the code directly behind it, or the command line, whole list or table that it
/// announces.
fn introduced(units: &[Unit<'_>], at: usize) -> Option<Range<usize>> {
    let (unit, next) = (units.get(at)?, units.get(at + 1)?);
    let is_sentence = matches!(unit.kind, Kind::Opening | Kind::Sentence);
    let has_words = is_sentence || unit.kind == Kind::Item;
    if has_words && next.is_code() || unit.announces && is_command(next) {
        return Some(at + 1..at + 2);
    }
    if !(is_sentence && unit.announces && (next.kind == Kind::Item || next.is_table())) {
        return None;
    }
    let end = continued_end(units, at + 2, units.len());
    let is_whole = units.get(end).is_none_or(|behind| behind.kind != Kind::Item);
    is_whole.then_some(at + 1..end)
}

/// Whether a paragraph is nothing but code.
fn is_command(unit: &Unit<'_>) -> bool {
    let inner = unit.text.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    unit.kind == Kind::Opening && inner.is_some_and(|code| !code.is_empty() && !code.contains('`'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn behind(content: &str, sentence: usize) -> Option<String> {
        let units = units(content);
        let range = introduced(&units, sentence)?;
        Some(units[range].iter().map(|unit| unit.text).collect::<Vec<_>>().join("|"))
    }

    #[test]
    fn a_sentence_introduces_the_code_behind_it() {
        let content = "First. Run it.\n\n```\nmake\n```\n\n- Then this.\n\n```\nmake run\n```\n\nOr:\n\n`make all`";
        assert_eq!(behind(content, 0), None, "a sentence between");
        assert_eq!(behind(content, 1).as_deref(), Some("```\nmake\n```"));
        assert_eq!(behind(content, 2), None, "code introduces nothing");
        assert_eq!(behind(content, 3).as_deref(), Some("```\nmake run\n```"));
        assert_eq!(behind(content, 5).as_deref(), Some("`make all`"));
        assert_eq!(behind(content, 6), None, "the end");
        assert_eq!(behind(content, 9), None);
    }

    #[test]
    fn an_announcement_introduces_a_whole_list_or_table() {
        let content = "Do this:\n\n1. Open it.\n\n```\nopen\n```\n\n2. Close it.\n\nEnd. You need\n\n- a key\n- a card\n\nOpen.\n\n- x";
        assert_eq!(behind(content, 0).as_deref(), Some("1. Open it.|```\nopen\n```|2. Close it."));
        assert_eq!(behind(content, 4), None, "another sentence comes first");
        assert_eq!(behind(content, 5).as_deref(), Some("- a key|- a card"));
        assert_eq!(behind(content, 8), None, "it announces nothing");
        let table = "Prices:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd.";
        assert_eq!(behind(table, 0).as_deref(), Some("| 1 | 2 |"));
        let torn = "Do one of these:\n\n- Open it.\n\n```\nopen\n```\n\n- Close it.";
        assert_eq!(behind(torn, 0), None, "the list goes on");
    }
}

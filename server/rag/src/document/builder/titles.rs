//! Bold lines that are the titles of the text below them: authors of FAQs and letters use them in place of headings.

use super::{Builder, HeadingState, SENTENCE};
use crate::block::is_question;

/// How many levels such a title is below the heading above it. The levels of panels are between the two.
const BELOW: u8 = 5;
/// Maximum characters of a title that is a question, and maximum characters and words of another one.
const QUESTION: usize = 160;
const CHARACTERS: usize = 60;
const WORDS: usize = 7;

/// The weight of a block's letters.
#[derive(Debug, Default, Clone, Copy)]
pub(in crate::document) struct Weight {
    has_plain: bool,
    has_bold: bool,
}

impl Weight {
    pub(in crate::document) fn note(&mut self, text: &str, is_bold: bool) {
        if text.contains(char::is_alphanumeric) {
            self.has_bold |= is_bold;
            self.has_plain |= !is_bold;
        }
    }

    /// Whether all letters are bold.
    pub(in crate::document) fn is_bold(self) -> bool {
        self.has_bold && !self.has_plain
    }
}

/// Whether a font weight, as style sheets and ODT write it, is that of bold letters.
pub(in crate::document) fn is_bold_weight(weight: &str) -> bool {
    weight.starts_with("bold") || weight.parse::<u16>().is_ok_and(|weight| weight >= 600)
}

/// The bold lines of the document.
#[derive(Default)]
pub(super) struct Bold {
    /// Depth of open bold parts.
    depth: usize,
    /// The weight of the block that is being read. Links to other pages count as plain.
    pub(super) weight: Weight,
    /// A bold line whose next block is not known yet.
    pending: Option<String>,
    /// The level of the title above the current position, if it is a bold line.
    level: Option<u8>,
}

impl Builder {
    pub(in crate::document) fn open_bold(&mut self) {
        self.bold.depth += 1;
    }

    pub(in crate::document) fn close_bold(&mut self) {
        self.bold.depth = self.bold.depth.saturating_sub(1);
    }

    /// Adds a paragraph, which may be a title if it is bold.
    pub(in crate::document) fn weighed_paragraph(&mut self, text: &str, weight: Weight) {
        self.bold.depth += usize::from(weight.is_bold());
        self.text(text);
        self.end_block();
        self.bold.depth -= usize::from(weight.is_bold());
    }

    /// Notes whether text of the block is bold.
    pub(super) fn note_weight(&mut self, text: &str) {
        let is_bold = self.bold.depth > 0 && self.links == 0;
        self.bold.weight.note(text, is_bold);
    }

    /// Whether a bold line reads like a title: a question, or a few words without the end of a sentence or a value.
    pub(super) fn may_be_title(&self, text: &str) -> bool {
        let characters = text.chars().count();
        let words =
            text.trim_start_matches(|mark: char| mark.is_ascii_digit() || matches!(mark, '.' | ')' | ' ' | '§'));
        let is_label = || {
            characters <= CHARACTERS
                && text.split_whitespace().count() <= WORDS
                && !words.contains(|mark: char| mark.is_ascii_digit() || mark == '@')
                && words.contains(char::is_alphabetic)
                && !text.ends_with(['.', '!', ',', ';', '…'])
        };
        self.lists.is_empty() && self.table.is_empty() && (is_question(text) && characters <= QUESTION || is_label())
    }

    /// Keeps a bold line until the next block shows whether it is a title. Of two such lines the first is text.
    pub(super) fn hold_title(&mut self, text: String) {
        self.release_title();
        self.bold.pending = Some(text);
    }

    /// Adds a bold line that has no text below it.
    pub(super) fn release_title(&mut self) {
        if let Some(text) = self.bold.pending.take() {
            self.push(&text, false);
        }
    }

    /// Decides by the block behind a bold line whether it is a title. A name above a role or an address is none.
    pub(super) fn decide_title(&mut self, block: &str, is_item: bool) {
        let is_title = |title: &String| is_item || is_question(title) || block.chars().count() >= SENTENCE;
        match &self.bold.pending {
            Some(title) if is_title(title) => self.open_title(),
            Some(_) => self.release_title(),
            None => {}
        }
    }

    /// Begins the section of a bold line, because text follows.
    pub(super) fn open_title(&mut self) {
        let Some(text) = self.bold.pending.take() else { return };
        let mut above = self.path.iter().rev().map(|(level, _)| *level);
        let level = above.find(|level| Some(*level) != self.bold.level).unwrap_or(0).saturating_add(BELOW);
        self.begin_section(level, text.trim_end_matches(':').to_owned(), None);
        self.bold.level = Some(level);
        self.heading = HeadingState::Filled;
    }

    /// Ends the section of a bold line, which no heading stands below.
    pub(super) fn end_title(&mut self) {
        if let Some(level) = self.bold.level.take() {
            self.path.retain(|(above, _)| *above != level);
        }
    }
}

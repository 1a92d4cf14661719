//! The parts of a passage that an answer may quote: sentences, list items, code blocks, tables.

use crate::block::{Block, blocks, item_marker, sentences};

/// Units of one passage at most.
const MAX_UNITS: usize = 60;

/// What a unit is, which decides how it joins the unit before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The first sentence of a paragraph.
    Opening,
    /// A further sentence of the same paragraph.
    Sentence,
    /// A list item.
    Item,
    /// A code block or a table, quoted whole.
    Whole,
    /// A heading inside the passage, never quoted.
    Heading,
}

/// A quotable part of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit<'a> {
    /// What it is.
    pub(super) kind: Kind,
    /// Its words as they stand in the passage.
    pub(super) text: &'a str,
}

impl Unit<'_> {
    /// Whether the next unit belongs to this one.
    pub(super) fn announces(&self) -> bool {
        self.text.ends_with(':')
    }

    /// Whether the unit makes little sense without the one before.
    pub(super) fn leans_back(&self) -> bool {
        const LEANING: &[&str] = &[
            "It ", "They ", "This ", "These ", "That ", "Those ", "He ", "She ", "However", "Therefore", "Thus", "Then ",
            "But ", "And ", "So ", "Otherwise", "Also", "In this case", "In that case", "For example", "Such ", "Its ",
            "Their ", "Instead", "Er ", "Sie ", "Es ", "Dies", "Diese", "Aber ", "Daher", "Dann ", "Sonst ",
        ];
        self.kind == Kind::Sentence && LEANING.iter().any(|word| self.text.starts_with(word))
            || self.kind == Kind::Opening && self.text.starts_with('(')
    }
}

/// The units of a passage, in order.
pub(super) fn units(content: &str) -> Vec<Unit<'_>> {
    let mut found = Vec::new();
    for block in blocks(content) {
        match block {
            Block::Paragraph(text) => found.extend(sentences(text).into_iter().enumerate().map(|(number, text)| {
                let kind = if number == 0 { Kind::Opening } else { Kind::Sentence };
                Unit { kind, text }
            })),
            Block::List(text) => found.extend(text.lines().map(|text| Unit { kind: Kind::Item, text })),
            Block::Code(text) | Block::Table(text) => found.push(Unit { kind: Kind::Whole, text }),
            Block::Heading(text) => found.push(Unit { kind: Kind::Heading, text }),
        }
    }
    found.truncate(MAX_UNITS);
    found
}

/// The unit's words for embedding: without list marker, at most 60 words.
pub(super) fn words_of(unit: &Unit<'_>) -> String {
    let text = match unit.kind {
        Kind::Item => &unit.text[item_marker(unit.text).unwrap_or(0)..],
        _ => unit.text,
    };
    text.split_whitespace().take(60).collect::<Vec<_>>().join(" ")
}

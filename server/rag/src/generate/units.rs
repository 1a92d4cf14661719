//! Splits a passage into the units that an answer may quote: sentences, list items, code blocks, tables.

use std::ops::Range;

use super::table::{cells, draws_rule};
use crate::{
    block::{Block, blocks, is_question, item_marker, sentences},
    chunk::CONTINUED,
};

/// Maximum units of a passage and of the text after it.
const MAX_UNITS: usize = 120;

/// The kind of a unit, which decides how it is joined with the unit before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The first sentence of a paragraph.
    Opening,
    /// A further sentence of the same paragraph.
    Sentence,
    Item,
    /// A row of a table.
    Row,
    /// A code block, or a table without rows, quoted as a whole.
    Whole,
    /// A heading inside the passage, never quoted.
    Heading,
}

/// A quotable part of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit<'a> {
    pub(super) kind: Kind,
    /// Its text as in the passage.
    pub(super) text: &'a str,
    /// The header of a row's table, with the rule below it; empty for other units.
    pub(super) head: &'a str,
    /// Whether it introduces the next unit: it ends with a colon, a list or code completes its sentence, or it is a question at the
    /// end of its paragraph.
    pub(super) announces: bool,
}

impl Unit<'_> {
    /// Whether the unit only refers to another place.
    pub(super) fn points_elsewhere(&self) -> bool {
        const POINTERS: &[&str] =
            &["See ", "For more ", "For other ", "For further ", "Please refer ", "Please see ", "Refer to ", "Siehe "];
        POINTERS.iter().any(|word| self.text.starts_with(word))
            || self.text.contains("see Section ")
            || self.text.contains("for more information")
    }

    /// Whether no mark at the unit's end closes a sentence: it is a title, or goes on with the next unit.
    pub(super) fn is_open(&self) -> bool {
        !self.text.ends_with(['.', '!', '?', ')', '"', '”'])
    }

    /// Whether the unit is a question that the next unit answers.
    pub(super) fn is_answered_next(&self) -> bool {
        self.announces && self.is_question()
    }

    fn is_question(&self) -> bool {
        is_question(self.text)
    }

    /// Whether the unit is a row of a table, or a table without rows.
    pub(super) fn is_table(&self) -> bool {
        self.kind == Kind::Row || self.kind == Kind::Whole && self.text.starts_with('|')
    }

    /// Whether the unit is a code block.
    pub(super) fn is_code(&self) -> bool {
        self.kind == Kind::Whole && !self.is_table()
    }

    /// Whether the unit makes little sense without the one before.
    pub(super) fn refers_back(&self) -> bool {
        const REFERRING: &[&str] = &[
            "It ",
            "They ",
            "This ",
            "These ",
            "That ",
            "Those ",
            "He ",
            "She ",
            "However",
            "Therefore",
            "Thus",
            "Then ",
            "But ",
            "And ",
            "So ",
            "Otherwise",
            "Also",
            "In this case",
            "In that case",
            "For example",
            "Such ",
            "Its ",
            "Their ",
            "Instead",
            "Er ",
            "Sie ",
            "Es ",
            "Dies",
            "Diese",
            "Aber ",
            "Daher",
            "Dann ",
            "Sonst ",
        ];
        self.kind == Kind::Sentence && REFERRING.iter().any(|word| self.text.starts_with(word))
            || self.kind == Kind::Opening && self.text.starts_with('(')
    }
}

/// Whether the passage continues a section, so that its heading says little about its first words.
pub(super) fn continues(content: &str) -> bool {
    content.starts_with(CONTINUED)
}

/// The units of a passage, in order.
pub(super) fn units(content: &str) -> Vec<Unit<'_>> {
    with_adjacent(content, None, None).0
}

/// The units of a passage and of the text around it in its section, in order, and which of them are the passage's own.
pub(super) fn with_adjacent<'a>(
    content: &'a str,
    before: Option<&'a str>,
    after: Option<&'a str>,
) -> (Vec<Unit<'a>>, Range<usize>) {
    let mut units = before.map(split).unwrap_or_default();
    let start = units.len();
    units.extend(split(content));
    let end = units.len();
    units.extend(after.map(split).unwrap_or_default());
    units.truncate(start + MAX_UNITS);
    announce(&mut units);
    let end = end.min(units.len());
    (units, start..end)
}

/// The units of a text, in order, before it is known which of them announce the next one.
fn split(content: &str) -> Vec<Unit<'_>> {
    let mut units = Vec::new();
    for block in blocks(content.strip_prefix(CONTINUED).unwrap_or(content)) {
        match block {
            Block::Paragraph(text) => units.extend(sentences(text).into_iter().enumerate().map(|(number, text)| {
                let kind = if number == 0 { Kind::Opening } else { Kind::Sentence };
                Unit { kind, text, head: "", announces: false }
            })),
            Block::List(text) => {
                units.extend(text.lines().map(|text| Unit { kind: Kind::Item, text, head: "", announces: false }))
            }
            Block::Table(text) => units.extend(rows(text)),
            Block::Code(text) => units.push(Unit { kind: Kind::Whole, text, head: "", announces: false }),
            Block::Heading(text) => units.push(Unit { kind: Kind::Heading, text, head: "", announces: false }),
        }
    }
    units
}

/// The rows of a table, or the table itself when it has none.
fn rows(table: &str) -> Vec<Unit<'_>> {
    let ends = table.match_indices('\n').map(|(at, _)| at);
    let Some(end) = ends.clone().nth(1).filter(|end| table[..*end].lines().nth(1).is_some_and(draws_rule)) else {
        return vec![Unit { kind: Kind::Whole, text: table, head: "", announces: false }];
    };
    let row = |text| Unit { kind: Kind::Row, text, head: &table[..end], announces: false };
    let has_text = |row: &&str| cells(row).iter().any(|cell| !cell.is_empty());
    table[end + 1..].lines().filter(has_text).map(row).collect()
}

/// Marks the units that announce the next one.
fn announce(units: &mut [Unit<'_>]) {
    for at in 0..units.len() {
        let followed = units.get(at + 1).map(|next| next.kind);
        let open = units[at].is_open();
        units[at].announces = match units[at].kind {
            Kind::Row | Kind::Whole | Kind::Heading => false,
            Kind::Item => units[at].text.ends_with(':') || open && matches!(followed, Some(Kind::Whole | Kind::Row)),
            _ => {
                units[at].text.ends_with(':')
                    || (open && matches!(followed, Some(Kind::Whole | Kind::Row | Kind::Item)))
                    || (units[at].is_question() && !matches!(followed, None | Some(Kind::Heading | Kind::Sentence)))
            }
        };
    }
}

/// Whether a unit goes on with the paragraph before it, or answers the question before it.
pub(super) fn goes_on(units: &[Unit<'_>], at: usize) -> bool {
    match units[at].kind {
        Kind::Sentence => true,
        Kind::Opening => at > 0 && units[at - 1].is_answered_next(),
        _ => false,
    }
}

/// The unit's words for embedding: without list marker, at most 30 words.
pub(super) fn words_of(unit: &Unit<'_>) -> String {
    let text = match unit.kind {
        Kind::Item => &unit.text[item_marker(unit.text).unwrap_or(0)..],
        _ => unit.text,
    };
    text.split_whitespace().take(30).collect::<Vec<_>>().join(" ")
}

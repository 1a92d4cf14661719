//! The headings of sections: which of them name what the question is about.

use super::TERM_WEIGHT;
use crate::{
    chunk::innermost,
    generate::{
        units::{Kind, Unit},
        weights::Weights,
    },
};

/// Minimum share of the question's words in a heading for which the text under it answers the question from its first
/// word.
const ASKED: f32 = 0.6;
/// Bonus of a unit whose section's heading has all of the question's words.
const IN_HEADING: f32 = 0.15;
/// Bonus of a unit below a heading inside the passage that names the question's topic.
const IN_TOPIC: f32 = 0.6;
/// Minimum share of the question's words in a heading that names its topic.
const TOPIC: f32 = 0.3;

/// The heading of a section.
#[derive(Clone, Copy)]
pub(super) struct Heading<'a> {
    pub(super) text: &'a str,
    /// The share of the question's words in it.
    share: f32,
    /// Whether it is inside the passage and the question has all of its words, so that its section is about the question.
    is_topic: bool,
}

impl Heading<'_> {
    /// The bonus of a unit below the heading.
    pub(super) fn bonus(&self) -> f32 {
        self.share * if self.is_topic { IN_TOPIC } else { IN_HEADING }
    }

    /// The minimum score of the first unit below the heading, in a passage with this cosine.
    pub(super) fn least_score(&self, cosine: f32) -> f32 {
        match self.is_topic {
            true => cosine + self.bonus(),
            false if self.share >= ASKED => cosine + TERM_WEIGHT * self.share,
            false => f32::MIN,
        }
    }
}

/// The heading above each unit: one inside the passage, or that of the passage. A price may be in any section, so no heading
/// names the topic of a question that asks for one.
pub(super) fn headings<'a>(
    units: &[Unit<'a>],
    outer: &'a str,
    weights: &Weights,
    asks_price: bool,
) -> Vec<Heading<'a>> {
    let mut heading = Heading { text: outer, share: weights.share_in(outer), is_topic: false };
    let above = |unit: &Unit<'a>| {
        if unit.kind == Kind::Heading {
            let text = innermost(unit.text.trim_start_matches('#').trim());
            let share = weights.share_in(text);
            heading = Heading { text, share, is_topic: !asks_price && share >= TOPIC && weights.include_all_of(text) };
        }
        heading
    };
    units.iter().map(above).collect()
}

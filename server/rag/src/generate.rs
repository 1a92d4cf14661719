//! Hits to an answer with numbered citations.

use crate::citation::Citation;

pub mod extractive;
mod units;
mod window;

/// An answer and what it rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Small Markdown (see [`crate::block`]) with markers such as `[1]`. Text of documents is not escaped for HTML.
    pub text: String,
    /// Each marker once, in order of appearance.
    pub citations: Vec<Citation>,
    /// Cited passages first, in the order of their markers, then further relevant ones.
    pub sources: Vec<Source>,
}

/// A passage behind an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// Index into the hits that the answer was made from.
    pub hit: usize,
    /// The document and heading.
    pub title: String,
    /// The fragment that leads to the passage.
    pub anchor: Option<String>,
    /// About 150 characters of the passage.
    pub snippet: String,
    /// The cosine of question and passage, 0 to 1.
    pub score: f32,
}

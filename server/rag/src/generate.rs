//! Generates an answer with numbered citations from search results.

use crate::{citation::Citation, retrieve::Candidate};

pub mod asked;
mod breaker;
pub mod cited;
mod echo;
mod events;
pub mod extractive;
mod failure;
pub mod language;
pub mod nothing;
mod numbers;
pub mod openai;
pub mod prompt;
pub mod section;
mod span;
mod speed;
mod table;
mod units;
pub mod unsure;
pub mod verify;
mod weights;
mod window;

pub use table::with_lists;

/// An answer and its sources.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// Small Markdown (see [`crate::block`]) with markers such as `[1]`. Text of documents is not escaped for HTML.
    pub text: String,
    /// Each marker once, in order of appearance, with an index into `sources`.
    pub citations: Vec<Citation>,
    /// The cited passages, in the order of their markers.
    pub sources: Vec<Candidate>,
    /// The text that each source was read as: its passage and, if it is quoted, the text around it in its section.
    pub texts: Vec<String>,
    /// The further rows or items of a table or list that is quoted in part.
    pub left_out: usize,
    /// The sentence, item or row (with its header) that the question is closest to; the others complete it.
    pub core: String,
}

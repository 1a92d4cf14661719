//! What a chatbot answers from: documents, own questions and answers, their passages and vectors.

pub mod documents;
mod error;
pub mod faq;
pub mod idle_collections;
mod indexing;
pub mod ingestion;
pub mod provisioning;
pub mod reindexing;
pub mod retrieval;
pub mod sources;
pub mod uploads;
pub mod vector_sync;
pub mod word_index;

use store::passages::NewPassage;

pub use self::error::Error;

/// How many characters the passages have together.
fn characters(passages: &[NewPassage]) -> usize {
    passages.iter().map(|passage| passage.content.chars().count()).sum()
}

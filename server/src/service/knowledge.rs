//! The knowledge of chatbots: documents, own questions and answers, their passages and vectors.

pub mod copying;
pub mod document_page;
pub mod documents;
mod error;
pub mod faq;
pub mod idle_collections;
mod indexing;
pub mod ingestion;
pub mod media_types;
pub mod originals;
pub mod provisioning;
pub mod reindexing;
pub mod search;
pub mod second_vectors;
pub mod sections;
mod source_change;
pub mod source_progress;
pub mod sources;
pub mod tenant_sources;
pub mod uploads;
pub mod vector_sync;
pub mod visitor_files;
pub mod websites;
pub mod word_index;

use rag::chunk::embedding_text;
use store::{passages::NewPassage, reindexing::PendingPassage};

pub use self::error::Error;

/// The total number of characters of the passages.
fn characters(passages: &[NewPassage]) -> usize {
    passages.iter().map(|passage| passage.content.chars().count()).sum()
}

/// The text to embed for a stored passage, the same as when it was stored first.
fn embedded_text(passage: &PendingPassage) -> String {
    let PendingPassage { title, heading, content, prepared, .. } = passage;
    if *prepared {
        return format!("{heading}\n{content}");
    }
    embedding_text(heading, title, content)
}

//! Sources of a chatbot and their documents.

pub mod list;
pub(crate) mod write;

pub use write::{
    Elsewhere, NewDocument, SourceKind, StoredDocument, blocks_of_earlier_pages, count_outdated, delete_of_kind,
    hashes_elsewhere, of_source, remove, rename_source, source_names, upsert, upsert_source,
};

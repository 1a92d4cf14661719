//! Sources of a chatbot and their documents.

pub mod list;
pub(crate) mod write;

pub use write::{
    NewDocument, OtherSourceContent, SourceKind, StoredDocument, blocks_of_earlier_pages, count_outdated,
    delete_of_kind, hashes_of_other_sources, of_source, remove, rename_source, source_names, upsert, upsert_source,
};

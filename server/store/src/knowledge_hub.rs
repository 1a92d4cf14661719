//! The knowledge hub: what a search reaches, the search itself, documents, and what belongs to one user. The rows of a user are
//! reached in a transaction of that user alone ([`Scope::with_user`](crate::Scope::with_user)).

pub mod bookmarks;
pub mod documents;
pub mod history;
pub mod hits;
pub mod popular;
mod quotations;
pub mod reach;
pub mod saved_searches;
pub mod search;
pub mod summaries;
pub mod summary_leases;
pub mod usage;
pub mod words;

/// The name of a source `s` as its tenant reads it: of files the last part of the path that was ingested.
const SOURCE_NAME: &str =
    "case when s.kind = 'files' then regexp_replace(s.name, '^/(.*/)?(?=[^/]+$)', '') else s.name end";

/// Compiling a statement with so many arms would take longer than running it, and a search must not take a second processor.
const BY_WORDS: &str = "set local jit = off; set local max_parallel_workers_per_gather = 0";

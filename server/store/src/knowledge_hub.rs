//! The knowledge hub: the documents that a search covers, the search itself, documents, and the data of single users. A
//! user's rows are accessible only in a transaction of that user ([`Scope::with_user`](crate::Scope::with_user)).

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

/// The name of a source `s` for its tenant: for files, the last part of the path that was ingested.
const SOURCE_NAME: &str =
    "case when s.kind = 'files' then regexp_replace(s.name, '^/(.*/)?(?=[^/]+$)', '') else s.name end";

/// JIT compilation of a statement with so many arms would take longer than its execution, and a search must not use a
/// second processor.
const BY_WORDS: &str = "set local jit = off; set local max_parallel_workers_per_gather = 0";

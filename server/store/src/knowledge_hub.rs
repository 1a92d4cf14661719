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

use contract::TenantId;

use crate::{connection::PgConnection, error::Result};

/// The name of a source `s` for its tenant: for files, the last part of the path that was ingested.
const SOURCE_NAME: &str =
    "case when s.kind = 'files' then regexp_replace(s.name, '^/(.*/)?(?=[^/]+$)', '') else s.name end";

/// Lets one transaction at a time add to the records of the transaction's user, so that their limits hold.
pub async fn lock_records(connection: &mut PgConnection, tenant: TenantId) -> Result<()> {
    sqlx::query(
        "select pg_advisory_xact_lock(hashtextextended(
             'hub:' || $1::uuid::text || current_setting('app.realm') || ':' || current_setting('app.username'), 0))",
    )
    .bind(tenant.0)
    .execute(connection)
    .await?;
    Ok(())
}

/// JIT compilation of a statement with so many arms would take longer than its execution, and a search must not use a
/// second processor.
const BY_WORDS: &str = "set local jit = off; set local max_parallel_workers_per_gather = 0";

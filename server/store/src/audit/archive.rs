//! The archive of the audit log. No role can read it; a database function moves rows there.

use crate::connection::PgConnection;

use crate::error::{Error, Result};

/// Moves at most `batch` rows that are over 730 days old, oldest first, and returns how many (system scope). Skips rows
/// that another run is moving.
pub async fn move_batch(connection: &mut PgConnection, batch: i32) -> Result<u64> {
    let moved: i64 = sqlx::query_scalar("select archive_audit_log($1)").bind(batch).fetch_one(connection).await?;
    u64::try_from(moved).map_err(|_| Error::Stored(format!("the number of rows {moved}")))
}

//! User names that their tenant cannot reuse while the audit log contains them. Only hashes of tenant and name are
//! stored, and only the system scope can read them. Hashes of names alone, of version 2.0.0, concern all tenants.

use crate::{connection::PgConnection, error::Result};

/// Whether a name with one of these hashes belonged to a person who was removed.
pub async fn contains(connection: &mut PgConnection, hashes: &[String]) -> Result<bool> {
    let is_listed = sqlx::query_scalar("select exists (select from retired_usernames where username_hash = any($1))")
        .bind(hashes)
        .fetch_one(connection)
        .await?;
    Ok(is_listed)
}

/// Records the hash of a user name that must not be given again.
pub async fn add(connection: &mut PgConnection, hash: &str) -> Result<()> {
    sqlx::query("insert into retired_usernames (username_hash) values ($1) on conflict (username_hash) do nothing")
        .bind(hash)
        .execute(connection)
        .await?;
    Ok(())
}

/// Frees names that were retired more than `days` days ago.
pub async fn expire(connection: &mut PgConnection, days: i32) -> Result<u64> {
    let done = sqlx::query("delete from retired_usernames where retired_at < now() - make_interval(days => $1)")
        .bind(days)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

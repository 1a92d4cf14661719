//! Calls with an `Idempotency-Key` and their kept answers.

use contract::TenantId;
use sqlx::FromRow;

use crate::{connection::PgConnection, error::Result};

/// A call: who makes it and with which key.
#[derive(Debug, Clone, Copy)]
pub struct CallKey {
    /// `None` for operators and vendors.
    pub tenant: Option<TenantId>,
    pub principal: [u8; 32],
    pub key: [u8; 32],
}

/// A call that is running, or one that has ended.
#[derive(Debug, FromRow)]
pub struct KnownCall {
    pub request_sha256: Vec<u8>,
    pub is_finished: bool,
    /// `None` while it runs, and when it was too large to be kept.
    pub answer: Option<Vec<u8>>,
}

/// How many calls of a tenant, or of all operators and vendors, are known.
#[derive(Debug, Clone, Copy, FromRow)]
pub struct KnownCalls {
    pub calls: i64,
    /// The bytes of their answers.
    pub bytes: i64,
}

/// Rows that no longer count: of yesterday, and of a call whose process has died.
const STALE: &str = "(k.created_at < now() - interval '24 hours'
    or (k.finished_at is null and k.created_at < now() - interval '5 minutes'))";

/// The call with this key in the last 24 hours.
pub async fn find(connection: &mut PgConnection, call: CallKey) -> Result<Option<KnownCall>> {
    let sql = format!(
        "select request_sha256, finished_at is not null as is_finished, answer
         from idempotency_keys k
         where tenant_id is not distinct from $1 and principal_sha256 = $2 and key_sha256 = $3 and not {STALE}"
    );
    Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql))
        .bind(call.tenant.map(|id| id.0))
        .bind(call.principal.as_slice())
        .bind(call.key.as_slice())
        .fetch_optional(connection)
        .await?)
}

/// The calls of the last 24 hours, those not yet deleted included.
pub async fn count(connection: &mut PgConnection, tenant: Option<TenantId>) -> Result<KnownCalls> {
    let sql = "select count(*) as calls, coalesce(sum(octet_length(answer)), 0)::bigint as bytes
               from idempotency_keys where tenant_id is not distinct from $1";
    Ok(sqlx::query_as(sql).bind(tenant.map(|id| id.0)).fetch_one(connection).await?)
}

/// Records that the call runs; false when another one with the same key has begun.
pub async fn begin(connection: &mut PgConnection, call: CallKey, request: &[u8; 32]) -> Result<bool> {
    let sql = format!(
        "insert into idempotency_keys as k (tenant_id, principal_sha256, key_sha256, request_sha256)
         values ($1, $2, $3, $4)
         on conflict (tenant_id, principal_sha256, key_sha256) do update
         set request_sha256 = excluded.request_sha256, created_at = now(), finished_at = null, answer = null
         where {STALE}"
    );
    let begun = sqlx::query(sqlx::AssertSqlSafe(sql))
        .bind(call.tenant.map(|id| id.0))
        .bind(call.principal.as_slice())
        .bind(call.key.as_slice())
        .bind(request.as_slice())
        .execute(connection)
        .await?;
    Ok(begun.rows_affected() == 1)
}

/// Keeps the answer of the call; `None` when it is too large.
pub async fn finish(connection: &mut PgConnection, call: CallKey, answer: Option<&[u8]>) -> Result<()> {
    sqlx::query(
        "update idempotency_keys set finished_at = now(), answer = $4
         where tenant_id is not distinct from $1 and principal_sha256 = $2 and key_sha256 = $3",
    )
    .bind(call.tenant.map(|id| id.0))
    .bind(call.principal.as_slice())
    .bind(call.key.as_slice())
    .bind(answer)
    .execute(connection)
    .await?;
    Ok(())
}

/// Forgets a call that may be repeated.
pub async fn release(connection: &mut PgConnection, call: CallKey) -> Result<()> {
    sqlx::query(
        "delete from idempotency_keys
         where tenant_id is not distinct from $1 and principal_sha256 = $2 and key_sha256 = $3",
    )
    .bind(call.tenant.map(|id| id.0))
    .bind(call.principal.as_slice())
    .bind(call.key.as_slice())
    .execute(connection)
    .await?;
    Ok(())
}

/// Deletes calls that are older than 24 hours (system scope), and returns how many.
pub async fn expire(connection: &mut PgConnection) -> Result<u64> {
    let expired = sqlx::query("delete from idempotency_keys where created_at < now() - interval '24 hours'")
        .execute(connection)
        .await?;
    Ok(expired.rows_affected())
}

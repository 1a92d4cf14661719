//! References to bytes outside of the database: a row is inserted before the first byte is written, and removed after
//! the last is erased.

use std::{fmt, str::FromStr};

use contract::{OriginalId, TenantId};
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

/// How long an upload may take before unreferenced bytes are erased.
const MAX_ARRIVAL_HOURS: i32 = 3;

/// The id of a folder or bucket of originals, which is stored in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StorageId(pub Uuid);

impl StorageId {
    /// A new unique id.
    pub fn random() -> Self {
        Self(Uuid::new_v4())
    }
}

impl fmt::Display for StorageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for StorageId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> std::result::Result<Self, uuid::Error> {
        text.parse().map(Self)
    }
}

/// Bytes that nothing refers to any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueOriginal {
    pub id: OriginalId,
    pub tenant: TenantId,
}

/// Announces bytes that will be written. They are erased later unless an upload refers to them by then.
pub async fn insert_original(
    connection: &mut PgConnection,
    tenant: TenantId,
    id: OriginalId,
    storage: StorageId,
) -> Result<()> {
    sqlx::query(
        "insert into originals (id, tenant_id, storage_id, erase_after)
         values ($1, $2, $3, now() + make_interval(hours => $4))",
    )
    .bind(id.0)
    .bind(tenant.0)
    .bind(storage.0)
    .bind(MAX_ARRIVAL_HOURS)
    .execute(connection)
    .await?;
    Ok(())
}

/// Reserves this part of the tenant's quota for bytes that are arriving, in place of what was reserved for them before.
pub async fn reserve(connection: &mut PgConnection, tenant: TenantId, id: OriginalId, bytes: i64) -> Result<()> {
    sqlx::query(
        "update originals set arriving_bytes = $3 where tenant_id = $1 and id = $2 and erase_after is not null",
    )
    .bind(tenant.0)
    .bind(id.0)
    .bind(bytes)
    .execute(connection)
    .await?;
    Ok(())
}

/// The bytes of the tenant's uploads, and what is reserved for arriving ones other than this one.
pub async fn used_and_reserved(connection: &mut PgConnection, tenant: TenantId, except: OriginalId) -> Result<i64> {
    Ok(sqlx::query_scalar(
        "select (select coalesce(sum(bytes), 0) from uploads where tenant_id = $1)::bigint
                + (select coalesce(sum(arriving_bytes), 0) from originals
                   where tenant_id = $1 and id <> $2 and erase_after is not null)::bigint",
    )
    .bind(tenant.0)
    .bind(except.0)
    .fetch_one(connection)
    .await?)
}

/// Removes the announcement of bytes that are not needed; `false` when it does not exist or an upload refers to them.
pub async fn withdraw_original(connection: &mut PgConnection, tenant: TenantId, id: OriginalId) -> Result<bool> {
    let done = sqlx::query("delete from originals where tenant_id = $1 and id = $2 and erase_after is not null")
        .bind(tenant.0)
        .bind(id.0)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// At most `limit` bytes of a storage to erase (system scope).
pub async fn due_originals(connection: &mut PgConnection, storage: StorageId, limit: i64) -> Result<Vec<DueOriginal>> {
    let rows: Vec<(Uuid, Uuid)> = sqlx::query_as(
        "select id, tenant_id from originals
         where erase_after <= now() and (storage_id is null or storage_id = $1)
         order by erase_after
         limit $2",
    )
    .bind(storage.0)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    let due = |(id, tenant)| DueOriginal { id: OriginalId(id), tenant: TenantId(tenant) };
    Ok(rows.into_iter().map(due).collect())
}

/// Removes the row of bytes that are erased in this transaction (system scope); `false` when it does not exist or is
/// needed. An upload that refers to it prevents this.
pub async fn delete_original(connection: &mut PgConnection, due: DueOriginal) -> Result<bool> {
    let done = sqlx::query("delete from originals where tenant_id = $1 and id = $2 and erase_after <= now()")
        .bind(due.tenant.0)
        .bind(due.id.0)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Storages other than this one, with the number of originals in each (system scope).
pub async fn other_storages(connection: &mut PgConnection, storage: StorageId) -> Result<Vec<(StorageId, i64)>> {
    let rows: Vec<(Uuid, i64)> = sqlx::query_as(
        "select storage_id, count(*) from originals where storage_id <> $1 group by storage_id order by storage_id",
    )
    .bind(storage.0)
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|(id, originals)| (StorageId(id), originals)).collect())
}

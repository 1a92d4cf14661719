//! Serialises changes of a tenant's people, and counts invitations with a name or an address that is taken.

use std::time::Duration;

use contract::TenantId;
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

/// Takes the lock of a tenant for a time; `false` while another process holds it.
pub async fn acquire(connection: &mut PgConnection, tenant: TenantId, holder: Uuid, time: Duration) -> Result<bool> {
    let done = sqlx::query(
        "insert into people_locks (tenant_id, holder, held_until) values ($1, $2, now() + make_interval(secs => $3))
         on conflict (tenant_id) do update set holder = excluded.holder, held_until = excluded.held_until
         where people_locks.holder is null or people_locks.held_until < now()",
    )
    .bind(tenant.0)
    .bind(holder)
    .bind(time.as_secs_f64())
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

pub async fn release(connection: &mut PgConnection, tenant: TenantId, holder: Uuid) -> Result<()> {
    sqlx::query("update people_locks set holder = null, held_until = null where tenant_id = $1 and holder = $2")
        .bind(tenant.0)
        .bind(holder)
        .execute(connection)
        .await?;
    Ok(())
}

/// Counts a conflict in the current hour.
pub async fn count_conflict(connection: &mut PgConnection, tenant: TenantId) -> Result<()> {
    sqlx::query(
        "update people_locks
         set conflicts = case when conflicts_since < now() - interval '1 hour' then 1 else conflicts + 1 end,
             conflicts_since = case when conflicts_since < now() - interval '1 hour' then now() else conflicts_since end
         where tenant_id = $1",
    )
    .bind(tenant.0)
    .execute(connection)
    .await?;
    Ok(())
}

/// The number of conflicts in the current hour, and the remaining seconds of it.
pub async fn conflicts(connection: &mut PgConnection, tenant: TenantId) -> Result<(i32, i64)> {
    let row: Option<(i32, i64)> = sqlx::query_as(
        "select conflicts, ceil(extract(epoch from conflicts_since + interval '1 hour' - now()))::bigint
         from people_locks
         where tenant_id = $1 and conflicts_since >= now() - interval '1 hour'",
    )
    .bind(tenant.0)
    .fetch_optional(connection)
    .await?;
    Ok(row.unwrap_or_default())
}

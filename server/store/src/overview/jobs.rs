//! Counts of background jobs with problems.

use sqlx::FromRow;

use crate::{connection::PgConnection, error::Result};

/// Jobs of live tenants with problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct JobTroubles {
    /// Jobs that failed in the last 24 hours.
    pub failed: i64,
    /// Jobs that have been due for more than an hour without a worker.
    pub waiting: i64,
}

/// Counts jobs with problems (system scope).
pub async fn troubles(connection: &mut PgConnection) -> Result<JobTroubles> {
    Ok(sqlx::query_as(
        "select (select count(*) from jobs j join tenants t on t.id = j.tenant_id
                 where t.deleted_at is null and j.state = 'failed' and j.finished_at > now() - interval '24 hours')
                    as failed,
                (select count(*) from jobs j join tenants t on t.id = j.tenant_id
                 where t.deleted_at is null and j.state in ('queued', 'running')
                   and case j.state when 'queued' then j.run_after else j.leased_until end < now() - interval '1 hour')
                    as waiting",
    )
    .fetch_one(connection)
    .await?)
}

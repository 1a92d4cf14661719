//! Ensures that only one job at a time sends requests to an internet host, across all tenants and processes.

use uuid::Uuid;

use super::Job;
use crate::{connection::PgConnection, error::Result};

/// Whether a job that was just taken is the only running one for its host (system scope, in the transaction that took
/// it). Otherwise another worker took one at the same moment, and the transaction must be discarded. The lock is held
/// until the transaction ends, so that the next worker sees what this one committed.
pub async fn has_host_alone(connection: &mut PgConnection, job: &Job) -> Result<bool> {
    let Some(host) = &job.host else { return Ok(true) };
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('jobs.host ' || $1::text, 0))")
        .bind(host)
        .execute(&mut *connection)
        .await?;
    let is_taken: bool = sqlx::query_scalar(
        "select exists (
             select from jobs where host = $1 and id <> $2 and state = 'running' and leased_until > clock_timestamp())",
    )
    .bind(host)
    .bind(job.id.0)
    .fetch_one(connection)
    .await?;
    Ok(!is_taken)
}

/// Queues a job again for another host than before. The attempt counts, so that a site that redirects to another host
/// each time is given up.
pub async fn move_to_host(connection: &mut PgConnection, job: &Job, worker: Uuid, host: &str) -> Result<()> {
    sqlx::query(
        "update jobs set state = 'queued', worker = null, leased_until = null, run_after = now(), host = $4
         where tenant_id = $1 and id = $2 and worker = $3 and state = 'running'",
    )
    .bind(job.tenant.0)
    .bind(job.id.0)
    .bind(worker)
    .bind(host)
    .execute(connection)
    .await?;
    Ok(())
}

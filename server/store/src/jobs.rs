//! Background jobs of tenants: queued in the transaction that causes them, leased by a worker.

mod checkpoints;
mod hosts;
mod take;

use std::time::Duration;

pub use contract::jobs::{JobKind, JobState};
use contract::{ChatbotId, JobId, TenantId};
use serde_json::Value;
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

pub use self::{
    checkpoints::{checkpoint, set_checkpoint, set_large},
    hosts::{has_host_alone, move_to_host},
    take::{others_wait, take, take_one},
};
use crate::{connection::PgConnection, error::Result, uploads::StorageId};

#[derive(Debug, Clone, PartialEq)]
pub struct NewJob {
    pub kind: JobKind,
    pub chatbot: ChatbotId,
    /// The ids that the job needs; never texts of the tenant.
    pub payload: Value,
    /// Large jobs come after all others of their tenant. Each process keeps one worker free of them.
    pub is_large: bool,
    /// The storage that the job reads files from: one of uploads, or the file system of a machine.
    pub storage: Option<StorageId>,
    /// The internet host that the job sends requests to. Only one job at a time uses a host, across all tenants.
    pub host: Option<String>,
}

/// A job that a worker has leased.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    pub id: JobId,
    pub tenant: TenantId,
    pub chatbot: ChatbotId,
    pub kind: JobKind,
    pub payload: Value,
    pub is_large: bool,
    pub host: Option<String>,
    /// Including this one. An attempt whose worker died counts as three.
    pub attempts: i32,
    /// Time that workers have spent on it before.
    pub worked: Duration,
}

/// Which jobs a worker takes, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct Lease {
    pub worker: Uuid,
    /// How long the lease lasts unless it is extended.
    pub time: Duration,
    /// Whether the worker takes large jobs too.
    pub takes_large: bool,
    /// The storage of uploads that the worker can read; it does not take jobs for another one.
    pub storage: Option<StorageId>,
    /// The file system that the worker can read, for jobs with paths on a machine.
    pub file_system: Option<StorageId>,
}

/// The progress of a job that its tenant sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    pub state: JobState,
    pub done: i32,
    /// `None` when it is not known yet.
    pub total: Option<i32>,
}

/// A job as seen by a process that waits for its end.
#[derive(Debug, Clone, PartialEq)]
pub struct Followed {
    pub progress: Progress,
    /// Whether no worker has it although it is due.
    pub is_waiting: bool,
    /// Why the last attempt failed.
    pub error: Option<String>,
    /// What the job reported.
    pub result: Option<Value>,
}

/// Queues a job in the current transaction.
pub async fn insert(connection: &mut PgConnection, tenant: TenantId, job: &NewJob) -> Result<JobId> {
    let id = Uuid::now_v7();
    sqlx::query(
        "insert into jobs (id, tenant_id, chatbot_id, kind, payload, is_large, storage_id, host)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(id)
    .bind(tenant.0)
    .bind(job.chatbot.0)
    .bind(job.kind.as_str())
    .bind(&job.payload)
    .bind(job.is_large)
    .bind(job.storage.map(|storage| storage.0))
    .bind(&job.host)
    .execute(connection)
    .await?;
    Ok(JobId(id))
}

/// Whether no worker has job `j` and it is due.
const WAITING: &str =
    "(j.state = 'queued' and j.run_after <= now()) or (j.state = 'running' and j.leased_until <= now())";

/// Extends the lease of a job. Returns `false` when the worker has lost it: the job was canceled, or another worker
/// took it after the lease had run out. In a transaction of the job, call this first: it locks the row until the
/// transaction ends, so that no other worker can take the job meanwhile.
pub async fn extend(connection: &mut PgConnection, job: &Job, lease: &Lease) -> Result<bool> {
    let done = sqlx::query(
        "update jobs set leased_until = now() + make_interval(secs => $4)
         where tenant_id = $1 and id = $2 and worker = $3 and state = 'running'",
    )
    .bind(job.tenant.0)
    .bind(job.id.0)
    .bind(lease.worker)
    .bind(lease.time.as_secs_f64())
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

pub async fn set_progress(connection: &mut PgConnection, job: &Job, done: i32, total: Option<i32>) -> Result<()> {
    sqlx::query("update jobs set done = $3, total = $4 where tenant_id = $1 and id = $2")
        .bind(job.tenant.0)
        .bind(job.id.0)
        .bind(done)
        .bind(total)
        .execute(connection)
        .await?;
    Ok(())
}

pub async fn progress(connection: &mut PgConnection, tenant: TenantId, id: JobId) -> Result<Option<Progress>> {
    let row: Option<(String, i32, Option<i32>)> =
        sqlx::query_as("select state, done, total from jobs where tenant_id = $1 and id = $2")
            .bind(tenant.0)
            .bind(id.0)
            .fetch_optional(connection)
            .await?;
    row.map(|(state, done, total)| Ok(Progress { state: state.parse()?, done, total })).transpose()
}

/// The state of a job for a process that waits for its end.
pub async fn follow(connection: &mut PgConnection, tenant: TenantId, id: JobId) -> Result<Option<Followed>> {
    #[derive(FromRow)]
    struct FollowedRow {
        state: String,
        done: i32,
        total: Option<i32>,
        is_waiting: bool,
        error: Option<String>,
        result: Option<Value>,
    }
    let row: Option<FollowedRow> = sqlx::query_as(AssertSqlSafe(format!(
        "select j.state, j.done, j.total, coalesce({WAITING}, false) as is_waiting, j.error, j.result
         from jobs j where j.tenant_id = $1 and j.id = $2"
    )))
    .bind(tenant.0)
    .bind(id.0)
    .fetch_optional(connection)
    .await?;
    let followed = |row: FollowedRow| {
        let progress = Progress { state: row.state.parse()?, done: row.done, total: row.total };
        Ok(Followed { progress, is_waiting: row.is_waiting, error: row.error, result: row.result })
    };
    row.map(followed).transpose()
}

/// Stores the result of a job.
pub async fn set_result(connection: &mut PgConnection, job: &Job, result: &Value) -> Result<()> {
    sqlx::query("update jobs set result = $3 where tenant_id = $1 and id = $2")
        .bind(job.tenant.0)
        .bind(job.id.0)
        .bind(result)
        .execute(connection)
        .await?;
    Ok(())
}

/// Ends a job that the worker holds; `error` is the reason if it failed.
pub async fn finish(connection: &mut PgConnection, job: &Job, worker: Uuid, error: Option<&str>) -> Result<bool> {
    let state = if error.is_some() { JobState::Failed } else { JobState::Done };
    let done = sqlx::query(
        "update jobs
         set state = $4, error = $5, worker = null, leased_until = null, finished_at = now(), checkpoint = null,
             done = case when $4 = 'done' then coalesce(total, done) else done end
         where tenant_id = $1 and id = $2 and worker = $3 and state = 'running'",
    )
    .bind(job.tenant.0)
    .bind(job.id.0)
    .bind(worker)
    .bind(state.as_str())
    .bind(error)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Queues a job that the worker holds again, due after `pause`. Without an `error` the attempt does not count.
pub async fn requeue(
    connection: &mut PgConnection,
    job: &Job,
    worker: Uuid,
    pause: Duration,
    error: Option<&str>,
) -> Result<()> {
    sqlx::query(
        "update jobs
         set state = 'queued', error = $5, worker = null, leased_until = null,
             run_after = now() + make_interval(secs => $4), attempts = attempts - (case when $5 is null then 1 else 0 end),
             worked_ms = worked_ms + greatest(extract(epoch from clock_timestamp() - started_at) * 1000, 0)::bigint
         where tenant_id = $1 and id = $2 and worker = $3 and state = 'running'",
    )
    .bind(job.tenant.0)
    .bind(job.id.0)
    .bind(worker)
    .bind(pause.as_secs_f64())
    .bind(error)
    .execute(connection)
    .await?;
    Ok(())
}

/// The columns that change when a job is canceled.
const CANCELED: &str = "state = 'canceled', worker = null, leased_until = null, finished_at = now(), checkpoint = null";

/// Cancels jobs that have not ended. A worker that runs one notices when it extends its lease, and commits nothing
/// after that.
pub async fn cancel(connection: &mut PgConnection, tenant: TenantId, ids: &[JobId]) -> Result<()> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    sqlx::query(AssertSqlSafe(format!(
        "update jobs set {CANCELED} where tenant_id = $1 and id = any ($2) and state in ('queued', 'running')"
    )))
    .bind(tenant.0)
    .bind(ids)
    .execute(connection)
    .await?;
    Ok(())
}

/// Cancels all jobs of a chatbot that have not ended, like [`cancel`].
pub async fn cancel_all(connection: &mut PgConnection, tenant: TenantId, chatbot: ChatbotId) -> Result<()> {
    sqlx::query(AssertSqlSafe(format!(
        "update jobs set {CANCELED} where tenant_id = $1 and chatbot_id = $2 and state in ('queued', 'running')"
    )))
    .bind(tenant.0)
    .bind(chatbot.0)
    .execute(connection)
    .await?;
    Ok(())
}

/// Cancels jobs of a kind that have been due for `hours` hours without a worker (system scope).
pub async fn cancel_abandoned(connection: &mut PgConnection, kind: JobKind, hours: i32) -> Result<u64> {
    let done = sqlx::query(AssertSqlSafe(format!(
        "update jobs set {CANCELED}
         where state in ('queued', 'running') and kind = $1
           and coalesce(leased_until, run_after) < now() - make_interval(hours => $2)"
    )))
    .bind(kind.as_str())
    .bind(hours)
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

/// Removes jobs that ended more than `days` days ago (system scope).
pub async fn delete_finished(connection: &mut PgConnection, days: i32) -> Result<u64> {
    let done = sqlx::query("delete from jobs where finished_at < now() - make_interval(days => $1)")
        .bind(days)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

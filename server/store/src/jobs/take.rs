//! Which job a worker takes next, and whether a running one should let another go first.

use std::time::Duration;

use contract::{ChatbotId, JobId, TenantId, jobs::JobKind};
use serde_json::Value;
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use super::{Job, Lease, WAITING};
use crate::{
    connection::PgConnection,
    error::{Error, Result},
};

#[derive(FromRow)]
struct JobRow {
    id: Uuid,
    tenant_id: Uuid,
    chatbot_id: Uuid,
    kind: String,
    payload: Value,
    is_large: bool,
    host: Option<String>,
    attempts: i32,
    worked_ms: i64,
}

impl TryFrom<JobRow> for Job {
    type Error = Error;

    fn try_from(row: JobRow) -> Result<Self> {
        Ok(Self {
            id: JobId(row.id),
            tenant: TenantId(row.tenant_id),
            chatbot: ChatbotId(row.chatbot_id),
            kind: row.kind.parse()?,
            payload: row.payload,
            is_large: row.is_large,
            host: row.host,
            attempts: row.attempts,
            worked: Duration::from_millis(row.worked_ms.unsigned_abs()),
        })
    }
}

/// The columns that change when a job is taken; `$1` is the worker, `$2` its lease in seconds. An attempt whose worker
/// died counts as three, so that a job that kills its worker is retried less often. Its time counts until the end of
/// the lease.
const TAKEN: &str = "state = 'running', worker = $1, leased_until = now() + make_interval(secs => $2),
    attempts = attempts + case when state = 'running' then 3 else 1 end, started_at = clock_timestamp(),
    worked_ms = worked_ms + case when state = 'running'
                                 then greatest(extract(epoch from leased_until - started_at) * 1000, 0)::bigint
                                 else 0 end";
/// The columns of a job that was taken.
const COLUMNS: &str = "id, tenant_id, chatbot_id, kind, payload, is_large, host, attempts, worked_ms";

/// The condition for job `j` to be taken by a worker: `$1` are the kinds that this program knows, `$2` whether the
/// worker takes large jobs, `$3` the storages that it reads.
fn takeable([kinds, takes_large, storages]: [&str; 3]) -> String {
    format!(
        "j.kind = any ({kinds}) and (not j.is_large or {takes_large})
         and (j.storage_id is null or j.storage_id = any ({storages})) and ({WAITING})
         and (j.host is null or not exists (
             select from jobs h
             where h.host = j.host and h.id <> j.id and h.state = 'running' and h.leased_until > now()))"
    )
}

fn kinds() -> Vec<&'static str> {
    JobKind::ALL.iter().map(|kind| kind.as_str()).collect()
}

fn storages(lease: &Lease) -> Vec<Uuid> {
    [lease.storage, lease.file_system].into_iter().flatten().map(|storage| storage.0).collect()
}

/// Takes the next job (system scope): of the tenant with the fewest running jobs, of those tenants the one whose last
/// job began first, and of its jobs the oldest, small ones before large ones. Ignores jobs of kinds that this program
/// does not know, and jobs whose host another job is using. See [`super::has_host_alone`] for two jobs that are taken
/// at the same time.
pub async fn take(connection: &mut PgConnection, lease: &Lease) -> Result<Option<Job>> {
    let takeable = takeable(["$3", "$4", "$5"]);
    let sql = format!(
        "with turns as (
             select o.tenant_id, o.running,
                    (select max(s.started_at) from jobs s where s.tenant_id = o.tenant_id) as last_started
             from (
                 select j.tenant_id, count(*) filter (where j.state = 'running' and j.leased_until > now()) as running
                 from jobs j
                 where j.state in ('queued', 'running')
                 group by j.tenant_id
                 having bool_or({takeable})
             ) o
             join tenants t on t.id = o.tenant_id and t.deleted_at is null
         )
         update jobs
         set {TAKEN}
         where id = (
             select picked.id
             from (select tenant_id from turns order by running, last_started nulls first, tenant_id offset 0) turn
             cross join lateral (
                 select j.id from jobs j
                 where j.tenant_id = turn.tenant_id and {takeable}
                 order by j.is_large, j.run_after, j.id
                 limit 1
                 for update skip locked
             ) picked
             limit 1
         )
         returning {COLUMNS}"
    );
    let row: Option<JobRow> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(lease.worker)
        .bind(lease.time.as_secs_f64())
        .bind(kinds())
        .bind(lease.takes_large)
        .bind(storages(lease))
        .fetch_optional(connection)
        .await?;
    row.map(Job::try_from).transpose()
}

/// Takes this job regardless of the order. Returns `None` when another worker has it or it has ended.
pub async fn take_one(
    connection: &mut PgConnection,
    tenant: TenantId,
    id: JobId,
    lease: &Lease,
) -> Result<Option<Job>> {
    let sql = format!(
        "update jobs j
         set {TAKEN}
         where j.tenant_id = $3 and j.id = $4 and ({WAITING})
         returning {COLUMNS}"
    );
    let row: Option<JobRow> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(lease.worker)
        .bind(lease.time.as_secs_f64())
        .bind(tenant.0)
        .bind(id.0)
        .fetch_optional(connection)
        .await?;
    row.map(Job::try_from).transpose()
}

/// Whether another job waits that should have the worker of this one (system scope): a job of a tenant with fewer running
/// jobs in all processes, or a small one of the same tenant when this one is large. A worker without large jobs lets every small job go
/// first.
pub async fn others_wait(connection: &mut PgConnection, job: &Job, lease: &Lease) -> Result<bool> {
    let takeable = takeable(["$3", "$4", "$5"]);
    let sql = format!(
        "with running as (
             select tenant_id, count(*) as jobs from jobs where state = 'running' and leased_until > now() group by tenant_id
         )
         select exists (
             select from jobs j
             join tenants t on t.id = j.tenant_id and t.deleted_at is null
             where j.state in ('queued', 'running') and j.id <> $2 and {takeable}
               and case when not $4 then true
                        when j.tenant_id = $1 then $6 and not j.is_large
                        else coalesce((select jobs from running r where r.tenant_id = j.tenant_id), 0)
                             < coalesce((select jobs from running r where r.tenant_id = $1), 1) end)"
    );
    Ok(sqlx::query_scalar(AssertSqlSafe(sql))
        .bind(job.tenant.0)
        .bind(job.id.0)
        .bind(kinds())
        .bind(lease.takes_large)
        .bind(storages(lease))
        .bind(job.is_large)
        .fetch_one(connection)
        .await?)
}

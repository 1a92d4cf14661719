//! The job of a website: when it is due, who runs it, its progress and its result.

use contract::{JobId, TenantId, id::SourceId};
use uuid::Uuid;

use super::{CrawlCounts, Prepared, WebsiteProblem, WebsiteProof, WebsiteState};
use crate::{connection::PgConnection, error::Result};

/// Sets the current job of a website. `approves` approves its pages for reading. A check of missing pages keeps the
/// notice of the last sync and the time of the next one. A sync keeps the notice of the page limit while there is no room
/// for another page. Once there is, all pages are fetched again, because only their links lead to those that are not read.
pub async fn start(
    connection: &mut PgConnection,
    tenant: TenantId,
    source: SourceId,
    (job, only_missing): (JobId, bool),
    (requested_by, approves): (Option<&str>, bool),
) -> Result<()> {
    sqlx::query(
        "with limited as (
             select least(w.max_pages - count(p.id) filter (
                              where p.state <> 'left_out' and (p.state, p.code) is distinct from ('failed', 'not_found')),
                          4 * w.max_pages::bigint - count(p.id)) > 0 as has_room
             from websites w left join website_pages p on p.tenant_id = $1 and p.source_id = w.source_id
             where w.tenant_id = $1 and w.source_id = $2 and w.code = $7 and not $6
             group by w.source_id, w.max_pages
         ), stale as (
             update website_pages set etag = null, last_modified = null
             where tenant_id = $1 and source_id = $2 and exists (select from limited where has_room)
         )
         update websites
         set job_id = $3, requested_by = $4, is_approved = is_approved or $5, state = 'checking',
             code = case when $6 or exists (select from limited where not has_room) then code end,
             detail = case when $6 then detail end,
             fetched_bytes = 0, pages_added = 0, pages_changed = 0, pages_removed = 0, started_at = now(),
             next_sync_at = case when $6 then next_sync_at end
         where tenant_id = $1 and source_id = $2",
    )
    .bind(tenant.0)
    .bind(source.0)
    .bind(job.0)
    .bind(requested_by)
    .bind(approves)
    .bind(only_missing)
    .bind(WebsiteProblem::PageLimit.as_str())
    .execute(connection)
    .await?;
    Ok(())
}

/// Stores what the running job has learned about the site, and its proof of ownership.
pub async fn set_prepared(
    connection: &mut PgConnection,
    tenant: TenantId,
    source: SourceId,
    prepared: &Prepared,
    (proof, state): (WebsiteProof, WebsiteState),
) -> Result<()> {
    sqlx::query(
        "update websites
         set prepared_by = job_id, origin = $3, robots = $4, missing_hash = $5, proven_by = $6, proven_at = now(), state = $7
         where tenant_id = $1 and source_id = $2",
    )
    .bind(tenant.0)
    .bind(source.0)
    .bind(&prepared.origin)
    .bind(&prepared.robots)
    .bind(&prepared.missing_hash)
    .bind(proof.as_str())
    .bind(state.as_str())
    .execute(connection)
    .await?;
    Ok(())
}

/// Records why a site that is read is not read as a whole, for example because it has more pages than are read. The first
/// detail of a job stays.
pub async fn set_notice(
    connection: &mut PgConnection,
    tenant: TenantId,
    source: SourceId,
    (code, detail): (WebsiteProblem, Option<&str>),
) -> Result<()> {
    let sql = "update websites set code = $3, detail = coalesce(case when code = $3 then detail end, $4)
               where tenant_id = $1 and source_id = $2";
    sqlx::query(sql).bind(tenant.0).bind(source.0).bind(code.as_str()).bind(detail).execute(connection).await?;
    Ok(())
}

/// Records what a tenant should know about a site that is read as a whole, unless there is a notice that says why it is
/// not.
pub async fn set_hint(
    connection: &mut PgConnection,
    tenant: TenantId,
    source: SourceId,
    (code, detail): (WebsiteProblem, &str),
) -> Result<()> {
    let sql = "update websites set code = $3, detail = $4 where tenant_id = $1 and source_id = $2 and code is null";
    // The database cannot store NUL.
    let detail = detail.replace('\0', "");
    sqlx::query(sql).bind(tenant.0).bind(source.0).bind(code.as_str()).bind(detail).execute(connection).await?;
    Ok(())
}

/// The current or next job of a website. Read before the website is locked, because jobs lock themselves first.
pub async fn open_job(connection: &mut PgConnection, tenant: TenantId, source: SourceId) -> Result<Option<JobId>> {
    let id: Option<Uuid> = sqlx::query_scalar(
        "select j.id from websites w join jobs j on j.tenant_id = w.tenant_id and j.id = w.job_id
         where w.tenant_id = $1 and w.source_id = $2 and j.state in ('queued', 'running')",
    )
    .bind(tenant.0)
    .bind(source.0)
    .fetch_optional(connection)
    .await?;
    Ok(id.map(JobId))
}

/// Records that the job of a website was canceled.
pub async fn halt(connection: &mut PgConnection, tenant: TenantId, source: SourceId) -> Result<()> {
    sqlx::query(
        "update websites
         set state = case when is_approved then 'ready' else 'previewed' end, prepared_by = null
         where tenant_id = $1 and source_id = $2 and state in ('checking', 'previewing', 'reading')",
    )
    .bind(tenant.0)
    .bind(source.0)
    .execute(connection)
    .await?;
    Ok(())
}

/// Adds to the counts of the running job.
pub async fn add(connection: &mut PgConnection, tenant: TenantId, source: SourceId, counts: CrawlCounts) -> Result<()> {
    sqlx::query(
        "update websites
         set fetched_bytes = fetched_bytes + $3, pages_added = pages_added + $4, pages_changed = pages_changed + $5,
             pages_removed = pages_removed + $6
         where tenant_id = $1 and source_id = $2",
    )
    .bind(tenant.0)
    .bind(source.0)
    .bind(counts.fetched_bytes)
    .bind(counts.pages_added)
    .bind(counts.pages_changed)
    .bind(counts.pages_removed)
    .execute(connection)
    .await?;
    Ok(())
}

/// The result of a job on a website.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending<'a> {
    pub state: WebsiteState,
    pub problem: Option<(WebsiteProblem, &'a str)>,
    /// Whether the site proved its owner.
    pub is_proven: bool,
    /// Whether all pages were visited.
    pub is_whole: bool,
    /// Whether the job visited missing pages alone.
    pub only_missing: bool,
}

/// Stores the result of a job on a website, and when the next one begins. A website that was read keeps a notice, such
/// as that of the page limit. A check of missing pages leaves the next sync where it is. If it reached a limit, the next
/// check waits as if the pages had just gone missing.
pub async fn end(connection: &mut PgConnection, tenant: TenantId, source: SourceId, ending: &Ending<'_>) -> Result<()> {
    let (code, detail) = ending.problem.unzip();
    // The database cannot store NUL.
    let detail = detail.map(|detail| detail.replace('\0', ""));
    sqlx::query(
        "update websites
         set state = $3, code = coalesce($4, case when $3 in ('ready', 'previewed') then code end),
             detail = case when $4 is null and $3 in ('ready', 'previewed') then detail else $5 end,
             prepared_by = null, proven_by = case when $6 then proven_by end, proven_at = case when $6 then proven_at end,
             synced_at = case when $7 and is_approved then now() else synced_at end,
             next_sync_at = case
                 when is_paused or not is_approved or schedule = 'manual' then null
                 when $8 and next_sync_at is not null then next_sync_at
                 when schedule = 'hourly' then now() + interval '1 hour'
                 when schedule = 'daily' then now() + interval '1 day'
                 else now() + interval '7 days'
             end
         where tenant_id = $1 and source_id = $2",
    )
    .bind(tenant.0)
    .bind(source.0)
    .bind(ending.state.as_str())
    .bind(code.map(WebsiteProblem::as_str))
    .bind(detail)
    .bind(ending.is_proven)
    .bind(ending.is_whole)
    .bind(ending.only_missing)
    .execute(&mut *connection)
    .await?;
    if ending.only_missing && code == Some(WebsiteProblem::RunLimit) {
        let sql = "update website_pages set missing_since = now()
                   where tenant_id = $1 and source_id = $2 and missing_since is not null";
        sqlx::query(sql).bind(tenant.0).bind(source.0).execute(connection).await?;
    }
    Ok(())
}

/// A website to visit now, on schedule or for its missing pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueWebsite {
    pub tenant: TenantId,
    pub source: SourceId,
}

/// At most `limit` websites of active tenants that are due, or that were read and whose missing pages must be checked
/// again (system scope). A website that is paused or could not be read waits for its next sync.
pub async fn due(connection: &mut PgConnection, confirm_minutes: i32, limit: i64) -> Result<Vec<DueWebsite>> {
    let rows: Vec<(Uuid, Uuid)> = sqlx::query_as(
        "select w.tenant_id, w.source_id
         from (
             select tenant_id, source_id from websites where next_sync_at <= now()
             union
             select p.tenant_id, p.source_id
             from website_pages p join websites s on s.tenant_id = p.tenant_id and s.source_id = p.source_id
             where p.missing_since <= now() - make_interval(mins => $1)
               and s.state = 'ready' and s.is_approved and not s.is_paused
         ) w
         join tenants t on t.id = w.tenant_id and t.deleted_at is null
         order by w.source_id
         limit $2",
    )
    .bind(confirm_minutes)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|(tenant, source)| DueWebsite { tenant: TenantId(tenant), source: SourceId(source) })
        .collect())
}

/// Whether a website is due; otherwise only its missing pages are.
pub async fn is_due(connection: &mut PgConnection, tenant: TenantId, source: SourceId) -> Result<bool> {
    let sql = "select coalesce(next_sync_at <= now(), false) from websites where tenant_id = $1 and source_id = $2";
    Ok(sqlx::query_scalar(sql).bind(tenant.0).bind(source.0).fetch_optional(connection).await?.unwrap_or(false))
}

//! Websites that a chatbot reads: their settings and their current job. Their pages are in [`pages`], the permissions
//! of operators in [`hosts`].

pub mod hosts;
mod job;
pub mod pages;

pub use contract::websites::{WebsiteProblem, WebsiteProof, WebsiteSchedule, WebsiteSettings, WebsiteState};
use contract::{ChatbotId, JobId, TenantId, id::SourceId};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

pub use self::job::{
    DueWebsite, Ending, add, due, end, halt, is_due, open_job, set_hint, set_notice, set_prepared, start,
};
use crate::{
    connection::PgConnection,
    error::{Error, Result},
};

/// A website with its settings and the state of its job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Website {
    pub source: SourceId,
    pub chatbot: ChatbotId,
    /// The address of the first page.
    pub url: String,
    pub settings: WebsiteSettings,
    pub is_paused: bool,
    pub is_approved: bool,
    pub token: String,
    pub state: WebsiteState,
    /// The proof of ownership at the last visit.
    pub proven_by: Option<WebsiteProof>,
    /// The job that works on it, or the last one.
    pub job: Option<JobId>,
    /// Who requested the job; `None` for the schedule.
    pub requested_by: Option<String>,
    /// Scheme, host and port of the pages at the last visit; `None` before the first one.
    pub last_origin: Option<String>,
    /// What the running job has learned; `None` before that.
    pub prepared: Option<Prepared>,
    pub counts: CrawlCounts,
    /// Seconds since the job began.
    pub running_seconds: i64,
}

/// What a job learns about a site before it reads pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// Scheme, host and port of the pages, with the folder that is proven unless it is the whole host.
    pub origin: String,
    /// The site's robots.txt; empty when it has none.
    pub robots: String,
    /// SHA-256 of the text that the site shows for a missing page, if its status does not say so.
    pub missing_hash: Option<String>,
}

/// The counts of a job so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CrawlCounts {
    pub fetched_bytes: i64,
    pub pages_added: i32,
    pub pages_changed: i32,
    pub pages_removed: i32,
}

const COLUMNS: &str = "source_id, chatbot_id, url, include, exclude, max_pages, max_depth, schedule, is_paused, is_approved, token,
    state, proven_by, job_id, requested_by, prepared_by, origin, robots, missing_hash, fetched_bytes, pages_added, pages_changed,
    pages_removed, coalesce(extract(epoch from now() - started_at)::bigint, 0) as running_seconds";

#[derive(FromRow)]
struct WebsiteRow {
    source_id: Uuid,
    chatbot_id: Uuid,
    url: String,
    include: Vec<String>,
    exclude: Vec<String>,
    max_pages: i32,
    max_depth: i32,
    schedule: String,
    is_paused: bool,
    is_approved: bool,
    token: String,
    state: String,
    proven_by: Option<String>,
    job_id: Option<Uuid>,
    requested_by: Option<String>,
    prepared_by: Option<Uuid>,
    origin: Option<String>,
    robots: Option<String>,
    missing_hash: Option<String>,
    fetched_bytes: i64,
    pages_added: i32,
    pages_changed: i32,
    pages_removed: i32,
    running_seconds: i64,
}

impl TryFrom<WebsiteRow> for Website {
    type Error = Error;
    fn try_from(row: WebsiteRow) -> Result<Self> {
        let is_prepared = row.prepared_by.is_some() && row.prepared_by == row.job_id;
        let last_origin = row.origin.clone();
        let prepared = row.origin.zip(row.robots).filter(|_| is_prepared);
        let prepared = prepared.map(|(origin, robots)| Prepared { origin, robots, missing_hash: row.missing_hash });
        Ok(Self {
            source: SourceId(row.source_id),
            chatbot: ChatbotId(row.chatbot_id),
            url: row.url,
            settings: WebsiteSettings {
                include: row.include,
                exclude: row.exclude,
                max_pages: row.max_pages,
                max_depth: row.max_depth,
                schedule: row.schedule.parse()?,
            },
            is_paused: row.is_paused,
            is_approved: row.is_approved,
            token: row.token,
            state: row.state.parse()?,
            proven_by: row.proven_by.map(|proof| proof.parse()).transpose()?,
            job: row.job_id.map(JobId),
            requested_by: row.requested_by,
            last_origin,
            prepared,
            counts: CrawlCounts {
                fetched_bytes: row.fetched_bytes,
                pages_added: row.pages_added,
                pages_changed: row.pages_changed,
                pages_removed: row.pages_removed,
            },
            running_seconds: row.running_seconds,
        })
    }
}

/// A website, locked until the transaction ends.
pub async fn lock(connection: &mut PgConnection, tenant: TenantId, source: SourceId) -> Result<Option<Website>> {
    let sql = format!("select {COLUMNS} from websites where tenant_id = $1 and source_id = $2 for no key update");
    let row: Option<WebsiteRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).bind(source.0).fetch_optional(connection).await?;
    row.map(Website::try_from).transpose()
}

/// The address of a website's pages at the last visit, or that of its first page before.
pub async fn address(connection: &mut PgConnection, tenant: TenantId, source: SourceId) -> Result<Option<String>> {
    let sql = "select coalesce(origin, url) from websites where tenant_id = $1 and source_id = $2";
    Ok(sqlx::query_scalar(sql).bind(tenant.0).bind(source.0).fetch_optional(connection).await?)
}

/// Adds the website of a source.
pub async fn insert(
    connection: &mut PgConnection,
    tenant: TenantId,
    (chatbot, source): (ChatbotId, SourceId),
    (url, token): (&str, &str),
    settings: &WebsiteSettings,
) -> Result<()> {
    sqlx::query(
        "insert into websites (source_id, tenant_id, chatbot_id, url, token, include, exclude, max_pages, max_depth, schedule)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(source.0)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(url)
    .bind(token)
    .bind(&settings.include)
    .bind(&settings.exclude)
    .bind(settings.max_pages)
    .bind(settings.max_depth)
    .bind(settings.schedule.as_str())
    .execute(connection)
    .await?;
    Ok(())
}

/// Changes which pages are read and how often, or pauses reading. Pages are fetched again as if they had changed. The
/// next sync comes no later than the schedule says.
pub async fn update(
    connection: &mut PgConnection,
    tenant: TenantId,
    source: SourceId,
    settings: &WebsiteSettings,
    is_paused: bool,
) -> Result<()> {
    sqlx::query(
        "with stale as (
             update website_pages set etag = null, last_modified = null where tenant_id = $1 and source_id = $2
         )
         update websites
         set include = $3, exclude = $4, max_pages = $5, max_depth = $6, schedule = $7, is_paused = $8,
             next_sync_at = case
                 when $8 or not is_approved or $7 = 'manual' then null
                 else least(
                     coalesce(next_sync_at, now()),
                     now() + case $7 when 'hourly' then interval '1 hour' when 'daily' then interval '1 day'
                                     else interval '7 days' end)
             end
         where tenant_id = $1 and source_id = $2",
    )
    .bind(tenant.0)
    .bind(source.0)
    .bind(&settings.include)
    .bind(&settings.exclude)
    .bind(settings.max_pages)
    .bind(settings.max_depth)
    .bind(settings.schedule.as_str())
    .bind(is_paused)
    .execute(connection)
    .await?;
    Ok(())
}

/// Whether one of these chatbots belongs to the tenant.
pub async fn has_chatbot(connection: &mut PgConnection, tenant: TenantId, ids: &[ChatbotId]) -> Result<bool> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let sql = "select exists (select from chatbots where tenant_id = $1 and id = any ($2))";
    Ok(sqlx::query_scalar(sql).bind(tenant.0).bind(ids).fetch_one(connection).await?)
}

/// Removes pages that previews fetched more than a day ago (system scope).
pub async fn delete_old_bodies(connection: &mut PgConnection) -> Result<u64> {
    let done = sqlx::query("delete from website_bodies where created_at < now() - interval '1 day'");
    Ok(done.execute(connection).await?.rows_affected())
}

/// Removes a website with its pages and their documents. Returns the ids of their passages.
pub async fn delete(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    source: SourceId,
) -> Result<Vec<Uuid>> {
    for sql in [
        "delete from website_bodies b using website_pages p
         where p.tenant_id = $1 and p.source_id = $2 and b.tenant_id = $1 and b.page_id = p.id",
        "delete from website_pages where tenant_id = $1 and source_id = $2",
        "delete from websites where tenant_id = $1 and source_id = $2",
    ] {
        sqlx::query(sql).bind(tenant.0).bind(source.0).execute(&mut *connection).await?;
    }
    Ok(sqlx::query_scalar(
        "with gone as (
             delete from documents where tenant_id = $1 and source_id = $3 returning id
         ), kept as (
             delete from kept_passages k using gone
             where k.tenant_id = $1 and k.chatbot_id = $2 and k.document_id = gone.id
         )
         delete from passages p using gone
         where p.tenant_id = $1 and p.chatbot_id = $2 and p.document_id = gone.id
         returning p.id",
    )
    .persistent(false)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(source.0)
    .fetch_all(connection)
    .await?)
}

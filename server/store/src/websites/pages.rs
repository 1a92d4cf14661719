//! Pages of a website and their state.

mod bodies;
mod judged;
mod listed;

use contract::{
    ChatbotId, JobId, TenantId,
    id::{SourceId, WebsitePageId},
    websites::{WebsitePageState, WebsiteProblem},
};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

pub(crate) use self::listed::failure;
pub use self::{
    bodies::{body, keep_body, take_body},
    judged::{TurnedPages, ignore_canonicals, keep_turned, turned},
    listed::list,
};
use crate::{
    connection::PgConnection,
    error::{Error, Result},
    reader::READER_VERSION,
};

/// The number of pages `p` of the website `w` in each state, as [`contract::websites::WebsitePages`].
pub(crate) const COUNTS: &str = "jsonb_build_object(
    'waiting', count(*) filter (where p.state = 'waiting'), 'found', count(*) filter (where p.state = 'found'),
    'ready', count(*) filter (where p.state = 'ready'), 'left_out', count(*) filter (where p.state = 'left_out'),
    'failed', count(*) filter (where p.state = 'failed'), 'missing', count(*) filter (where p.state = 'missing'),
    'looked_at', count(*) filter (where p.job_id = w.job_id))";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageToFetch {
    pub id: WebsitePageId,
    pub url: String,
    pub depth: i32,
    pub state: WebsitePageState,
    pub title: String,
    /// The validators of the version that was read, if the current reader read it.
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    /// SHA-256 of its text when it was read, if the current reader read it.
    pub content_hash: Option<String>,
    /// The page that it names as the original without reason.
    pub ignored_canonical: Option<String>,
    /// Whether it has been missing for so long that the next check decides.
    pub is_long_missing: bool,
    /// Whether it was found more than [`DEAD_LINK_DAYS`] ago.
    pub is_old: bool,
}

#[derive(FromRow)]
struct PageRow {
    id: Uuid,
    url: String,
    depth: i32,
    state: String,
    title: String,
    etag: Option<String>,
    last_modified: Option<String>,
    content_hash: Option<String>,
    ignored_canonical: Option<String>,
    is_long_missing: bool,
    is_old: bool,
}

impl TryFrom<PageRow> for PageToFetch {
    type Error = Error;
    fn try_from(row: PageRow) -> Result<Self> {
        Ok(Self {
            id: WebsitePageId(row.id),
            url: row.url,
            depth: row.depth,
            state: row.state.parse()?,
            title: row.title,
            etag: row.etag,
            last_modified: row.last_modified,
            content_hash: row.content_hash,
            ignored_canonical: row.ignored_canonical,
            is_long_missing: row.is_long_missing,
            is_old: row.is_old,
        })
    }
}

/// Which pages a job visits.
#[derive(Debug, Clone, Copy)]
pub struct PageSelection {
    pub source: SourceId,
    pub job: JobId,
    /// Only pages that have been missing for long.
    pub only_missing: bool,
    /// Minutes after which a missing page counts as missing for long.
    pub confirm_minutes: i32,
    /// A page that is being visited.
    pub except: Option<WebsitePageId>,
}

/// Days for which a page that never existed is listed, so that its tenant can correct the links to it.
pub const DEAD_LINK_DAYS: i32 = 30;

const TO_FETCH: &str = "id, url, depth, state, title, is_long_missing, is_old, ignored_canonical,
    case when is_read then etag end as etag, case when is_read then last_modified end as last_modified,
    case when is_read then content_hash end as content_hash";

/// The next page that the job has not visited, nearest to the first page.
pub async fn next(
    connection: &mut PgConnection,
    tenant: TenantId,
    PageSelection { source, job, only_missing, confirm_minutes, except }: PageSelection,
) -> Result<Option<PageToFetch>> {
    let sql = format!(
        "select {TO_FETCH}
         from (
             select *, coalesce(missing_since <= now() - make_interval(mins => $4), false) as is_long_missing,
                    state in ('found', 'ready', 'missing') and reader_version = $6 as is_read,
                    created_at < now() - make_interval(days => $8) as is_old
             from website_pages
         ) p
         where tenant_id = $1 and source_id = $2 and job_id is distinct from $3 and (not $5 or is_long_missing)
           and id is distinct from $7
         order by depth, id
         limit 1"
    );
    let row: Option<PageRow> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(tenant.0)
        .bind(source.0)
        .bind(job.0)
        .bind(confirm_minutes)
        .bind(only_missing)
        .bind(READER_VERSION)
        .bind(except.map(|id| id.0))
        .bind(DEAD_LINK_DAYS)
        .fetch_optional(connection)
        .await?;
    row.map(PageToFetch::try_from).transpose()
}

/// How many pages the job has visited.
pub async fn count_visited(
    connection: &mut PgConnection,
    tenant: TenantId,
    source: SourceId,
    job: JobId,
) -> Result<(i64, i64)> {
    let sql = "select count(*) filter (where job_id = $3), count(*) from website_pages where tenant_id = $1 and source_id = $2";
    Ok(sqlx::query_as(sql).bind(tenant.0).bind(source.0).bind(job.0).fetch_one(connection).await?)
}

/// Adds pages that were found, each with the key of its address, up to `max_pages` pages that are read. Returns how many were left out because of the
/// limit.
pub async fn discover(
    connection: &mut PgConnection,
    tenant: TenantId,
    (chatbot, source): (ChatbotId, SourceId),
    (urls, keys, depth): (&[String], &[String], i32),
    max_pages: i32,
) -> Result<i64> {
    let ids: Vec<Uuid> = urls.iter().map(|_| Uuid::now_v7()).collect();
    // Pages that are excluded are stored as well, but not without a limit.
    let unknown: (i64, i64) = sqlx::query_as(
        "with new as (
             select n.id, n.url, n.url_key, row_number() over (order by n.id) as place
             from unnest($4::uuid[], $5::text[], $8::text[]) as n (id, url, url_key)
             where not exists (
                 select from website_pages p
                 where p.tenant_id = $1 and p.source_id = $3
                   and (p.url = n.url or p.url_key = n.url_key
                        or p.url_key is null and p.url = n.url_key and p.state in ('found', 'ready', 'missing')))
         ), room as (
             select least($7 - count(*) filter (where state <> 'left_out' and (state, code) is distinct from ('failed', 'not_found')), 4 * $7::bigint - count(*)) as pages
             from website_pages where tenant_id = $1 and source_id = $3
         ), added as (
             insert into website_pages (id, tenant_id, chatbot_id, source_id, url, url_key, depth)
             select new.id, $1, $2, $3, new.url, new.url_key, $6 from new, room where new.place <= room.pages
             on conflict (tenant_id, source_id, url) do nothing
             returning id
         )
         select (select count(*) from new), (select count(*) from added)",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(source.0)
    .bind(ids)
    .bind(urls)
    .bind(depth)
    .bind(max_pages)
    .bind(keys)
    .fetch_one(connection)
    .await?;
    Ok(unknown.0 - unknown.1)
}

/// The page with an address, if the job has not visited it. Adds an unknown page.
pub async fn claim(
    connection: &mut PgConnection,
    tenant: TenantId,
    (chatbot, source): (ChatbotId, SourceId),
    (url, key, depth): (&str, &str, i32),
    job: JobId,
) -> Result<Option<PageToFetch>> {
    sqlx::query(
        "insert into website_pages (id, tenant_id, chatbot_id, source_id, url, url_key, depth)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (tenant_id, source_id, url) do nothing",
    )
    .bind(Uuid::now_v7())
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(source.0)
    .bind(url)
    .bind(key)
    .bind(depth)
    .execute(&mut *connection)
    .await?;
    unseen(connection, tenant, (source, url), job).await
}

/// The page with an address, if it exists and the job has not visited it.
pub async fn unseen(
    connection: &mut PgConnection,
    tenant: TenantId,
    (source, url): (SourceId, &str),
    job: JobId,
) -> Result<Option<PageToFetch>> {
    let sql = format!(
        "select {TO_FETCH}
         from (
             select *, false as is_long_missing, false as is_old, state in ('found', 'ready', 'missing') and reader_version = $5 as is_read
             from website_pages
         ) p
         where tenant_id = $1 and source_id = $2 and url = $3 and job_id is distinct from $4"
    );
    let row: Option<PageRow> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(tenant.0)
        .bind(source.0)
        .bind(url)
        .bind(job.0)
        .bind(READER_VERSION)
        .fetch_optional(connection)
        .await?;
    row.map(PageToFetch::try_from).transpose()
}

/// The result of a visit to a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisitOutcome<'a> {
    pub state: WebsitePageState,
    pub problem: Option<(WebsiteProblem, &'a str)>,
    /// `None` when it stays.
    pub version: Option<Version<'a>>,
    /// Whether its text differs from before.
    pub is_changed: bool,
}

/// The fetched version of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Version<'a> {
    pub title: &'a str,
    pub etag: Option<&'a str>,
    pub last_modified: Option<&'a str>,
    pub content_hash: Option<&'a str>,
}

/// Stores the result of the job's visit to a page.
pub async fn settle(
    connection: &mut PgConnection,
    tenant: TenantId,
    (id, job): (WebsitePageId, JobId),
    outcome: &VisitOutcome<'_>,
) -> Result<()> {
    let (code, detail) = outcome.problem.unzip();
    // The database cannot store NUL.
    let detail = detail.map(|detail| detail.replace('\0', ""));
    let version = outcome.version.unwrap_or_default();
    sqlx::query(
        "update website_pages
         set job_id = $3, state = $4, code = $5, detail = $6, checked_at = now(),
             missing_since = case when $4 = 'missing' then coalesce(missing_since, now()) end,
             title = case when $7 then $8 else title end, etag = case when $7 then $9 else etag end,
             last_modified = case when $7 then $10 else last_modified end,
             content_hash = case when $7 then $11 else content_hash end,
             reader_version = case when $7 then $12 else reader_version end,
             changed_at = case when $13 then now() else changed_at end
         where tenant_id = $1 and id = $2",
    )
    .bind(tenant.0)
    .bind(id.0)
    .bind(job.0)
    .bind(outcome.state.as_str())
    .bind(code.map(WebsiteProblem::as_str))
    .bind(detail)
    .bind(outcome.version.is_some())
    .bind(version.title)
    .bind(version.etag)
    .bind(version.last_modified)
    .bind(version.content_hash)
    .bind(READER_VERSION)
    .bind(outcome.is_changed)
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn delete(connection: &mut PgConnection, tenant: TenantId, id: WebsitePageId) -> Result<()> {
    take_body(connection, tenant, id).await?;
    let done = sqlx::query("delete from website_pages where tenant_id = $1 and id = $2");
    done.bind(tenant.0).bind(id.0).execute(connection).await?;
    Ok(())
}

/// The address of another page of the website with this text, which a preview found or the chatbot answers from.
pub async fn with_content(
    connection: &mut PgConnection,
    tenant: TenantId,
    (source, id): (SourceId, WebsitePageId),
    content_hash: &str,
) -> Result<Option<String>> {
    Ok(sqlx::query_scalar(
        "select url from website_pages
         where tenant_id = $1 and source_id = $2 and id <> $3 and content_hash = $4 and state in ('found', 'ready', 'missing')
         order by depth, id
         limit 1",
    )
    .bind(tenant.0)
    .bind(source.0)
    .bind(id.0)
    .bind(content_hash)
    .fetch_optional(connection)
    .await?)
}

/// Whether a page has been missing for so long that the next check decides.
pub async fn has_long_missing(
    connection: &mut PgConnection,
    tenant: TenantId,
    source: SourceId,
    confirm_minutes: i32,
) -> Result<bool> {
    let sql = "select exists (
        select from website_pages
        where tenant_id = $1 and source_id = $2 and missing_since <= now() - make_interval(mins => $3))";
    Ok(sqlx::query_scalar(sql).bind(tenant.0).bind(source.0).bind(confirm_minutes).fetch_one(connection).await?)
}

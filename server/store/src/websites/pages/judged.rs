//! What the pages of a job say together: originals that are none, and a site that does not show its pages.

use contract::{JobId, TenantId, id::SourceId, websites::WebsiteProblem};
use sqlx::FromRow;

use crate::{connection::PgConnection, error::Result};

/// Lets the job visit pages again that name another one as the original without reason: because that page is not read, or
/// because most pages name it. Returns how many.
pub async fn ignore_canonicals(
    connection: &mut PgConnection,
    tenant: TenantId,
    source: SourceId,
    job: JobId,
) -> Result<u64> {
    let done = sqlx::query(
        "with visited as (
             select id, url, state, code, detail,
                    state in ('left_out', 'missing') and code = 'canonical'
                        and ignored_canonical is distinct from detail as names_original
             from website_pages
             where tenant_id = $1 and source_id = $2 and job_id = $3
         ), shared as (
             select detail, count(*) as pages from visited where names_original group by detail
         ), counted as (
             select count(*) as pages from visited where names_original or state in ('found', 'ready', 'missing')
         )
         update website_pages p
         set ignored_canonical = p.detail, job_id = null, code = null, detail = null,
             state = case when p.state = 'left_out' then 'waiting' else p.state end
         from visited v, shared s, counted c
         where p.tenant_id = $1 and p.id = v.id and v.names_original and s.detail = v.detail
           and (s.pages > 1 and s.pages * 2 > c.pages
                or not exists (
                    select from website_pages o
                    where o.tenant_id = $1 and o.source_id = $2 and o.url = v.detail
                      and (o.state in ('waiting', 'found', 'ready', 'missing') or o.code in ('duplicate', 'redirect'))))",
    )
    .bind(tenant.0)
    .bind(source.0)
    .bind(job.0)
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

/// Pages of a job without their own text, among those that were read before or are read now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct TurnedPages {
    pub turned: i64,
    pub all: i64,
    pub logins: i64,
    pub bot_checks: i64,
}

impl TurnedPages {
    /// Why the site does not show its pages; `None` when it shows most of them.
    pub const fn problem(self) -> Option<WebsiteProblem> {
        if self.turned < 2 || self.turned * 2 <= self.all {
            None
        } else if self.bot_checks * 2 > self.turned {
            Some(WebsiteProblem::BotCheck)
        } else if self.logins * 2 > self.turned {
            Some(WebsiteProblem::LoginPage)
        } else {
            Some(WebsiteProblem::PagesAlike)
        }
    }
}

const TURNED: &str = "code in ('bot_check', 'duplicate', 'login_page', 'needs_scripts', 'no_text', 'pages_alike', 'redirect', 'soft_404')";

/// Counts the pages of a job that have turned alike or empty, or into a login or a bot check.
pub async fn turned(
    connection: &mut PgConnection,
    tenant: TenantId,
    source: SourceId,
    job: JobId,
) -> Result<TurnedPages> {
    let sql = format!(
        "select count(*) filter (where {TURNED}) as turned, count(*) as \"all\",
                count(*) filter (where code = 'login_page') as logins, count(*) filter (where code = 'bot_check') as bot_checks
         from website_pages
         where tenant_id = $1 and source_id = $2 and job_id = $3
           and (state in ('found', 'ready', 'missing') or code = 'bot_check')"
    );
    Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(tenant.0).bind(source.0).bind(job.0).fetch_one(connection).await?)
}

/// Keeps what was read of these pages: a second check does not remove them.
pub async fn keep_turned(connection: &mut PgConnection, tenant: TenantId, source: SourceId, job: JobId) -> Result<()> {
    let sql = format!(
        "update website_pages set state = 'ready', missing_since = null
         where tenant_id = $1 and source_id = $2 and job_id = $3 and state = 'missing' and {TURNED}"
    );
    sqlx::query(sqlx::AssertSqlSafe(sql)).bind(tenant.0).bind(source.0).bind(job.0).execute(connection).await?;
    Ok(())
}

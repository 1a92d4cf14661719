//! The pages of a website for their tenant.

use contract::{
    Page, TenantId, Timestamp,
    id::{SourceId, WebsitePageId},
    websites::{
        WEBSITE_PAGE_SORT_FIELDS, WebsiteFailure, WebsitePage, WebsitePageListQuery, WebsitePageState, WebsiteProblem,
    },
};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use crate::{
    connection::PgConnection,
    error::{Error, Result},
    list,
};

#[derive(FromRow)]
struct ShownRow {
    id: Uuid,
    url: String,
    title: String,
    state: String,
    code: Option<String>,
    detail: Option<String>,
    depth: i32,
    checked_at: Option<Timestamp>,
    changed_at: Option<Timestamp>,
}

impl TryFrom<ShownRow> for WebsitePage {
    type Error = Error;
    fn try_from(row: ShownRow) -> Result<Self> {
        Ok(Self {
            id: WebsitePageId(row.id),
            url: row.url,
            title: row.title,
            state: row.state.parse()?,
            problem: failure(row.code, row.detail)?,
            depth: row.depth,
            checked_at: row.checked_at,
            changed_at: row.changed_at,
        })
    }
}

/// The reason of a failure for the tenant.
pub(crate) fn failure(code: Option<String>, detail: Option<String>) -> Result<Option<WebsiteFailure>> {
    let code = code.map(|code| code.parse::<WebsiteProblem>()).transpose()?;
    let failure = |code: WebsiteProblem| WebsiteFailure {
        code,
        advice: code.advice().to_owned(),
        detail: detail.unwrap_or_default(),
    };
    Ok(code.map(failure))
}

/// A page of the pages of a website.
pub async fn list(
    connection: &mut PgConnection,
    tenant: TenantId,
    source: SourceId,
    query: &WebsitePageListQuery,
) -> Result<Page<WebsitePage>> {
    const MATCHING: &str = "from website_pages
        where tenant_id = $1 and source_id = $2 and ($3::text is null or url ilike $3 or title ilike $3)
          and ($4::text is null or state = $4)";
    let order = list::order_by(&query.page, WEBSITE_PAGE_SORT_FIELDS, "url");
    let search = list::search(&query.page);
    let state = query.state.map(WebsitePageState::as_str);
    let sql = format!(
        "select id, url, title, state, code, detail, depth, checked_at, changed_at {MATCHING} {order} limit $5 offset $6"
    );
    let rows: Vec<ShownRow> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(tenant.0)
        .bind(source.0)
        .bind(&search)
        .bind(state)
        .bind(query.page.limit)
        .bind(query.page.offset)
        .fetch_all(&mut *connection)
        .await?;
    let total = sqlx::query_scalar(AssertSqlSafe(format!("select count(*) {MATCHING}")))
        .bind(tenant.0)
        .bind(source.0)
        .bind(&search)
        .bind(state)
        .fetch_one(connection)
        .await?;
    let items = rows.into_iter().map(WebsitePage::try_from).collect::<Result<_>>()?;
    Ok(Page { items, total, limit: query.page.limit, offset: query.page.offset })
}

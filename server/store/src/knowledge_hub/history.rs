//! Searches of the transaction's user, and queries of a tenant's users without useful results.

use contract::{
    Page, TenantId, Timestamp,
    id::{DocumentVersionId, SearchId},
    knowledge_hub::{RecordListQuery, RecordedSearch, UnmetSearch},
};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

/// Maximum opened documents that are recorded per search.
const MAX_CLICKS: i32 = 100;

#[derive(FromRow)]
struct SearchRow {
    id: i64,
    query: String,
    result_count: i32,
    searched_at: Timestamp,
    clicked_doc_ids: Vec<Uuid>,
}

impl From<SearchRow> for RecordedSearch {
    fn from(row: SearchRow) -> Self {
        let SearchRow { id, query, result_count, searched_at, clicked_doc_ids } = row;
        let clicked_doc_ids = clicked_doc_ids.into_iter().map(DocumentVersionId).collect();
        Self { id: SearchId(id), query, result_count, searched_at, clicked_doc_ids }
    }
}

/// Records a search of the user.
pub async fn insert(
    connection: &mut PgConnection,
    tenant: TenantId,
    query: &str,
    result_count: i64,
) -> Result<SearchId> {
    let id = sqlx::query_scalar(
        "insert into kh_search_history (tenant_id, realm, user_id, query, result_count)
         values ($1, current_setting('app.realm'), current_setting('app.username'), $2, $3)
         returning id",
    )
    .bind(tenant.0)
    .bind(query)
    .bind(i32::try_from(result_count).unwrap_or(i32::MAX))
    .fetch_one(connection)
    .await?;
    Ok(SearchId(id))
}

/// A page of the user's searches, newest first.
pub async fn list(
    connection: &mut PgConnection,
    tenant: TenantId,
    query: &RecordListQuery,
) -> Result<Page<RecordedSearch>> {
    let total = sqlx::query_scalar("select count(*) from kh_search_history where tenant_id = $1")
        .bind(tenant.0)
        .fetch_one(&mut *connection)
        .await?;
    let rows: Vec<SearchRow> = sqlx::query_as(
        "select id, query, result_count, searched_at, clicked_doc_ids from kh_search_history
         where tenant_id = $1 order by searched_at desc, id desc limit $2 offset $3",
    )
    .bind(tenant.0)
    .bind(query.limit)
    .bind(query.offset)
    .fetch_all(connection)
    .await?;
    let items = rows.into_iter().map(RecordedSearch::from).collect();
    Ok(Page { items, total, limit: query.limit, offset: query.offset })
}

/// Removes all searches of the user.
pub async fn clear(connection: &mut PgConnection, tenant: TenantId) -> Result<()> {
    sqlx::query("delete from kh_search_history where tenant_id = $1").bind(tenant.0).execute(connection).await?;
    Ok(())
}

/// The result of recording a click.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Click {
    Recorded,
    /// The document was opened before from this search, or too many were.
    Known,
    /// The user has no such search.
    NoSearch,
}

/// Records once that the user opened a document from a search.
pub async fn record_click(
    connection: &mut PgConnection,
    tenant: TenantId,
    search: SearchId,
    document: DocumentVersionId,
) -> Result<Click> {
    let updated = sqlx::query(
        "update kh_search_history set clicked_doc_ids = clicked_doc_ids || $3::uuid
         where tenant_id = $1 and id = $2 and $3 <> all (clicked_doc_ids) and cardinality(clicked_doc_ids) < $4",
    )
    .bind(tenant.0)
    .bind(search.0)
    .bind(document.0)
    .bind(MAX_CLICKS)
    .execute(&mut *connection)
    .await?;
    if updated.rows_affected() > 0 {
        return Ok(Click::Recorded);
    }
    let sql = "select exists (select from kh_search_history where tenant_id = $1 and id = $2)";
    let exists: bool = sqlx::query_scalar(sql).bind(tenant.0).bind(search.0).fetch_one(connection).await?;
    Ok(if exists { Click::Known } else { Click::NoSearch })
}

/// Queries of at least three users of the tenant without a result, or without an opened result.
pub async fn unmet(connection: &mut PgConnection, days: i64) -> Result<Vec<UnmetSearch>> {
    #[derive(FromRow)]
    struct Row {
        query: String,
        searches: i64,
        people: i64,
        without_result: i64,
        without_click: i64,
        last_searched_at: Timestamp,
    }
    let rows: Vec<Row> = sqlx::query_as(
        "select query, searches, people, without_result, without_click, last_searched_at from knowledge_insights($1)",
    )
    .bind(i32::try_from(days).unwrap_or(i32::MAX))
    .fetch_all(connection)
    .await?;
    let unmet = |row: Row| {
        let Row { query, searches, people, without_result, without_click, last_searched_at } = row;
        UnmetSearch { query, searches, people, without_result, without_click, last_searched_at }
    };
    Ok(rows.into_iter().map(unmet).collect())
}

/// Removes up to `batch` searches that are older than `days` days and returns how many (system scope).
pub async fn expire_batch(connection: &mut PgConnection, days: i32, batch: i64) -> Result<u64> {
    let deleted = sqlx::query(
        "delete from kh_search_history where id in (
             select id from kh_search_history
             where searched_at < now() - make_interval(days => $1)
             order by searched_at limit $2
         )",
    )
    .bind(days)
    .bind(batch)
    .execute(connection)
    .await?;
    Ok(deleted.rows_affected())
}

//! Saved searches of the transaction's user.

use contract::{
    Page, TenantId, Timestamp,
    id::SavedSearchId,
    knowledge_hub::{NewSavedSearch, RecordListQuery, SavedSearch, SearchFilters},
};
use sqlx::{AssertSqlSafe, FromRow, types::Json};
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

const COLUMNS: &str = "id, name, query, filters, created_at";

#[derive(FromRow)]
struct SavedSearchRow {
    id: Uuid,
    name: String,
    query: String,
    filters: Json<SearchFilters>,
    created_at: Timestamp,
}

impl From<SavedSearchRow> for SavedSearch {
    fn from(row: SavedSearchRow) -> Self {
        let SavedSearchRow { id, name, query, filters, created_at } = row;
        Self { id: SavedSearchId(id), name, query, filters: filters.0, created_at }
    }
}

/// How many saved searches the user has.
pub async fn count(connection: &mut PgConnection, tenant: TenantId) -> Result<i64> {
    let sql = "select count(*) from kh_saved_searches where tenant_id = $1";
    Ok(sqlx::query_scalar(sql).bind(tenant.0).fetch_one(connection).await?)
}

/// A page of the user's saved searches, newest first.
pub async fn list(
    connection: &mut PgConnection,
    tenant: TenantId,
    query: &RecordListQuery,
) -> Result<Page<SavedSearch>> {
    let total = count(connection, tenant).await?;
    let sql = format!(
        "select {COLUMNS} from kh_saved_searches where tenant_id = $1 order by created_at desc, id limit $2 offset $3"
    );
    let rows: Vec<SavedSearchRow> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(tenant.0)
        .bind(query.limit)
        .bind(query.offset)
        .fetch_all(connection)
        .await?;
    let items = rows.into_iter().map(SavedSearch::from).collect();
    Ok(Page { items, total, limit: query.limit, offset: query.offset })
}

/// A saved search of the user.
pub async fn find(connection: &mut PgConnection, tenant: TenantId, id: SavedSearchId) -> Result<Option<SavedSearch>> {
    let sql = format!("select {COLUMNS} from kh_saved_searches where tenant_id = $1 and id = $2");
    let row: Option<SavedSearchRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).bind(id.0).fetch_optional(connection).await?;
    Ok(row.map(SavedSearch::from))
}

/// When the results of a saved search were last shown to the user; `None` before the first time.
pub async fn last_seen(
    connection: &mut PgConnection,
    tenant: TenantId,
    id: SavedSearchId,
) -> Result<Option<Timestamp>> {
    let sql = "select seen_at from kh_saved_searches where tenant_id = $1 and id = $2";
    let seen_at: Option<Option<Timestamp>> =
        sqlx::query_scalar(sql).bind(tenant.0).bind(id.0).fetch_optional(connection).await?;
    Ok(seen_at.flatten())
}

/// Records that the results of a saved search as of this time were shown to the user.
pub async fn record_seen(
    connection: &mut PgConnection,
    tenant: TenantId,
    id: SavedSearchId,
    as_of: Timestamp,
) -> Result<()> {
    sqlx::query("update kh_saved_searches set seen_at = greatest(seen_at, $3) where tenant_id = $1 and id = $2")
        .bind(tenant.0)
        .bind(id.0)
        .bind(as_of)
        .execute(connection)
        .await?;
    Ok(())
}

/// The time before which every document is visible to the transaction: now, or when the oldest running job that stores
/// documents began. The time of a document is the start of the transaction that stores it, which may be visible much later.
pub async fn complete_until(connection: &mut PgConnection, tenant: TenantId) -> Result<Timestamp> {
    let sql = "select least(now(), min(started_at)) from jobs
               where tenant_id = $1 and state = 'running' and kind in ('read_upload', 'crawl', 'ingest')";
    Ok(sqlx::query_scalar(sql).bind(tenant.0).fetch_one(connection).await?)
}

/// Saves a search for the user.
pub async fn insert(connection: &mut PgConnection, tenant: TenantId, new: &NewSavedSearch) -> Result<SavedSearch> {
    let sql = format!(
        "insert into kh_saved_searches (id, tenant_id, realm, user_id, name, query, filters)
         values ($1, $2, current_setting('app.realm'), current_setting('app.username'), $3, $4, $5)
         returning {COLUMNS}"
    );
    let row: SavedSearchRow = sqlx::query_as(AssertSqlSafe(sql))
        .bind(Uuid::now_v7())
        .bind(tenant.0)
        .bind(new.name.trim())
        .bind(new.query.trim())
        .bind(Json(&new.filters))
        .fetch_one(connection)
        .await?;
    Ok(row.into())
}

/// Removes a saved search of the user.
pub async fn delete(connection: &mut PgConnection, tenant: TenantId, id: SavedSearchId) -> Result<bool> {
    let deleted = sqlx::query("delete from kh_saved_searches where tenant_id = $1 and id = $2")
        .bind(tenant.0)
        .bind(id.0)
        .execute(connection)
        .await?;
    Ok(deleted.rows_affected() > 0)
}

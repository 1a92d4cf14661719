//! Searches of the transaction's user, and queries of a tenant's users without useful results.

use chrono::{Days, NaiveDate};
use contract::{
    Page, TenantId, Timestamp,
    id::{DocumentVersionId, SearchId},
    knowledge_hub::{Insights, RecordListQuery, RecordedSearch, UnmetSearch},
};
use sqlx::FromRow;
use uuid::Uuid;

use super::lock_records;
use crate::{connection::PgConnection, error::Result};

/// Maximum opened documents that are recorded per search.
const MAX_CLICKS: i32 = 100;
/// Searches that are kept in the history of a user.
pub const MAX_RECORDED: i64 = 1000;
/// Searches outside the history that a user can still add to it.
const MAX_PENDING: i64 = 20;
/// Searches that a user can add within [`BURST_SECONDS`]: one a second.
const MAX_BURST: i64 = 10;
pub const BURST_SECONDS: u8 = 10;

#[derive(FromRow)]
struct SearchRow {
    public_id: Uuid,
    query: String,
    result_count: i32,
    searched_at: Timestamp,
    clicked_doc_ids: Vec<Uuid>,
}

impl From<SearchRow> for RecordedSearch {
    fn from(row: SearchRow) -> Self {
        let SearchRow { public_id, query, result_count, searched_at, clicked_doc_ids } = row;
        let clicked_doc_ids = clicked_doc_ids.into_iter().map(DocumentVersionId).collect();
        Self { id: SearchId(public_id), query, result_count, searched_at, clicked_doc_ids }
    }
}

/// Stores a search of the user outside the history, without its words.
pub async fn insert_pending(
    connection: &mut PgConnection,
    tenant: TenantId,
    query: &str,
    result_count: i64,
) -> Result<SearchId> {
    let id = sqlx::query_scalar(
        "insert into kh_search_history (tenant_id, realm, user_id, query, result_count, pending_sha256)
         values ($1, current_setting('app.realm'), current_setting('app.username'), '', $2, sha256(convert_to($3, 'UTF8')))
         returning public_id",
    )
    .bind(tenant.0)
    .bind(i32::try_from(result_count).unwrap_or(i32::MAX))
    .bind(query)
    .fetch_one(&mut *connection)
    .await?;
    keep_newest(connection, tenant, true, MAX_PENDING).await?;
    Ok(SearchId(id))
}

/// The result of adding a search to the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recording {
    Recorded {
        found: bool,
    },
    /// It is in the history already.
    Known,
    /// The user has no such search with these words.
    NoSearch,
    /// The user added too many in the last seconds.
    TooMany,
}

/// Adds a search of the user to the history, and removes the oldest one beyond [`MAX_RECORDED`].
pub async fn record(
    connection: &mut PgConnection,
    tenant: TenantId,
    search: SearchId,
    query: &str,
) -> Result<Recording> {
    lock_records(connection, tenant).await?;
    let statement = "select exists (select from kh_search_history
                 where tenant_id = $1 and public_id = $2 and pending_sha256 is null and query = $3)";
    if sqlx::query_scalar(statement).bind(tenant.0).bind(search.0).bind(query).fetch_one(&mut *connection).await? {
        return Ok(Recording::Known);
    }
    let recent = "select count(*) from kh_search_history
                  where tenant_id = $1 and pending_sha256 is null and searched_at > now() - make_interval(secs => $2)";
    let recent: i64 =
        sqlx::query_scalar(recent).bind(tenant.0).bind(f64::from(BURST_SECONDS)).fetch_one(&mut *connection).await?;
    if recent >= MAX_BURST {
        return Ok(Recording::TooMany);
    }
    let pending = "delete from kh_search_history
                   where tenant_id = $1 and public_id = $2 and pending_sha256 = sha256(convert_to($3, 'UTF8'))
                   returning result_count";
    let pending: Option<i32> =
        sqlx::query_scalar(pending).bind(tenant.0).bind(search.0).bind(query).fetch_optional(&mut *connection).await?;
    let Some(result_count) = pending else { return Ok(Recording::NoSearch) };
    sqlx::query(
        "insert into kh_search_history (tenant_id, realm, user_id, query, result_count, public_id)
         values ($1, current_setting('app.realm'), current_setting('app.username'), $2, $3, $4)",
    )
    .bind(tenant.0)
    .bind(query)
    .bind(result_count)
    .bind(search.0)
    .execute(&mut *connection)
    .await?;
    keep_newest(connection, tenant, false, MAX_RECORDED).await?;
    Ok(Recording::Recorded { found: result_count > 0 })
}

/// Removes the oldest searches of the user beyond a number, of those in the history or of the others.
async fn keep_newest(connection: &mut PgConnection, tenant: TenantId, are_pending: bool, number: i64) -> Result<()> {
    sqlx::query(
        "delete from kh_search_history where tenant_id = $1 and id in (
             select id from kh_search_history
             where tenant_id = $1 and (pending_sha256 is not null) = $2
             order by searched_at desc, id desc offset $3
         )",
    )
    .bind(tenant.0)
    .bind(are_pending)
    .bind(number)
    .execute(connection)
    .await?;
    Ok(())
}

/// A page of the user's searches, newest first.
pub async fn list(
    connection: &mut PgConnection,
    tenant: TenantId,
    query: &RecordListQuery,
) -> Result<Page<RecordedSearch>> {
    let total =
        sqlx::query_scalar("select count(*) from kh_search_history where tenant_id = $1 and pending_sha256 is null")
            .bind(tenant.0)
            .fetch_one(&mut *connection)
            .await?;
    let rows: Vec<SearchRow> = sqlx::query_as(
        "select public_id, query, result_count, searched_at, clicked_doc_ids from kh_search_history
         where tenant_id = $1 and pending_sha256 is null order by searched_at desc, id desc limit $2 offset $3",
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
         where tenant_id = $1 and public_id = $2 and pending_sha256 is null
           and $3 <> all (clicked_doc_ids) and cardinality(clicked_doc_ids) < $4",
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
    let sql = "select exists (select from kh_search_history
               where tenant_id = $1 and public_id = $2 and pending_sha256 is null)";
    let exists: bool = sqlx::query_scalar(sql).bind(tenant.0).bind(search.0).fetch_one(connection).await?;
    Ok(if exists { Click::Known } else { Click::NoSearch })
}

/// Queries of at least five users of the tenant without a result, or without an opened result, in the last four complete
/// weeks.
pub async fn unmet(connection: &mut PgConnection) -> Result<Insights> {
    #[derive(FromRow)]
    struct Row {
        query: String,
        searches: i64,
        without_result: i64,
        without_click: i64,
        last_searched_on: NaiveDate,
    }
    let until: NaiveDate = sqlx::query_scalar("select date_trunc('week', now() at time zone 'UTC')::date")
        .fetch_one(&mut *connection)
        .await?;
    let rows: Vec<Row> = sqlx::query_as(
        "select query, searches, without_result, without_click, last_searched_on from knowledge_unmet_searches()",
    )
    .fetch_all(connection)
    .await?;
    let unmet = |row: Row| {
        let Row { query, searches, without_result, without_click, last_searched_on } = row;
        UnmetSearch { query, searches, without_result, without_click, last_searched_on }
    };
    let (from, to) = (until - Days::new(28), until - Days::new(1));
    Ok(Insights { from, to, items: rows.into_iter().map(unmet).collect() })
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

//! Erases the knowledge of deleted tenants in batches, after the retention period, and the texts of their rows of the
//! output-filter audit.

use contract::{ChatbotId, TenantId};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

/// The first `limit` tenants that were deleted more than `days` days ago and still have knowledge (system scope). Every
/// table that is emptied here must be checked, or be empty whenever a checked one is: uploads have an original, fetched
/// pages a page.
pub async fn due(connection: &mut PgConnection, days: i32, limit: i64) -> Result<Vec<TenantId>> {
    let ids: Vec<Uuid> = sqlx::query_scalar(
        "select t.id from tenants t
         where t.deleted_at < now() - make_interval(days => $1)
           and (exists (select from documents d where d.tenant_id = t.id)
                or exists (select from originals o where o.tenant_id = t.id and o.erase_after is null)
                or exists (select from chatbot_faq f where f.tenant_id = t.id)
                or exists (select from websites w where w.tenant_id = t.id)
                or exists (select from website_pages p where p.tenant_id = t.id)
                or exists (select from stored_days s where s.tenant_id = t.id)
                or exists (select from kh_bookmarks b where b.tenant_id = t.id)
                or exists (select from kh_saved_searches k where k.tenant_id = t.id)
                or exists (select from kh_search_history h where h.tenant_id = t.id)
                or has_output_filter_texts(t.id))
         order by t.deleted_at, t.id
         limit $2",
    )
    .bind(days)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    Ok(ids.into_iter().map(TenantId).collect())
}

/// Removes at most `limit` documents of a deleted tenant with their passages, all of one chatbot. Returns the chatbot
/// with the ids of the passages, or `None` when there are no documents any more.
pub async fn remove_documents(
    connection: &mut PgConnection,
    tenant: TenantId,
    limit: i64,
) -> Result<Option<(ChatbotId, Vec<Uuid>)>> {
    let chatbot: Option<Uuid> = sqlx::query_scalar("select chatbot_id from documents where tenant_id = $1 limit 1")
        .bind(tenant.0)
        .fetch_optional(&mut *connection)
        .await?;
    let Some(chatbot) = chatbot else { return Ok(None) };
    let passages = sqlx::query_scalar(
        "with gone as (
             delete from documents where tenant_id = $1 and id in (
                 select id from documents where tenant_id = $1 and chatbot_id = $2 limit $3
             ) returning id
         ), kept as (
             delete from kept_passages k using gone
             where k.tenant_id = $1 and k.chatbot_id = $2 and k.document_id = gone.id
         ), removed as (
             delete from passages p using gone
             where p.tenant_id = $1 and p.chatbot_id = $2 and p.document_id = gone.id
             returning p.id
         ), vectors as (
             delete from next_vectors n using removed
             where n.tenant_id = $1 and n.chatbot_id = $2 and n.passage_id = removed.id
         )
         select id from removed",
    )
    .persistent(false)
    .bind(tenant.0)
    .bind(chatbot)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    Ok(Some((ChatbotId(chatbot), passages)))
}

/// Removes the remaining knowledge of a deleted tenant without documents: its own answers, its websites with their
/// pages, its usage by day, and files, which are erased soon.
pub async fn remove_rest(connection: &mut PgConnection, tenant: TenantId) -> Result<()> {
    for table in ["website_bodies", "website_pages", "websites", "chatbot_faq", "stored_days", "uploads"] {
        let sql = format!("delete from {table} where tenant_id = $1");
        sqlx::query(AssertSqlSafe(sql)).bind(tenant.0).execute(&mut *connection).await?;
    }
    sqlx::query("update originals set erase_after = now() where tenant_id = $1 and erase_after is null")
        .bind(tenant.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// Removes what the people of a deleted tenant kept in the knowledge hub (system scope). It belongs to each of them, so
/// a transaction of the tenant does not reach it.
pub async fn remove_hub_records(connection: &mut PgConnection, tenant: TenantId) -> Result<()> {
    for table in ["kh_bookmarks", "kh_saved_searches", "kh_search_history"] {
        let sql = format!("delete from {table} where tenant_id = $1");
        sqlx::query(AssertSqlSafe(sql)).bind(tenant.0).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Overwrites the texts of at most `batch` rows of the output-filter audit of a deleted tenant, and returns whether there
/// were any (system scope). The rows stay.
///
/// # Errors
/// When the tenant is not deleted.
pub async fn remove_filter_texts(connection: &mut PgConnection, tenant: TenantId, batch: i32) -> Result<bool> {
    let rows: i64 = sqlx::query_scalar("select erase_output_filter_texts($1, $2)")
        .bind(tenant.0)
        .bind(batch)
        .fetch_one(connection)
        .await?;
    Ok(rows > 0)
}

//! Counts a tenant's collections and drops those that are no longer needed.

use crate::connection::PgConnection;
use contract::{ChatbotId, TenantId};
use uuid::Uuid;

use crate::{error::Result, second_vectors, vectors::Collection};

/// The number of the tenant's chatbots that have a collection or are about to get one. The number stays valid until the
/// transaction ends, because concurrent calls wait.
pub async fn count_collections(connection: &mut PgConnection, tenant: TenantId) -> Result<i64> {
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('chatbots:' || $1::uuid::text, 0))")
        .bind(tenant.0)
        .execute(&mut *connection)
        .await?;
    Ok(sqlx::query_scalar("select count(*) from chatbots where tenant_id = $1 and collection_dropped_at is null")
        .bind(tenant.0)
        .fetch_one(connection)
        .await?)
}

/// At most `limit` chatbots that were deactivated, or whose tenant was deleted, more than `days` days ago, and that
/// still have a collection (system scope).
pub async fn idle_collections(connection: &mut PgConnection, days: i32, limit: i64) -> Result<Vec<Collection>> {
    let rows: Vec<(Uuid, Uuid)> = sqlx::query_as(
        "select c.tenant_id, c.id
         from chatbots c join tenants t on t.id = c.tenant_id
         where (c.status = 'deactivated' and c.deactivated_at < now() - make_interval(days => $1)
                or t.deleted_at < now() - make_interval(days => $1))
           and (c.collection_dropped_at is null
                or to_regclass('public.passages_' || replace(c.id::text, '-', '')) is not null)
         order by coalesce(c.deactivated_at, t.deleted_at), c.id
         limit $2",
    )
    .bind(days)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    let collection = |(tenant, chatbot)| Collection { tenant: TenantId(tenant), chatbot: ChatbotId(chatbot) };
    Ok(rows.into_iter().map(collection).collect())
}

/// Whether the collection of a chatbot was dropped or is being dropped: some of its passages are stored elsewhere.
pub async fn is_dropped(connection: &mut PgConnection, tenant: TenantId, id: ChatbotId) -> Result<bool> {
    Ok(sqlx::query_scalar(
        "select exists (select from chatbots where tenant_id = $1 and id = $2 and collection_dropped_at is not null)
             or exists (select from kept_passages where tenant_id = $1 and chatbot_id = $2)",
    )
    .bind(tenant.0)
    .bind(id.0)
    .fetch_one(connection)
    .await?)
}

/// Whether a chatbot counts towards its tenant's quota: its collection was not dropped, or was not dropped yet.
pub async fn is_counted(connection: &mut PgConnection, tenant: TenantId, id: ChatbotId) -> Result<bool> {
    Ok(sqlx::query_scalar(
        "select exists (select from chatbots where tenant_id = $1 and id = $2 and collection_dropped_at is null)",
    )
    .bind(tenant.0)
    .bind(id.0)
    .fetch_one(connection)
    .await?)
}

/// Drops the empty collection of a chatbot, which no longer counts then and has no second vectors.
///
/// # Errors
/// When it contains a passage, and when searches of other collections prevent the database from locking their table in
/// time.
pub async fn drop_collection(connection: &mut PgConnection, tenant: TenantId, id: ChatbotId) -> Result<()> {
    sqlx::query("select drop_collection($1)").bind(id.0).execute(&mut *connection).await?;
    second_vectors::set_model(connection, tenant, id, None).await?;
    set_dropped(connection, tenant, id, true).await
}

/// Records that the collection of a chatbot exists again.
pub async fn note_collection(connection: &mut PgConnection, tenant: TenantId, id: ChatbotId) -> Result<()> {
    set_dropped(connection, tenant, id, false).await
}

async fn set_dropped(connection: &mut PgConnection, tenant: TenantId, id: ChatbotId, dropped: bool) -> Result<()> {
    sqlx::query(
        "update chatbots set collection_dropped_at = case when $3 then now() end where tenant_id = $1 and id = $2",
    )
    .bind(tenant.0)
    .bind(id.0)
    .bind(dropped)
    .execute(connection)
    .await?;
    Ok(())
}

//! The vector collection of a chatbot: its creation and its state.

use contract::{ChatbotId, TenantId, chatbots::Provisioning};
use sqlx::{AssertSqlSafe, Executor};
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result, vectors::Collection};

/// Like [`provision_collection`], but on failure restores the transaction's former state and returns the reason.
///
/// # Errors
/// When the transaction cannot continue.
pub async fn try_provision_collection(
    connection: &mut PgConnection,
    id: ChatbotId,
    dimensions: Option<usize>,
) -> Result<Result<()>> {
    connection.execute("savepoint collection").await?;
    let outcome = provision_collection(connection, id, dimensions).await;
    let end = if outcome.is_ok() { "release collection" } else { "rollback to collection" };
    connection.execute(end).await?;
    Ok(outcome)
}

/// Creates the chatbot's collection with an index for vectors of `dimensions` numbers, or without an index when another
/// store has the vectors. Does nothing when both exist.
pub async fn provision_collection(
    connection: &mut PgConnection,
    id: ChatbotId,
    dimensions: Option<usize>,
) -> Result<()> {
    sqlx::query("select provision_collection($1, $2)")
        .bind(id.0)
        .bind(dimensions.map(|dimensions| i32::try_from(dimensions).unwrap_or(i32::MAX)))
        .execute(connection)
        .await?;
    Ok(())
}

/// Records the provisioning state of the collection and the embedder that filled it.
pub async fn set_provisioning(
    connection: &mut PgConnection,
    tenant: TenantId,
    id: ChatbotId,
    state: Provisioning,
    embedding: Option<(&str, usize)>,
) -> Result<()> {
    sqlx::query(
        "update chatbots set provisioning = $3, embedding_model = coalesce($4, embedding_model),
                             embedding_dimensions = coalesce($5, embedding_dimensions), updated_at = now()
         where tenant_id = $1 and id = $2",
    )
    .bind(tenant.0)
    .bind(id.0)
    .bind(state.as_str())
    .bind(embedding.map(|(model, _)| model))
    .bind(embedding.and_then(|(_, dimensions)| i32::try_from(dimensions).ok()))
    .execute(connection)
    .await?;
    Ok(())
}

/// The language of the chatbot, and the embedding model of its vectors if it has any.
pub async fn embedding_model(
    connection: &mut PgConnection,
    tenant: TenantId,
    id: ChatbotId,
) -> Result<Option<(String, Option<String>)>> {
    let sql = "select language, embedding_model from chatbots where tenant_id = $1 and id = $2";
    Ok(sqlx::query_as(sql).bind(tenant.0).bind(id.0).fetch_optional(connection).await?)
}

/// The models of the vectors of active chatbots, with the vector length and the number of chatbots (system scope).
pub async fn embeddings_in_use(connection: &mut PgConnection) -> Result<Vec<(String, i32, i64)>> {
    let rows = sqlx::query_as(
        "select c.embedding_model, c.embedding_dimensions, count(*)
         from chatbots c join tenants t on t.id = c.tenant_id
         where c.embedding_model is not null and c.embedding_dimensions is not null
           and c.status = 'active' and t.deleted_at is null
         group by 1, 2 order by 3 desc, 1, 2",
    );
    Ok(rows.fetch_all(connection).await?)
}

/// Active chatbots of live tenants whose collection is not ready, or that have prepared answers to take from their template
/// (system scope): at most 100, taken in turn from all tenants.
pub async fn unprovisioned(connection: &mut PgConnection) -> Result<Vec<(TenantId, ChatbotId)>> {
    let rows: Vec<(Uuid, Uuid)> = sqlx::query_as(
        "select c.tenant_id, c.id
         from chatbots c join tenants t on t.id = c.tenant_id
         where c.status = 'active' and t.deleted_at is null
           and (c.provisioning <> 'ready' or c.template_answers is not null
                or exists (select from chatbot_sources s
                           where s.tenant_id = c.tenant_id and s.chatbot_id = c.id and s.kind = 'faq_seed'))
         order by row_number() over (partition by c.tenant_id order by c.updated_at, c.id), c.updated_at, c.id
         limit 100",
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|(tenant, id)| (TenantId(tenant), ChatbotId(id))).collect())
}

/// A collection with the models of its vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvisionedCollection {
    pub collection: Collection,
    /// The model of the chatbot's own vectors.
    pub model: Option<String>,
    /// The model of its second vectors, if all passages have one.
    pub second_model: Option<String>,
}

/// Active chatbots of live tenants whose collection is ready (system scope).
pub async fn provisioned(connection: &mut PgConnection) -> Result<Vec<ProvisionedCollection>> {
    let rows: Vec<(Uuid, Uuid, Option<String>, Option<String>)> = sqlx::query_as(
        "select c.tenant_id, c.id, c.embedding_model, c.second_embedding_model
         from chatbots c join tenants t on t.id = c.tenant_id
         where c.provisioning = 'ready' and c.status = 'active' and t.deleted_at is null order by c.id",
    )
    .fetch_all(connection)
    .await?;
    let provisioned = |(tenant, chatbot, model, second_model)| ProvisionedCollection {
        collection: Collection { tenant: TenantId(tenant), chatbot: ChatbotId(chatbot) },
        model,
        second_model,
    };
    Ok(rows.into_iter().map(provisioned).collect())
}

/// Deactivated chatbots whose collection is ready (system scope).
pub async fn orphaned(connection: &mut PgConnection) -> Result<Vec<Collection>> {
    collections(
        connection,
        "where c.provisioning = 'ready' and (c.status <> 'active' or t.deleted_at is not null) order by c.id",
    )
    .await
}

/// Like [`provisioned`], but only chatbots whose collection has no vector index in the database.
pub async fn without_index(connection: &mut PgConnection) -> Result<Vec<Collection>> {
    collections(
        connection,
        "where c.provisioning = 'ready' and c.status = 'active' and t.deleted_at is null
           and to_regclass('public.passages_' || replace(c.id::text, '-', '') || '_hnsw') is null
         order by c.id",
    )
    .await
}

async fn collections(connection: &mut PgConnection, condition: &'static str) -> Result<Vec<Collection>> {
    let sql = format!("select c.tenant_id, c.id from chatbots c join tenants t on t.id = c.tenant_id {condition}");
    let rows: Vec<(Uuid, Uuid)> = sqlx::query_as(AssertSqlSafe(sql)).fetch_all(connection).await?;
    let collection = |(tenant, chatbot)| Collection { tenant: TenantId(tenant), chatbot: ChatbotId(chatbot) };
    Ok(rows.into_iter().map(collection).collect())
}

//! Second vectors, made by the multilingual model: they let questions in other languages find the passages of a chatbot
//! whose own model supports one language.

use contract::{ChatbotId, TenantId, jobs::JobKind};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    connection::PgConnection,
    error::Result,
    reindexing::{PendingPassage, pending_passages},
    vectors::Collection,
};

/// The second vectors of a chatbot: setting and state.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct SecondVectors {
    /// Whether its tenant wants answers to questions in other languages.
    pub cross_language: bool,
    /// Whether it is active and has a collection.
    pub is_active: bool,
    pub language: String,
    /// The model of its own vectors.
    pub embedding_model: Option<String>,
    /// The model of the second ones, when all passages have one.
    pub second_embedding_model: Option<String>,
}

/// The setting and the state of a chatbot's second vectors.
pub async fn find(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
) -> Result<Option<SecondVectors>> {
    let sql = "select cross_language, status = 'active' and provisioning = 'ready' as is_active, language,
                      embedding_model, second_embedding_model
               from chatbots where tenant_id = $1 and id = $2";
    Ok(sqlx::query_as(sql).bind(tenant.0).bind(chatbot.0).fetch_optional(connection).await?)
}

/// Active chatbots of live tenants whose second vectors differ from their settings, given that `model` is the
/// multilingual one, and that have no queued job to create or remove them (system scope).
pub async fn waiting(connection: &mut PgConnection, model: &str) -> Result<Vec<Collection>> {
    let rows: Vec<(Uuid, Uuid)> = sqlx::query_as(
        "select c.tenant_id, c.id
         from chatbots c join tenants t on t.id = c.tenant_id
         where c.status = 'active' and c.provisioning = 'ready' and t.deleted_at is null
           and c.second_embedding_model is distinct from
               case when c.cross_language and c.embedding_model <> $1 then $1 end
           and not exists (select from jobs j
                           where j.tenant_id = c.tenant_id and j.chatbot_id = c.id and j.kind = $2
                             and j.state in ('queued', 'running'))
         order by c.id",
    )
    .bind(model)
    .bind(JobKind::SecondVectors.as_str())
    .fetch_all(connection)
    .await?;
    let collection = |(tenant, chatbot)| Collection { tenant: TenantId(tenant), chatbot: ChatbotId(chatbot) };
    Ok(rows.into_iter().map(collection).collect())
}

/// Whether a job of the chatbot is queued and will see the changes of this transaction.
pub async fn is_queued(connection: &mut PgConnection, tenant: TenantId, chatbot: ChatbotId) -> Result<bool> {
    Ok(sqlx::query_scalar(
        "select exists (select from jobs where tenant_id = $1 and chatbot_id = $2 and kind = $3 and state = 'queued')",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(JobKind::SecondVectors.as_str())
    .fetch_one(connection)
    .await?)
}

/// At most `limit` passages without a second vector.
pub async fn pending(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    limit: i64,
) -> Result<Vec<PendingPassage>> {
    pending_passages(connection, tenant, chatbot, "p.second_embedding is null", limit).await
}

/// Stores the second vectors of passages; ignores passages that were deleted.
pub async fn store_vectors(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    vectors: &[(Uuid, Vec<f32>)],
) -> Result<()> {
    for (passage, embedding) in vectors {
        sqlx::query(
            "update passages set second_embedding = $4::real[]::halfvec
             where tenant_id = $1 and chatbot_id = $2 and id = $3",
        )
        .persistent(false)
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(passage)
        .bind(embedding)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Removes the second vectors of at most `limit` passages and returns how many.
pub async fn clear(connection: &mut PgConnection, tenant: TenantId, chatbot: ChatbotId, limit: i64) -> Result<u64> {
    let done = sqlx::query(
        "update passages set second_embedding = null
         where tenant_id = $1 and chatbot_id = $2
           and id in (select id from passages
                      where tenant_id = $1 and chatbot_id = $2 and second_embedding is not null limit $3)",
    )
    .persistent(false)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(limit)
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

/// Sets the model of the second vectors when all passages have one; without a model, questions do not use them.
pub async fn set_model(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    model: Option<&str>,
) -> Result<()> {
    sqlx::query(
        "update chatbots set second_embedding_model = $3
         where tenant_id = $1 and id = $2 and second_embedding_model is distinct from $3",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(model)
    .execute(connection)
    .await?;
    Ok(())
}

/// Creates or drops the database's index of second vectors of this length; does nothing when it is as requested.
pub async fn index(connection: &mut PgConnection, chatbot: ChatbotId, dimensions: Option<usize>) -> Result<()> {
    sqlx::query("select index_second_vectors($1, $2)")
        .bind(chatbot.0)
        .bind(dimensions.map(|dimensions| i32::try_from(dimensions).unwrap_or(i32::MAX)))
        .execute(connection)
        .await?;
    Ok(())
}

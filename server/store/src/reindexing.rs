//! Moves a chatbot to another embedding model: new vectors are created passage by passage, next to those in use, and
//! then replace them.

use contract::{ChatbotId, TenantId};
use pgvector::Vector;
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result, vectors::Collection};

/// A passage without a vector of the next model.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct PendingPassage {
    pub id: Uuid,
    /// The title of its document.
    pub title: String,
    /// The headings above it.
    pub heading: String,
    pub content: String,
    /// Whether it is a prepared answer, whose heading is a question.
    pub prepared: bool,
}

/// The text to embed for the passages of a chatbot.
const PENDING: &str = "select p.id, d.title, p.heading, p.content, s.kind in ('faq', 'faq_seed') as prepared
    from passages p
    join documents d on d.tenant_id = p.tenant_id and d.id = p.document_id
    join chatbot_sources s on s.tenant_id = d.tenant_id and s.id = d.source_id
    where p.tenant_id = $1 and p.chatbot_id = $2";

/// A vector of the next model.
#[derive(Debug, Clone, PartialEq)]
pub struct NextVector {
    pub passage: Uuid,
    /// The id that the passage gets with it, so that an external store can hold both.
    pub next_id: Uuid,
    pub embedding: Vec<f32>,
}

/// Sets the model that the chatbot moves to, or none, and drops the vectors of another next model. Returns the ids that
/// these vectors would have had.
pub async fn set_next(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    model: Option<&str>,
) -> Result<Vec<Uuid>> {
    sqlx::query(
        "update chatbots
         set next_embedding_model = $3, reindexed = 0, moves_to_multilingual = false,
             reindex_total = (select coalesce(sum(passage_count), 0) from documents
                              where tenant_id = $1 and chatbot_id = $2)
         where tenant_id = $1 and id = $2",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(model)
    .execute(&mut *connection)
    .await?;
    drop_made(connection, tenant, chatbot).await
}

/// The model that the chatbot moves to.
pub async fn next_model(connection: &mut PgConnection, tenant: TenantId, chatbot: ChatbotId) -> Result<Option<String>> {
    let next: Option<Option<String>> =
        sqlx::query_scalar("select next_embedding_model from chatbots where tenant_id = $1 and id = $2")
            .bind(tenant.0)
            .bind(chatbot.0)
            .fetch_optional(connection)
            .await?;
    Ok(next.flatten())
}

/// Active chatbots that had the English model and another language at the upgrade (system scope).
pub async fn waiting_for_upgrade(connection: &mut PgConnection) -> Result<Vec<Collection>> {
    let rows: Vec<(Uuid, Uuid)> = sqlx::query_as(
        "select c.tenant_id, c.id
         from chatbots c join tenants t on t.id = c.tenant_id
         where c.moves_to_multilingual and c.status = 'active' and t.deleted_at is null
         order by c.id",
    )
    .fetch_all(connection)
    .await?;
    let collection = |(tenant, chatbot)| Collection { tenant: TenantId(tenant), chatbot: ChatbotId(chatbot) };
    Ok(rows.into_iter().map(collection).collect())
}

/// At most `limit` passages without a vector of the next model.
pub async fn pending(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    limit: i64,
) -> Result<Vec<PendingPassage>> {
    let condition = "not exists (select from next_vectors n
                                 where n.tenant_id = $1 and n.chatbot_id = $2 and n.passage_id = p.id)";
    pending_passages(connection, tenant, chatbot, condition, limit).await
}

/// At most `limit` passages of a chatbot that fulfil an SQL condition on the passage `p`.
pub(crate) async fn pending_passages(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    condition: &'static str,
    limit: i64,
) -> Result<Vec<PendingPassage>> {
    let sql = format!("{PENDING} and {condition} order by p.id limit $3");
    Ok(sqlx::query_as(AssertSqlSafe(sql))
        .persistent(false)
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(limit)
        .fetch_all(connection)
        .await?)
}

/// Stores vectors of the next model and records the progress of the move. Returns how many passages have one, and about
/// how many there are.
pub async fn store_vectors(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    vectors: &[NextVector],
) -> Result<(i32, i32)> {
    for vector in vectors {
        sqlx::query(
            "insert into next_vectors (tenant_id, chatbot_id, passage_id, next_id, embedding)
             values ($1, $2, $3, $4, $5)
             on conflict do nothing",
        )
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(vector.passage)
        .bind(vector.next_id)
        .bind(Vector::from(vector.embedding.clone()))
        .execute(&mut *connection)
        .await?;
    }
    Ok(sqlx::query_as(
        "update chatbots
         set reindexed = made.count, reindex_total = greatest(reindex_total, made.count)
         from (select count(*)::integer from next_vectors where tenant_id = $1 and chatbot_id = $2) made
         where tenant_id = $1 and id = $2
         returning reindexed, reindex_total",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .fetch_one(connection)
    .await?)
}

/// Gives at most `limit` passages their next vector and id, and returns the former ids; `None` when no next vector is
/// left.
pub async fn replace(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    limit: i64,
) -> Result<Option<Vec<Uuid>>> {
    let batch: Vec<(Uuid, Uuid, Vec<f32>)> = sqlx::query_as(
        "delete from next_vectors
         where tenant_id = $1 and chatbot_id = $2
           and passage_id in (select passage_id from next_vectors where tenant_id = $1 and chatbot_id = $2 limit $3)
         returning passage_id, next_id, embedding::real[]",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(limit)
    .fetch_all(&mut *connection)
    .await?;
    if batch.is_empty() {
        return Ok(None);
    }
    let mut former = Vec::with_capacity(batch.len());
    for (passage, next_id, embedding) in batch {
        let done = sqlx::query(
            "update passages set id = $4, embedding = $5 where tenant_id = $1 and chatbot_id = $2 and id = $3",
        )
        .persistent(false)
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(passage)
        .bind(next_id)
        .bind(Vector::from(embedding))
        .execute(&mut *connection)
        .await?;
        // The passage may have been deleted; then nothing has the new id.
        former.push(if done.rows_affected() > 0 { passage } else { next_id });
    }
    Ok(Some(former))
}

/// Ends the move: sets the chatbot's model, and removes the summaries that were made with the former vectors.
pub async fn finish(connection: &mut PgConnection, tenant: TenantId, chatbot: ChatbotId, model: &str) -> Result<()> {
    sqlx::query(
        "delete from kh_document_summaries k using document_versions v
         where k.tenant_id = $1 and v.tenant_id = $1 and v.chatbot_id = $2 and v.id = k.document_id",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "update chatbots
         set embedding_model = $3, next_embedding_model = null, reindexed = 0, reindex_total = 0, updated_at = now()
         where tenant_id = $1 and id = $2",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(model)
    .execute(connection)
    .await?;
    Ok(())
}

async fn drop_made(connection: &mut PgConnection, tenant: TenantId, chatbot: ChatbotId) -> Result<Vec<Uuid>> {
    Ok(sqlx::query_scalar("delete from next_vectors where tenant_id = $1 and chatbot_id = $2 returning next_id")
        .bind(tenant.0)
        .bind(chatbot.0)
        .fetch_all(connection)
        .await?)
}

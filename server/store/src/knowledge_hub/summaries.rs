//! Summaries of documents, by version.

use contract::{
    ChatbotId, TenantId, Timestamp,
    id::DocumentVersionId,
    knowledge_hub::{DocumentSummary, SummaryState},
};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    connection::PgConnection,
    error::{Error, Result},
};

/// Maximum passages of a summary's input.
const MAX_PASSAGES: i64 = 200;

/// The newest version of a document, and where its passages are.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct Summarised {
    pub version: Uuid,
    /// The document by its own id.
    pub document: Uuid,
    pub chatbot: Uuid,
    pub title: String,
    /// The language of the chatbot.
    pub language: String,
    /// The model of its passages' vectors.
    pub embedding_model: Option<String>,
}

/// The text of a passage and the vector of its chatbot's model.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct VectorPassage {
    pub content: String,
    pub embedding: Vec<f32>,
}

/// The newest version of the document with this version.
pub async fn newest(
    connection: &mut PgConnection,
    tenant: TenantId,
    version: DocumentVersionId,
) -> Result<Option<Summarised>> {
    Ok(sqlx::query_as(
        "select n.id as version, d.id as document, c.id as chatbot, d.title, c.language, c.embedding_model
         from document_versions v
         join documents d on d.tenant_id = v.tenant_id and d.id = v.document_id
         join document_versions n on n.tenant_id = d.tenant_id and n.document_id = d.id and n.version = d.version
         join chatbots c on c.tenant_id = d.tenant_id and c.id = d.chatbot_id and c.status = 'active'
         where v.tenant_id = $1 and v.id = $2",
    )
    .bind(tenant.0)
    .bind(version.0)
    .fetch_optional(connection)
    .await?)
}

/// The summary of a version, when there is one.
pub async fn find(connection: &mut PgConnection, tenant: TenantId, version: Uuid) -> Result<Option<DocumentSummary>> {
    let row: Option<(String, String, Timestamp, String)> = sqlx::query_as(
        "select summary, language, generated_at, model_version from kh_document_summaries
         where tenant_id = $1 and document_id = $2",
    )
    .bind(tenant.0)
    .bind(version)
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|(summary, language, generated_at, model_version)| DocumentSummary {
        document_id: DocumentVersionId(version),
        state: SummaryState::Ready,
        summary: Some(summary),
        language,
        generated_at: Some(generated_at),
        model_version: Some(model_version),
    }))
}

/// The first passages of a document with their vectors.
pub async fn passages(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    document: Uuid,
) -> Result<Vec<VectorPassage>> {
    Ok(sqlx::query_as(
        "select content, embedding::real[] as embedding from passages
         where tenant_id = $1 and chatbot_id = $2 and document_id = $3 order by ordinal, id limit $4",
    )
    .persistent(false)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(document)
    .bind(MAX_PASSAGES)
    .fetch_all(connection)
    .await?)
}

/// Stores a summary unless there is one already. Returns whether its version still exists.
pub async fn insert(
    connection: &mut PgConnection,
    tenant: TenantId,
    version: Uuid,
    (summary, language, model): (&str, &str, &str),
) -> Result<bool> {
    let inserted = sqlx::query(
        "insert into kh_document_summaries (document_id, tenant_id, summary, language, model_version)
         values ($1, $2, $3, $4, $5) on conflict (document_id) do nothing",
    )
    .bind(version)
    .bind(tenant.0)
    .bind(summary)
    .bind(language)
    .bind(model)
    .execute(connection)
    .await
    .map_err(Error::from);
    match inserted {
        Ok(_) => Ok(true),
        Err(error) if error.constraint() == Some("kh_document_summaries_version_fkey") => Ok(false),
        Err(error) => Err(error),
    }
}

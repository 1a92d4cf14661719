//! Uploaded files that visitors may open.

use contract::{ChatbotId, OriginalId, TenantId, id::DocumentId};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

/// The uploaded file of a document, with the key that signs links to it.
#[derive(Debug, Clone)]
pub struct OpenFile {
    /// Its name within the source.
    pub external_id: String,
    /// The extension that decides how it is read.
    pub file_type: String,
    /// SHA-256 of its bytes, in lower-case hex.
    pub content_hash: String,
    pub bytes: i64,
    pub original: OriginalId,
    pub key: Vec<u8>,
}

#[derive(FromRow)]
struct Row {
    external_id: String,
    file_type: String,
    content_hash: String,
    bytes: i64,
    original_id: Uuid,
    file_key: Vec<u8>,
}

const OPEN_FILES: &str = "select u.external_id, u.file_type, u.content_hash, u.bytes, u.original_id, s.file_key
    from documents d
    join uploads u on u.tenant_id = $1 and u.chatbot_id = $2 and u.id = d.upload_id
    join chatbot_sources s on s.tenant_id = $1 and s.chatbot_id = $2 and s.id = u.source_id
    where d.tenant_id = $1 and d.chatbot_id = $2 and s.file_key is not null";

/// The uploaded file of a document of a chatbot; `None` when the tenant does not let visitors open it.
pub async fn open_file_of(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    document: DocumentId,
) -> Result<Option<OpenFile>> {
    let sql = format!("{OPEN_FILES} and d.id = $3");
    select(connection, sql, (tenant, chatbot, document.0)).await
}

/// An uploaded file of a chatbot; `None` when the tenant does not let visitors open it, or it was replaced.
pub async fn open_file(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    file: OriginalId,
) -> Result<Option<OpenFile>> {
    let sql = format!("{OPEN_FILES} and u.original_id = $3 limit 1");
    select(connection, sql, (tenant, chatbot, file.0)).await
}

async fn select(
    connection: &mut PgConnection,
    sql: String,
    (tenant, chatbot, id): (TenantId, ChatbotId, Uuid),
) -> Result<Option<OpenFile>> {
    let row: Option<Row> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).bind(chatbot.0).bind(id).fetch_optional(connection).await?;
    Ok(row.map(|row| OpenFile {
        external_id: row.external_id,
        file_type: row.file_type,
        content_hash: row.content_hash,
        bytes: row.bytes,
        original: OriginalId(row.original_id),
        key: row.file_key,
    }))
}

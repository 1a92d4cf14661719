//! Files to read again: those whose documents an older version of the reader created, and those that could not be read.

use contract::{ChatbotId, JobId, OriginalId, TenantId, UploadId, id::SourceId};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result, reader::READER_VERSION, uploads::StorageId};

/// What is found of a duplicate, before the path of the other document.
pub const SAME_CONTENT: &str = "the same content as ";
/// Maximum files of one transaction.
const MAX_FILES: i64 = 200;

/// A file to read again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutdatedUpload {
    pub id: UploadId,
    pub chatbot: ChatbotId,
    pub original: OriginalId,
    pub file_type: String,
    pub bytes: u64,
    /// `None` when it was stored before storages had ids.
    pub storage: Option<StorageId>,
    /// Whether it was never read, so that it becomes a new document.
    pub is_new: bool,
}

#[derive(FromRow)]
struct Row {
    id: Uuid,
    chatbot_id: Uuid,
    original_id: Uuid,
    file_type: String,
    bytes: i64,
    storage_id: Option<Uuid>,
    is_new: bool,
}

impl From<Row> for OutdatedUpload {
    fn from(row: Row) -> Self {
        Self {
            id: UploadId(row.id),
            chatbot: ChatbotId(row.chatbot_id),
            original: OriginalId(row.original_id),
            file_type: row.file_type,
            bytes: u64::try_from(row.bytes).unwrap_or_default(),
            storage: row.storage_id.map(StorageId),
            is_new: row.is_new,
        }
    }
}

/// Tenants with such files of active chatbots (system scope).
pub async fn tenants_with_outdated(connection: &mut PgConnection) -> Result<Vec<TenantId>> {
    let rows: Vec<Uuid> = sqlx::query_scalar(
        "select t.id
         from tenants t
         where t.deleted_at is null
           and exists (select from documents d join chatbots c on c.tenant_id = d.tenant_id and c.id = d.chatbot_id
                       where d.tenant_id = t.id and d.upload_id is not null and d.reader_version < $1
                         and c.status = 'active')
         order by t.id",
    )
    .bind(READER_VERSION)
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(TenantId).collect())
}

/// At most 200 such files of active chatbots without a queued job, locked until the transaction ends.
pub async fn lock_outdated(connection: &mut PgConnection, tenant: TenantId) -> Result<Vec<OutdatedUpload>> {
    let rows: Vec<Row> = sqlx::query_as(
        "select u.id, u.chatbot_id, u.original_id, u.file_type, u.bytes, o.storage_id, false as is_new
         from uploads u
         join chatbots c on c.tenant_id = u.tenant_id and c.id = u.chatbot_id
         join originals o on o.tenant_id = u.tenant_id and o.id = u.original_id
         where u.tenant_id = $1 and u.state = 'ready' and c.status = 'active'
           and exists (select from documents d
                       where d.tenant_id = $1 and d.upload_id = u.id and d.reader_version < $2)
         order by u.id
         limit $3
         for no key update of u skip locked",
    )
    .bind(tenant.0)
    .bind(READER_VERSION)
    .bind(MAX_FILES)
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(OutdatedUpload::from).collect())
}

/// At most `limit` files of a source without a queued job that could not be read, or not completely, or that an older
/// version of the reader read; locked until the transaction ends.
pub async fn lock_incomplete(
    connection: &mut PgConnection,
    tenant: TenantId,
    source: SourceId,
    limit: i64,
) -> Result<Vec<OutdatedUpload>> {
    let rows: Vec<Row> = sqlx::query_as(
        "select u.id, u.chatbot_id, u.original_id, u.file_type, u.bytes, o.storage_id,
                not exists (select from documents d where d.tenant_id = $1 and d.upload_id = u.id) as is_new
         from uploads u
         join originals o on o.tenant_id = u.tenant_id and o.id = u.original_id
         where u.tenant_id = $1 and u.source_id = $2
           and (u.state = 'failed'
                or u.state = 'ready'
                   and (u.skipped <> '[]'
                        or exists (select from documents d
                                   where d.tenant_id = $1 and d.upload_id = u.id and d.reader_version < $3)))
         order by u.id
         limit $4
         for no key update of u",
    )
    .bind(tenant.0)
    .bind(source.0)
    .bind(READER_VERSION)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(OutdatedUpload::from).collect())
}

/// At most 200 files of an active chatbot that were refused as duplicates of documents which it does not have any more, and
/// archives with such files; locked until the transaction ends.
pub async fn lock_former_duplicates(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
) -> Result<Vec<OutdatedUpload>> {
    let rows: Vec<Row> = sqlx::query_as(
        "select u.id, u.chatbot_id, u.original_id, u.file_type, u.bytes, o.storage_id,
                not exists (select from documents d where d.tenant_id = $1 and d.upload_id = u.id) as is_new
         from uploads u
         join chatbots c on c.tenant_id = u.tenant_id and c.id = u.chatbot_id
         join originals o on o.tenant_id = u.tenant_id and o.id = u.original_id
         where u.tenant_id = $1 and u.chatbot_id = $2 and c.status = 'active'
           and (u.state = 'failed' and u.code = 'duplicate'
                and not exists (select from documents d
                                join chatbot_sources s on s.tenant_id = d.tenant_id and s.id = d.source_id
                                where d.tenant_id = $1 and d.chatbot_id = $2 and d.content_hash = u.content_hash
                                  and d.upload_id is distinct from u.id and s.kind in ('files', 'upload', 'api'))
                or u.state = 'ready' and u.skipped <> '[]'
                and exists (select from jsonb_to_recordset(u.skipped) as k(code text, detail text)
                            where k.code = 'duplicate'
                              and not exists (select from documents d
                                              where d.tenant_id = $1 and d.chatbot_id = $2
                                                and k.detail = $4 || d.path)))
         order by u.id
         limit $3
         for no key update of u skip locked",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(MAX_FILES)
    .bind(SAME_CONTENT)
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(OutdatedUpload::from).collect())
}

/// Sets the job that will read a file again.
pub async fn set_waiting(connection: &mut PgConnection, tenant: TenantId, id: UploadId, job: JobId) -> Result<()> {
    sqlx::query("update uploads set state = 'waiting', code = null, detail = null, job_id = $3 where tenant_id = $1 and id = $2")
        .bind(tenant.0)
        .bind(id.0)
        .bind(job.0)
        .execute(connection)
        .await?;
    Ok(())
}

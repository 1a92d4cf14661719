//! Files that tenants upload, and the references to their bytes outside of the database.

mod originals;
mod outdated;
mod visitors;

pub use contract::documents::DocumentState;
use contract::{
    ChatbotId, JobId, OriginalId, TenantId, UploadId,
    documents::{DocumentProblem, SkippedFile},
    id::SourceId,
};
use sqlx::{AssertSqlSafe, FromRow, types::Json};
use uuid::Uuid;

pub use self::{
    originals::{
        DueOriginal, StorageId, delete_original, due_originals, insert_original, other_storages, reserve,
        used_and_reserved, withdraw_original,
    },
    outdated::{
        OutdatedUpload, SAME_CONTENT, lock_former_duplicates, lock_incomplete, lock_outdated, set_waiting,
        tenants_with_outdated,
    },
    visitors::{OpenFile, open_file, open_file_of},
};
use crate::{
    connection::PgConnection,
    error::{Error, Result},
    reader::READER_VERSION,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    pub id: UploadId,
    pub chatbot: ChatbotId,
    pub source: SourceId,
    /// Its name within the source.
    pub external_id: String,
    /// The extension that decides how it is read.
    pub file_type: String,
    /// SHA-256 of its bytes.
    pub content_hash: String,
    pub bytes: i64,
    pub original: OriginalId,
    pub state: DocumentState,
    /// The job that reads it, or read it.
    pub job: Option<JobId>,
    /// Whether it was ever read: its documents stay when another attempt fails.
    pub has_documents: bool,
}

#[derive(Debug, Clone)]
pub struct NewUpload<'a> {
    /// The id when the source has no file with this name yet.
    pub id: UploadId,
    pub source: SourceId,
    pub external_id: &'a str,
    pub file_type: &'a str,
    pub content_hash: &'a str,
    pub bytes: u64,
    pub original: OriginalId,
    /// The job that will read it.
    pub job: JobId,
}

const COLUMNS: &str =
    "id, chatbot_id, source_id, external_id, file_type, content_hash, bytes, original_id, state, job_id,
    exists (select from documents d where d.tenant_id = uploads.tenant_id and d.upload_id = uploads.id) as has_documents";

#[derive(FromRow)]
struct UploadRow {
    id: Uuid,
    chatbot_id: Uuid,
    source_id: Uuid,
    external_id: String,
    file_type: String,
    content_hash: String,
    bytes: i64,
    original_id: Uuid,
    state: String,
    job_id: Option<Uuid>,
    has_documents: bool,
}

impl TryFrom<UploadRow> for Upload {
    type Error = Error;
    fn try_from(row: UploadRow) -> Result<Self> {
        Ok(Self {
            id: UploadId(row.id),
            chatbot: ChatbotId(row.chatbot_id),
            source: SourceId(row.source_id),
            external_id: row.external_id,
            file_type: row.file_type,
            content_hash: row.content_hash,
            bytes: row.bytes,
            original: OriginalId(row.original_id),
            state: row.state.parse()?,
            job: row.job_id.map(JobId),
            has_documents: row.has_documents,
        })
    }
}

/// The files of a source with these names, or all of them.
pub async fn of_source(
    connection: &mut PgConnection,
    tenant: TenantId,
    source: SourceId,
    external_ids: Option<&[String]>,
) -> Result<Vec<Upload>> {
    let sql = format!(
        "select {COLUMNS} from uploads
         where tenant_id = $1 and source_id = $2 and ($3::text[] is null or external_id = any ($3))
         order by external_id"
    );
    let rows: Vec<UploadRow> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(tenant.0)
        .bind(source.0)
        .bind(external_ids)
        .fetch_all(connection)
        .await?;
    rows.into_iter().map(Upload::try_from).collect()
}

/// A file with this content, locked until the transaction ends; `None` when it was deleted or replaced.
pub async fn lock(
    connection: &mut PgConnection,
    tenant: TenantId,
    id: UploadId,
    original: OriginalId,
) -> Result<Option<Upload>> {
    let sql = format!(
        "select {COLUMNS} from uploads where tenant_id = $1 and id = $2 and original_id = $3 for no key update"
    );
    let row: Option<UploadRow> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(tenant.0)
        .bind(id.0)
        .bind(original.0)
        .fetch_optional(connection)
        .await?;
    row.map(Upload::try_from).transpose()
}

/// Stores a file and replaces the one of the same name, whose original is erased. The old documents stay until the new
/// file was read.
pub async fn upsert(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    new: &NewUpload<'_>,
) -> Result<()> {
    sqlx::query(
        "with kept as (
             update originals set erase_after = null, arriving_bytes = 0 where tenant_id = $2 and id = $9
         ), former as (
             update originals o set erase_after = now() from uploads u
             where u.tenant_id = $2 and u.source_id = $4 and u.external_id = $5 and o.tenant_id = u.tenant_id
               and o.id = u.original_id
         )
         insert into uploads (id, tenant_id, chatbot_id, source_id, external_id, file_type, content_hash, bytes,
                              original_id, job_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         on conflict (tenant_id, source_id, external_id) do update
         set file_type = excluded.file_type, content_hash = excluded.content_hash, bytes = excluded.bytes,
             original_id = excluded.original_id, job_id = excluded.job_id, state = 'waiting', code = null, detail = null,
             skipped = '[]', updated_at = now()",
    )
    .bind(new.id.0)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(new.source.0)
    .bind(new.external_id)
    .bind(new.file_type)
    .bind(new.content_hash)
    .bind(i64::try_from(new.bytes).unwrap_or(i64::MAX))
    .bind(new.original.0)
    .bind(new.job.0)
    .execute(connection)
    .await?;
    Ok(())
}

/// Sets the state of a file that is being read.
pub async fn set_reading(connection: &mut PgConnection, tenant: TenantId, id: UploadId) -> Result<()> {
    sqlx::query("update uploads set state = 'reading', code = null, detail = null where tenant_id = $1 and id = $2")
        .bind(tenant.0)
        .bind(id.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// Sets the state of a file that was read, and the files in it that could not be read.
pub async fn set_ready(
    connection: &mut PgConnection,
    tenant: TenantId,
    id: UploadId,
    skipped: &[SkippedFile],
) -> Result<()> {
    sqlx::query(
        "update uploads set state = 'ready', code = null, detail = null, skipped = $3, updated_at = now()
         where tenant_id = $1 and id = $2",
    )
    .bind(tenant.0)
    .bind(id.0)
    .bind(Json(skipped))
    .execute(connection)
    .await?;
    Ok(())
}

/// Sets the reason why a file could not be read.
pub async fn set_failed(
    connection: &mut PgConnection,
    tenant: TenantId,
    id: UploadId,
    (problem, detail): (DocumentProblem, &str),
    skipped: &[SkippedFile],
) -> Result<()> {
    // The database cannot store NUL.
    let detail = detail.replace('\0', "");
    sqlx::query(
        "update uploads set state = 'failed', code = $3, detail = $4, skipped = $5, updated_at = now()
         where tenant_id = $1 and id = $2",
    )
    .bind(tenant.0)
    .bind(id.0)
    .bind(problem.as_str())
    .bind(detail)
    .bind(Json(skipped))
    .execute(connection)
    .await?;
    Ok(())
}

/// A document that was read from a file.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct ReadBefore {
    pub path: String,
    /// SHA-256 of its bytes; empty when an older reader created it.
    pub content_hash: String,
    /// Pages with text from text recognition (OCR).
    pub ocr_pages: i32,
}

/// The documents that were read from a file.
pub async fn documents(connection: &mut PgConnection, tenant: TenantId, id: UploadId) -> Result<Vec<ReadBefore>> {
    Ok(sqlx::query_as(
        "select path, case when reader_version = $3 then content_hash else '' end as content_hash,
                cardinality(ocr_pages) as ocr_pages
         from documents where tenant_id = $1 and upload_id = $2",
    )
    .bind(tenant.0)
    .bind(id.0)
    .bind(READER_VERSION)
    .fetch_all(connection)
    .await?)
}

/// Removes the documents of a file except those with these paths. Returns the ids of their passages.
pub async fn delete_other_documents(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    id: UploadId,
    paths: &[String],
) -> Result<Vec<Uuid>> {
    Ok(sqlx::query_scalar(
        "with gone as (
             delete from documents where tenant_id = $1 and upload_id = $3 and path <> all ($4) returning id
         ), kept as (
             delete from kept_passages k using gone
             where k.tenant_id = $1 and k.chatbot_id = $2 and k.document_id = gone.id
         )
         delete from passages p using gone
         where p.tenant_id = $1 and p.chatbot_id = $2 and p.document_id = gone.id
         returning p.id",
    )
    .persistent(false)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(id.0)
    .bind(paths)
    .fetch_all(connection)
    .await?)
}

/// Removes files with their documents; their originals are erased soon. Returns the ids of their passages.
pub async fn delete(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    ids: &[UploadId],
) -> Result<Vec<Uuid>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    Ok(sqlx::query_scalar(
        "with gone as (
             delete from documents where tenant_id = $1 and upload_id = any ($3) returning id
         ), kept as (
             delete from kept_passages k using gone
             where k.tenant_id = $1 and k.chatbot_id = $2 and k.document_id = gone.id
         ), files as (
             delete from uploads where tenant_id = $1 and chatbot_id = $2 and id = any ($3) returning original_id
         ), stored as (
             update originals o set erase_after = now() from files
             where o.tenant_id = $1 and o.id = files.original_id
         )
         delete from passages p using gone
         where p.tenant_id = $1 and p.chatbot_id = $2 and p.document_id = gone.id
         returning p.id",
    )
    .persistent(false)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(ids)
    .fetch_all(connection)
    .await?)
}

/// The path of another document of the chatbot that was read from a file and has this content.
pub async fn document_with_content(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    (source, path): (SourceId, &str),
    content_hash: &str,
) -> Result<Option<String>> {
    Ok(sqlx::query_scalar(
        "select d.path from documents d join chatbot_sources s on s.tenant_id = d.tenant_id and s.id = d.source_id
         where d.tenant_id = $1 and d.chatbot_id = $2 and d.content_hash = $5 and (d.source_id, d.path) <> ($3, $4)
           and s.kind in ('files', 'upload', 'api')
         order by d.created_at, d.id
         limit 1",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(source.0)
    .bind(path)
    .bind(content_hash)
    .fetch_optional(connection)
    .await?)
}

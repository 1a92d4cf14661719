//! Reads and writes the parts that a copy of a chatbot gets.

use contract::{ChatbotId, FaqId, JobId, OriginalId, TenantId, UploadId, documents::SourceKind, id::SourceId};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::{
    connection::PgConnection,
    error::Result,
    sources::{SOURCES, Source, SourceRow},
};

/// An uploaded file that the copy of a chatbot gets as well.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct File {
    pub id: Uuid,
    pub source_id: Uuid,
    pub original_id: Uuid,
    pub file_type: String,
    pub bytes: i64,
    /// `None` when it was stored before storages had ids.
    pub storage_id: Option<Uuid>,
}

/// The copy of an uploaded file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewFile {
    /// The file that is copied.
    pub of: UploadId,
    pub of_original: OriginalId,
    pub id: UploadId,
    pub source: SourceId,
    /// The copy's original.
    pub original: OriginalId,
    /// The job that will read it.
    pub job: JobId,
}

/// The sources that a chatbot's tenant created: those for uploads, and websites.
pub async fn sources(connection: &mut PgConnection, tenant: TenantId, of: ChatbotId) -> Result<Vec<Source>> {
    let kinds = [SourceKind::Upload, SourceKind::Api, SourceKind::Website].map(SourceKind::as_str);
    let sql = format!("{SOURCES} where tenant_id = $1 and chatbot_id = $2 and kind = any ($3) order by created_at, id");
    let rows: Vec<SourceRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).bind(of.0).bind(kinds).fetch_all(connection).await?;
    rows.into_iter().map(Source::try_from).collect()
}

/// Copies the tenant's own questions and answers, which then wait to be indexed.
pub async fn own_answers(
    connection: &mut PgConnection,
    tenant: TenantId,
    of: ChatbotId,
    to: ChatbotId,
) -> Result<Vec<FaqId>> {
    let ids: Vec<Uuid> = sqlx::query_scalar(
        "insert into chatbot_faq (id, tenant_id, chatbot_id, question, variants, answer, template_question, created_by,
                                  created_at)
         select gen_random_uuid(), tenant_id, $3, question, variants, answer, template_question, created_by, created_at
         from chatbot_faq where tenant_id = $1 and chatbot_id = $2
         returning id",
    )
    .bind(tenant.0)
    .bind(of.0)
    .bind(to.0)
    .fetch_all(connection)
    .await?;
    Ok(ids.into_iter().map(FaqId).collect())
}

/// Copies the website of a source, including the proof of ownership. Returns whether it is paused, and whether its
/// pages are to be read.
pub async fn website(
    connection: &mut PgConnection,
    tenant: TenantId,
    of: SourceId,
    (chatbot, to): (ChatbotId, SourceId),
) -> Result<(bool, bool)> {
    Ok(sqlx::query_as(
        "insert into websites (source_id, tenant_id, chatbot_id, url, include, exclude, max_pages, max_depth, schedule, is_paused,
                               is_approved, token)
         select $4, tenant_id, $3, url, include, exclude, max_pages, max_depth, schedule, is_paused, is_approved, token
         from websites where tenant_id = $1 and source_id = $2
         returning is_paused, is_approved",
    )
    .bind(tenant.0)
    .bind(of.0)
    .bind(chatbot.0)
    .bind(to.0)
    .fetch_one(connection)
    .await?)
}

/// The uploaded files of a chatbot.
pub async fn files(connection: &mut PgConnection, tenant: TenantId, of: ChatbotId) -> Result<Vec<File>> {
    Ok(sqlx::query_as(
        "select u.id, u.source_id, u.original_id, u.file_type, u.bytes, o.storage_id
         from uploads u join originals o on o.tenant_id = u.tenant_id and o.id = u.original_id
         where u.tenant_id = $1 and u.chatbot_id = $2
         order by u.id",
    )
    .bind(tenant.0)
    .bind(of.0)
    .fetch_all(connection)
    .await?)
}

/// Stores copies of files. Leaves out files that were deleted or replaced in the meantime; their bytes are erased
/// later.
pub async fn insert_files(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    new: &[NewFile],
) -> Result<u64> {
    let ids = |id: fn(&NewFile) -> Uuid| new.iter().map(id).collect::<Vec<_>>();
    let done = sqlx::query(
        "with copied as (
             insert into uploads (id, tenant_id, chatbot_id, source_id, external_id, file_type, content_hash, bytes, original_id,
                                  job_id)
             select n.id, u.tenant_id, $2, n.source_id, u.external_id, u.file_type, u.content_hash, u.bytes, n.original_id, n.job_id
             from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::uuid[])
                 as n (of_id, of_original, id, source_id, original_id, job_id)
             join uploads u on u.tenant_id = $1 and u.id = n.of_id and u.original_id = n.of_original
             returning original_id
         )
         update originals o set erase_after = null from copied where o.tenant_id = $1 and o.id = copied.original_id",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(ids(|file| file.of.0))
    .bind(ids(|file| file.of_original.0))
    .bind(ids(|file| file.id.0))
    .bind(ids(|file| file.source.0))
    .bind(ids(|file| file.original.0))
    .bind(ids(|file| file.job.0))
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

//! Writes sources and documents.

use contract::documents::Omission;
pub use contract::documents::SourceKind;
use contract::{
    ChatbotId, TenantId, UploadId,
    id::{DocumentId, SourceId},
};
use sqlx::types::Json;
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result, reader::READER_VERSION};

/// A document of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDocument {
    pub id: DocumentId,
    /// The path within the source.
    pub path: String,
    /// SHA-256 of its original bytes; empty when an older reader created its passages.
    pub content_hash: String,
}

#[derive(Debug, Clone)]
pub struct NewDocument<'a> {
    /// The source it belongs to.
    pub source: SourceId,
    /// The file that it was read from, if a tenant uploaded it.
    pub upload: Option<UploadId>,
    /// The path within the source.
    pub path: &'a str,
    /// The title shown with its passages.
    pub title: &'a str,
    /// SHA-256 of its original bytes.
    pub content_hash: &'a str,
    /// How many passages it has.
    pub passage_count: usize,
    /// How many characters these have.
    pub characters: usize,
    /// Pages whose text comes from text recognition (OCR).
    pub ocr_pages: Vec<i32>,
    /// What of its file it leaves out.
    pub omissions: Vec<Omission>,
    /// The hashes of its blocks, if it is an HTML page.
    pub block_hashes: Vec<i64>,
}

/// A document of another source of the chatbot, by its content.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct OtherSourceContent {
    pub content_hash: String,
    pub source: Uuid,
    pub name: String,
    pub path: String,
}

/// The names of a chatbot's sources of one kind.
pub async fn source_names(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    kind: SourceKind,
) -> Result<Vec<String>> {
    Ok(sqlx::query_scalar(
        "select name from chatbot_sources where tenant_id = $1 and chatbot_id = $2 and kind = $3 order by name",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(kind.as_str())
    .fetch_all(connection)
    .await?)
}

/// Renames a source. The name must be unused among sources of its kind.
pub async fn rename_source(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    kind: SourceKind,
    (name, new): (&str, &str),
) -> Result<()> {
    sqlx::query(
        "update chatbot_sources set name = $5, updated_at = now()
         where tenant_id = $1 and chatbot_id = $2 and kind = $3 and name = $4",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(kind.as_str())
    .bind(name)
    .bind(new)
    .execute(connection)
    .await?;
    Ok(())
}

/// Finds or creates a source of a chatbot.
pub async fn upsert_source(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    kind: SourceKind,
    name: &str,
) -> Result<SourceId> {
    let id: Uuid = sqlx::query_scalar(
        "insert into chatbot_sources (id, tenant_id, chatbot_id, kind, name) values ($1, $2, $3, $4, $5)
         on conflict (tenant_id, chatbot_id, kind, name) do update set updated_at = now()
         returning id",
    )
    .bind(Uuid::now_v7())
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(kind.as_str())
    .bind(name)
    .fetch_one(connection)
    .await?;
    Ok(SourceId(id))
}

/// The documents of a source.
pub async fn of_source(
    connection: &mut PgConnection,
    tenant: TenantId,
    source: SourceId,
) -> Result<Vec<StoredDocument>> {
    let rows: Vec<(Uuid, String, String)> = sqlx::query_as(
        "select id, path, case when reader_version = $3 then content_hash else '' end
         from documents where tenant_id = $1 and source_id = $2 order by path",
    )
    .bind(tenant.0)
    .bind(source.0)
    .bind(READER_VERSION)
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|(id, path, content_hash)| StoredDocument { id: DocumentId(id), path, content_hash })
        .collect())
}

/// The block hashes of HTML pages of a source that were stored before the one with this path, the latest first.
pub async fn blocks_of_earlier_pages(
    connection: &mut PgConnection,
    tenant: TenantId,
    source: SourceId,
    path: &str,
    limit: i64,
) -> Result<Vec<Vec<i64>>> {
    // Ids follow the order in which documents were stored first.
    Ok(sqlx::query_scalar(
        "select block_hashes from documents
         where tenant_id = $1 and source_id = $2 and block_hashes <> '{}'
           and id < coalesce((select id from documents where tenant_id = $1 and source_id = $2 and path = $3),
                             'ffffffff-ffff-ffff-ffff-ffffffffffff')
         order by id desc
         limit $4",
    )
    .bind(tenant.0)
    .bind(source.0)
    .bind(path)
    .bind(limit)
    .fetch_all(connection)
    .await?)
}

/// Stores a document, or its next version, and returns its id.
pub async fn upsert(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    document: &NewDocument<'_>,
) -> Result<DocumentId> {
    let id: Uuid = sqlx::query_scalar(
        "with stored as (
             insert into documents (id, tenant_id, chatbot_id, source_id, path, title, content_hash, passage_count,
                                    characters, reader_version, upload_id, ocr_pages, block_hashes,
                                    omissions)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $10, $11, $12, $13, $14, $15)
             on conflict (tenant_id, source_id, path) do update
             set title = excluded.title, content_hash = excluded.content_hash,
                 passage_count = excluded.passage_count, characters = excluded.characters,
                 reader_version = excluded.reader_version, upload_id = excluded.upload_id,
                 ocr_pages = excluded.ocr_pages, block_hashes = excluded.block_hashes,
                 omissions = excluded.omissions,
                 version = documents.version + 1, updated_at = now()
             returning id, tenant_id, chatbot_id, version, title, content_hash, passage_count
         ), summaries as (
             delete from kh_document_summaries k
             using stored d join document_versions v on v.tenant_id = d.tenant_id and v.document_id = d.id
             where k.tenant_id = d.tenant_id and k.document_id = v.id
         )
         insert into document_versions (id, tenant_id, chatbot_id, document_id, version, title, content_hash,
                                        passage_count)
         select $9, tenant_id, chatbot_id, id, version, title, content_hash, passage_count from stored
         returning document_id",
    )
    .bind(Uuid::now_v7())
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(document.source.0)
    .bind(document.path)
    .bind(document.title)
    .bind(document.content_hash)
    .bind(i32::try_from(document.passage_count).unwrap_or(i32::MAX))
    .bind(Uuid::now_v7())
    .bind(i32::try_from(document.characters).unwrap_or(i32::MAX))
    .bind(READER_VERSION)
    .bind(document.upload.map(|upload| upload.0))
    .bind(&document.ocr_pages)
    .bind(&document.block_hashes)
    .bind(Json(&document.omissions))
    .fetch_one(connection)
    .await?;
    Ok(DocumentId(id))
}

/// Removes the documents of a chatbot's sources of one kind, with their passages. Returns the passages' ids.
pub async fn delete_of_kind(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    kind: SourceKind,
) -> Result<Vec<Uuid>> {
    let passages = sqlx::query_scalar(
        "with gone as (
             delete from documents d
             using chatbot_sources s
             where d.tenant_id = $1 and d.chatbot_id = $2 and s.tenant_id = d.tenant_id and s.id = d.source_id
               and s.kind = $3
             returning d.id
         ), kept as (
             delete from kept_passages k using gone
             where k.tenant_id = $1 and k.chatbot_id = $2 and k.document_id = gone.id
         )
         delete from passages p
         using gone
         where p.tenant_id = $1 and p.chatbot_id = $2 and p.document_id = gone.id
         returning p.id",
    )
    .persistent(false)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(kind.as_str())
    .fetch_all(connection)
    .await?;
    Ok(passages)
}

/// Removes a document with its passages and versions if it exists. Returns the passages' ids.
pub async fn remove(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    source: SourceId,
    path: &str,
) -> Result<Vec<Uuid>> {
    let passages = sqlx::query_scalar(
        "with gone as (
             delete from documents where tenant_id = $1 and source_id = $3 and path = $4 returning id
         ), kept as (
             delete from kept_passages k using gone
             where k.tenant_id = $1 and k.chatbot_id = $2 and k.document_id = gone.id
         )
         delete from passages p using gone g
         where p.tenant_id = $1 and p.chatbot_id = $2 and p.document_id = g.id
         returning p.id",
    )
    .persistent(false)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(source.0)
    .bind(path)
    .fetch_all(connection)
    .await?;
    Ok(passages)
}

/// The content hashes of the chatbot's documents from other sources.
pub async fn hashes_of_other_sources(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    sources: &[SourceId],
) -> Result<Vec<OtherSourceContent>> {
    let sources: Vec<Uuid> = sources.iter().map(|source| source.0).collect();
    Ok(sqlx::query_as(
        "select d.content_hash, d.source_id as source, s.name, d.path
         from documents d join chatbot_sources s on s.id = d.source_id
         where d.tenant_id = $1 and d.chatbot_id = $2 and s.kind = 'files' and d.source_id <> all ($3)",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(sources)
    .fetch_all(connection)
    .await?)
}

/// Counts documents of a chatbot whose files an older reader read and the current one may read differently.
pub async fn count_outdated(connection: &mut PgConnection, tenant: TenantId, chatbot: ChatbotId) -> Result<i64> {
    Ok(sqlx::query_scalar(
        "select count(*)
         from documents d join chatbot_sources s on s.tenant_id = d.tenant_id and s.id = d.source_id
         where d.tenant_id = $1 and d.chatbot_id = $2 and d.reader_version < $3 and s.kind not in ('faq', 'faq_seed')",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(READER_VERSION)
    .fetch_one(connection)
    .await?)
}

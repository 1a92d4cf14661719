//! Documents that a tenant uploads: stored immediately, read in the background by a job.

mod batch;
mod names;
pub mod read;
pub mod rereading;

use contract::{
    ChatbotId, ErrorCode, JobId, OriginalId, Page, TenantId, UploadId,
    audit::actions,
    documents::{DocumentListQuery, IndexedDocument},
    id::SourceId,
    uploads::{
        DeletedDocuments, DocumentPassage, DocumentsToDelete, ExternalId, LARGE_BYTES, PassageListQuery,
        SourceDocumentListQuery,
    },
};
use rag::document::{archive, name_forms};
use serde_json::{Value, json};
use store::{AuditEntry, PgConnection, documents::list, jobs, sources, uploads, vectors::Collection};

pub use self::batch::Batch;
use self::read::Payload;
use super::{originals::Original, source_change, vector_sync};
use crate::{caller::Caller, error::ApiResult, service::chatbot_tx, state::App};

/// A source of a chatbot.
pub type SourcePath = (ChatbotId, SourceId);
/// A document of a source.
pub type DocumentPath = (ChatbotId, SourceId, ExternalId);

/// A page of the documents of a source.
///
/// # Errors
/// `chatbot_not_found`, `source_not_found`.
pub async fn list(
    app: &App,
    caller: &Caller,
    (chatbot, source): SourcePath,
    query: SourceDocumentListQuery,
) -> ApiResult<Page<IndexedDocument>> {
    let (mut tx, tenant) = chatbot_tx::begin_read(app, caller, chatbot).await?;
    if sources::find(&mut tx, tenant, chatbot, source).await?.is_none() {
        return Err(ErrorCode::SourceNotFound.into());
    }
    let query = DocumentListQuery { source_id: Some(source), state: query.state, page: query.page };
    let page = list::documents(&mut tx, tenant, chatbot, &query).await?;
    Ok(page)
}

/// A document.
///
/// # Errors
/// `chatbot_not_found`, `source_not_found`, `document_not_found`.
pub async fn get(app: &App, caller: &Caller, path: &DocumentPath) -> ApiResult<IndexedDocument> {
    let (chatbot, source, id) = path;
    let (mut tx, tenant) = chatbot_tx::begin_read(app, caller, *chatbot).await?;
    let document = find(&mut tx, tenant, (*chatbot, *source), id).await?;
    Ok(document)
}

/// A page of the passages of a document.
///
/// # Errors
/// `chatbot_not_found`, `source_not_found`, `document_not_found`.
pub async fn passages(
    app: &App,
    caller: &Caller,
    (chatbot, source, id): &DocumentPath,
    query: &PassageListQuery,
) -> ApiResult<Page<DocumentPassage>> {
    let (mut tx, tenant) = chatbot_tx::begin_read(app, caller, *chatbot).await?;
    let document = find(&mut tx, tenant, (*chatbot, *source), id).await?;
    let page = list::passages(&mut tx, tenant, *chatbot, document.id, query).await?;
    Ok(page)
}

async fn find(
    connection: &mut PgConnection,
    tenant: TenantId,
    (chatbot, source): SourcePath,
    id: &ExternalId,
) -> ApiResult<IndexedDocument> {
    if sources::find(connection, tenant, chatbot, source).await?.is_none() {
        return Err(ErrorCode::SourceNotFound.into());
    }
    let forms = name_forms(id.as_str());
    let mut documents = list::with_paths(connection, tenant, chatbot, source, &forms).await?;
    documents.sort_by_key(|document| forms.iter().position(|form| *form == document.path));
    documents.into_iter().next().ok_or_else(|| ErrorCode::DocumentNotFound.into())
}

/// The uploaded file of a document.
///
/// # Errors
/// `chatbot_not_found`, `source_not_found`, `document_not_found`, `original_not_found`.
pub async fn original(app: &App, caller: &Caller, (chatbot, source, id): &DocumentPath) -> ApiResult<Original> {
    let (mut tx, tenant) = chatbot_tx::begin_read(app, caller, *chatbot).await?;
    let document = find(&mut tx, tenant, (*chatbot, *source), id).await?;
    let uploads = uploads::of_source(&mut tx, tenant, *source, Some(&[document.path])).await?;
    drop(tx);
    let upload = uploads.into_iter().next().ok_or(ErrorCode::OriginalNotFound)?;
    let bytes = upload.bytes.unsigned_abs();
    Ok(Original { tenant, id: upload.original, bytes, content_hash: upload.content_hash })
}

/// The payload of a job that reads a file.
pub(super) fn payload(upload: UploadId, original: OriginalId) -> Value {
    serde_json::to_value(Payload { upload, original }).unwrap_or_default()
}

/// Whether reading a file is a large job.
pub(super) fn is_large(bytes: u64, file_type: &str) -> bool {
    bytes > LARGE_BYTES || archive::is_archive(file_type)
}

/// Removes an uploaded document with its passages and, soon after, its file.
///
/// # Errors
/// `chatbot_not_found`, `source_not_found`, `source_read_only`, `document_not_found`.
pub async fn delete(app: &App, caller: &Caller, (chatbot, source, id): DocumentPath) -> ApiResult<()> {
    match delete_named(app, caller, (chatbot, source), &[id.into()]).await? {
        0 => Err(ErrorCode::DocumentNotFound.into()),
        _ => Ok(()),
    }
}

/// Removes several uploaded documents; those that the source does not have are ignored.
///
/// # Errors
/// `chatbot_not_found`, `source_not_found`, `source_read_only`.
pub async fn delete_many(
    app: &App,
    caller: &Caller,
    place: SourcePath,
    documents: &DocumentsToDelete,
) -> ApiResult<DeletedDocuments> {
    let deleted = delete_named(app, caller, place, &documents.external_ids).await?;
    Ok(DeletedDocuments { deleted: i64::try_from(deleted).unwrap_or(i64::MAX) })
}

async fn delete_named(app: &App, caller: &Caller, (chatbot, source): SourcePath, names: &[String]) -> ApiResult<usize> {
    let (mut tx, tenant) = chatbot_tx::begin_write(app, caller, chatbot).await?;
    source_change::lock(&mut tx, tenant, chatbot, source).await?;
    let deleted = names::find(&mut tx, tenant, source, names).await?;
    if deleted.is_empty() {
        tx.discard().await?;
        return Ok(0);
    }
    let ids: Vec<UploadId> = deleted.iter().map(|upload| upload.id).collect();
    // Jobs first: what they are about to commit is waited for, and then removed.
    let running: Vec<JobId> = deleted.iter().filter_map(|upload| upload.job).collect();
    jobs::cancel(&mut tx, tenant, &running).await?;
    let passages = uploads::delete(&mut tx, tenant, chatbot, &ids).await?;
    rereading::queue_former_duplicates(app, &mut tx, tenant, chatbot).await?;
    let (entity_id, before) = match deleted.as_slice() {
        [only] => (only.id.to_string(), json!({ "source_id": source, "content_hash": only.content_hash })),
        _ => (format!("bulk:{}", deleted.len()), json!({ "source_id": source, "document_ids": ids })),
    };
    let details = json!({ "before": before, "after": null });
    let entry = entry(caller, tenant, chatbot, actions::CHATBOT_DOCUMENT_DELETED, entity_id, details);
    tx.commit_audited(&entry).await?;
    vector_sync::remove(app, Collection { tenant, chatbot }, &passages).await;
    Ok(deleted.len())
}

fn entry(
    caller: &Caller,
    tenant: TenantId,
    chatbot: ChatbotId,
    action: &'static str,
    entity_id: String,
    details: Value,
) -> AuditEntry {
    chatbot_tx::entry(caller, (tenant, chatbot), action, ("chatbot_document", entity_id), details)
}

//! Documents that a tenant uploads: stored at once, read in the background by a job.

pub mod originals;
pub mod read;
pub mod rereading;

use bytes::Bytes;
use contract::{
    ChatbotId, ErrorCode, JobId, OriginalId, Page, TenantId, UploadId,
    audit::actions,
    documents::{DocumentListQuery, DocumentState, IndexedDocument},
    id::SourceId,
    uploads::{
        DeletedDocuments, DocumentPassage, DocumentsToDelete, ExternalId, PassageListQuery, SourceDocumentListQuery,
        UploadOutcome, UploadedDocument,
    },
    usage::Quota,
};
use futures::Stream;
use rag::document::{archive, is_document_type};
use serde_json::{Value, json};
use store::{
    AuditEntry, PgConnection, WriteTx,
    documents::list,
    jobs::{self, JobKind, NewJob},
    sources,
    uploads::{self, NewUpload, Upload},
    vectors::Collection,
};
use uuid::Uuid;

pub use self::originals::Original;
use self::{originals::Arrived, read::Payload};
use super::{sources as source_rules, vector_sync};
use crate::{
    caller::Caller,
    error::{ApiError, ApiResult},
    service::{
        chatbot_tx::{self, Lock},
        usage::{self, Exceeded},
    },
    state::App,
};

/// Files above this size, and archives, are large jobs: smaller ones of the tenant are read first.
const LARGE_BYTES: u64 = 1024 * 1024;

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
    if sources::find(&mut tx, tenant, chatbot, source, false).await?.is_none() {
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
    if sources::find(connection, tenant, chatbot, source, false).await?.is_none() {
        return Err(ErrorCode::SourceNotFound.into());
    }
    let named = list::named(connection, tenant, chatbot, source, &[id.to_string()]).await?;
    named.into_iter().next().ok_or_else(|| ErrorCode::DocumentNotFound.into())
}

/// The uploaded file of a document. Its bytes are compared with what was uploaded before the first of them is handed out.
///
/// # Errors
/// `chatbot_not_found`, `source_not_found`, `document_not_found`, `original_not_found`; `service_unavailable` when the storage is.
pub async fn original(app: &App, caller: &Caller, (chatbot, source, id): &DocumentPath) -> ApiResult<Original> {
    let (mut tx, tenant) = chatbot_tx::begin_read(app, caller, *chatbot).await?;
    find(&mut tx, tenant, (*chatbot, *source), id).await?;
    let found = uploads::of_source(&mut tx, tenant, *source, Some(&[id.to_string()])).await?;
    drop(tx);
    let upload = found.into_iter().next().ok_or(ErrorCode::OriginalNotFound)?;
    originals::open(app, tenant, upload.original, upload.content_hash).await
}

/// Files that are uploaded with one call: all of them are stored or none.
#[derive(Debug)]
pub struct Batch<'a> {
    app: &'a App,
    caller: &'a Caller,
    place: SourcePath,
    /// The quota of which nothing is left for files that the source does not have.
    full: Option<Exceeded>,
    files: Vec<NewFile>,
}

#[derive(Debug)]
struct NewFile {
    id: ExternalId,
    file_type: String,
    arrived: Arrived,
}

impl<'a> Batch<'a> {
    /// Begins an upload to a source that the tenant fills.
    ///
    /// # Errors
    /// `chatbot_not_found`, `chatbot_not_active`, `source_not_found`, `source_read_only`.
    pub async fn begin(app: &'a App, caller: &'a Caller, place: SourcePath) -> ApiResult<Self> {
        let (mut tx, tenant) = chatbot_tx::begin_active(app, caller, place.0, Lock::Nothing).await?;
        source_rules::filled_by_tenant(sources::find(&mut tx, tenant, place.0, place.1, false).await?)?;
        let full = usage::used_up(app, &mut tx, tenant, &[Quota::Documents, Quota::Bytes, Quota::Passages]).await?;
        tx.discard().await?;
        Ok(Self { app, caller, place, full, files: Vec::new() })
    }

    /// Receives a file. Its name says how it is read, or its content type when the name does not.
    ///
    /// # Errors
    /// `unsupported_document_type`, `payload_too_large`, a quota's code when nothing is left of it for a new file, and what the
    /// stream says.
    pub async fn receive(
        &mut self,
        id: ExternalId,
        content_type: Option<&str>,
        content: impl Stream<Item = ApiResult<Bytes>> + Unpin,
    ) -> ApiResult<()> {
        let file_type = file_type(id.as_str(), content_type).ok_or(ErrorCode::UnsupportedDocumentType)?;
        if self.files.iter().any(|file| file.id == id) {
            return Err(ApiError::field(&["body", id.as_str()], "is the name of two files", "duplicate"));
        }
        self.refuse_beyond_quota(&id).await?;
        let arrived = originals::receive(self.app, self.caller, content).await?;
        self.files.push(NewFile { id, file_type, arrived });
        Ok(())
    }

    /// Refuses a new file before its bytes when a quota is used up. Another version of a file may be smaller.
    async fn refuse_beyond_quota(&self, id: &ExternalId) -> ApiResult<()> {
        let Some(full) = self.full else { return Ok(()) };
        let (mut tx, tenant) = chatbot_tx::begin_read(self.app, self.caller, self.place.0).await?;
        let known = uploads::of_source(&mut tx, tenant, self.place.1, Some(&[id.to_string()])).await?;
        if known.is_empty() { Err(full.into()) } else { Ok(()) }
    }

    /// Stores the files and queues their reading. A file that the source has with the same content changes nothing.
    ///
    /// # Errors
    /// As [`Batch::begin`]; `quota_documents`, `quota_bytes`.
    pub async fn commit(self) -> ApiResult<Vec<UploadedDocument>> {
        let stored = self.store(&self.files).await;
        let (documents, unused) = match stored {
            Ok(stored) => stored,
            Err(error) => {
                self.discard().await;
                return Err(error);
            }
        };
        for arrived in unused {
            originals::discard(self.app, self.caller.tenant()?, arrived.id).await;
        }
        self.app.job_queued().notify_waiters();
        Ok(documents)
    }

    /// Removes the files that have arrived.
    pub async fn discard(&self) {
        let Ok(tenant) = self.caller.tenant() else { return };
        for file in &self.files {
            originals::discard(self.app, tenant, file.arrived.id).await;
        }
    }

    async fn store<'f>(&self, files: &'f [NewFile]) -> ApiResult<(Vec<UploadedDocument>, Vec<&'f Arrived>)> {
        let (chatbot, source) = self.place;
        let (mut tx, tenant) = chatbot_tx::begin_active(self.app, self.caller, chatbot, Lock::Nothing).await?;
        source_rules::lock(&mut tx, tenant, chatbot, source).await?;
        let names: Vec<String> = files.iter().map(|file| file.id.to_string()).collect();
        let mut known = uploads::of_source(&mut tx, tenant, source, Some(&names)).await?;
        let (mut outcomes, mut changed, mut unused) = (Vec::new(), Vec::new(), Vec::new());
        for file in files {
            let former = known.iter().position(|upload| upload.external_id == file.id.as_str());
            let former = former.map(|index| known.swap_remove(index));
            if former.as_ref().is_some_and(|former| is_unchanged(former, file)) {
                unused.push(&file.arrived);
                outcomes.push(UploadOutcome::Unchanged);
                continue;
            }
            outcomes.push(if former.is_some() { UploadOutcome::Replaced } else { UploadOutcome::Created });
            let id = former.as_ref().map_or_else(|| UploadId(Uuid::now_v7()), |former| former.id);
            self.queue(&mut tx, tenant, (id, former.as_ref()), file).await?;
            changed.push((id, former, file));
        }
        let mut shown = list::named(&mut tx, tenant, chatbot, source, &names).await?;
        let documents = names.iter().zip(outcomes).filter_map(|(name, outcome)| {
            let index = shown.iter().position(|document| &document.path == name)?;
            Some(UploadedDocument { outcome, document: shown.swap_remove(index) })
        });
        let documents = documents.collect();
        let Some(entry) = self.entry(tenant, &changed) else {
            tx.discard().await?;
            return Ok((documents, unused));
        };
        if let Some(exceeded) = usage::exceeded(self.app, &mut tx, tenant, &added(&changed)).await? {
            return Err(exceeded.into());
        }
        let audited = tx.audit(&entry).await?;
        tx.commit(audited).await?;
        Ok((documents, unused))
    }

    /// Stores a file and queues its reading in place of the reading of the former content.
    async fn queue(
        &self,
        tx: &mut WriteTx,
        tenant: TenantId,
        (id, former): (UploadId, Option<&Upload>),
        file: &NewFile,
    ) -> ApiResult<()> {
        let (chatbot, source) = self.place;
        if let Some(job) = former.and_then(|former| former.job) {
            jobs::cancel(tx, tenant, &[job]).await?;
        }
        let Arrived { id: original, content_hash, bytes } = &file.arrived;
        let (payload, is_large) = (payload(id, *original), is_large(*bytes, &file.file_type));
        let storage = self.app.storage().known_id();
        let new = NewJob { kind: JobKind::ReadUpload, chatbot, payload, is_large, storage };
        let job = jobs::insert(tx, tenant, &new).await?;
        let new = NewUpload {
            id,
            source,
            external_id: file.id.as_str(),
            file_type: &file.file_type,
            content_hash,
            bytes: *bytes,
            original: *original,
            job,
        };
        Ok(uploads::upsert(tx, tenant, chatbot, &new).await?)
    }

    /// The audit row of what changed. It has no name of a document: operators read it.
    fn entry(&self, tenant: TenantId, changed: &[(UploadId, Option<Upload>, &NewFile)]) -> Option<AuditEntry> {
        let (entity_id, details) = match changed {
            [] => return None,
            [(id, former, file)] => {
                let hash = &file.arrived.content_hash;
                let details = match former {
                    None => json!({ "before": null, "after": {
                        "source_id": self.place.1, "file_type": file.file_type, "bytes": file.arrived.bytes,
                        "content_hash": hash,
                    } }),
                    // The same file once more, because it could not be read.
                    Some(former) if former.content_hash == *hash => {
                        json!({ "before": { "state": former.state }, "after": { "state": DocumentState::Waiting } })
                    }
                    Some(former) => {
                        json!({ "before": { "content_hash": former.content_hash }, "after": { "content_hash": hash } })
                    }
                };
                (id.to_string(), details)
            }
            files => {
                let ids: Vec<UploadId> = files.iter().map(|(id, ..)| *id).collect();
                let bytes: u64 = files.iter().map(|(_, _, file)| file.arrived.bytes).sum();
                let after = json!({ "source_id": self.place.1, "document_ids": ids, "bytes": bytes });
                (format!("bulk:{}", files.len()), json!({ "before": null, "after": after }))
            }
        };
        Some(entry(self.caller, tenant, self.place.0, actions::CHATBOT_DOCUMENT_UPLOADED, entity_id, details))
    }
}

/// What files add to the tenant's usage.
fn added(changed: &[(UploadId, Option<Upload>, &NewFile)]) -> [(Quota, i64); 2] {
    // A file that could not be read was no document.
    let is_new = |former: &Option<Upload>| former.as_ref().is_none_or(|former| former.state == DocumentState::Failed);
    let new = changed.iter().filter(|(_, former, _)| is_new(former)).count();
    let bytes = changed.iter().map(|(_, former, file)| {
        i64::try_from(file.arrived.bytes).unwrap_or(i64::MAX) - former.as_ref().map_or(0, |former| former.bytes)
    });
    [(Quota::Documents, i64::try_from(new).unwrap_or(i64::MAX)), (Quota::Bytes, bytes.sum())]
}

/// What a job that reads a file is about.
pub(super) fn payload(upload: UploadId, original: OriginalId) -> Value {
    serde_json::to_value(Payload { upload, original }).unwrap_or_default()
}

/// Whether reading a file is a large job.
pub(super) fn is_large(bytes: u64, file_type: &str) -> bool {
    bytes > LARGE_BYTES || archive::file_type(&format!("x.{file_type}")).is_some()
}

/// Whether the file is stored already, and was read or will be.
fn is_unchanged(former: &Upload, file: &NewFile) -> bool {
    let is_same = former.content_hash == file.arrived.content_hash && former.file_type == file.file_type;
    is_same && former.state != DocumentState::Failed
}

/// The extension that says how a file is read: that of its name, or that of its content type.
fn file_type(name: &str, content_type: Option<&str>) -> Option<String> {
    if let Some(archive) = archive::file_type(name) {
        return Some(archive.to_owned());
    }
    let extension = name.rsplit('/').next()?.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    if let Some(extension) = extension.filter(|extension| is_document_type(extension)) {
        return Some(extension);
    }
    let essence = content_type?.split(';').next()?.trim().to_ascii_lowercase();
    let extension = match essence.as_str() {
        "text/markdown" => "md",
        "text/html" | "application/xhtml+xml" => "html",
        "text/plain" => "txt",
        "application/pdf" => "pdf",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => "docx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" => "xlsx",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation" => "pptx",
        "application/vnd.oasis.opendocument.text" => "odt",
        "application/epub+zip" => "epub",
        "text/csv" => "csv",
        "text/tab-separated-values" => "tsv",
        "application/jsonl" | "application/x-ndjson" => "jsonl",
        "application/zip" => "zip",
        "application/x-tar" => "tar",
        "application/gzip" => "tar.gz",
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/tiff" => "tif",
        _ => return None,
    };
    Some(extension.to_owned())
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
    source_rules::lock(&mut tx, tenant, chatbot, source).await?;
    let gone = uploads::of_source(&mut tx, tenant, source, Some(names)).await?;
    if gone.is_empty() {
        tx.discard().await?;
        return Ok(0);
    }
    let ids: Vec<UploadId> = gone.iter().map(|upload| upload.id).collect();
    // Jobs first: what they are about to commit is waited for, and then removed.
    let running: Vec<JobId> = gone.iter().filter_map(|upload| upload.job).collect();
    jobs::cancel(&mut tx, tenant, &running).await?;
    let passages = uploads::delete(&mut tx, tenant, chatbot, &ids).await?;
    let (entity_id, before) = match gone.as_slice() {
        [only] => (only.id.to_string(), json!({ "source_id": source, "content_hash": only.content_hash })),
        _ => (format!("bulk:{}", gone.len()), json!({ "source_id": source, "document_ids": ids })),
    };
    let details = json!({ "before": before, "after": null });
    let entry = entry(caller, tenant, chatbot, actions::CHATBOT_DOCUMENT_DELETED, entity_id, details);
    let audited = tx.audit(&entry).await?;
    tx.commit(audited).await?;
    vector_sync::remove(app, Collection { tenant, chatbot }, &passages).await;
    Ok(gone.len())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_says_how_a_file_is_read_and_else_its_content_type() {
        for (name, content_type, expected) in [
            ("a/b.PDF", None, Some("pdf")),
            ("a.tar.gz", None, Some("tar.gz")),
            ("a.tgz", Some("text/plain"), Some("tar.gz")),
            ("a.md", Some("application/octet-stream"), Some("md")),
            ("article-42", Some("text/html; charset=utf-8"), Some("html")),
            ("release-1.2", Some("Text/Markdown"), Some("md")),
            ("a.png", None, Some("png")),
            ("scan-42", Some("image/jpeg"), Some("jpg")),
            ("a.gif", Some("image/gif"), None),
            ("article-42", None, None),
        ] {
            assert_eq!(file_type(name, content_type).as_deref(), expected, "{name} {content_type:?}");
        }
    }
}

//! The files of one upload request: received one after the other, then stored and queued together.

use bytes::Bytes;
use contract::{
    ErrorCode, TenantId, UploadId,
    audit::actions,
    documents::DocumentState,
    id::SourceId,
    uploads::{ExternalId, UploadOutcome, UploadedDocument},
    usage::Quota,
};
use futures::Stream;
use rag::document::{archive, composed_name, is_document_type};
use serde_json::{Value, json};
use store::{
    AuditEntry, WriteTx,
    documents::list,
    jobs::{self, JobKind, NewJob},
    sources,
    uploads::{self, NewUpload, Upload},
};
use uuid::Uuid;

use super::{SourcePath, entry, is_large, names, payload};
use crate::{
    caller::Caller,
    error::{ApiError, ApiResult},
    service::{
        chatbot_tx::{self, Lock},
        knowledge::{
            media_types,
            originals::{self, Arrived, Expected, Pending},
            source_change,
        },
        usage::{self, Exceeded},
    },
    state::App,
};

/// Files of one request, which are stored all or none.
#[derive(Debug)]
pub struct Batch<'a> {
    app: &'a App,
    caller: &'a Caller,
    place: SourcePath,
    /// The exhausted quota for files that are new to the source.
    full: Option<Exceeded>,
    files: Vec<NewFile>,
    pending: Pending,
}

/// A file that was created, or whose former version was replaced.
type Changed<'f> = (UploadId, Option<Upload>, &'f NewFile);

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
        source_change::filled_by_tenant(sources::find(&mut tx, tenant, place.0, place.1).await?)?;
        let full = usage::used_up(app, &mut tx, tenant, &[Quota::Documents, Quota::Bytes, Quota::Passages]).await?;
        tx.discard().await?;
        Ok(Self { app, caller, place, full, files: Vec::new(), pending: Pending::new(app, tenant) })
    }

    /// Maximum bytes of a file: archives have a separate limit.
    pub fn max_bytes(&self, id: &ExternalId, content_type: Option<&str>) -> u64 {
        self.app.settings.uploads.max_bytes(&file_type(id.as_str(), content_type).unwrap_or_default())
    }

    /// Receives a file, whose length the client may have said. Its name decides how it is read, or its content type when
    /// the name does not.
    ///
    /// # Errors
    /// `unsupported_document_type`, `payload_too_large`, a quota's code when it is exhausted for a new file, and errors
    /// of [`originals::receive`].
    pub async fn receive(
        &mut self,
        id: ExternalId,
        content_type: Option<&str>,
        length: Option<u64>,
        content: impl Stream<Item = ApiResult<Bytes>> + Unpin,
    ) -> ApiResult<()> {
        let file_type = file_type(id.as_str(), content_type).ok_or(ErrorCode::UnsupportedDocumentType)?;
        let (id, replaced_bytes) = self.stored(id).await?;
        if self.files.iter().any(|file| file.id == id) {
            return Err(ApiError::field(&["body", id.as_str()], "is the name of two files", "duplicate"));
        }
        let max_bytes = self.app.settings.uploads.max_bytes(&file_type);
        let expected = Expected { max_bytes, replaced_bytes, length };
        let arrived = originals::receive(self.app, self.caller, &mut self.pending, expected, content).await?;
        self.files.push(NewFile { id, file_type, arrived });
        Ok(())
    }

    /// The name under which a file is stored, and the bytes of the former version. A new file is refused before its bytes
    /// when a quota is used up; another version of a file may be smaller.
    async fn stored(&self, id: ExternalId) -> ApiResult<(ExternalId, u64)> {
        let (mut tx, tenant) = chatbot_tx::begin_read(self.app, self.caller, self.place.0).await?;
        let stored = names::find(&mut tx, tenant, self.place.1, &[id.to_string()]).await?;
        let (name, bytes) = match (stored.into_iter().next(), self.full) {
            (None, Some(full)) => return Err(full.into()),
            (None, None) => (composed_name(id.as_str()), 0),
            (Some(former), _) => (former.external_id, former.bytes.unsigned_abs()),
        };
        Ok((name.parse().unwrap_or(id), bytes))
    }

    /// Stores the files and queues their reading. A file that the source has with the same content changes nothing.
    ///
    /// # Errors
    /// Like [`Batch::begin`]; `quota_documents`, `quota_bytes`.
    pub async fn commit(mut self) -> ApiResult<Vec<UploadedDocument>> {
        let stored = self
            .store(&self.files)
            .await
            .map(|(documents, unused)| (documents, unused.into_iter().map(|arrived| arrived.id).collect::<Vec<_>>()));
        if let Ok((_, unused)) = &stored {
            self.pending.keep(|id| !unused.contains(&id));
            self.app.job_queued().notify_waiters();
        }
        self.discard().await;
        Ok(stored?.0)
    }

    /// Removes what has arrived and is not stored.
    pub async fn discard(&mut self) {
        self.pending.discard().await;
    }

    async fn store<'f>(&self, files: &'f [NewFile]) -> ApiResult<(Vec<UploadedDocument>, Vec<&'f Arrived>)> {
        let (chatbot, source) = self.place;
        let (mut tx, tenant) = chatbot_tx::begin_active(self.app, self.caller, chatbot, Lock::Nothing).await?;
        source_change::lock(&mut tx, tenant, chatbot, source).await?;
        let names: Vec<String> = files.iter().map(|file| file.id.to_string()).collect();
        let mut uploads_before = uploads::of_source(&mut tx, tenant, source, Some(&names)).await?;
        let (mut outcomes, mut changed, mut unused) = (Vec::new(), Vec::new(), Vec::new());
        for file in files {
            let former = uploads_before.iter().position(|upload| upload.external_id == file.id.as_str());
            let former = former.map(|index| uploads_before.swap_remove(index));
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
        let mut listed = list::with_paths(&mut tx, tenant, chatbot, source, &names).await?;
        let documents = names.iter().zip(outcomes).filter_map(|(name, outcome)| {
            let index = listed.iter().position(|document| &document.path == name)?;
            Some(UploadedDocument { outcome, document: listed.swap_remove(index) })
        });
        let documents = documents.collect();
        let Some(entry) = self.entry(tenant, &changed) else {
            tx.discard().await?;
            return Ok((documents, unused));
        };
        if let Some(exceeded) = usage::exceeded(self.app, &mut tx, tenant, &added(&changed)).await? {
            return Err(exceeded.into());
        }
        tx.commit_audited(&entry).await?;
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
        let new = NewJob { kind: JobKind::ReadUpload, chatbot, payload, is_large, storage, host: None };
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

    /// The audit row of the changes. It contains no names of documents, because operators can read it.
    fn entry(&self, tenant: TenantId, changed: &[Changed<'_>]) -> Option<AuditEntry> {
        let is_new = changed.iter().any(|(_, former, _)| former.is_none());
        let (entity_id, details) = match changed {
            [] => return None,
            [(id, former, file)] => {
                let hash = &file.arrived.content_hash;
                let details = match former {
                    None => json!({ "before": null, "after": {
                        "source_id": self.place.1, "file_type": file.file_type, "bytes": file.arrived.bytes,
                        "content_hash": hash,
                    } }),
                    // The same file again, because it could not be read.
                    Some(former) if former.content_hash == *hash => {
                        json!({ "before": { "state": former.state }, "after": { "state": DocumentState::Waiting } })
                    }
                    Some(former) => {
                        json!({ "before": { "content_hash": former.content_hash }, "after": { "content_hash": hash } })
                    }
                };
                (id.to_string(), details)
            }
            files => (format!("bulk:{}", files.len()), several(self.place.1, files)),
        };
        let action = match is_new {
            true => actions::CHATBOT_DOCUMENT_CREATED,
            false => actions::CHATBOT_DOCUMENT_REPLACED,
        };
        Some(entry(self.caller, tenant, self.place.0, action, entity_id, details))
    }
}

/// What an upload of several files created and what it replaced.
fn several(source: SourceId, changed: &[Changed<'_>]) -> Value {
    let created = changed.iter().filter(|(_, former, _)| former.is_none());
    let replaced = changed.iter().filter_map(|(id, former, file)| Some((*id, former.as_ref()?, file)));
    let hashed = |id: UploadId, hash: &str| json!({ "document_id": id, "content_hash": hash });
    let before: Vec<Value> = replaced.clone().map(|(id, former, _)| hashed(id, &former.content_hash)).collect();
    let created: Vec<Value> = created.map(|(id, _, file)| hashed(*id, &file.arrived.content_hash)).collect();
    let replaced: Vec<Value> = replaced.map(|(id, _, file)| hashed(id, &file.arrived.content_hash)).collect();
    let bytes: u64 = changed.iter().map(|(_, _, file)| file.arrived.bytes).sum();
    let before = if before.is_empty() { Value::Null } else { json!({ "source_id": source, "replaced": before }) };
    json!({
        "before": before,
        "after": { "source_id": source, "created": created, "replaced": replaced, "bytes": bytes },
    })
}

/// The files' usage of the tenant's quotas.
fn added(changed: &[Changed<'_>]) -> [(Quota, i64); 2] {
    // A file that could never be read is no document.
    let is_unread = |former: &Upload| former.state == DocumentState::Failed && !former.has_documents;
    let is_new = |former: &Option<Upload>| former.as_ref().is_none_or(is_unread);
    let new = changed.iter().filter(|(_, former, _)| is_new(former)).count();
    let bytes = changed.iter().map(|(_, former, file)| {
        i64::try_from(file.arrived.bytes).unwrap_or(i64::MAX) - former.as_ref().map_or(0, |former| former.bytes)
    });
    [(Quota::Documents, i64::try_from(new).unwrap_or(i64::MAX)), (Quota::Bytes, bytes.sum())]
}

/// Whether the file is stored already, and was read or will be.
fn is_unchanged(former: &Upload, file: &NewFile) -> bool {
    let is_same = former.content_hash == file.arrived.content_hash && former.file_type == file.file_type;
    is_same && former.state != DocumentState::Failed
}

/// The extension that decides how a file is read: that of its name, or that of its content type.
fn file_type(name: &str, content_type: Option<&str>) -> Option<String> {
    if let Some(archive) = archive::file_type(name) {
        return Some(archive.to_owned());
    }
    let extension = name.rsplit('/').next()?.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    if let Some(extension) = extension.filter(|extension| is_document_type(extension)) {
        return Some(extension);
    }
    let essence = content_type?.split(';').next()?.trim().to_ascii_lowercase();
    media_types::extension(&essence).map(str::to_owned)
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

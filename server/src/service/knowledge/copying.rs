//! Copies the sources of a chatbot to its copy: their settings, and files that a job reads again.

use contract::{
    ChatbotId, ErrorCode, JobId, OriginalId, TenantId, UploadId, documents::SourceKind, id::SourceId, usage::Quota,
};
use store::{
    Exemption, WriteTx,
    chatbots::copy::{self, File, NewFile},
    jobs::{self, JobKind, NewJob},
    sources::{self, Source},
    uploads::{self as rows, StorageId},
};
use uuid::Uuid;

use super::{originals, uploads, visitor_files, websites};
use crate::{
    caller::Caller,
    error::ApiResult,
    service::{chatbot_tx, usage},
    state::App,
};

/// Files with a second name in the storage, to which a copy of the chatbot will refer.
#[derive(Debug)]
pub struct LinkedFiles<'a> {
    app: &'a App,
    tenant: TenantId,
    files: Vec<(File, OriginalId)>,
    storage: Option<StorageId>,
}

impl<'a> LinkedFiles<'a> {
    /// Creates a second name for each of a chatbot's files.
    ///
    /// # Errors
    /// `chatbot_not_found`; `service_unavailable` when they cannot be written.
    pub async fn of(app: &'a App, caller: &Caller, chatbot: ChatbotId) -> ApiResult<Self> {
        let (mut tx, tenant) = chatbot_tx::begin_write(app, caller, chatbot).await?;
        let files = copy::files(&mut tx, tenant, chatbot).await?;
        let files: Vec<_> = files.into_iter().map(|file| (file, OriginalId(Uuid::now_v7()))).collect();
        if files.is_empty() {
            tx.discard().await?;
            return Ok(Self { app, tenant, files, storage: None });
        }
        let storage = app.storage().id().await.map_err(originals::not_writable)?;
        if let Some((file, _)) = files.iter().find(|(file, _)| file.storage_id.is_some_and(|id| id != storage.0)) {
            tracing::error!(original_id = %file.original_id, storage_id = ?file.storage_id, "originals.in_another_storage");
            return Err(ErrorCode::ServiceUnavailable.into());
        }
        for (_, new) in &files {
            rows::insert_original(&mut tx, tenant, *new, storage).await?;
        }
        tx.commit_exempt(Exemption::Upload).await?;
        let linked = Self { app, tenant, files, storage: Some(storage) };
        for (file, new) in &linked.files {
            if let Err(code) = originals::link(app, tenant, OriginalId(file.original_id), *new).await {
                linked.discard().await;
                return Err(code.into());
            }
        }
        Ok(linked)
    }

    /// Removes the second names, to which no chatbot refers.
    pub async fn discard(&self) {
        for (_, new) in &self.files {
            originals::discard(self.app, self.tenant, *new).await;
        }
    }

    /// Stores the files of copied sources and queues their reading; returns how many.
    async fn store(&self, tx: &mut WriteTx, to: ChatbotId, sources: &[(SourceId, SourceId)]) -> store::Result<u64> {
        let mut new = Vec::new();
        for (file, original) in &self.files {
            let Some((_, source)) = sources.iter().find(|(of, _)| of.0 == file.source_id) else { continue };
            let id = UploadId(Uuid::now_v7());
            let job = self.queue(tx, to, (id, *original), file).await?;
            let (of, of_original) = (UploadId(file.id), OriginalId(file.original_id));
            new.push(NewFile { of, of_original, id, source: *source, original: *original, job });
        }
        copy::insert_files(tx, self.tenant, to, &new).await
    }

    async fn queue(
        &self,
        tx: &mut WriteTx,
        chatbot: ChatbotId,
        (id, original): (UploadId, OriginalId),
        file: &File,
    ) -> store::Result<JobId> {
        let payload = uploads::payload(id, original);
        let is_large = uploads::is_large(u64::try_from(file.bytes).unwrap_or(u64::MAX), &file.file_type);
        let new = NewJob { kind: JobKind::ReadUpload, chatbot, payload, is_large, storage: self.storage, host: None };
        jobs::insert(tx, self.tenant, &new).await
    }
}

/// Refuses a copy of a chatbot's sources and files for which the tenant has no room. [`copy_sources`] repeats the check.
///
/// # Errors
/// `quota_sources`, `quota_websites`, `quota_documents`, `quota_bytes`.
pub async fn check_room(app: &App, tx: &mut WriteTx, tenant: TenantId, of: ChatbotId) -> ApiResult<()> {
    let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let sources = copy::sources(tx, tenant, of).await?;
    let websites = sources.iter().filter(|source| source.kind == SourceKind::Website).count();
    super::sources::check_room(tx, tenant, (number(sources.len()), number(websites))).await?;
    let files = copy::files(tx, tenant, of).await?;
    let bytes = files.iter().map(|file| file.bytes).sum();
    let added = [(Quota::Documents, number(files.len())), (Quota::Bytes, bytes)];
    match usage::would_exceed(app, tx, tenant, &added).await? {
        Some(exceeded) => Err(exceeded.into()),
        None => Ok(()),
    }
}

/// What was copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Copied {
    /// Sources that the tenant created.
    pub sources: usize,
    /// Uploaded files in them.
    pub files: u64,
}

/// Copies the sources that the tenant created. Websites are visited again, and files read again, in the background.
///
/// # Errors
/// `quota_sources`, `quota_websites`, `quota_documents`, `quota_bytes`.
pub async fn copy_sources(
    tx: &mut WriteTx,
    files: &LinkedFiles<'_>,
    (of, to): (ChatbotId, ChatbotId),
    username: &str,
) -> ApiResult<Copied> {
    let tenant = files.tenant;
    let (mut copied, mut websites) = (Vec::new(), 0);
    for source in copy::sources(tx, tenant, of).await? {
        let new = Source { id: SourceId(Uuid::now_v7()), ..source.clone() };
        sources::insert(tx, tenant, to, &new).await?;
        if source.visitors_open_files {
            sources::set_file_key(tx, tenant, new.id, Some(visitor_files::new_key())).await?;
        }
        if source.kind == SourceKind::Website {
            websites += 1;
            copy_website(tx, tenant, source.id, (to, new.id), username).await?;
        }
        copied.push((source.id, new.id));
    }
    let number = i64::try_from(copied.len()).unwrap_or(i64::MAX);
    super::sources::check_number(tx, tenant, (number, websites)).await?;
    let bytes = files.files.iter().map(|(file, _)| file.bytes).sum();
    let app = files.app;
    let files = files.store(tx, to, &copied).await?;
    let added = [(Quota::Documents, i64::try_from(files).unwrap_or(i64::MAX)), (Quota::Bytes, bytes)];
    if let Some(exceeded) = usage::exceeded(app, tx, tenant, &added).await? {
        return Err(exceeded.into());
    }
    Ok(Copied { sources: copied.len(), files })
}

async fn copy_website(
    tx: &mut WriteTx,
    tenant: TenantId,
    of: SourceId,
    to: (ChatbotId, SourceId),
    username: &str,
) -> store::Result<()> {
    let (is_paused, is_approved) = copy::website(tx, tenant, of, to).await?;
    if is_paused {
        return store::websites::halt(tx, tenant, to.1).await;
    }
    websites::queue(tx, tenant, to, false, (Some(username), is_approved)).await
}

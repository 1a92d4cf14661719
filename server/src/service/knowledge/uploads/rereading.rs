//! Reads files again from their originals by the usual job: at startup, those whose documents an older version of the
//! reader created, and on request of their tenant, those that could not be read. The former passages are used until
//! then.

use contract::{ChatbotId, TenantId, audit::actions, documents::ChatbotSource, usage::Quota};
use serde_json::json;
use store::{
    Exemption, Scope, WriteTx,
    jobs::{self, JobKind, NewJob},
    uploads::{self, OutdatedUpload},
};

use super::{SourcePath, is_large, payload};
use crate::{
    caller::Caller,
    error::ApiResult,
    service::{
        chatbot_tx::{self, Lock},
        knowledge::source_change,
        usage,
    },
    state::App,
};

/// Maximum files that one request queues.
const MAX_QUEUED: i64 = 1000;

/// Queues the files of a source that could not be read, or not completely, and those of an older reader. Writes nothing
/// when there are none.
///
/// # Errors
/// `chatbot_not_found`, `chatbot_not_active`, `source_not_found`, `source_read_only`, `quota_documents`.
pub async fn read_again(app: &App, caller: &Caller, (chatbot, source): SourcePath) -> ApiResult<ChatbotSource> {
    let (mut tx, tenant) = chatbot_tx::begin_active(app, caller, chatbot, Lock::Nothing).await?;
    source_change::lock(&mut tx, tenant, chatbot, source).await?;
    let files = uploads::lock_incomplete(&mut tx, tenant, source, MAX_QUEUED).await?;
    queue_files(&mut tx, tenant, &files).await?;
    let source_now = source_change::find(&mut tx, tenant, chatbot, source).await?;
    if files.is_empty() {
        tx.discard().await?;
        return Ok(source_now);
    }
    let new = files.iter().filter(|file| file.is_new).count();
    let added = [(Quota::Documents, i64::try_from(new).unwrap_or(i64::MAX))];
    if let Some(exceeded) = usage::exceeded(app, &mut tx, tenant, &added).await? {
        return Err(exceeded.into());
    }
    let details = json!({ "before": null, "after": { "documents": files.len() } });
    let entry = source_change::entry(caller, tenant, chatbot, actions::CHATBOT_SOURCE_READ_REQUESTED, source, details);
    tx.commit_audited(&entry).await?;
    app.job_queued().notify_waiters();
    Ok(source_now)
}

/// Queues files that were refused as duplicates of documents which the chatbot does not have any more, unless the tenant has
/// as many documents as it may have. Call it after documents were removed or replaced, in the same transaction.
pub async fn queue_former_duplicates(
    app: &App,
    tx: &mut WriteTx,
    tenant: TenantId,
    chatbot: ChatbotId,
) -> store::Result<()> {
    let files = uploads::lock_former_duplicates(tx, tenant, chatbot).await?;
    if files.is_empty() || usage::used_up(app, tx, tenant, &[Quota::Documents]).await?.is_some() {
        return Ok(());
    }
    queue_files(tx, tenant, &files).await?;
    app.job_queued().notify_waiters();
    Ok(())
}

/// Queues all such files of active chatbots.
pub async fn queue_all(app: App) {
    match queue(&app).await {
        Ok(0) => {}
        Ok(files) => {
            tracing::info!(files, "uploads.queued_again");
            app.job_queued().notify_waiters();
        }
        Err(error) => tracing::warn!(%error, "uploads.not_queued_again"),
    }
}

/// Like [`queue_all`]; returns how many jobs were queued.
pub async fn queue(app: &App) -> store::Result<usize> {
    let mut tx = app.db.read(&Scope::system()).await?;
    let tenants = uploads::tenants_with_outdated(&mut tx).await?;
    drop(tx);
    let mut queued = 0;
    for tenant in tenants {
        queued += queue_of_tenant(app, tenant).await?;
    }
    Ok(queued)
}

async fn queue_of_tenant(app: &App, tenant: TenantId) -> store::Result<usize> {
    let mut queued = 0;
    loop {
        let mut tx = app.db.write(&Scope::tenant(tenant)).await?;
        let outdated = uploads::lock_outdated(&mut tx, tenant).await?;
        if outdated.is_empty() {
            tx.discard().await?;
            return Ok(queued);
        }
        queue_files(&mut tx, tenant, &outdated).await?;
        queued += outdated.len();
        tx.commit_exempt(Exemption::Indexing).await?;
    }
}

async fn queue_files(tx: &mut WriteTx, tenant: TenantId, files: &[OutdatedUpload]) -> store::Result<()> {
    for OutdatedUpload { id, chatbot, original, file_type, bytes, storage, .. } in files {
        let (payload, is_large) = (payload(*id, *original), is_large(*bytes, file_type));
        let new =
            NewJob { kind: JobKind::ReadUpload, chatbot: *chatbot, payload, is_large, storage: *storage, host: None };
        let job = jobs::insert(tx, tenant, &new).await?;
        uploads::set_waiting(tx, tenant, *id, job).await?;
    }
    Ok(())
}

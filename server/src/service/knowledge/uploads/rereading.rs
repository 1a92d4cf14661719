//! Files whose documents a former version of the reader made are read again from their originals: queued at the start, read by the
//! usual job. Until then the former passages answer.

use contract::TenantId;
use store::{
    Exemption, Scope,
    jobs::{self, JobKind, NewJob},
    uploads::{self, OutdatedUpload},
};

use super::{is_large, payload};
use crate::state::App;

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

/// As [`queue_all`]; gives how many were queued.
///
/// # Errors
/// When the database fails.
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
        for OutdatedUpload { id, chatbot, original, file_type, bytes, storage } in &outdated {
            let (payload, is_large) = (payload(*id, *original), is_large(*bytes, file_type));
            let new = NewJob {
                kind: JobKind::ReadUpload,
                chatbot: *chatbot,
                payload,
                is_large,
                storage: *storage,
                host: None,
            };
            let job = jobs::insert(&mut tx, tenant, &new).await?;
            uploads::set_waiting(&mut tx, tenant, *id, job).await?;
        }
        queued += outdated.len();
        let exempt = tx.exempt(Exemption::Indexing);
        tx.commit(exempt).await?;
    }
}

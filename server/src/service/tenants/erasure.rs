//! Erases the knowledge of deleted tenants: uploaded files, documents, passages, own answers and websites, and how much of them there was
//! by day. A deletion can be a mistake, so this comes days later. What was asked and answered has a time of its own.

use std::time::Duration;

use contract::TenantId;
use store::{Exemption, Scope, tenants::erase, vectors::Collection};
use tokio_util::sync::CancellationToken;

use crate::{service::knowledge::vector_sync, shutdown::rest, state::App};

/// Documents of one transaction.
const BATCH: i64 = 200;
/// Tenants of one look.
const AT_ONCE: i64 = 100;
const EVERY: Duration = Duration::from_secs(60 * 60);
const AFTER_A_FAILURE: Duration = Duration::from_secs(60);

/// Erases what is due at once and then every hour; ends when `stop` is cancelled.
pub async fn run_until(app: App, days: i32, stop: CancellationToken) {
    loop {
        let pause = match run(&app, days).await {
            Ok(()) => EVERY,
            Err(error) => {
                tracing::warn!(%error, "tenants.not_erased");
                AFTER_A_FAILURE
            }
        };
        if !rest(pause, &stop).await {
            return;
        }
    }
}

/// Erases the knowledge of tenants that were deleted more than `days` days ago. A run that is killed is gone on with by the next.
///
/// # Errors
/// When the database fails.
pub async fn run(app: &App, days: i32) -> store::Result<()> {
    loop {
        let mut tx = app.db.read(&Scope::system()).await?;
        let due = erase::due(&mut tx, days, AT_ONCE).await?;
        drop(tx);
        if due.is_empty() {
            return Ok(());
        }
        for tenant in due {
            erase_one(app, tenant).await?;
        }
    }
}

async fn erase_one(app: &App, tenant: TenantId) -> store::Result<()> {
    loop {
        let mut tx = app.db.write(&Scope::tenant(tenant)).await?;
        let removed = erase::remove_documents(&mut tx, tenant, BATCH).await?;
        if removed.is_none() {
            erase::remove_rest(&mut tx, tenant).await?;
        }
        let exempt = tx.exempt(Exemption::Job);
        tx.commit(exempt).await?;
        let Some((chatbot, passages)) = removed else { break };
        vector_sync::remove(app, Collection { tenant, chatbot }, &passages).await;
    }
    tracing::info!(tenant_id = %tenant, "tenants.knowledge_erased");
    Ok(())
}

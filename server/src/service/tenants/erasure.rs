//! Erases the knowledge of deleted tenants: uploaded files, documents, passages, own answers, websites, the usage by
//! day, what people kept in the knowledge hub, and the texts of the output-filter audit. A deletion can be a mistake, so
//! this happens days later. Conversations have a separate retention period.

use std::time::Duration;

use contract::TenantId;
use store::{Exemption, Scope, tenants::erase, vectors::Collection};
use tokio_util::sync::CancellationToken;

use crate::{service::knowledge::vector_sync, shutdown::rest, state::App};

/// Documents of one transaction.
const BATCH_DOCUMENTS: i64 = 200;
/// Rows of the output-filter audit of one transaction.
const BATCH_FILTER_ROWS: i32 = 1000;
/// Maximum tenants per run.
const MAX_TENANTS: i64 = 100;
const INTERVAL: Duration = Duration::from_secs(60 * 60);
const RETRY_DELAY: Duration = Duration::from_secs(60);

/// Erases due tenants at once and then every hour; ends when `stop` is cancelled.
pub async fn run_until(app: App, days: i32, stop: CancellationToken) {
    loop {
        // What is cut off is continued by the next run.
        let result = tokio::select! {
            () = stop.cancelled() => return,
            result = run(&app, days) => result,
        };
        let pause = match result {
            Ok(0) => INTERVAL,
            Ok(_) => RETRY_DELAY,
            Err(error) => {
                tracing::warn!(%error, "tenants.not_listed");
                RETRY_DELAY
            }
        };
        if !rest(pause, &stop).await {
            return;
        }
    }
}

/// Erases the knowledge of tenants that were deleted more than `days` days ago, and returns how many failed. A killed
/// run is continued by the next one.
///
/// # Errors
/// When they cannot be listed. A tenant that fails does not stop the others.
pub async fn run(app: &App, days: i32) -> store::Result<u64> {
    let mut failed = 0;
    while failed == 0 {
        let mut tx = app.db.read(&Scope::system()).await?;
        let due = erase::due(&mut tx, days, MAX_TENANTS).await?;
        drop(tx);
        if due.is_empty() {
            break;
        }
        for tenant in due {
            if let Err(error) = erase_one(app, tenant).await {
                failed += 1;
                tracing::warn!(tenant_id = %tenant, %error, "tenants.not_erased");
            }
        }
    }
    Ok(failed)
}

/// Erases the knowledge of a tenant, unless it is restored in the meantime.
async fn erase_one(app: &App, tenant: TenantId) -> store::Result<()> {
    loop {
        let mut tx = app.db.write(&Scope::tenant(tenant)).await?;
        if store::tenants::is_active(&mut tx, tenant).await? {
            return tx.discard().await;
        }
        let removed = erase::remove_documents(&mut tx, tenant, BATCH_DOCUMENTS).await?;
        if removed.is_none() {
            erase::remove_rest(&mut tx, tenant).await?;
        }
        tx.commit_exempt(Exemption::Job).await?;
        let Some((chatbot, passages)) = removed else { break };
        vector_sync::remove(app, Collection { tenant, chatbot }, &passages).await;
    }
    loop {
        let mut tx = app.db.write(&Scope::system()).await?;
        if store::tenants::is_active(&mut tx, tenant).await? {
            return tx.discard().await;
        }
        erase::remove_hub_records(&mut tx, tenant).await?;
        let is_more = erase::remove_filter_texts(&mut tx, tenant, BATCH_FILTER_ROWS).await?;
        tx.commit_exempt(Exemption::Job).await?;
        if !is_more {
            break;
        }
    }
    tracing::info!(tenant_id = %tenant, "tenants.knowledge_erased");
    Ok(())
}

//! Re-indexes the words of passages after a chatbot's language changed: one batch at a time per process, tenants in
//! turn, each batch in its own transaction. A killed process continues with the next batch. Until the words are
//! re-indexed, questions are searched in both languages.

use std::time::{Duration, Instant};

use contract::TenantId;
use store::{Exemption, Scope, passages};
use tokio_util::sync::CancellationToken;

use crate::state::App;

/// Interval of checks for words that another process left unfinished.
const EVERY: Duration = Duration::from_secs(30);

/// Re-indexes words as soon as a language changes, and unfinished ones; ends when `stop` is cancelled.
pub async fn run_until(app: App, stop: CancellationToken) {
    loop {
        if let Err(error) = run(&app, &stop).await {
            tracing::warn!(%error, "words.not_renewed");
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = app.language_changed().notified() => {}
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}

/// Re-indexes words until none is left, another process does the rest, or `stop` is cancelled.
///
/// # Errors
/// When the tenants cannot be listed. A failed batch is retried by the next run and does not block other tenants.
pub async fn run(app: &App, stop: &CancellationToken) -> store::Result<()> {
    loop {
        let mut is_idle = true;
        for tenant in waiting(app).await? {
            if stop.is_cancelled() {
                return Ok(());
            }
            let started = Instant::now();
            match batch(app, tenant).await {
                Ok(was_idle) => is_idle &= was_idle,
                Err(error) => tracing::warn!(tenant_id = %tenant, %error, "words.not_renewed"),
            }
            // Uses at most half of the time of one connection and one core.
            tokio::time::sleep(started.elapsed()).await;
        }
        if is_idle {
            return Ok(());
        }
    }
}

async fn waiting(app: &App) -> store::Result<Vec<TenantId>> {
    let mut tx = app.db.read(&Scope::system()).await?;
    let tenants = passages::tenants_with_stale_words(&mut tx).await?;
    Ok(tenants)
}

/// Renews the words of one batch; `true` when there was nothing to do.
///
/// # Errors
/// When the database fails; nothing of the batch is written then.
pub async fn batch(app: &App, tenant: TenantId) -> store::Result<bool> {
    let mut tx = app.db.write(&Scope::tenant(tenant)).await?;
    let Some((chatbot, passages)) = passages::renew_words(&mut tx, tenant).await? else {
        tx.discard().await?;
        return Ok(true);
    };
    tx.commit_exempt(Exemption::Indexing).await?;
    if passages == 0 {
        tracing::info!(chatbot_id = %chatbot, "words.renewed");
    }
    Ok(false)
}

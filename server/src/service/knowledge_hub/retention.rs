//! Removes searches from users' history that are older than `knowledge.history_days`, one batch in a transaction.

use std::time::Duration;

use store::{Exemption, Scope, knowledge_hub::history};
use tokio_util::sync::CancellationToken;

use crate::{shutdown::rest, state::App};

/// Searches of one transaction.
const BATCH_SEARCHES: i64 = 1000;
const INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);
const RETRY_DELAY: Duration = Duration::from_secs(10 * 60);

/// Removes searches older than `days` days (at least 1), at once and then every day; ends when `stop` is cancelled.
pub async fn run_until(app: App, days: i32, stop: CancellationToken) {
    loop {
        let pause = match run(&app, days, &stop).await {
            Ok(0) => INTERVAL,
            Ok(searches) => {
                tracing::info!(searches, days, "search_history_retention.removed");
                INTERVAL
            }
            Err(error) => {
                tracing::warn!(%error, "search_history_retention.failed");
                RETRY_DELAY
            }
        };
        if !rest(pause, &stop).await {
            return;
        }
    }
}

/// Removes searches older than `days` days until none is left or `stop` is cancelled, and returns how many.
///
/// # Errors
/// When the database fails; the batches before are removed.
pub async fn run(app: &App, days: i32, stop: &CancellationToken) -> store::Result<u64> {
    let mut total = 0;
    while !stop.is_cancelled() {
        let mut tx = app.db.write(&Scope::system()).await?;
        let removed = history::expire_batch(&mut tx, days, BATCH_SEARCHES).await?;
        tx.commit_exempt(Exemption::Retention).await?;
        total += removed;
        if removed == 0 {
            break;
        }
    }
    Ok(total)
}

//! Removes conversations without messages for longer than `conversations.retention_days`, one batch per transaction.
//! Feedback stays without its session and message. Running twice, or concurrently, is safe.

use std::time::Duration;

use store::{Exemption, Scope, conversations};
use tokio_util::sync::CancellationToken;

use crate::{shutdown::rest, state::App};

/// Sessions of one transaction.
const BATCH_SESSIONS: i32 = 200;
const INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);
const RETRY_DELAY: Duration = Duration::from_secs(10 * 60);

/// Removes conversations without messages for more than `days` days (at least 1), at once and then every day; ends when
/// `stop` is cancelled.
pub async fn run_until(app: App, days: i32, stop: CancellationToken) {
    loop {
        let pause = match run(&app, days, BATCH_SESSIONS, &stop).await {
            Ok(0) => INTERVAL,
            Ok(sessions) => {
                tracing::info!(sessions, days, "conversation_retention.removed");
                INTERVAL
            }
            Err(error) => {
                tracing::warn!(%error, "conversation_retention.failed");
                RETRY_DELAY
            }
        };
        if !rest(pause, &stop).await {
            return;
        }
    }
}

/// Removes sessions without messages for more than `days` days, `batch` per transaction, until none is left or `stop`
/// is cancelled, and returns how many.
///
/// # Errors
/// When the database fails; the batches before are removed.
pub async fn run(app: &App, days: i32, batch: i32, stop: &CancellationToken) -> store::Result<u64> {
    let mut total = 0;
    while !stop.is_cancelled() {
        let mut tx = app.db.write(&Scope::system()).await?;
        let removed = conversations::erase::expire_batch(&mut tx, days, batch).await?;
        tx.commit_exempt(Exemption::Retention).await?;
        total += removed;
        if removed == 0 {
            break;
        }
    }
    Ok(total)
}

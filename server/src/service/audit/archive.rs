//! Moves audit rows that are over 730 days old to the archive, one batch per transaction. The database decides which
//! rows are old enough, and moves every row once, even when this runs twice or concurrently.

use std::time::Duration;

use store::{Exemption, Scope, audit};
use tokio_util::sync::CancellationToken;

use crate::{shutdown::rest, state::App};

/// Rows of one transaction.
const BATCH_ROWS: i32 = 2000;
const INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);
const RETRY_DELAY: Duration = Duration::from_secs(10 * 60);

/// Moves old rows at once and then every day; ends when `stop` is cancelled.
pub async fn run_until(app: App, stop: CancellationToken) {
    loop {
        let pause = match run(&app, BATCH_ROWS, &stop).await {
            Ok(0) => INTERVAL,
            Ok(rows) => {
                tracing::info!(rows, "audit_archive.moved");
                INTERVAL
            }
            Err(error) => {
                tracing::warn!(%error, "audit_archive.failed");
                RETRY_DELAY
            }
        };
        if !rest(pause, &stop).await {
            return;
        }
    }
}

/// Moves old rows, `batch` per transaction, until none is left or `stop` is cancelled, and returns how many.
///
/// # Errors
/// When the database fails; the batches before are moved.
pub async fn run(app: &App, batch: i32, stop: &CancellationToken) -> store::Result<u64> {
    let mut total = 0;
    while !stop.is_cancelled() {
        let mut tx = app.db.write(&Scope::system()).await?;
        let moved = audit::archive::move_batch(&mut tx, batch).await?;
        tx.commit_exempt(Exemption::Archive).await?;
        total += moved;
        if moved == 0 {
            break;
        }
    }
    Ok(total)
}

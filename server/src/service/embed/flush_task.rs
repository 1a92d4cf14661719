//! Writes the embed record: new counts every two seconds, and once per hour removes old rows. While the database is
//! down, counts stay in memory.

use std::time::Duration;

use store::{Exemption, Scope, widget::origins};
use tokio_util::sync::CancellationToken;

use crate::{shutdown::ticks, state::App};

const FLUSH_INTERVAL: Duration = Duration::from_secs(2);
const EXPIRY_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Writes the recorded requests until `stop` is cancelled.
pub async fn run_until(app: App, stop: CancellationToken) {
    let (mut writes, mut expiries) = (ticks(FLUSH_INTERVAL), tokio::time::interval(EXPIRY_INTERVAL));
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = writes.tick() => flush(&app).await,
            _ = expiries.tick() => {
                if let Err(error) = expire(&app).await {
                    tracing::warn!(%error, "embed_record.expiry_failed");
                }
            }
        }
    }
}

/// Writes the recorded requests; those that cannot be written stay in memory.
pub async fn flush(app: &App) {
    let noted = app.origin_counters().drain();
    if noted.is_empty() {
        return;
    }
    if let Err(error) = write(app, &noted).await {
        tracing::warn!(%error, "embed_record.write_failed");
        app.origin_counters().restore(noted);
    }
}

async fn write(app: &App, noted: &[(contract::ChatbotId, origins::OriginRequests)]) -> store::Result<()> {
    let mut tx = app.db.write(&Scope::system()).await?;
    let grown = origins::add(&mut tx, noted).await?;
    if !grown.is_empty() {
        origins::trim(&mut tx, &grown).await?;
    }
    tx.commit_exempt(Exemption::EmbedRecord).await
}

/// Removes rows beyond the retention period and returns how many.
pub async fn expire(app: &App) -> store::Result<u64> {
    let mut tx = app.db.write(&Scope::system()).await?;
    let removed = origins::expire(&mut tx, super::first_day()).await?;
    tx.commit_exempt(Exemption::EmbedRecord).await?;
    Ok(removed)
}

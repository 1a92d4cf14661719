//! Deletes calls with an `Idempotency-Key` after 24 hours.

use std::time::Duration;

use store::{Exemption, Scope, idempotency};
use tokio_util::sync::CancellationToken;

use crate::{shutdown::rest, state::App};

const INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Deletes old calls, at once and then every hour; ends when `stop` is cancelled.
pub async fn run_until(app: App, stop: CancellationToken) {
    loop {
        match run(&app).await {
            Ok(0) => {}
            Ok(calls) => tracing::info!(calls, "idempotency.expired"),
            Err(error) => tracing::warn!(%error, "idempotency.expiry_failed"),
        }
        if !rest(INTERVAL, &stop).await {
            return;
        }
    }
}

/// Deletes calls that are older than 24 hours, and returns how many.
///
/// # Errors
/// When the database fails.
pub async fn run(app: &App) -> store::Result<u64> {
    let mut tx = app.db.write(&Scope::system()).await?;
    let expired = idempotency::expire(&mut tx).await?;
    tx.commit_exempt(Exemption::Retention).await?;
    Ok(expired)
}

//! Stop signals: the first one stops in order, a second one at once.

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::CliError;

/// A token that is cancelled by SIGTERM, SIGINT (Ctrl-C) or SIGHUP. The handlers are installed before this returns.
pub(crate) fn on_signal() -> Result<CancellationToken, CliError> {
    let token = CancellationToken::new();
    for kind in [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()] {
        let failed = |error| CliError::Other(format!("stop signals cannot be received: {error}"));
        let mut signals = signal(kind).map_err(failed)?;
        let token = token.clone();
        tokio::spawn(async move {
            while signals.recv().await.is_some() {
                if token.is_cancelled() {
                    tracing::warn!("stopping at once");
                    std::process::exit(130);
                }
                tracing::info!("stopping");
                token.cancel();
            }
        });
    }
    Ok(token)
}

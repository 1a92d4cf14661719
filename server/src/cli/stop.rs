//! Stop signals: the first one stops gracefully, the second one skips the drain, the third one stops immediately.

use crate::shutdown::Stop;
use tokio::signal::unix::{SignalKind, signal};

use super::CliError;

/// The stop, requested by SIGTERM, SIGINT (Ctrl-C) or SIGHUP. The handlers are installed before this returns.
pub(crate) fn on_signal(stop: Stop) -> Result<Stop, CliError> {
    for kind in [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()] {
        let failed = |error| CliError::Other(format!("stop signals cannot be received: {error}"));
        let mut signals = signal(kind).map_err(failed)?;
        let stop = stop.clone();
        tokio::spawn(async move {
            while signals.recv().await.is_some() {
                if !stop.signal() {
                    tracing::warn!("process.stopping_at_once");
                    std::process::exit(130);
                }
                tracing::info!("process.stopping");
            }
        });
    }
    Ok(stop)
}

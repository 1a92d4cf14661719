//! A stop in two steps: it is requested, and then the period in which requests are still accepted ends.

use std::time::Duration;

use tokio::time::{Interval, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use crate::config::HttpConfig;

/// A stop, and how far it is; clones belong to the same stop.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    requested: CancellationToken,
    drained: CancellationToken,
}

/// In a request's extensions: the server is stopping and should get no more requests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draining;

/// Whether the serving loop has aborted a request's connection at the end of a stop. In the extensions of a request.
#[derive(Debug, Clone, Default)]
pub struct AbortSignal(pub(crate) CancellationToken);

impl AbortSignal {
    /// The signal of a request; one that is never aborted when another loop serves it.
    #[must_use]
    pub fn of(extensions: &http::Extensions) -> Self {
        extensions.get().cloned().unwrap_or_default()
    }

    /// Whether it has happened.
    #[must_use]
    pub fn is_aborted(&self) -> bool {
        self.0.is_cancelled()
    }
}

impl Stop {
    /// The stop with the configured periods.
    #[must_use]
    pub fn of(config: &HttpConfig) -> Self {
        if config.drain_seconds == 0 { Self::without_drain() } else { Self::default() }
    }

    /// The stop of the loop that serves a request; one that is never requested when another loop serves it.
    #[must_use]
    pub fn of_request(extensions: &http::Extensions) -> Self {
        extensions.get().cloned().unwrap_or_default()
    }

    /// A stop without a drain period.
    #[must_use]
    pub fn without_drain() -> Self {
        let stop = Self::default();
        stop.drained.cancel();
        stop
    }

    /// Requests the stop; when it is requested already, ends the drain. Returns false when both had happened before.
    pub fn signal(&self) -> bool {
        let next = if self.is_requested() { &self.drained } else { &self.requested };
        let is_new = !next.is_cancelled();
        next.cancel();
        is_new
    }

    /// Whether the stop is requested.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.requested.is_cancelled()
    }

    /// The first step as a token, for tasks that end with it; cancelling it requests the stop.
    #[must_use]
    pub fn token(&self) -> &CancellationToken {
        &self.requested
    }

    pub(crate) async fn requested(&self) {
        self.requested.cancelled().await;
    }

    pub(crate) async fn drained(&self) {
        self.drained.cancelled().await;
    }

    /// Ready when the stop was requested and its drain has ended.
    pub(crate) async fn requests_ended(&self) {
        self.requested.cancelled().await;
        self.drained.cancelled().await;
    }

    pub(crate) fn end_drain(&self) {
        self.drained.cancel();
    }
}

impl From<CancellationToken> for Stop {
    fn from(requested: CancellationToken) -> Self {
        Self { requested, drained: CancellationToken::new() }
    }
}

/// Waits between two rounds of background work; `false` when it is time to stop.
pub(crate) async fn rest(time: Duration, stop: &CancellationToken) -> bool {
    tokio::select! {
        () = stop.cancelled() => false,
        () = tokio::time::sleep(time) => true,
    }
}

/// Ticks for rounds of background work: at once and then every `period`, later after a round that took longer.
pub(crate) fn ticks(period: Duration) -> Interval {
    let mut ticks = tokio::time::interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_signal_ends_the_drain_and_a_third_is_refused() {
        let stop = Stop::default();
        assert!(stop.signal() && stop.is_requested() && !stop.drained.is_cancelled());
        assert!(stop.signal() && stop.drained.is_cancelled());
        assert!(!stop.signal());
        let stop = Stop::without_drain();
        assert!(stop.signal() && !stop.signal());
    }
}

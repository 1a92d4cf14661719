//! The bounds of the serving loop.

use std::time::Duration;

use crate::config::HttpConfig;

/// What a client may draw out, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Longest time from the first byte of a request to the end of its head; on a new connection from its beginning.
    pub head: Duration,
    /// Longest wait for the rest of a request's body.
    pub body: Duration,
    /// Longest time that a connection stays open between two requests.
    pub idle: Duration,
    /// Longest time in which a reader takes nothing of an answer.
    pub write_idle: Duration,
    /// Connections at most.
    pub max_connections: usize,
    /// How long running requests may take after a stop signal.
    pub patience: Duration,
}

impl Limits {
    /// The limits of the configuration.
    #[must_use]
    pub fn of(config: &HttpConfig) -> Self {
        Self {
            head: Duration::from_secs(config.head_seconds),
            body: Duration::from_secs(config.body_seconds),
            idle: Duration::from_secs(config.idle_seconds),
            write_idle: Duration::from_secs(config.write_idle_seconds),
            max_connections: config.max_connections,
            patience: Duration::from_secs(config.shutdown_seconds),
        }
    }
}

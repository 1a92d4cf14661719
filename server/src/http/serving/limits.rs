//! The limits of the serving loop.

use std::time::Duration;

use crate::{client_ip::TrustedProxies, config::HttpConfig};

/// The time over which [`Limits::min_bytes_per_second`] is averaged.
const PACE_WINDOW: Duration = Duration::from_secs(30);
/// See [`Limits::upload`].
const UPLOAD: Duration = Duration::from_secs(2 * 60 * 60);

/// The limits of clients.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Longest time from the first byte of a request to the end of its head; on a new connection from its beginning.
    pub head: Duration,
    /// Timeout for the rest of a request's body.
    pub body: Duration,
    /// Longest time for the whole of an upload. Shorter than the time after which the rest of an upload that a kill
    /// interrupted is erased.
    pub upload: Duration,
    /// Longest time that a connection stays open between two requests.
    pub idle: Duration,
    /// Timeout for a reader that takes nothing of a response.
    pub write_idle: Duration,
    /// Minimum speed of clients that send a body, and of readers of a response that is not a stream. 0 disables it.
    pub min_bytes_per_second: u64,
    /// The time over which that is averaged.
    pub pace_window: Duration,
    /// Maximum connections.
    pub max_connections: usize,
    /// Maximum connections per client network.
    pub max_connections_per_address: usize,
    /// Peers that this second bound does not apply to.
    pub trusted_proxies: TrustedProxies,
    /// How long requests are still accepted after a stop signal.
    pub drain: Duration,
    /// How long running requests may take after that.
    pub grace_period: Duration,
}

impl Limits {
    /// The limits of the configuration.
    #[must_use]
    pub fn of(config: &HttpConfig) -> Self {
        Self {
            head: Duration::from_secs(config.header_timeout_seconds),
            body: Duration::from_secs(config.body_timeout_seconds),
            upload: UPLOAD,
            idle: Duration::from_secs(config.idle_timeout_seconds),
            write_idle: Duration::from_secs(config.write_timeout_seconds),
            min_bytes_per_second: config.min_bytes_per_second,
            pace_window: PACE_WINDOW,
            max_connections: config.max_connections,
            max_connections_per_address: config.max_connections_per_address,
            trusted_proxies: TrustedProxies(config.trusted_proxies.clone().into()),
            drain: Duration::from_secs(config.drain_seconds),
            grace_period: Duration::from_secs(config.shutdown_seconds),
        }
    }
}

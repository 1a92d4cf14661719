//! Tracks whether the database answers. While it is down, calls fail immediately. After one connection timed out, idle
//! connections are replaced, because they may be dead as well.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use sqlx::{ConnectOptions, Connection, postgres::PgConnectOptions};
use tokio::{sync::watch, time};

use crate::{
    connection::timed_out,
    error::{Error, Result},
};

/// A longer wait for a connection starts a probe.
const SLOW_ACQUIRE: Duration = Duration::from_secs(1);
/// Pause between two probes of a database that is down.
const PROBE_INTERVAL: Duration = Duration::from_millis(250);
/// Longest wait for the answer to a probe.
const PROBE_TIMEOUT: Duration = Duration::from_secs(4);

/// State of the database as this process sees it.
#[derive(Debug)]
pub(crate) struct Availability {
    options: PgConnectOptions,
    /// Why the database is down; `None` while it answers.
    outage: watch::Sender<Option<String>>,
    is_probing: AtomicBool,
    created: Instant,
    /// Milliseconds from `created` to the last connection timeout; 0 for none.
    last_timeout: AtomicU64,
    /// Milliseconds from `created` to the last transaction that began.
    last_success: AtomicU64,
}

impl Availability {
    pub(crate) fn new(options: PgConnectOptions) -> Arc<Self> {
        let outage = watch::Sender::new(None);
        let (last_timeout, last_success) = (AtomicU64::new(0), AtomicU64::new(0));
        Arc::new(Self {
            options,
            outage,
            is_probing: AtomicBool::new(false),
            created: Instant::now(),
            last_timeout,
            last_success,
        })
    }

    fn now(&self) -> u64 {
        u64::try_from(self.created.elapsed().as_millis()).unwrap_or(u64::MAX).max(1)
    }

    /// Records that a transaction began.
    pub(crate) fn record_success(&self) {
        self.last_success.store(self.now(), Ordering::Relaxed);
    }

    /// Records that a connection timed out, which makes connections that are idle now suspect.
    pub(crate) fn record_timeout(&self) {
        self.last_timeout.fetch_max(self.now(), Ordering::Relaxed);
    }

    /// Whether a connection that has been idle for this long was idle at the last timeout.
    pub(crate) fn is_suspect(&self, idle: Duration) -> bool {
        let last = self.last_timeout.load(Ordering::Relaxed);
        last > 0 && self.created.elapsed().saturating_sub(idle) <= Duration::from_millis(last)
    }

    /// Fails while the database is known to be down.
    pub(crate) fn check(&self) -> Result<()> {
        self.outage.borrow().as_deref().map_or(Ok(()), |reason| Err(down(reason)))
    }

    /// Returns the error of a call as soon as the database is known to be down. A long wait starts a probe.
    pub(crate) async fn wait_until_down(self: &Arc<Self>) -> Error {
        let mut outage = self.outage.subscribe();
        let reported = async {
            let reason = match outage.wait_for(Option::is_some).await {
                Ok(reason) => reason.clone(),
                // Never happens: the sender lives as long as `self`.
                Err(_) => None,
            };
            down(&reason.unwrap_or_default())
        };
        let doubtful = async {
            time::sleep(SLOW_ACQUIRE).await;
            self.start_probe();
            std::future::pending::<Error>().await
        };
        tokio::select! {
            error = reported => error,
            error = doubtful => error,
        }
    }

    /// Probes the database in a background task until it answers; one task at a time. A database that is slow to accept a
    /// connection but serves others is not down.
    pub(crate) fn start_probe(self: &Arc<Self>) {
        if self.is_probing.swap(true, Ordering::AcqRel) {
            return;
        }
        let (availability, options) = (Arc::downgrade(self), self.options.clone());
        tokio::spawn(async move {
            let mut probed_at = availability.upgrade().map_or(0, |availability| availability.now());
            while let Some(error) = probe(&options).await {
                // The pool was dropped.
                let Some(availability) = availability.upgrade() else { return };
                if availability.last_success.load(Ordering::Relaxed) > probed_at {
                    break;
                }
                availability.set_down(&error);
                probed_at = availability.now();
                drop(availability);
                time::sleep(PROBE_INTERVAL).await;
            }
            if let Some(availability) = availability.upgrade() {
                availability.set_up();
                availability.is_probing.store(false, Ordering::Release);
            }
        });
    }

    fn set_down(&self, error: &sqlx::Error) {
        // The error of a call has the same words around the system's reason.
        let reason = match error {
            sqlx::Error::Io(error) => error.to_string(),
            error => error.to_string(),
        };
        if self.outage.send_replace(Some(reason)).is_none() {
            tracing::warn!(%error, "database.down");
        }
    }

    fn set_up(&self) {
        if self.outage.send_replace(None).is_some() {
            tracing::info!("database.back");
        }
    }
}

/// The error of a database that is unreachable, starting or stopping. A database that refuses the connection for
/// another reason (full, wrong password) is up, because existing connections still work.
async fn probe(options: &PgConnectOptions) -> Option<sqlx::Error> {
    let answer = time::timeout(PROBE_TIMEOUT, async { options.connect().await?.close().await }).await;
    let error = answer.unwrap_or_else(|_| Err(timed_out())).err()?;
    let is_refusal =
        error.as_database_error().is_some_and(|refusal| !refusal.code().is_some_and(|code| code.starts_with("57P")));
    (!is_refusal).then_some(error)
}

/// The error of a call while the database is down for this reason.
fn down(reason: &str) -> Error {
    Error::Unavailable(sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::NotConnected, reason)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn availability() -> Arc<Availability> {
        Availability::new(PgConnectOptions::new_without_pgpass())
    }

    #[test]
    fn idle_connections_are_suspect_after_a_timeout() {
        let availability = availability();
        assert!(!availability.is_suspect(Duration::ZERO));
        let before = Instant::now();
        std::thread::sleep(Duration::from_millis(20));
        availability.record_timeout();
        std::thread::sleep(Duration::from_millis(20));
        let after = Instant::now();
        assert!(availability.is_suspect(before.elapsed()), "it was idle before the timeout");
        assert!(!availability.is_suspect(after.elapsed()), "it was used after the timeout");
    }

    #[tokio::test]
    async fn a_call_to_a_database_that_is_down_says_why() {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let options = PgConnectOptions::new_without_pgpass().host("127.0.0.1").port(port).username("nobody");
        let availability = Availability::new(options);
        availability.start_probe();
        let waiting = tokio::time::timeout(Duration::from_secs(60), availability.wait_until_down()).await.unwrap();
        let later = availability.check().unwrap_err();
        for error in [waiting, later] {
            assert!(matches!(error, Error::Unavailable(_)));
            assert!(error.to_string().contains("refused"), "{error}");
        }
    }
}

//! What is known of a database that does not answer: whether it is down, and since when connections at rest are in doubt.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use sqlx::{ConnectOptions, Connection, postgres::PgConnectOptions};
use tokio::{sync::watch, time};

use crate::{connection::late, error::Error};

/// A wait for a connection that takes longer is a reason to ask whether the database is there.
const SUSPICIOUS: Duration = Duration::from_secs(1);
/// How often a database that is down is asked.
const PROBE_EVERY: Duration = Duration::from_millis(250);
/// The longest wait for its answer.
const PROBE_TIMEOUT: Duration = Duration::from_secs(4);

/// What is known.
#[derive(Debug)]
pub(crate) struct Silence {
    options: PgConnectOptions,
    is_down: watch::Sender<bool>,
    is_probed: AtomicBool,
    born: Instant,
    /// Milliseconds from `born` to the moment when the last connection fell silent; 0 for none.
    last: AtomicU64,
    /// The same of the last transaction that the database began.
    answered: AtomicU64,
}

impl Silence {
    pub(crate) fn new(options: PgConnectOptions) -> Arc<Self> {
        let is_down = watch::Sender::new(false);
        let (last, answered) = (AtomicU64::new(0), AtomicU64::new(0));
        Arc::new(Self { options, is_down, is_probed: AtomicBool::new(false), born: Instant::now(), last, answered })
    }

    fn now(&self) -> u64 {
        u64::try_from(self.born.elapsed().as_millis()).unwrap_or(u64::MAX).max(1)
    }

    /// The database began a transaction.
    pub(crate) fn answered(&self) {
        self.answered.store(self.now(), Ordering::Relaxed);
    }

    /// A connection fell silent: those that rested meanwhile may be as dead.
    pub(crate) fn note(&self) {
        self.last.fetch_max(self.now(), Ordering::Relaxed);
    }

    /// Whether a connection that has rested for so long is in doubt.
    pub(crate) fn doubts(&self, rest: Duration) -> bool {
        let last = self.last.load(Ordering::Relaxed);
        last > 0 && self.born.elapsed().saturating_sub(rest) <= Duration::from_millis(last)
    }

    pub(crate) fn is_down(&self) -> bool {
        *self.is_down.borrow()
    }

    /// Ends when the database is known to be down. Whoever waits for it for long has it asked.
    pub(crate) async fn known(self: &Arc<Self>) {
        let mut is_down = self.is_down.subscribe();
        let known = async {
            // The sender lives as long as `self`.
            let _ = is_down.wait_for(|is_down| *is_down).await;
        };
        let doubtful = async {
            time::sleep(SUSPICIOUS).await;
            self.suspect();
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = known => {}
            () = doubtful => {}
        }
    }

    /// Asks the database, in a task of its own, until it answers; one task asks at a time. A database that takes long to answer
    /// while it serves others is not down.
    pub(crate) fn suspect(self: &Arc<Self>) {
        if self.is_probed.swap(true, Ordering::AcqRel) {
            return;
        }
        let (silence, options) = (Arc::downgrade(self), self.options.clone());
        tokio::spawn(async move {
            let mut asked = silence.upgrade().map_or(0, |silence| silence.now());
            while let Some(error) = away(&options).await {
                // Nobody wants to know any more when the pool is gone.
                let Some(known) = silence.upgrade() else { return };
                if known.answered.load(Ordering::Relaxed) > asked {
                    break;
                }
                known.set_down(&error);
                asked = known.now();
                drop(known);
                time::sleep(PROBE_EVERY).await;
            }
            if let Some(known) = silence.upgrade() {
                known.set_up();
                known.is_probed.store(false, Ordering::Release);
            }
        });
    }

    fn set_down(&self, error: &sqlx::Error) {
        if !self.is_down.send_replace(true) {
            tracing::warn!(%error, "database.down");
        }
    }

    fn set_up(&self) {
        if self.is_down.send_replace(false) {
            tracing::info!("database.back");
        }
    }
}

/// Why the database cannot be reached, if so; while it is only starting or stopping, it cannot. One that refuses for another
/// reason is there: the connections that exist still work.
async fn away(options: &PgConnectOptions) -> Option<sqlx::Error> {
    let answer = time::timeout(PROBE_TIMEOUT, async { options.connect().await?.close().await }).await;
    let error = answer.unwrap_or_else(|_| Err(late())).err()?;
    let is_refusal =
        error.as_database_error().is_some_and(|refusal| !refusal.code().is_some_and(|code| code.starts_with("57P")));
    (!is_refusal).then_some(error)
}

/// The error of a call while the database is known to be down.
pub(crate) fn down() -> Error {
    Error::Unavailable(sqlx::Error::Io(std::io::Error::new(
        std::io::ErrorKind::NotConnected,
        "the database is known to be down",
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn silence() -> Arc<Silence> {
        Silence::new(PgConnectOptions::new_without_pgpass())
    }

    #[test]
    fn connections_at_rest_are_in_doubt_after_a_silence() {
        let silence = silence();
        assert!(!silence.doubts(Duration::ZERO));
        std::thread::sleep(Duration::from_millis(20));
        silence.note();
        std::thread::sleep(Duration::from_millis(20));
        assert!(silence.doubts(Duration::from_millis(30)), "it rested before");
        assert!(!silence.doubts(Duration::from_millis(5)), "it was used since");
    }

    #[tokio::test]
    async fn a_database_that_refuses_connections_is_known_to_be_down() {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let options = PgConnectOptions::new_without_pgpass().host("127.0.0.1").port(port).username("nobody");
        let silence = Silence::new(options);
        silence.suspect();
        tokio::time::timeout(Duration::from_secs(5), silence.known()).await.unwrap();
        assert!(silence.is_down());
    }
}

//! What is known of a database that does not answer: whether it is down, and since when connections at rest are in doubt.

use std::{
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use sqlx::{ConnectOptions, Connection, postgres::PgConnectOptions};
use tokio::{sync::watch, time};

use crate::error::Error;

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
}

impl Silence {
    pub(crate) fn new(options: PgConnectOptions) -> Arc<Self> {
        let is_down = watch::Sender::new(false);
        let (is_probed, last) = (AtomicBool::new(false), AtomicU64::new(0));
        Arc::new(Self { options, is_down, is_probed, born: Instant::now(), last })
    }

    /// A connection fell silent: those that rested meanwhile may be as dead.
    pub(crate) fn note(&self) {
        let now = u64::try_from(self.born.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.last.fetch_max(now.max(1), Ordering::Relaxed);
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

    /// Asks the database, in a task of its own, until it answers; one task asks at a time.
    pub(crate) fn suspect(self: &Arc<Self>) {
        if self.is_probed.swap(true, Ordering::AcqRel) {
            return;
        }
        let (silence, options) = (Arc::downgrade(self), self.options.clone());
        tokio::spawn(async move {
            while is_away(&options).await {
                if !set(&silence, true) {
                    return;
                }
                time::sleep(PROBE_EVERY).await;
            }
            set(&silence, false);
            if let Some(silence) = silence.upgrade() {
                silence.is_probed.store(false, Ordering::Release);
            }
        });
    }
}

/// Writes down whether the database is down; `false` when nobody wants to know any more.
fn set(silence: &Weak<Silence>, is_down: bool) -> bool {
    let Some(silence) = silence.upgrade() else { return false };
    let changed = silence.is_down.send_replace(is_down) != is_down;
    match (changed, is_down) {
        (true, true) => tracing::warn!("database.down"),
        (true, false) => tracing::info!("database.back"),
        (false, _) => {}
    }
    true
}

/// Whether the database cannot be reached, or is only starting or stopping. One that refuses for another reason is there:
/// the connections that exist still work.
async fn is_away(options: &PgConnectOptions) -> bool {
    let answer = time::timeout(PROBE_TIMEOUT, async { options.connect().await?.close().await }).await;
    match answer {
        Ok(Ok(())) => false,
        Ok(Err(sqlx::Error::Database(error))) => error.code().is_some_and(|code| code.starts_with("57P")),
        Ok(Err(_)) | Err(_) => true,
    }
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

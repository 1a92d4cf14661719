//! A connection inside a transaction. However its holder ends - done, failed, cancelled half-way through `begin` - the
//! connection goes back to the pool outside of any transaction, or not at all. sqlx does not know of the transaction: its
//! own `begin` on such a connection would be no savepoint (clippy.toml forbids it).

use std::{
    ops::{Deref, DerefMut},
    sync::Arc,
    time::Duration,
};

use sqlx::{AssertSqlSafe, Postgres, pool::PoolConnection, postgres::PgRow};
use tokio::{runtime::Handle, time};

use crate::{
    availability::Availability,
    connection::{PgConnection, State},
    connection_limiter::ConnectionPermit,
    error::Result,
};

/// The longest wait for what is no work: the pending of a transaction, a rollback, a sign of life.
pub(crate) const SHORT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long a statement whose caller has left may still run; then its connection is closed.
const ROLLBACK_GRACE: Duration = Duration::from_millis(100);
/// How often PostgreSQL looks whether the connection of a running statement is still there.
pub(crate) const CLIENT_CHECK_INTERVAL_MS: u64 = 500;
/// When PostgreSQL has surely noticed that a connection was closed. Its permit stays taken for so long.
const BACKEND_EXIT: Duration = Duration::from_millis(CLIENT_CHECK_INTERVAL_MS + 100);

/// What a transaction is begun with.
#[derive(Debug)]
pub(crate) struct PendingTx {
    pub(crate) connection: PoolConnection<Postgres>,
    pub(crate) permit: ConnectionPermit,
    pub(crate) availability: Arc<Availability>,
}

/// The connection; `None` once the transaction has ended.
#[derive(Debug)]
pub(crate) struct OpenTx(Option<Open>);

#[derive(Debug)]
struct Open {
    connection: PgConnection,
    permit: ConnectionPermit,
    availability: Arc<Availability>,
}

impl OpenTx {
    /// Runs the statements that begin a transaction. `limit` bounds each statement in it.
    pub(crate) async fn begin(pending: PendingTx, statements: String, limit: Duration) -> Result<Self> {
        // Created first: dropping this future before the answer has come rolls back.
        let mut tx = Self::new(pending);
        tx.run(statements).await?;
        tx.set_limit(limit);
        tx.record_success();
        Ok(tx)
    }

    /// Runs statements that begin a transaction and end it, in one round trip, and gives their rows.
    pub(crate) async fn simple_query(pending: PendingTx, statements: String) -> Result<Vec<PgRow>> {
        let mut tx = Self::new(pending);
        let rows = sqlx::raw_sql(AssertSqlSafe(statements)).fetch_all(&mut *tx).await?;
        tx.record_success();
        tx.release();
        Ok(rows)
    }

    fn new(PendingTx { connection, permit, availability }: PendingTx) -> Self {
        Self(Some(Open { connection: PgConnection::new(connection, SHORT_TIMEOUT), permit, availability }))
    }

    fn record_success(&self) {
        if let Some(open) = &self.0 {
            open.availability.record_success();
        }
    }

    pub(crate) async fn commit(mut self) -> Result<()> {
        self.run("commit".to_owned()).await?;
        self.release();
        Ok(())
    }

    /// Ends the transaction without a change.
    pub(crate) async fn rollback(mut self) -> Result<()> {
        self.set_limit(SHORT_TIMEOUT);
        self.run("rollback".to_owned()).await?;
        self.release();
        Ok(())
    }

    /// Runs statements whose answers are of no interest.
    pub(crate) async fn run(&mut self, statements: String) -> Result<()> {
        sqlx::raw_sql(AssertSqlSafe(statements)).execute(&mut **self).await?;
        Ok(())
    }

    /// Gives back the connection, whose transaction has ended.
    fn release(&mut self) {
        let Some(Open { connection, permit, availability }) = self.0.take() else { return };
        let mut connection = connection.into_inner();
        tokio::spawn(async move {
            give_back(&mut connection, &availability).await;
            drop(permit);
        });
    }
}

impl Drop for OpenTx {
    fn drop(&mut self) {
        let Some(open) = self.0.take() else { return };
        if open.connection.state() == State::TimedOut {
            open.availability.record_timeout();
        }
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(open.clean_up())),
            Err(_) => close_hard(open.connection.into_inner()),
        }
    }
}

impl Open {
    /// Rolls back, or closes the connection when that does not work at once.
    async fn clean_up(self) {
        let Self { connection, permit, availability } = self;
        let state = connection.state();
        let patience = match state {
            State::Idle => SHORT_TIMEOUT,
            State::Busy => ROLLBACK_GRACE,
            State::TimedOut | State::Broken => Duration::ZERO,
        };
        let mut connection = connection.into_inner();
        if !patience.is_zero() {
            match time::timeout(patience, sqlx::raw_sql("rollback").execute(&mut *connection)).await {
                Ok(Ok(_)) => return give_back(&mut connection, &availability).await,
                Ok(Err(_)) => {}
                Err(_) if state == State::Idle => availability.record_timeout(),
                Err(_) => {}
            }
        }
        close_hard(connection);
        if state != State::Broken {
            time::sleep(BACKEND_EXIT).await;
        }
        drop(permit);
    }
}

/// Gives a connection outside of any transaction back to its pool, which tests it first. One that does not answer is closed.
pub(crate) async fn give_back(connection: &mut PoolConnection<Postgres>, availability: &Availability) {
    if time::timeout(SHORT_TIMEOUT, connection.return_to_pool()).await.is_err() {
        availability.record_timeout();
    }
}

/// Closes the connection at once: what is on its way is not waited for, and its permit in the pool is free.
pub(crate) fn close_hard(connection: PoolConnection<Postgres>) {
    drop(connection.detach());
}

impl Deref for OpenTx {
    type Target = PgConnection;
    fn deref(&self) -> &PgConnection {
        &self.0.as_ref().expect("an open transaction has its connection until it is consumed").connection
    }
}

impl DerefMut for OpenTx {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.0.as_mut().expect("an open transaction has its connection until it is consumed").connection
    }
}

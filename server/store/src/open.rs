//! A connection inside a transaction. However it ends - committed, failed, or cancelled half-way through `begin` - the
//! connection returns to the pool outside of any transaction, or is closed. sqlx does not know about the transaction:
//! its own `begin` on such a connection would not be a savepoint (clippy.toml forbids it).

use std::{
    ops::{Deref, DerefMut},
    sync::Arc,
    time::Duration,
};

use sqlx::{AssertSqlSafe, Postgres, pool::PoolConnection, postgres::PgRow};
use tokio::{runtime::Handle, time};
use tracing::Span;

use crate::{
    availability::Availability,
    connection::{PgConnection, State},
    connection_limiter::ConnectionPermit,
    error::Result,
};

/// Timeout of short statements: beginning a transaction, a rollback, a ping.
pub(crate) const SHORT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long a statement may still run after its caller was dropped; then its connection is closed.
const ROLLBACK_GRACE: Duration = Duration::from_millis(100);
/// How often PostgreSQL checks whether the client of a running statement is still connected.
pub(crate) const CLIENT_CHECK_INTERVAL_MS: u64 = 500;
/// When PostgreSQL has certainly noticed that a connection was closed. Its permit stays taken until then.
const BACKEND_EXIT: Duration = Duration::from_millis(CLIENT_CHECK_INTERVAL_MS + 100);

/// What is needed to begin a transaction.
#[derive(Debug)]
pub(crate) struct PendingTx {
    pub(crate) connection: PoolConnection<Postgres>,
    pub(crate) permit: ConnectionPermit,
    pub(crate) availability: Arc<Availability>,
}

/// The connection; `None` after the transaction has ended.
#[derive(Debug)]
pub(crate) struct OpenTx(Option<Open>);

#[derive(Debug)]
struct Open {
    connection: PgConnection,
    permit: ConnectionPermit,
    availability: Arc<Availability>,
    /// The span of a trace, which ends with the transaction.
    span: Span,
}

impl OpenTx {
    /// Runs the statements that begin a transaction. `limit` bounds each statement in it.
    pub(crate) async fn begin(pending: PendingTx, statements: String, limit: Duration) -> Result<Self> {
        // Created first, so that dropping this future before the response rolls back.
        let mut tx = Self::new(pending);
        tx.run(statements).await?;
        tx.set_limit(limit);
        tx.record_success();
        Ok(tx)
    }

    /// Runs statements that begin and end a transaction in one round trip, and returns their rows.
    pub(crate) async fn simple_query(pending: PendingTx, statements: String) -> Result<Vec<PgRow>> {
        let mut tx = Self::new(pending);
        let rows = sqlx::raw_sql(AssertSqlSafe(statements)).fetch_all(&mut *tx).await?;
        tx.record_success();
        tx.release();
        Ok(rows)
    }

    fn new(PendingTx { connection, permit, availability }: PendingTx) -> Self {
        let connection = PgConnection::new(connection, SHORT_TIMEOUT);
        Self(Some(Open { connection, permit, availability, span: Span::none() }))
    }

    /// Ends the span of a trace with the transaction.
    pub(crate) fn in_span(mut self, span: Span) -> Self {
        if let Some(open) = &mut self.0 {
            open.span = span;
        }
        self
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

    /// Runs statements and ignores their results.
    pub(crate) async fn run(&mut self, statements: String) -> Result<()> {
        sqlx::raw_sql(AssertSqlSafe(statements)).execute(&mut **self).await?;
        Ok(())
    }

    /// Returns the connection after its transaction has ended.
    fn release(&mut self) {
        let Some(Open { connection, permit, availability, .. }) = self.0.take() else { return };
        let mut connection = connection.into_inner();
        tokio::spawn(async move {
            return_connection(&mut connection, &availability).await;
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
    /// Rolls back, or closes the connection when that fails.
    async fn clean_up(self) {
        let Self { connection, permit, availability, span: _span } = self;
        let state = connection.state();
        let rollback_timeout = match state {
            State::Idle => SHORT_TIMEOUT,
            State::Busy => ROLLBACK_GRACE,
            State::TimedOut | State::Broken => Duration::ZERO,
        };
        let mut connection = connection.into_inner();
        if !rollback_timeout.is_zero() {
            match time::timeout(rollback_timeout, sqlx::raw_sql("rollback").execute(&mut *connection)).await {
                Ok(Ok(_)) => return return_connection(&mut connection, &availability).await,
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

/// Returns a connection outside of any transaction to its pool, which tests it first. One that does not respond is
/// closed.
pub(crate) async fn return_connection(connection: &mut PoolConnection<Postgres>, availability: &Availability) {
    if time::timeout(SHORT_TIMEOUT, connection.return_to_pool()).await.is_err() {
        availability.record_timeout();
    }
}

/// Closes the connection immediately, without waiting for pending responses, and frees its slot in the pool.
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

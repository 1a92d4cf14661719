//! A connection inside a transaction. However its holder ends - done, failed, cancelled half-way through `begin` - the
//! connection goes back to the pool outside of any transaction, or not at all. sqlx does not know of the transaction: its
//! own `begin` on such a connection would be no savepoint (clippy.toml forbids it).

use std::ops::{Deref, DerefMut};

use sqlx::{AssertSqlSafe, PgConnection, Postgres, pool::PoolConnection, postgres::PgRow};

use crate::error::Result;

/// The connection; `None` once the transaction has ended.
#[derive(Debug)]
pub(crate) struct OpenTx(Option<PoolConnection<Postgres>>);

impl OpenTx {
    /// Runs the statements that begin a transaction.
    pub(crate) async fn begin(connection: PoolConnection<Postgres>, statements: String) -> Result<Self> {
        // Made first: whoever drops this future before the answer has come leaves a rollback behind.
        let mut tx = Self(Some(connection));
        tx.run(statements).await?;
        Ok(tx)
    }

    /// Runs statements that begin a transaction and end it, in one round trip, and gives their rows.
    pub(crate) async fn whole(connection: PoolConnection<Postgres>, statements: String) -> Result<Vec<PgRow>> {
        let mut tx = Self(Some(connection));
        let rows = sqlx::raw_sql(AssertSqlSafe(statements)).fetch_all(&mut *tx).await?;
        tx.release();
        Ok(rows)
    }

    /// Commits.
    pub(crate) async fn commit(mut self) -> Result<()> {
        self.run("commit".to_owned()).await?;
        self.release();
        Ok(())
    }

    /// Ends the transaction without a change.
    pub(crate) async fn rollback(mut self) -> Result<()> {
        self.run("rollback".to_owned()).await?;
        self.release();
        Ok(())
    }

    async fn run(&mut self, statements: String) -> Result<()> {
        sqlx::raw_sql(AssertSqlSafe(statements)).execute(&mut **self).await?;
        Ok(())
    }

    /// Gives back the connection, whose transaction has ended.
    fn release(&mut self) {
        self.0 = None;
    }
}

impl Drop for OpenTx {
    fn drop(&mut self) {
        let Some(mut connection) = self.0.take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            connection.close_on_drop();
            return;
        };
        runtime.spawn(async move {
            if sqlx::raw_sql("rollback").execute(&mut *connection).await.is_err() {
                connection.close_on_drop();
            }
        });
    }
}

impl Deref for OpenTx {
    type Target = PgConnection;
    fn deref(&self) -> &PgConnection {
        self.0.as_ref().expect("an open transaction has its connection until it is consumed")
    }
}

impl DerefMut for OpenTx {
    fn deref_mut(&mut self) -> &mut PgConnection {
        self.0.as_mut().expect("an open transaction has its connection until it is consumed")
    }
}

//! Streams many rows with `copy ... to stdout` in PostgreSQL's binary format, on a connection from the pool of exports.
//! Binary rows save the database the conversion to text, and arrive as fast as the client reads.

pub(crate) mod literal;
mod row;

use std::{ops::ControlFlow, sync::Arc, time::Duration};

use bytes::Bytes;
use futures::{StreamExt, stream::BoxStream};
use sqlx::{
    AssertSqlSafe, FromRow, PgConnection, Postgres,
    pool::PoolConnection,
    postgres::{PgArguments, PgRow},
    query::QueryScalar,
};

pub use self::row::{BinaryRow, Fields};
use crate::{
    availability::Availability,
    connection::timed_out,
    error::{Error, Result},
    open::{close_hard, return_connection},
};

/// A read-only transaction that streams. When it is dropped before [`ExportTx::end`], its connection is closed, so that
/// the remaining rows need not be read and the database ends the query.
#[derive(Debug)]
pub struct ExportTx {
    /// `None` after the connection was returned.
    connection: Option<PoolConnection<Postgres>>,
    timeout: Duration,
    availability: Arc<Availability>,
}

/// A query without parameters: its values are in its text, quoted by PostgreSQL itself or of types without quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyQuery(pub(crate) String);

impl CopyQuery {
    /// The `select`.
    pub fn sql(&self) -> &str {
        &self.0
    }
}

impl ExportTx {
    pub(crate) async fn begin(
        connection: PoolConnection<Postgres>,
        statements: String,
        timeout: Duration,
        availability: Arc<Availability>,
    ) -> Result<Self> {
        let mut tx = Self { connection: Some(connection), timeout, availability };
        let begin = sqlx::raw_sql(AssertSqlSafe(statements));
        in_time(timeout, async { Ok(begin.execute(tx.connection()).await?) }).await?;
        Ok(tx)
    }

    fn connection(&mut self) -> &mut PgConnection {
        self.connection.as_mut().expect("the connection is given back by `end`, which takes the transaction")
    }

    /// Quotes texts as SQL literals by PostgreSQL's own rules.
    pub(crate) async fn quoted(&mut self, texts: &[String]) -> Result<Vec<String>> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let sql = "select quote_literal(text) from unnest($1::text[]) with ordinality t (text, n) order by n";
        self.fetch(sqlx::query_scalar(sql).bind(texts)).await
    }

    /// Reads all rows of a statement that is needed before the export.
    pub(crate) async fn fetch<'q, T>(&mut self, query: QueryScalar<'q, Postgres, T, PgArguments>) -> Result<Vec<T>>
    where
        T: Send + Unpin,
        (T,): for<'r> FromRow<'r, PgRow>,
    {
        in_time(self.timeout, async { Ok(query.fetch_all(self.connection()).await?) }).await
    }

    /// Runs the query.
    ///
    /// # Errors
    /// When the database rejects it or is unavailable.
    pub async fn rows(&mut self, query: &CopyQuery) -> Result<Rows<'_>> {
        let statement = format!("copy ({}) to stdout (format binary)", query.0);
        let timeout = self.timeout;
        let stream = in_time(timeout, async { Ok(self.connection().copy_out_raw(&statement).await?) }).await?;
        Ok(Rows { stream, timeout, is_first: true })
    }

    /// Ends the transaction after its rows were read to the end, and returns the connection to the pool.
    ///
    /// # Errors
    /// When the connection is lost.
    pub async fn end(mut self) -> Result<()> {
        in_time(self.timeout, async { Ok(sqlx::raw_sql("rollback").execute(self.connection()).await?) }).await?;
        if let Some(mut connection) = self.connection.take() {
            let availability = Arc::clone(&self.availability);
            tokio::spawn(async move { return_connection(&mut connection, &availability).await });
        }
        Ok(())
    }
}

impl Drop for ExportTx {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            close_hard(connection);
        }
    }
}

/// Whether more rows may follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// The callback asked to stop.
    More,
    /// Every row was read.
    Nothing,
}

/// The rows of a running query.
pub struct Rows<'a> {
    stream: BoxStream<'a, sqlx::Result<Bytes>>,
    timeout: Duration,
    is_first: bool,
}

impl Rows<'_> {
    /// Passes rows to `take` until it breaks or there are no more.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the database is lost or does not respond in time, and the error of `take`.
    pub async fn read(&mut self, mut take: impl FnMut(BinaryRow) -> Result<ControlFlow<()>>) -> Result<Rest> {
        in_time(self.timeout, async {
            while let Some(message) = self.stream.next().await {
                let row = if std::mem::take(&mut self.is_first) {
                    BinaryRow::first(message?)?
                } else {
                    BinaryRow::new(message?)?
                };
                // The end of the copy is its own message; the end of the stream follows it.
                if let Some(row) = row
                    && take(row)?.is_break()
                {
                    return Ok(Rest::More);
                }
            }
            Ok(Rest::Nothing)
        })
        .await
    }
}

impl std::fmt::Debug for Rows<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rows").finish_non_exhaustive()
    }
}

async fn in_time<T>(timeout: Duration, work: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::time::timeout(timeout, work).await.map_err(|_| Error::Unavailable(timed_out()))?
}

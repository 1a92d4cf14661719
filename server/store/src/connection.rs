//! A connection with a client-side timeout. It replaces sqlx's type of the same name: each statement is bounded on this
//! side of the wire as well, so that a database that stops responding blocks no caller for longer.

use std::{future, io, time::Duration};

use futures::{
    FutureExt, StreamExt,
    future::BoxFuture,
    stream::{self, BoxStream},
};
use sqlx::{
    Either, Execute, Executor, Postgres, SqlStr,
    pool::PoolConnection,
    postgres::{PgQueryResult, PgRow, PgStatement, PgTypeInfo},
};
use tokio::time::timeout;

/// The connection of a transaction.
#[derive(Debug)]
pub struct PgConnection {
    inner: PoolConnection<Postgres>,
    state: State,
    limit: Duration,
}

/// The known state of the other side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// It answered every statement.
    Idle,
    /// A statement was sent and its response was not read to the end.
    Busy,
    /// It did not answer in time.
    TimedOut,
    /// The connection is lost.
    Broken,
}

/// A running statement.
struct Running<'a> {
    answers: BoxStream<'a, sqlx::Result<Either<PgQueryResult, PgRow>>>,
    state: &'a mut State,
    limit: Duration,
}

impl Running<'_> {
    async fn next(&mut self) -> Option<sqlx::Result<Either<PgQueryResult, PgRow>>> {
        let next = timeout(self.limit, self.answers.next()).await.unwrap_or_else(|_| Some(Err(timed_out())));
        match &next {
            Some(Ok(_)) => {}
            None => *self.state = State::Idle,
            Some(Err(error)) => *self.state = state_after(error),
        }
        next
    }
}

impl PgConnection {
    pub(crate) fn new(inner: PoolConnection<Postgres>, limit: Duration) -> Self {
        Self { inner, state: State::Idle, limit }
    }

    pub(crate) fn state(&self) -> State {
        self.state
    }

    /// Sets the timeout for each response.
    pub(crate) fn set_limit(&mut self, limit: Duration) {
        self.limit = limit;
    }

    pub(crate) fn into_inner(self) -> PoolConnection<Postgres> {
        self.inner
    }

    async fn bounded<'e, T>(
        &'e mut self,
        work: impl FnOnce(&'e mut sqlx::PgConnection) -> BoxFuture<'e, sqlx::Result<T>>,
    ) -> sqlx::Result<T> {
        self.usable()?;
        let Self { inner, state, limit } = self;
        *state = State::Busy;
        let done = timeout(*limit, work(inner)).await.unwrap_or_else(|_| Err(timed_out()));
        *state = done.as_ref().err().map_or(State::Idle, state_after);
        done
    }

    /// Refuses to use a connection again that timed out.
    fn usable(&self) -> sqlx::Result<()> {
        match self.state {
            State::TimedOut => Err(timed_out()),
            State::Idle | State::Busy | State::Broken => Ok(()),
        }
    }
}

impl<'c> Executor<'c> for &'c mut PgConnection {
    type Database = Postgres;

    fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> BoxStream<'e, sqlx::Result<Either<PgQueryResult, PgRow>>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        if let Err(error) = self.usable() {
            return stream::once(future::ready(Err(error))).boxed();
        }
        let PgConnection { inner, state, limit } = self;
        *state = State::Busy;
        let running = Running { answers: inner.fetch_many(query), state, limit: *limit };
        stream::unfold(Some(running), |running| async move {
            let mut running = running?;
            let next = running.next().await?;
            let rest = next.is_ok().then_some(running);
            Some((next, rest))
        })
        .boxed()
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, sqlx::Result<Option<PgRow>>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        self.bounded(|connection| connection.fetch_optional(query)).boxed()
    }

    fn prepare_with<'e>(self, sql: SqlStr, parameters: &'e [PgTypeInfo]) -> BoxFuture<'e, sqlx::Result<PgStatement>>
    where
        'c: 'e,
    {
        self.bounded(move |connection| connection.prepare_with(sql, parameters)).boxed()
    }

    fn describe<'e>(self, sql: SqlStr) -> BoxFuture<'e, sqlx::Result<sqlx::Describe<Postgres>>>
    where
        'c: 'e,
    {
        self.bounded(move |connection| connection.describe(sql)).boxed()
    }
}

/// The error of a response that timed out.
pub(crate) fn timed_out() -> sqlx::Error {
    sqlx::Error::Io(io::ErrorKind::TimedOut.into())
}

/// The state of the other side after an error.
fn state_after(error: &sqlx::Error) -> State {
    match error {
        sqlx::Error::Io(error) if error.kind() == io::ErrorKind::TimedOut => State::TimedOut,
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::Protocol(_) => State::Broken,
        _ => State::Idle,
    }
}

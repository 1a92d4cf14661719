//! The connection pool.

mod checks;

use std::{sync::Arc, time::Duration};

use contract::TenantId;
use sqlx::{
    ConnectOptions, Connection, FromRow, PgPool, Postgres,
    pool::PoolConnection,
    postgres::{PgConnectOptions, PgPoolOptions, PgRow},
};
use tokio::time::timeout;
use tracing::{Instrument as _, info_span};

use crate::{
    address,
    availability::Availability,
    connection::timed_out,
    connection_limiter::{ConnectionLimiter, ConnectionPermit, ConnectionShares, ShareOwner},
    error::{Error, Result},
    export::ExportTx,
    local_settings::LocalSettings,
    migrations,
    open::{OpenTx, PendingTx, close_hard},
    scope::Scope,
    system_check::Transport,
    tx::{ReadTx, WriteTx},
};

/// How long an idle connection of an export is kept.
const EXPORT_IDLE_TIMEOUT: Duration = Duration::from_secs(60);
/// A connection that was idle for longer is tested before use.
const PING_IF_IDLE_FOR: Duration = Duration::from_secs(1);
/// The timeout of that test.
const PING_TIMEOUT: Duration = Duration::from_secs(1);
/// How much longer the client waits for a statement than the database lets it run.
const CLIENT_MARGIN: Duration = Duration::from_secs(2);
/// Timeout for closing the pools.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Lets PostgreSQL detect a client host that has gone: after a minute without traffic it sends three keepalive probes.
const KEEPALIVE: &str = "set tcp_keepalives_idle = 60; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3";
/// Lets PostgreSQL detect a client host that does not acknowledge data. Not for exports, whose clients may pause for
/// longer.
const SEND_TIMEOUT: &str = "set tcp_user_timeout = '30s'";

/// How to connect to the database.
#[derive(Debug, Clone)]
pub struct DbSettings {
    /// The URL with the restricted login role `svc_app`.
    pub url: String,
    pub max_connections: u32,
    /// Timeout for acquiring a connection.
    pub acquire_timeout: Duration,
    /// Timeout of a statement; for an export, of the wait for its next rows.
    pub statement_timeout: Duration,
    /// Whether statements stay prepared on a connection. A transaction pooler may not support this.
    pub prepared_statements: bool,
    /// Maximum concurrent exports. Each has its own connection, which does not count towards `max_connections`.
    pub max_exports: u32,
    /// How `max_connections` are shared.
    pub shares: ConnectionShares,
}

/// The database with the rights of the restricted login role.
#[derive(Debug, Clone)]
pub struct Db {
    pool: PgPool,
    exports: PgPool,
    export_call_timeout: Duration,
    /// Client-side timeout for the response to a statement.
    call_timeout: Duration,
    limiter: Arc<ConnectionLimiter>,
    availability: Arc<Availability>,
    request_settings: LocalSettings,
    export_settings: LocalSettings,
}

impl Db {
    /// Connects. Refuses a role that could bypass row security, and a schema that lacks a migration.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the database is unreachable, [`Error::UnsafeRole`] when the role is a superuser, may
    /// bypass row security, owns a table or has its own rights, [`Error::NotMigrated`] when a migration was not
    /// applied, [`Error::Pooler`] when a pooler in between does not preserve what a transaction needs.
    pub async fn connect(settings: &DbSettings) -> Result<Self> {
        let mut db = Self::lazy(settings)?;
        let connect_timeout = settings.acquire_timeout + db.call_timeout;
        let check = async {
            let checks_client = checks::can_check_client(&db).await?;
            let local = |timeout| LocalSettings::new(timeout, settings.prepared_statements, checks_client);
            db.request_settings = local(settings.statement_timeout);
            // An export may run for long; how long it may wait for its client is limited elsewhere.
            db.export_settings = local(Duration::ZERO);
            migrations::refuse_empty_database(&db.pool).await?;
            checks::refuse_unsafe_role(&db).await?;
            let probed = db.read(&Scope::system()).await.map_err(checks::advised)?;
            checks::refuse_lost_settings(probed, settings.statement_timeout).await?;
            if settings.prepared_statements {
                checks::refuse_foreign_statements(&db).await?;
            }
            migrations::refuse_old_tables(db.read(&Scope::system()).await?).await?;
            Ok(db)
        };
        timeout(connect_timeout, check).await.map_err(|_| Error::Unavailable(timed_out()))?
    }

    fn lazy(settings: &DbSettings) -> Result<Self> {
        let options = options(settings)?;
        let availability = Availability::new(options.clone());
        Ok(Self {
            pool: request_pool(settings, Arc::clone(&availability)).connect_lazy_with(options.clone()),
            exports: export_pool(settings).connect_lazy_with(options),
            export_call_timeout: settings.statement_timeout,
            call_timeout: settings.statement_timeout + CLIENT_MARGIN,
            limiter: ConnectionLimiter::new(settings.max_connections, &settings.shares, settings.acquire_timeout),
            availability,
            request_settings: LocalSettings::default(),
            export_settings: LocalSettings::default(),
        })
    }

    /// Begins a read-only transaction.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when no connection is available in time, [`Error::TenantBusy`] when the tenant uses its
    /// full share.
    pub async fn read(&self, scope: &Scope) -> Result<ReadTx> {
        self.begin(scope, true).await.map(ReadTx::new)
    }

    /// Begins a read-write transaction.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when no connection is available in time, [`Error::TenantBusy`] when the tenant uses its
    /// full share.
    pub async fn write(&self, scope: &Scope) -> Result<WriteTx> {
        self.begin(scope, false).await.map(WriteTx::new)
    }

    /// Begins the transaction of an export, on a connection from the pool of exports.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when no connection is available in time, because too many exports run or the database is
    /// down.
    pub async fn export(&self, scope: &Scope) -> Result<ExportTx> {
        let begin = statements(scope, true, &self.export_settings)?;
        let connection = self.connection_from(&self.exports).await?;
        ExportTx::begin(connection, begin, self.export_call_timeout, Arc::clone(&self.availability)).await
    }

    /// Maximum concurrent exports.
    pub fn most_exports(&self) -> usize {
        self.exports.options().get_max_connections() as usize
    }

    /// The statements that begin a transaction.
    pub(crate) fn statements(&self, scope: &Scope, read_only: bool) -> Result<String> {
        statements(scope, read_only, &self.request_settings)
    }

    fn max_connections(&self) -> u32 {
        self.pool.options().get_max_connections()
    }

    pub(crate) async fn begin(&self, scope: &Scope, read_only: bool) -> Result<OpenTx> {
        let span =
            info_span!(target: "telemetry", "transaction", db.system.name = "postgresql", svc.db.read_only = read_only);
        let begun = self.begin_in_span(scope, read_only).instrument(span.clone()).await;
        begun.map(|tx| tx.in_span(span))
    }

    async fn begin_in_span(&self, scope: &Scope, read_only: bool) -> Result<OpenTx> {
        let begin = self.statements(scope, read_only)?;
        let (owner, call_timeout) = (scope.share_owner(), self.call_timeout);
        match OpenTx::begin(self.acquire(owner).await?, begin.clone(), call_timeout).await {
            // The database was restarted while the connection was idle. Another connection may work.
            Err(Error::Unavailable(_)) => OpenTx::begin(self.acquire_checked(owner).await?, begin, call_timeout).await,
            result => result,
        }
    }

    /// Runs one query in its own transaction and returns its rows, all in one round trip. The query has no parameters;
    /// callers must insert nothing but ids into it.
    pub(crate) async fn read_at_once(&self, scope: &Scope, query: &str) -> Result<Vec<PgRow>> {
        let begin = self.statements(scope, true)?;
        let span = info_span!(target: "telemetry", "query", db.system.name = "postgresql");
        self.simple_query(scope.share_owner(), &format!("{begin}; {query}; rollback")).instrument(span).await
    }

    /// Runs statements that begin and end a transaction, in one round trip.
    pub(crate) async fn simple_query(&self, owner: ShareOwner, statements: &str) -> Result<Vec<PgRow>> {
        match OpenTx::simple_query(self.acquire(owner).await?, statements.to_owned()).await {
            Err(Error::Unavailable(_)) => {
                OpenTx::simple_query(self.acquire_checked(owner).await?, statements.to_owned()).await
            }
            rows => rows,
        }
    }

    /// Acquires a permit and a connection.
    async fn acquire(&self, owner: ShareOwner) -> Result<PendingTx> {
        let permit = self.permit(owner).await?;
        let connection = self.connection_from(&self.pool).await?;
        Ok(PendingTx { connection, permit, availability: Arc::clone(&self.availability) })
    }

    /// Like `acquire`, but tests the connection first. The loop ends because each dead connection is closed.
    async fn acquire_checked(&self, owner: ShareOwner) -> Result<PendingTx> {
        let permit = self.permit(owner).await?;
        loop {
            let mut connection = self.connection_from(&self.pool).await?;
            if matches!(timeout(PING_TIMEOUT, connection.ping()).await, Ok(Ok(()))) {
                return Ok(PendingTx { connection, permit, availability: Arc::clone(&self.availability) });
            }
            close_hard(connection);
        }
    }

    async fn permit(&self, owner: ShareOwner) -> Result<ConnectionPermit> {
        self.availability.check()?;
        tokio::select! {
            biased;
            permit = self.limiter.acquire(owner) => permit,
            error = self.availability.wait_until_down() => Err(error),
        }
    }

    async fn connection_from(&self, pool: &PgPool) -> Result<PoolConnection<Postgres>> {
        self.availability.check()?;
        let acquired = tokio::select! {
            biased;
            acquired = pool.acquire() => acquired,
            error = self.availability.wait_until_down() => return Err(error),
        };
        if acquired.as_ref().is_err_and(|error| !matches!(error, sqlx::Error::PoolClosed)) {
            self.availability.start_probe();
        }
        Ok(acquired?)
    }

    /// Whether the tenant exists and is not soft-deleted, read in the tenant's scope in one round trip. It counts
    /// towards the tenant's share, so that calls of a busy tenant are refused without a query.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when no connection is available in time, [`Error::TenantBusy`] when the tenant uses its
    /// full share.
    pub async fn is_active(&self, tenant: TenantId) -> Result<bool> {
        let query = format!("select from tenants where id = '{tenant}' and deleted_at is null");
        Ok(!self.read_at_once(&Scope::tenant(tenant), &query).await?.is_empty())
    }

    /// Checks that the database accepts writes.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when it does not respond, is read-only or in recovery.
    pub async fn ping(&self) -> Result<()> {
        let query = "begin; select where current_setting('transaction_read_only') = 'off'; rollback";
        let rows = self.simple_query(ShareOwner::Server, query).await?;
        if rows.is_empty() {
            return Err(Error::Unavailable(sqlx::Error::Protocol("the database takes no writes".to_owned())));
        }
        Ok(())
    }

    /// Checks that calls can be served: the database responds and has the tables that this program needs.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when it does not respond, [`Error::NotMigrated`] when migrations are missing.
    pub async fn check(&self) -> Result<()> {
        self.ping().await?;
        migrations::refuse_old_tables(self.read(&Scope::system()).await?).await
    }

    /// How the connections reach the server.
    pub(crate) fn transport(&self) -> Transport {
        Transport::of(&self.pool.connect_options())
    }

    /// Role and tenant of every idle connection in the pool, for tests: the login role and no tenant, unless a
    /// transaction leaked its scope.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when a connection does not respond.
    pub async fn idle_connection_scopes(&self) -> Result<Vec<(String, String)>> {
        let (mut held, mut scopes) = (Vec::new(), Vec::new());
        while let Some(mut connection) = self.pool.try_acquire() {
            let sql = "select current_user::text, coalesce(current_setting('app.tenant_id', true), '')";
            scopes.push(FromRow::from_row(&sqlx::raw_sql(sql).fetch_one(&mut *connection).await?)?);
            held.push(connection);
        }
        Ok(scopes)
    }

    /// Closes every connection. Those that are not returned within a second are closed when the process ends.
    pub async fn close(&self) {
        let closing = async { tokio::join!(self.exports.close(), self.pool.close()) };
        if timeout(CLOSE_TIMEOUT, closing).await.is_err() {
            tracing::warn!("database.not_closed: connections are still in use");
        }
    }
}

/// Sets only parameters that every pooler supports; each transaction sets the rest.
fn options(settings: &DbSettings) -> Result<PgConnectOptions> {
    let mut options = address::options(&settings.url)?;
    if !settings.prepared_statements {
        options = options.statement_cache_capacity(0);
    }
    Ok(options
        .application_name("chatbot-platform")
        .extra_float_digits(None)
        .log_slow_statements(tracing::log::LevelFilter::Off, Duration::MAX))
}

fn statements(scope: &Scope, read_only: bool, settings: &LocalSettings) -> Result<String> {
    if scope.is_storable() { Ok(scope.begin(read_only, settings)) } else { Err(Error::Text) }
}

fn pool(max_connections: u32, settings: &DbSettings, settings_of_session: &'static [&'static str]) -> PgPoolOptions {
    let options = PgPoolOptions::new().max_connections(max_connections).acquire_timeout(settings.acquire_timeout);
    options.after_connect(move |connection, _| {
        Box::pin(async move {
            // Not every operating system supports all of them.
            for setting in settings_of_session {
                let _ = sqlx::raw_sql(*setting).execute(&mut *connection).await;
            }
            Ok(())
        })
    })
}

fn request_pool(settings: &DbSettings, availability: Arc<Availability>) -> PgPoolOptions {
    // The pool tests each connection when it is returned; one that has been idle since is tested again before use.
    pool(settings.max_connections, settings, &[KEEPALIVE, SEND_TIMEOUT]).test_before_acquire(false).before_acquire(
        move |connection, rest| {
            let is_doubtful = availability.is_suspect(rest.idle_for);
            Box::pin(async move {
                if is_doubtful {
                    return Ok(false);
                }
                if rest.idle_for > PING_IF_IDLE_FOR {
                    timeout(PING_TIMEOUT, connection.ping()).await.map_err(|_| timed_out())??;
                }
                Ok(true)
            })
        },
    )
}

fn export_pool(settings: &DbSettings) -> PgPoolOptions {
    pool(settings.max_exports, settings, &[KEEPALIVE]).idle_timeout(EXPORT_IDLE_TIMEOUT)
}

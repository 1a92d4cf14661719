//! The connection pool, the check of the login role, and the migrations.

use std::{sync::Arc, time::Duration};

use contract::TenantId;
use sqlx::{
    ConnectOptions, Connection, FromRow, PgPool, Postgres, Row,
    migrate::Migrator,
    pool::PoolConnection,
    postgres::{PgConnectOptions, PgPoolOptions, PgRow},
};
use tokio::time::timeout;

use crate::{
    connection::late,
    error::{Error, Result},
    export::ExportTx,
    open::{Beginning, OpenTx, close_hard},
    places::{Party, Place, Places, Shares},
    scope::Scope,
    session::{self, LocalSettings},
    silence::{self, Silence},
    tx::{ReadTx, WriteTx},
};

static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations");
/// How long the connection of an export is kept for the next one.
const EXPORT_IDLE: Duration = Duration::from_secs(60);
/// A connection that lay unused for longer is tested before it is used.
const RESTED: Duration = Duration::from_secs(1);
/// The longest wait for the answer to that test.
const PING: Duration = Duration::from_secs(1);
/// What a statement may take longer here than in the database, which ends it first.
const MARGIN: Duration = Duration::from_secs(2);
/// The longest wait for connections to be given back when all are closed.
const CLOSING: Duration = Duration::from_secs(1);

/// How PostgreSQL finds out that the other host is gone: after a minute of silence it asks, and asks three times.
const KEEPALIVE: &str = "set tcp_keepalives_idle = 60; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3";
/// And when that host does not take what it was sent. A reader of an export may rest for as long.
const TAKEN_IN: &str = "set tcp_user_timeout = '30s'";

/// How to reach the database.
#[derive(Debug, Clone)]
pub struct DbSettings {
    /// The address with the restricted login role `svc_app`.
    pub url: String,
    /// Connections at most.
    pub max_connections: u32,
    /// The longest wait for a connection.
    pub acquire_timeout: Duration,
    /// The longest statement; of an export, the longest wait for its next rows.
    pub statement_timeout: Duration,
    /// Whether statements stay prepared on a connection. A pooler that hands out connections by the transaction may not know
    /// of them.
    pub prepared_statements: bool,
    /// Exports at the same time; each holds a connection of its own, apart from `max_connections`.
    pub max_exports: u32,
    /// How `max_connections` are shared.
    pub shares: Shares,
}

/// The database as the restricted login role sees it.
#[derive(Debug, Clone)]
pub struct Db {
    pool: PgPool,
    exports: PgPool,
    export_patience: Duration,
    /// The longest wait for the answer to a statement.
    patience: Duration,
    places: Arc<Places>,
    silence: Arc<Silence>,
    of_calls: LocalSettings,
    of_exports: LocalSettings,
}

impl Db {
    /// Connects, and refuses a role that could bypass row security and tables that lack a migration.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the database cannot be reached, [`Error::UnsafeRole`] when the
    /// role is a superuser, may bypass row security, owns a table or has rights of its own, [`Error::NotMigrated`] when a
    /// migration was not applied, [`Error::Pooler`] when a pooler in between does not keep what a transaction needs.
    pub async fn connect(settings: &DbSettings) -> Result<Self> {
        let mut db = Self::lazy(settings)?;
        let patience = settings.acquire_timeout + db.patience;
        let check = async {
            let checks_client = session::can_check_client(&db).await?;
            let local = |timeout| LocalSettings::new(timeout, settings.prepared_statements, checks_client);
            db.of_calls = local(settings.statement_timeout);
            // A stream may last; how long it may keep its reader waiting is the reader's own affair.
            db.of_exports = local(Duration::ZERO);
            db.refuse_empty_database().await?;
            db.refuse_unsafe_role().await?;
            let probed = db.read(&Scope::system()).await.map_err(session::advised)?;
            session::refuse_lost_settings(probed, settings.statement_timeout).await?;
            if settings.prepared_statements {
                session::refuse_foreign_statements(&db).await?;
            }
            db.refuse_old_tables().await?;
            Ok(db)
        };
        timeout(patience, check).await.map_err(|_| Error::Unavailable(late()))?
    }

    fn lazy(settings: &DbSettings) -> Result<Self> {
        let options = options(settings)?;
        let silence = Silence::new(options.clone());
        Ok(Self {
            pool: pool_of_calls(settings, Arc::clone(&silence)).connect_lazy_with(options.clone()),
            exports: pool_of_exports(settings).connect_lazy_with(options),
            export_patience: settings.statement_timeout,
            patience: settings.statement_timeout + MARGIN,
            places: Places::new(settings.max_connections, &settings.shares, settings.acquire_timeout),
            silence,
            of_calls: LocalSettings::default(),
            of_exports: LocalSettings::default(),
        })
    }

    /// Begins a transaction that cannot write.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when there is no connection in time, [`Error::TenantBusy`] when the tenant has its share of them.
    pub async fn read(&self, scope: &Scope) -> Result<ReadTx> {
        self.begin(scope, true).await.map(ReadTx::new)
    }

    /// Begins a transaction that may write.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when there is no connection in time, [`Error::TenantBusy`] when the tenant has its share of them.
    pub async fn write(&self, scope: &Scope) -> Result<WriteTx> {
        self.begin(scope, false).await.map(WriteTx::new)
    }

    /// Begins the transaction of a long stream of rows, on a connection that no other call waits for.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when there is no connection in time, because too many exports run or the database is
    /// down.
    pub async fn export(&self, scope: &Scope) -> Result<ExportTx> {
        let begin = scope_statements(scope, true, &self.of_exports)?;
        let connection = self.connection_of(&self.exports).await?;
        ExportTx::begin(connection, begin, self.export_patience, Arc::clone(&self.silence)).await
    }

    /// How many exports can run at the same time.
    pub fn most_exports(&self) -> usize {
        self.exports.options().get_max_connections() as usize
    }

    /// The statements that begin a transaction.
    pub(crate) fn statements(&self, scope: &Scope, read_only: bool) -> Result<String> {
        scope_statements(scope, read_only, &self.of_calls)
    }

    /// Connections at most.
    pub(crate) fn max_connections(&self) -> u32 {
        self.pool.options().get_max_connections()
    }

    pub(crate) async fn begin(&self, scope: &Scope, read_only: bool) -> Result<OpenTx> {
        let begin = self.statements(scope, read_only)?;
        let (party, patience) = (scope.party(), self.patience);
        match OpenTx::begin(self.beginning(party).await?, begin.clone(), patience).await {
            // The database was restarted while the connection rested; another one may do.
            Err(Error::Unavailable(_)) => OpenTx::begin(self.living(party).await?, begin, patience).await,
            begun => begun,
        }
    }

    /// Runs statements that begin a transaction and end it, in one round trip.
    pub(crate) async fn whole(&self, statements: &str) -> Result<Vec<PgRow>> {
        match OpenTx::whole(self.beginning(Party::Server).await?, statements.to_owned()).await {
            Err(Error::Unavailable(_)) => OpenTx::whole(self.living(Party::Server).await?, statements.to_owned()).await,
            rows => rows,
        }
    }

    /// A place and a connection.
    async fn beginning(&self, party: Party) -> Result<Beginning> {
        let place = self.place(party).await?;
        let connection = self.connection_of(&self.pool).await?;
        Ok(Beginning { connection, place, silence: Arc::clone(&self.silence) })
    }

    /// The same with a connection that has just answered. Ends, because each dead one is closed.
    async fn living(&self, party: Party) -> Result<Beginning> {
        let place = self.place(party).await?;
        loop {
            let mut connection = self.connection_of(&self.pool).await?;
            if matches!(timeout(PING, connection.ping()).await, Ok(Ok(()))) {
                return Ok(Beginning { connection, place, silence: Arc::clone(&self.silence) });
            }
            close_hard(connection);
        }
    }

    async fn place(&self, party: Party) -> Result<Place> {
        if self.silence.is_down() {
            return Err(silence::down());
        }
        tokio::select! {
            biased;
            place = self.places.take(party) => place,
            () = self.silence.known() => Err(silence::down()),
        }
    }

    async fn connection_of(&self, pool: &PgPool) -> Result<PoolConnection<Postgres>> {
        if self.silence.is_down() {
            return Err(silence::down());
        }
        let acquired = tokio::select! {
            biased;
            acquired = pool.acquire() => acquired,
            () = self.silence.known() => return Err(silence::down()),
        };
        if acquired.as_ref().is_err_and(|error| !matches!(error, sqlx::Error::PoolClosed)) {
            self.silence.suspect();
        }
        Ok(acquired?)
    }

    /// Whether the tenant exists and is not soft-deleted, asked as the tenant in one round trip.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when there is no connection in time.
    pub async fn is_live(&self, tenant: TenantId) -> Result<bool> {
        let begin = Scope::tenant(tenant).begin(true, &self.of_calls);
        let statements = format!("{begin}; select from tenants where id = '{tenant}' and deleted_at is null; rollback");
        Ok(!self.whole(&statements).await?.is_empty())
    }

    /// Asks the database whether it takes writes.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when it does not answer, when it is read-only and while it recovers.
    pub async fn ping(&self) -> Result<()> {
        let rows = self.whole("begin; select where current_setting('transaction_read_only') = 'off'; rollback").await?;
        if rows.is_empty() {
            return Err(Error::Unavailable(sqlx::Error::Protocol("the database takes no writes".to_owned())));
        }
        Ok(())
    }

    /// Whether calls can be served: the database answers, and has the tables that this program needs.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when it does not answer, [`Error::NotMigrated`] when migrations are missing.
    pub async fn check(&self) -> Result<()> {
        self.ping().await?;
        self.refuse_old_tables().await
    }

    /// Role and tenant of every connection that waits in the pool: the login role and none, unless a transaction left
    /// something behind. For tests.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when a connection does not answer.
    pub async fn scopes_at_rest(&self) -> Result<Vec<(String, String)>> {
        let (mut held, mut scopes) = (Vec::new(), Vec::new());
        while let Some(mut connection) = self.pool.try_acquire() {
            let sql = "select current_user::text, coalesce(current_setting('app.tenant_id', true), '')";
            scopes.push(FromRow::from_row(&sqlx::raw_sql(sql).fetch_one(&mut *connection).await?)?);
            held.push(connection);
        }
        Ok(scopes)
    }

    /// Closes every connection; those that are not given back in a second are left to the end of the process.
    pub async fn close(&self) {
        let closing = async { tokio::join!(self.exports.close(), self.pool.close()) };
        if timeout(CLOSING, closing).await.is_err() {
            tracing::warn!("database connections were still in use at the end");
        }
    }

    async fn refuse_empty_database(&self) -> Result<()> {
        let row = sqlx::raw_sql("select to_regclass('_sqlx_migrations') is null").fetch_one(&self.pool).await?;
        if row.try_get(0)? { Err(not_migrated()) } else { Ok(()) }
    }

    /// Tables that are newer are taken: while processes are replaced one by one, the former ones go on.
    async fn refuse_old_tables(&self) -> Result<()> {
        let mut tx = self.read(&Scope::system()).await?;
        let applied: Option<i64> =
            match sqlx::query_scalar("select max(version) from _sqlx_migrations").fetch_one(&mut *tx).await {
                Ok(applied) => applied,
                // Before migration 22 only the owner may read it.
                Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some("42501") => None,
                Err(error) => return Err(error.into()),
            };
        tx.end().await?;
        if applied >= Some(newest_migration()) { Ok(()) } else { Err(not_migrated()) }
    }

    async fn refuse_unsafe_role(&self) -> Result<()> {
        let row = sqlx::raw_sql(
            "select session_user::text, r.rolsuper, r.rolbypassrls,
                    exists (select from pg_class c where c.relowner = r.oid),
                    has_table_privilege(session_user, 'tenants', 'select')
             from pg_roles r where r.rolname = session_user",
        )
        .fetch_one(&self.pool)
        .await?;
        let (name, superuser, bypass, owns, inherits) = <(String, bool, bool, bool, bool)>::from_row(&row)?;
        let fault = if superuser {
            "is a superuser"
        } else if bypass {
            "may bypass row security"
        } else if owns {
            "owns tables"
        } else if inherits {
            "inherits the rights of its roles (it must be noinherit)"
        } else {
            return Ok(());
        };
        Err(Error::UnsafeRole(format!(
            "the database role {name} {fault}; tenants would not be isolated. Connect as svc_app (docs/configuration.md)."
        )))
    }
}

/// Only what every pooler lets pass; the rest is set by each transaction.
fn options(settings: &DbSettings) -> Result<PgConnectOptions> {
    let mut options: PgConnectOptions = settings.url.parse()?;
    if !settings.prepared_statements {
        options = options.statement_cache_capacity(0);
    }
    Ok(options
        .application_name("chatbot-platform")
        .extra_float_digits(None)
        .log_slow_statements(tracing::log::LevelFilter::Off, Duration::MAX))
}

fn scope_statements(scope: &Scope, read_only: bool, settings: &LocalSettings) -> Result<String> {
    if scope.is_storable() { Ok(scope.begin(read_only, settings)) } else { Err(Error::Text) }
}

fn pool(max_connections: u32, settings: &DbSettings, wishes: &'static [&'static str]) -> PgPoolOptions {
    let options = PgPoolOptions::new().max_connections(max_connections).acquire_timeout(settings.acquire_timeout);
    options.after_connect(move |connection, _| {
        Box::pin(async move {
            // Not every system can do all of it.
            for wish in wishes {
                let _ = sqlx::raw_sql(*wish).execute(&mut *connection).await;
            }
            Ok(())
        })
    })
}

fn pool_of_calls(settings: &DbSettings, silence: Arc<Silence>) -> PgPoolOptions {
    // The pool tests each connection as it comes back; one that has rested since is tested again.
    pool(settings.max_connections, settings, &[KEEPALIVE, TAKEN_IN]).test_before_acquire(false).before_acquire(
        move |connection, rest| {
            let is_doubtful = silence.doubts(rest.idle_for);
            Box::pin(async move {
                if is_doubtful {
                    return Ok(false);
                }
                if rest.idle_for > RESTED {
                    timeout(PING, connection.ping()).await.map_err(|_| late())??;
                }
                Ok(true)
            })
        },
    )
}

fn pool_of_exports(settings: &DbSettings) -> PgPoolOptions {
    pool(settings.max_exports, settings, &[KEEPALIVE]).idle_timeout(EXPORT_IDLE)
}

/// Applies the migrations with the owner's connection.
///
/// # Errors
/// [`Error::Unavailable`] when the database cannot be reached, [`Error::Migrate`] when a migration
/// fails or was edited after it was applied, [`Error::Pooler`] when a pooler in between shares the session.
pub async fn migrate(owner_url: &str) -> Result<()> {
    let options = owner_url.parse::<PgConnectOptions>()?.extra_float_digits(None);
    let mut connection = options.connect().await?;
    session::refuse_shared_session(&mut connection, &options).await?;
    let available: bool =
        sqlx::query_scalar("select exists (select from pg_available_extensions where name = 'vector')")
            .fetch_one(&mut connection)
            .await?;
    if !available {
        return Err(Error::UnsafeRole("this PostgreSQL lacks the extension pgvector; install it first".to_owned()));
    }
    MIGRATIONS.run(&mut connection).await?;
    Ok(())
}

fn not_migrated() -> Error {
    Error::NotMigrated { newest: newest_migration() }
}

fn newest_migration() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default()
}

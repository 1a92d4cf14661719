//! The connection pool, the check of the login role, and the migrations.

use std::time::Duration;

use contract::TenantId;
use sqlx::{
    ConnectOptions, Connection, FromRow, PgPool, Postgres, Row,
    migrate::Migrator,
    pool::PoolConnection,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use crate::{
    error::{Error, Result},
    export::ExportTx,
    open::OpenTx,
    scope::Scope,
    session::{self, LocalSettings},
    tx::{ReadTx, WriteTx},
};

static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations");
/// How long the connection of an export is kept for the next one.
const EXPORT_IDLE: Duration = Duration::from_secs(60);
/// A connection that lay unused for longer is tested before it is used.
const RESTED: Duration = Duration::from_secs(1);

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
}

/// The database as the restricted login role sees it.
#[derive(Debug, Clone)]
pub struct Db {
    pool: PgPool,
    exports: PgPool,
    export_patience: Duration,
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
        let pool = pool_of_calls(settings).connect_with(options(settings)?).await?;
        let checks_client = session::can_check_client(&pool).await?;
        let local = |timeout| LocalSettings::new(timeout, settings.prepared_statements, checks_client);
        let db = Self {
            pool,
            exports: pool_of_exports(settings).connect_lazy_with(options(settings)?),
            export_patience: settings.statement_timeout,
            of_calls: local(settings.statement_timeout),
            // A stream may last; how long it may keep its reader waiting is the reader's own affair.
            of_exports: local(Duration::ZERO),
        };
        db.refuse_empty_database().await?;
        db.refuse_unsafe_role().await?;
        let probed = db.read(&Scope::system()).await.map_err(session::advised)?;
        session::refuse_lost_settings(probed, settings.statement_timeout).await?;
        if settings.prepared_statements {
            session::refuse_foreign_statements(&db.pool, &db.of_calls).await?;
        }
        db.refuse_old_tables().await?;
        Ok(db)
    }

    /// Begins a transaction that cannot write.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when there is no connection in time.
    pub async fn read(&self, scope: &Scope) -> Result<ReadTx> {
        self.begin(scope, true).await.map(ReadTx::new)
    }

    /// Begins a transaction that may write.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when there is no connection in time.
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
        ExportTx::begin(self.exports.acquire().await?, begin, self.export_patience).await
    }

    /// How many exports can run at the same time.
    pub fn most_exports(&self) -> usize {
        self.exports.options().get_max_connections() as usize
    }

    async fn begin(&self, scope: &Scope, read_only: bool) -> Result<OpenTx> {
        let begin = scope_statements(scope, read_only, &self.of_calls)?;
        match OpenTx::begin(self.pool.acquire().await?, begin.clone()).await {
            // The database was restarted while the connection rested; another one may do.
            Err(Error::Unavailable(_)) => OpenTx::begin(self.living_connection().await?, begin).await,
            begun => begun,
        }
    }

    /// A connection that has just answered. Ends, because each dead one is closed.
    async fn living_connection(&self) -> Result<PoolConnection<Postgres>> {
        loop {
            let mut connection = self.pool.acquire().await?;
            if connection.ping().await.is_ok() {
                return Ok(connection);
            }
            connection.close_on_drop();
        }
    }

    /// Whether the tenant exists and is not soft-deleted, asked as the tenant in one round trip.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when there is no connection in time.
    pub async fn is_live(&self, tenant: TenantId) -> Result<bool> {
        let statements = || {
            let begin = Scope::tenant(tenant).begin(true, &self.of_calls);
            format!("{begin}; select from tenants where id = '{tenant}' and deleted_at is null; rollback")
        };
        let rows = match OpenTx::whole(self.pool.acquire().await?, statements()).await {
            Err(Error::Unavailable(_)) => OpenTx::whole(self.living_connection().await?, statements()).await?,
            rows => rows?,
        };
        Ok(!rows.is_empty())
    }

    /// Asks the database for a sign of life.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when there is none.
    pub async fn ping(&self) -> Result<()> {
        sqlx::raw_sql("select 1").execute(&self.pool).await?;
        Ok(())
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

    /// Closes every connection.
    pub async fn close(&self) {
        self.exports.close().await;
        self.pool.close().await;
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

fn pool(max_connections: u32, settings: &DbSettings) -> PgPoolOptions {
    PgPoolOptions::new().max_connections(max_connections).acquire_timeout(settings.acquire_timeout)
}

fn pool_of_calls(settings: &DbSettings) -> PgPoolOptions {
    // The pool tests each connection as it comes back; one that has rested since is tested again.
    pool(settings.max_connections, settings).test_before_acquire(false).before_acquire(|connection, rest| {
        Box::pin(async move {
            if rest.idle_for > RESTED {
                connection.ping().await?;
            }
            Ok(true)
        })
    })
}

fn pool_of_exports(settings: &DbSettings) -> PgPoolOptions {
    pool(settings.max_exports, settings).idle_timeout(EXPORT_IDLE)
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

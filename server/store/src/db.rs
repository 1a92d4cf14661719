//! The connection pool, the check of the login role, and the migrations.

use std::time::Duration;

use contract::TenantId;
use sqlx::{
    ConnectOptions, Connection, PgPool, Postgres,
    migrate::Migrator,
    pool::PoolConnection,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use crate::{
    error::{Error, Result},
    export::ExportTx,
    open::OpenTx,
    scope::Scope,
    tx::{ReadTx, WriteTx},
};

static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations");
/// How long the connection of an export is kept for the next one.
const EXPORT_IDLE: Duration = Duration::from_secs(60);
/// Passages that a search of a vector index keeps in view at least: more find more of the nearest ones, and cost more. It goes on
/// until it has as many as were wanted.
const NEIGHBOURS: &str = "400";
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
    /// Exports at the same time; each holds a connection of its own, apart from `max_connections`.
    pub max_exports: u32,
}

/// The database as the restricted login role sees it.
#[derive(Debug, Clone)]
pub struct Db {
    pool: PgPool,
    exports: PgPool,
    export_patience: Duration,
}

impl Db {
    /// Connects, and refuses a role that could bypass row security and tables that lack a migration.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the database cannot be reached, [`Error::UnsafeRole`] when the
    /// role is a superuser, may bypass row security, owns a table or has rights of its own, [`Error::NotMigrated`] when a
    /// migration was not applied.
    pub async fn connect(settings: &DbSettings) -> Result<Self> {
        let timeout = format!("{}ms", settings.statement_timeout.as_millis());
        let pool = pool_of_calls(settings).connect_with(options(settings, &timeout)?).await?;
        // A stream may last; how long it may keep its reader waiting is the reader's own affair.
        let exports = pool_of_exports(settings).connect_lazy_with(options(settings, "0")?);
        let db = Self { pool, exports, export_patience: settings.statement_timeout };
        db.refuse_empty_database().await?;
        db.refuse_unsafe_role().await?;
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
        ExportTx::begin(self.exports.acquire().await?, scope, self.export_patience).await
    }

    /// How many exports can run at the same time.
    pub fn most_exports(&self) -> usize {
        self.exports.options().get_max_connections() as usize
    }

    async fn begin(&self, scope: &Scope, read_only: bool) -> Result<OpenTx> {
        let mut tx = match OpenTx::begin(self.pool.acquire().await?, scope.begin(read_only)).await {
            // The database was restarted while the connection rested; another one may do.
            Err(Error::Unavailable(_)) => {
                OpenTx::begin(self.living_connection().await?, scope.begin(read_only)).await?
            }
            begun => begun?,
        };
        if let Some((realm, username)) = scope.user() {
            sqlx::query("select set_config('app.realm', $1, true), set_config('app.username', $2, true)")
                .bind(realm)
                .bind(username)
                .execute(&mut *tx)
                .await?;
        }
        Ok(tx)
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
            let begin = Scope::tenant(tenant).begin(true);
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
        sqlx::query("select 1").execute(&self.pool).await?;
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
            let scope =
                sqlx::query_as("select current_user::text, coalesce(current_setting('app.tenant_id', true), '')")
                    .fetch_one(&mut *connection)
                    .await?;
            scopes.push(scope);
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
        let is_empty: bool =
            sqlx::query_scalar("select to_regclass('_sqlx_migrations') is null").fetch_one(&self.pool).await?;
        if is_empty { Err(not_migrated()) } else { Ok(()) }
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
        let (name, superuser, bypass, owns, inherits): (String, bool, bool, bool, bool) = sqlx::query_as(
            "select session_user::text, r.rolsuper, r.rolbypassrls,
                    exists (select from pg_class c where c.relowner = r.oid),
                    has_table_privilege(session_user, 'tenants', 'select')
             from pg_roles r where r.rolname = session_user",
        )
        .fetch_one(&self.pool)
        .await?;
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

fn options(settings: &DbSettings, statement_timeout: &str) -> Result<PgConnectOptions> {
    let options: PgConnectOptions = settings.url.parse()?;
    Ok(options
        .application_name("chatbot-platform")
        .options([
            ("statement_timeout", statement_timeout),
            ("lock_timeout", "5s"),
            ("idle_in_transaction_session_timeout", "30s"),
            ("timezone", "UTC"),
            ("hnsw.ef_search", NEIGHBOURS),
            ("hnsw.iterative_scan", "strict_order"),
        ])
        .log_slow_statements(tracing::log::LevelFilter::Off, Duration::MAX))
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
    pool(settings.max_exports, settings).idle_timeout(EXPORT_IDLE).after_connect(|connection, _| {
        Box::pin(async move {
            // The database then notices between two rows that nobody reads on. Not every system can.
            let _ = sqlx::raw_sql("set client_connection_check_interval = '2s'").execute(connection).await;
            Ok(())
        })
    })
}

/// Applies the migrations with the owner's connection.
///
/// # Errors
/// [`Error::Unavailable`] when the database cannot be reached, [`Error::Migrate`] when a migration
/// fails or was edited after it was applied.
pub async fn migrate(owner_url: &str) -> Result<()> {
    let options: PgConnectOptions = owner_url.parse()?;
    let mut connection = options.connect().await?;
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

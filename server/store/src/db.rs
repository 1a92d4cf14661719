//! The connection pool, the check of the login role, and the migrations.

use std::time::Duration;

use sqlx::{
    AssertSqlSafe, ConnectOptions, PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use crate::{
    error::{Error, Result},
    scope::Scope,
    tx::{ReadTx, WriteTx},
};

/// How to reach the database.
#[derive(Debug, Clone)]
pub struct DbSettings {
    /// The address with the restricted login role `svc_app`.
    pub url: String,
    /// Connections at most.
    pub max_connections: u32,
    /// The longest wait for a connection.
    pub acquire_timeout: Duration,
    /// The longest statement.
    pub statement_timeout: Duration,
}

/// The database as the restricted login role sees it.
#[derive(Debug, Clone)]
pub struct Db {
    pool: PgPool,
}

impl Db {
    /// Connects, and refuses a role that could bypass row security.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the database cannot be reached, [`Error::UnsafeRole`] when the
    /// role is a superuser, may bypass row security, owns a table or has rights of its own.
    pub async fn connect(settings: &DbSettings) -> Result<Self> {
        let options: PgConnectOptions = settings.url.parse()?;
        let timeout = format!("{}ms", settings.statement_timeout.as_millis());
        let options = options
            .application_name("chatbot-platform")
            .options([
                ("statement_timeout", timeout.as_str()),
                ("lock_timeout", "5s"),
                ("idle_in_transaction_session_timeout", "30s"),
                ("timezone", "UTC"),
            ])
            .log_slow_statements(tracing::log::LevelFilter::Off, Duration::MAX);
        let pool = PgPoolOptions::new()
            .max_connections(settings.max_connections)
            .acquire_timeout(settings.acquire_timeout)
            // A cancelled `begin` can hand back a connection inside a transaction; the next
            // borrower's writes would be lost with it.
            .after_release(|connection, _| {
                Box::pin(async move {
                    let cured = sqlx::raw_sql("rollback").execute(connection).await;
                    Ok(cured.is_ok())
                })
            })
            .connect_with(options)
            .await?;
        let db = Self { pool };
        db.refuse_unsafe_role().await?;
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

    async fn begin(&self, scope: &Scope, read_only: bool) -> Result<sqlx::Transaction<'static, sqlx::Postgres>> {
        let mut tx = self.pool.begin_with(AssertSqlSafe(scope.begin(read_only))).await?;
        if let Some((realm, username)) = scope.user() {
            sqlx::query("select set_config('app.realm', $1, true), set_config('app.username', $2, true)")
                .bind(realm)
                .bind(username)
                .execute(&mut *tx)
                .await?;
        }
        Ok(tx)
    }

    /// Asks the database for a sign of life.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when there is none.
    pub async fn ping(&self) -> Result<()> {
        sqlx::query("select 1").execute(&self.pool).await?;
        Ok(())
    }

    /// Closes every connection.
    pub async fn close(&self) {
        self.pool.close().await;
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
    sqlx::migrate!("../../migrations").run(&mut connection).await?;
    Ok(())
}

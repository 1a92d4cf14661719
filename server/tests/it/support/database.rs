//! A separate database for each test, copied from one that was migrated once.

use std::{
    mem,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool, migrate::Migrator, postgres::PgPoolOptions};
use store::{ConnectionShares, Db, DbSettings};
use tokio::sync::OnceCell;

use super::pgbouncer::{self, PgBouncer};

pub(super) const LOGIN_PASSWORD: &str = "for-tests-only";

/// Databases of tests that have ended. The next test removes them, because all of them need many gigabytes.
static ENDED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// A fresh, migrated database.
pub struct Database {
    pub name: String,
    pub superuser: PgPool,
    /// The pooler that platforms go through.
    pub pooler: Option<&'static PgBouncer>,
}

impl Database {
    pub async fn create() -> Self {
        Self::copy_of(template().await).await
    }

    /// A database that was at the migration `version`, with these rows, before the later migrations.
    pub async fn upgraded_from(version: i64, rows: &str) -> Self {
        // Migrations that run for the first time make the server's roles.
        template().await;
        let name = next_name();
        run_as_superuser(&format!("create database {name}")).await;
        let url = url_of(&name, None);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrations");
        let mut connection = PgConnection::connect(&url).await.unwrap();
        Migrator::new(folder).await.unwrap().run_to(version, &mut connection).await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(rows.to_owned())).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        store::migrate(&url).await.unwrap();
        Self::with_name(name)
    }

    /// A database without tables, and the address of its owner, who has the rights that migrations need and no others.
    pub async fn empty() -> (Self, String) {
        // Migrations that run for the first time make the server's roles.
        template().await;
        let name = next_name();
        let owner = format!("owner_{name}");
        run_as_superuser(&format!("create role {owner} login createrole bypassrls password '{LOGIN_PASSWORD}'")).await;
        run_as_superuser(&format!("create database {name} owner {owner}")).await;
        let db = Self::with_name(name);
        sqlx::raw_sql("create extension vector").execute(&db.superuser).await.unwrap();
        let url = url_of(&db.name, Some((&owner, LOGIN_PASSWORD)));
        (db, url)
    }

    /// Copies a database without connections.
    pub async fn copy_of(template: &str) -> Self {
        let name = next_name();
        if pgbouncer::shared().is_some() {
            leave(template).await;
        }
        let ended = mem::take(&mut *ENDED.lock().unwrap());
        let mut statements: Vec<_> =
            ended.iter().map(|database| format!("drop database {database} with (force)")).collect();
        // Copies files instead of writing each page to the log, which takes half of the processor time.
        statements.push(format!("create database {name} template {template} strategy file_copy"));
        // A copy does not get the rights of its template.
        statements.push(format!("revoke temporary on database {name} from public"));
        run_all_as_superuser(&statements).await;
        Self::with_name(name)
    }

    fn with_name(name: String) -> Self {
        let pool = PgPoolOptions::new().max_connections(4).idle_timeout(Duration::from_secs(1));
        let superuser = pool.connect_lazy(&url_of(&name, None)).unwrap();
        Self { name, superuser, pooler: pgbouncer::shared() }
    }

    /// Connects as the restricted login role.
    pub async fn connect(&self) -> Db {
        // A machine under load may take longer than the pool waits.
        for _ in 0..3 {
            if let Ok(db) = Db::connect(&self.settings()).await {
                return db;
            }
        }
        Db::connect(&self.settings()).await.unwrap()
    }

    /// The settings for a connection as the restricted login role.
    pub fn settings(&self) -> DbSettings {
        let url = self.login_url();
        DbSettings {
            url: self.pooler.map_or(url.clone(), |pooler| pooler.through(&url)),
            max_connections: 5,
            acquire_timeout: Duration::from_secs(20),
            statement_timeout: Duration::from_secs(10),
            prepared_statements: self.pooler.is_none(),
            max_exports: 4,
            shares: ConnectionShares::of(5),
        }
    }

    /// The URL of the restricted login role without a pooler.
    pub fn login_url(&self) -> String {
        url_of(&self.name, Some(("svc_app", LOGIN_PASSWORD)))
    }

    /// For set-up and checks that the login role may not do.
    pub fn superuser_url(&self) -> String {
        url_of(&self.name, None)
    }

    /// A plain connection of the restricted login role that has taken `role` and `tenant`.
    pub async fn connect_as(&self, role: &str, tenant: Option<&str>) -> PgConnection {
        let mut connection = PgConnection::connect(&self.login_url()).await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(format!("set role {role}"))).execute(&mut connection).await.unwrap();
        if let Some(tenant) = tenant {
            sqlx::query("select set_config('app.tenant_id', $1, false)")
                .bind(tenant)
                .execute(&mut connection)
                .await
                .unwrap();
        }
        connection
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        ENDED.lock().unwrap().push(mem::take(&mut self.name));
    }
}

fn next_name() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("t{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The migrated database that others are copied from.
async fn template() -> &'static str {
    static TEMPLATE: OnceCell<String> = OnceCell::const_new();
    TEMPLATE.get_or_init(make_template).await
}

async fn make_template() -> String {
    let name = format!("t{}", std::process::id());
    run_as_superuser(&format!("drop database if exists {name} with (force)")).await;
    run_as_superuser(&format!("create database {name}")).await;
    store::migrate(&url_of(&name, None)).await.unwrap();
    run_as_superuser(&format!("alter role svc_app password '{LOGIN_PASSWORD}'")).await;
    name
}

/// Closes a pooler's connections to a database after its platform has closed its own.
async fn leave(database: &str) {
    run_as_superuser(&format!(
        "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '{database}'"
    ))
    .await;
}

async fn run_as_superuser(sql: &str) {
    run_all_as_superuser(&[sql.to_owned()]).await;
}

/// Runs each statement in a transaction of its own.
async fn run_all_as_superuser(statements: &[String]) {
    let mut connection = PgConnection::connect(&root_url()).await.unwrap();
    for sql in statements {
        sqlx::raw_sql(AssertSqlSafe(sql.clone())).execute(&mut connection).await.unwrap();
    }
}

pub(super) fn root_url() -> String {
    std::env::var("TEST_DATABASE_URL")
        .expect("TEST_DATABASE_URL: run `make test`, or `target/debug/server with-postgres -- cargo test`")
}

fn url_of(database: &str, login: Option<(&str, &str)>) -> String {
    let mut url = url::Url::parse(&root_url()).unwrap();
    url.set_path(database);
    if let Some((user, password)) = login {
        url.set_username(user).unwrap();
        url.set_password(Some(password)).unwrap();
    }
    url.to_string()
}

//! A migrated database of the benchmark, with connections of its superuser and of the restricted login role.

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use url::Url;

use crate::{Result, process};

/// The processes of the database.
const PROCESSES: &str = "select pid from pg_stat_activity where pid is not null
    union select split_part(pg_read_file('postmaster.pid'), E'\n', 1)::int";
const LOGIN_PASSWORD: &str = "for-benchmarks-only";

/// A fresh, migrated database.
#[derive(Debug)]
pub(crate) struct Database {
    root: Url,
    name: &'static str,
}

impl Database {
    /// Creates the database `name`; drops an existing one.
    pub(crate) async fn create(name: &'static str) -> Result<Self> {
        let root = std::env::var("TEST_DATABASE_URL").map_err(|_| "TEST_DATABASE_URL is not set; run `make bench`")?;
        let root: Url = root.parse()?;
        let mut connection = PgConnection::connect(root.as_str()).await?;
        for sql in [format!("drop database if exists {name} with (force)"), format!("create database {name}")] {
            connection.execute(AssertSqlSafe(sql)).await?;
        }
        let database = Self { root, name };
        store::migrate(&database.superuser_url()).await?;
        connection.execute(AssertSqlSafe(format!("alter role svc_app password '{LOGIN_PASSWORD}'"))).await?;
        Ok(database)
    }

    /// How the owner of the tables connects; row security does not hold for it.
    pub(crate) fn superuser_url(&self) -> String {
        let mut url = self.root.clone();
        url.set_path(self.name);
        url.to_string()
    }

    /// How the platform connects.
    pub(crate) fn login_url(&self) -> Result<String> {
        let mut url = self.root.clone();
        url.set_path(self.name);
        let set = url.set_username("svc_app").and_then(|()| url.set_password(Some(LOGIN_PASSWORD)));
        set.map_err(|()| "the database address takes no user")?;
        Ok(url.to_string())
    }

    /// A connection of the superuser.
    pub(crate) async fn superuser(&self) -> Result<PgConnection> {
        Ok(PgConnection::connect(&self.superuser_url()).await?)
    }

    /// A connection of the login role that has taken `role`, and the tenant when there is one.
    pub(crate) async fn take(&self, role: &str, tenant: &str) -> Result<PgConnection> {
        let mut connection = PgConnection::connect(&self.login_url()?).await?;
        let sql = format!("set role {role}; set app.tenant_id = '{tenant}'");
        connection.execute(AssertSqlSafe(sql)).await?;
        Ok(connection)
    }
}

/// Runs statements one after the other, as a migration would.
pub(crate) async fn execute(connection: &mut PgConnection, statements: &'static str) -> Result<()> {
    sqlx::raw_sql(statements).execute(connection).await?;
    Ok(())
}

/// The memory of all processes of the database, in MB.
pub(crate) async fn memory(superuser: &mut PgConnection) -> Result<f64> {
    let pids: Vec<i32> = sqlx::query_scalar(PROCESSES).fetch_all(superuser).await?;
    Ok(pids.into_iter().filter_map(|pid| process::proportional(u32::try_from(pid).ok()?)).sum())
}

//! What the first installation must know of a PostgreSQL server before it changes anything there.

use sqlx::{AssertSqlSafe, ConnectOptions, PgConnection};

use crate::{
    address,
    error::Result,
    requirements::{Rights, Server},
};

/// The database that every server has.
const MAINTENANCE: &str = "postgres";
/// PostgreSQL's code of a database that is not there.
const NO_DATABASE: &str = "3D000";

/// A server, and the rights of the role that would own the platform's tables.
#[derive(Debug, Clone)]
pub struct ServerFacts {
    pub server: Server,
    pub rights: Rights,
    pub database: String,
    /// Whether the database is there.
    pub has_database: bool,
    /// Whether the role owns the database, or may create it.
    pub may_fill_database: bool,
    /// Whether the extension is in the database already.
    pub has_extension: bool,
    /// Whether the login role is there, of this or another platform of the server.
    pub has_login_role: bool,
    /// Applied migrations.
    pub applied: Vec<i64>,
}

/// Reads the facts; if the database of the address is missing, in another one of the same server.
///
/// # Errors
/// When the server does not answer or refuses the role.
pub async fn facts(owner_url: &str) -> Result<ServerFacts> {
    let options = address::options(owner_url)?.extra_float_digits(None).disable_statement_logging();
    let database = options.get_database().unwrap_or(MAINTENANCE).to_owned();
    let (mut connection, has_database) = match options.connect().await {
        Ok(connection) => (connection, true),
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(NO_DATABASE) => {
            (options.clone().database(MAINTENANCE).connect().await?, false)
        }
        Err(error) => return Err(error.into()),
    };
    read(&mut connection, database, has_database).await
}

async fn read(connection: &mut PgConnection, database: String, has_database: bool) -> Result<ServerFacts> {
    let (server, rights) = (Server::read(connection).await?, Rights::read(connection).await?);
    let (may_create_databases, owns_database, has_extension, has_login_role, has_tables): (
        bool,
        bool,
        bool,
        bool,
        bool,
    ) = sqlx::query_as(
        "select (select rolcreatedb from pg_roles where rolname = current_user),
                    (select pg_has_role(datdba, 'member') from pg_database where datname = current_database()),
                    exists (select from pg_extension where extname = 'vector'),
                    exists (select from pg_roles where rolname = 'svc_app'),
                    to_regclass('public._sqlx_migrations') is not null",
    )
    .fetch_one(&mut *connection)
    .await?;
    let applied = if has_database && has_tables {
        let applied = "select version from public._sqlx_migrations where success order by version";
        sqlx::query_scalar(applied).fetch_all(&mut *connection).await?
    } else {
        Vec::new()
    };
    Ok(ServerFacts {
        may_fill_database: rights.is_superuser || if has_database { owns_database } else { may_create_databases },
        server,
        rights,
        database,
        has_database,
        has_extension: has_database && has_extension,
        has_login_role,
        applied,
    })
}

/// Whether an address leads to a server that accepts its role and password.
///
/// # Errors
/// When the server does not answer.
pub async fn accepts(url: &str) -> Result<bool> {
    match address::options(url)?.extra_float_digits(None).disable_statement_logging().connect().await {
        Ok(_) => Ok(true),
        Err(sqlx::Error::Database(error)) => match error.code().as_deref() {
            // A wrong password, or a role that is not there or has none.
            Some("28P01" | "28000") => Ok(false),
            // The password was right.
            Some(NO_DATABASE) => Ok(true),
            _ => Err(sqlx::Error::Database(error).into()),
        },
        Err(error) => Err(error.into()),
    }
}

/// Creates the database of an address.
///
/// # Errors
/// When the role may not do so.
pub async fn create_database(owner_url: &str) -> Result<()> {
    let options = address::options(owner_url)?.extra_float_digits(None).disable_statement_logging();
    let name = options.get_database().unwrap_or(MAINTENANCE).to_owned();
    let mut connection = options.database(MAINTENANCE).connect().await?;
    let statement =
        sqlx::query_scalar("select format('create database %I encoding ''UTF8'' template template0', $1::text)");
    let statement: String = statement.bind(name).fetch_one(&mut connection).await?;
    sqlx::query(AssertSqlSafe(statement)).execute(&mut connection).await?;
    Ok(())
}

//! The two steps between a fresh server and a migrated database: creating the database and setting the login role's
//! password. Both need a superuser, which is available only when the program runs its own server.

use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection, postgres::PgConnectOptions};

use crate::{address, error::Result};

/// Creates the database when it is missing and returns whether it did. The URL must be that of a superuser.
///
/// # Errors
/// When the server refuses the connection or the statement.
pub async fn ensure_database(superuser_url: &str, name: &str) -> Result<bool> {
    let mut connection = connect(superuser_url).await?;
    let exists: bool = sqlx::query_scalar("select exists (select from pg_database where datname = $1)")
        .bind(name)
        .fetch_one(&mut connection)
        .await?;
    if !exists {
        let statement: String = sqlx::query_scalar("select format('create database %I', $1::text)")
            .bind(name)
            .fetch_one(&mut connection)
            .await?;
        sqlx::query(AssertSqlSafe(statement)).execute(&mut connection).await?;
    }
    connection.close().await?;
    Ok(!exists)
}

/// Whether the text is a valid address of a PostgreSQL database.
pub fn is_address(text: &str) -> bool {
    // The library accepts any scheme.
    let is_postgres = ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme));
    is_postgres && text.parse::<PgConnectOptions>().is_ok()
}

/// Sets a role's login password. The server itself quotes the password for the statement.
///
/// # Errors
/// When the role does not exist or the server refuses the connection.
pub async fn set_login_password(superuser_url: &str, role: &str, password: &str) -> Result<()> {
    let mut connection = connect(superuser_url).await?;
    let statement: String =
        sqlx::query_scalar("select format('alter role %I with login password %L', $1::text, $2::text)")
            .bind(role)
            .bind(password)
            .fetch_one(&mut connection)
            .await?;
    sqlx::query(AssertSqlSafe(statement)).execute(&mut connection).await?;
    connection.close().await?;
    Ok(())
}

async fn connect(url: &str) -> Result<PgConnection> {
    // The statements contain a password and are never logged.
    Ok(address::options(url)?.disable_statement_logging().connect().await?)
}

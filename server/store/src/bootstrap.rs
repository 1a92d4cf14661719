//! The two steps between a fresh server and a migrated database: the database itself and the login role's password.
//! Both need a superuser's connection, which only a server of our own gives.

use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection, postgres::PgConnectOptions};

use crate::error::Result;

/// Makes the database when it is missing; returns whether it was made. The address is a superuser's.
///
/// # Errors
/// A server that refuses the connection or the statement.
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

/// Whether the text is an address that a connection can be made with.
pub fn is_address(text: &str) -> bool {
    text.parse::<PgConnectOptions>().is_ok()
}

/// Lets a role log in with this password. The statement is written by the server's own quoting.
///
/// # Errors
/// A role that does not exist, or a server that refuses the connection.
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
    // The statements hold a password: they are never logged.
    let options: PgConnectOptions = url.parse()?;
    Ok(options.disable_statement_logging().connect().await?)
}

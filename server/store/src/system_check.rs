//! Facts about the database for the installation check.

use chrono::{DateTime, Utc};
use sqlx::{
    Row,
    postgres::{PgConnectOptions, PgSslMode},
};

use crate::{Db, Result, Scope, migrations};

/// The configuration of the database.
#[derive(Debug, Clone)]
pub struct DatabaseFacts {
    /// The version as a number, such as 180006.
    pub version_number: i32,
    pub version: String,
    /// Names and versions.
    pub extensions: Vec<(String, String)>,
    /// Migrations of this program that were not applied.
    pub pending: Vec<i64>,
    /// The newest migration, if a newer program applied it.
    pub newer: Option<i64>,
    /// Connections that the server accepts from ordinary roles.
    pub max_connections: i32,
    pub encoding: String,
    /// Whether a commit survives a power failure.
    pub is_durable: bool,
    pub is_read_only: bool,
    pub knows_time_zones: bool,
    pub database: String,
    /// Whether the login role may create temporary tables, which no row security protects.
    pub may_create_temporary_tables: bool,
    pub transport: Transport,
    pub now: DateTime<Utc>,
}

/// How the connections reach the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// They stay on this machine.
    Local,
    /// With TLS, and the name in the server's certificate is checked.
    Verified,
    /// With TLS, but another server could answer.
    Encrypted,
    /// Perhaps without TLS.
    Open,
}

impl Transport {
    pub(crate) fn of(options: &PgConnectOptions) -> Self {
        let host = options.get_host();
        let is_loopback = host.eq_ignore_ascii_case("localhost")
            || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
        if options.get_socket().is_some() || host.starts_with('/') || is_loopback {
            return Self::Local;
        }
        match options.get_ssl_mode() {
            PgSslMode::VerifyFull => Self::Verified,
            PgSslMode::VerifyCa | PgSslMode::Require => Self::Encrypted,
            PgSslMode::Prefer | PgSslMode::Allow | PgSslMode::Disable => Self::Open,
        }
    }
}

/// Reads the facts.
///
/// # Errors
/// When the database does not answer.
pub async fn facts(db: &Db) -> Result<DatabaseFacts> {
    let mut tx = db.read(&Scope::system()).await?;
    // Each migration is its own transaction, so that a failed one has no row.
    let applied: Vec<i64> = sqlx::query_scalar("select version from _sqlx_migrations").fetch_all(&mut *tx).await?;
    let extensions = sqlx::query_as("select extname::text, extversion from pg_extension order by 1");
    let extensions = extensions.fetch_all(&mut *tx).await?;
    let row = sqlx::query(
        "select current_setting('server_version_num')::integer, current_setting('server_version'),
                current_setting('max_connections')::integer
                  - current_setting('superuser_reserved_connections')::integer
                  - coalesce(current_setting('reserved_connections', true), '0')::integer,
                current_setting('server_encoding'),
                current_setting('fsync')::boolean and current_setting('full_page_writes')::boolean,
                current_setting('default_transaction_read_only')::boolean or pg_is_in_recovery(),
                exists (select from pg_timezone_names where name = 'Europe/Berlin'),
                clock_timestamp(), current_database()::text,
                has_database_privilege(session_user, current_database(), 'temporary')",
    )
    .fetch_one(&mut *tx)
    .await?;
    Ok(DatabaseFacts {
        version_number: row.try_get(0)?,
        version: row.try_get(1)?,
        extensions,
        pending: migrations::pending(&applied),
        newer: migrations::newer(&applied),
        max_connections: row.try_get(2)?,
        encoding: row.try_get(3)?,
        is_durable: row.try_get(4)?,
        is_read_only: row.try_get(5)?,
        knows_time_zones: row.try_get(6)?,
        transport: db.transport(),
        now: row.try_get(7)?,
        database: row.try_get(8)?,
        may_create_temporary_tables: row.try_get(9)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_of_another_machine_needs_a_checked_certificate() {
        for (url, expected) in [
            ("postgres://svc_app@127.0.0.1:8085/platform", Transport::Local),
            ("postgres://svc_app@localhost/platform?sslmode=disable", Transport::Local),
            ("postgres:///platform?host=/run/postgresql", Transport::Local),
            ("postgres://svc_app@db.example/platform?sslmode=verify-full", Transport::Verified),
            ("postgres://svc_app@db.example/platform?sslmode=verify-ca", Transport::Encrypted),
            ("postgres://svc_app@db.example/platform?sslmode=require", Transport::Encrypted),
            ("postgres://svc_app@db.example/platform", Transport::Open),
            ("postgres://svc_app@10.0.0.7/platform?sslmode=disable", Transport::Open),
        ] {
            assert_eq!(Transport::of(&url.parse().unwrap()), expected, "{url}");
        }
    }
}

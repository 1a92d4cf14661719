//! The log of vendors' logins, and who is known to be a vendor (system scope).

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};

use crate::{connection::PgConnection, error::Result};

/// A login of a vendor as the identity provider told it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VendorLogin {
    /// What makes the event unique.
    pub event_key: String,
    /// When it happened.
    pub occurred_at: DateTime<Utc>,
    /// The provider's type of event, such as `LOGIN`.
    pub event_type: String,
    /// Who signed in.
    pub username: String,
    /// With which client.
    pub client_id: String,
    /// The session at the identity provider.
    pub session_id: Option<String>,
    /// From where.
    pub ip_address: Option<String>,
}

/// Appends logins that the log does not have yet and tells how many there were.
///
/// # Errors
/// When the database fails.
pub async fn append(connection: &mut PgConnection, logins: &[VendorLogin]) -> Result<u64> {
    let mut appended = 0;
    for login in logins {
        let done = sqlx::query(
            "insert into vendor_access_log (event_key, occurred_at, event_type, username, client_id, session_id,
                                            ip_address)
             values ($1, $2, $3, $4, $5, $6, $7) on conflict (event_key) do nothing",
        )
        .bind(&login.event_key)
        .bind(login.occurred_at)
        .bind(&login.event_type)
        .bind(&login.username)
        .bind(&login.client_id)
        .bind(&login.session_id)
        .bind(&login.ip_address)
        .execute(&mut *connection)
        .await?;
        appended += done.rows_affected();
    }
    Ok(appended)
}

/// The names of all known vendors, as their tokens wrote them.
///
/// # Errors
/// When the database fails.
pub async fn vendors(connection: &mut PgConnection) -> Result<BTreeSet<String>> {
    let names: Vec<String> = sqlx::query_scalar("select username from vendor_accounts").fetch_all(connection).await?;
    Ok(names.into_iter().collect())
}

/// Remembers vendors.
///
/// # Errors
/// When the database fails.
pub async fn add_vendors(connection: &mut PgConnection, usernames: &[&str]) -> Result<()> {
    sqlx::query("insert into vendor_accounts (username) select unnest($1::text[]) on conflict (username) do nothing")
        .bind(usernames)
        .execute(connection)
        .await?;
    Ok(())
}

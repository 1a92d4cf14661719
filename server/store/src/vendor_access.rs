//! The log of logins at the platform's realm, and the known vendors and operators.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use contract::vendor_access::{LoginScope, PlatformLogin, VendorAccessQuery};
use sqlx::{AssertSqlSafe, FromRow};

use crate::{
    connection::PgConnection,
    error::{Error, Result},
};

/// A login as reported by the identity provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Login {
    /// The unique key of the event.
    pub event_key: String,
    pub occurred_at: DateTime<Utc>,
    /// The provider's type of event, such as `LOGIN`.
    pub event_type: String,
    pub username: String,
    pub client_id: String,
    /// The session at the identity provider.
    pub session_id: Option<String>,
    pub ip_address: Option<String>,
}

/// Appends logins that the log does not have yet and returns how many (system scope).
pub async fn append(connection: &mut PgConnection, logins: &[Login]) -> Result<u64> {
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

/// Stores vendors (system scope).
pub async fn add_vendors(connection: &mut PgConnection, usernames: &BTreeSet<String>) -> Result<()> {
    add(connection, "vendor_accounts", usernames).await
}

/// Stores operators (system scope).
pub async fn add_operators(connection: &mut PgConnection, usernames: &BTreeSet<String>) -> Result<()> {
    add(connection, "operator_accounts", usernames).await
}

async fn add(connection: &mut PgConnection, table: &'static str, usernames: &BTreeSet<String>) -> Result<()> {
    if usernames.is_empty() {
        return Ok(());
    }
    let sql = format!("insert into {table} (username) select unnest($1::text[]) on conflict (username) do nothing");
    let names: Vec<&str> = usernames.iter().map(String::as_str).collect();
    sqlx::query(AssertSqlSafe(sql)).bind(names).execute(connection).await?;
    Ok(())
}

/// Logins with their scope that match a query; `$1` are the clients that only vendors use.
const MATCHING: &str = "
    from (
        select l.*,
               case
                   when l.client_id = any($1)
                       or exists (select from vendor_accounts a where lower(a.username) = lower(l.username)) then 'vendor'
                   when exists (select from operator_accounts a where lower(a.username) = lower(l.username)) then 'operator'
                   else 'unknown'
               end as scope
        from vendor_access_log l
        where ($2::text is null or lower(l.username) = lower($2))
            and ($3::timestamptz is null or l.occurred_at >= $3)
            and ($4::timestamptz is null or l.occurred_at <= $4)
    ) l
    where case when $5::text is null then l.scope <> 'operator' else l.scope = $5 end";

#[derive(FromRow)]
struct LoginRow {
    occurred_at: DateTime<Utc>,
    username: String,
    client_id: String,
    scope: String,
    session_id: Option<String>,
    ip_address: Option<String>,
}

impl TryFrom<LoginRow> for PlatformLogin {
    type Error = Error;

    fn try_from(row: LoginRow) -> Result<Self> {
        Ok(Self {
            occurred_at: row.occurred_at,
            username: row.username,
            client_id: row.client_id,
            scope: row.scope.parse()?,
            session_id: row.session_id,
            ip_address: row.ip_address,
        })
    }
}

/// A page of logins, newest first, and the total number of matches (operator scope).
pub async fn list(
    connection: &mut PgConnection,
    query: &VendorAccessQuery,
    vendor_clients: &[&str],
) -> Result<(Vec<PlatformLogin>, i64)> {
    let (from, to) = query.range();
    let username = query.username.as_deref().filter(|name| !name.is_empty());
    let scope = query.scope.map(LoginScope::as_str);
    let columns = "l.occurred_at, l.username, l.client_id, l.scope, l.session_id, l.ip_address";
    let sql = format!("select {columns} {MATCHING} order by l.occurred_at desc, l.id desc limit $6 offset $7");
    let rows: Vec<LoginRow> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(vendor_clients)
        .bind(username)
        .bind(from)
        .bind(to)
        .bind(scope)
        .bind(query.limit)
        .bind(query.offset)
        .fetch_all(&mut *connection)
        .await?;
    let total = sqlx::query_scalar(AssertSqlSafe(format!("select count(*) {MATCHING}")))
        .bind(vendor_clients)
        .bind(username)
        .bind(from)
        .bind(to)
        .bind(scope)
        .fetch_one(connection)
        .await?;
    Ok((rows.into_iter().map(PlatformLogin::try_from).collect::<Result<_>>()?, total))
}

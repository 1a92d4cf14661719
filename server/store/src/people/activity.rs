//! When people were last active, according to their tokens.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use contract::TenantId;
use sqlx::AssertSqlSafe;

use crate::{connection::PgConnection, error::Result};

/// Records when people of a tenant were active, at most once an hour each. A person may be listed several times.
pub async fn record(
    connection: &mut PgConnection,
    tenant: TenantId,
    realm: &str,
    people: &[(String, DateTime<Utc>)],
) -> Result<()> {
    let (names, times): (Vec<&str>, Vec<DateTime<Utc>>) = people.iter().map(|(name, at)| (name.as_str(), *at)).unzip();
    sqlx::query(
        "insert into people_activity (tenant_id, realm, username, last_active_at)
         select $1::uuid, $2::text, seen.username, max(seen.at)
         from unnest($3::text[], $4::timestamptz[]) seen (username, at)
         group by seen.username
         on conflict (tenant_id, realm, username) do update set last_active_at = excluded.last_active_at
         where people_activity.last_active_at < excluded.last_active_at - interval '1 hour'",
    )
    .bind(tenant.0)
    .bind(realm)
    .bind(names)
    .bind(times)
    .execute(connection)
    .await?;
    Ok(())
}

/// When the people of a tenant were last active, by user name.
pub async fn of_tenant(
    connection: &mut PgConnection,
    tenant: TenantId,
    realm: &str,
) -> Result<HashMap<String, DateTime<Utc>>> {
    let rows: Vec<(String, DateTime<Utc>)> =
        sqlx::query_as("select username, last_active_at from people_activity where tenant_id = $1 and realm = $2")
            .bind(tenant.0)
            .bind(realm)
            .fetch_all(connection)
            .await?;
    Ok(rows.into_iter().collect())
}

/// Whether a person was ever active.
pub async fn of_person(connection: &mut PgConnection, tenant: TenantId, realm: &str, username: &str) -> Result<bool> {
    let is_listed = sqlx::query_scalar(
        "select exists (select from people_activity where tenant_id = $1 and realm = $2 and username = $3)",
    )
    .bind(tenant.0)
    .bind(realm)
    .bind(username)
    .fetch_one(connection)
    .await?;
    Ok(is_listed)
}

/// Removes what the platform stores about a person. The transaction must have that person as its user.
pub async fn forget(connection: &mut PgConnection, tenant: TenantId, realm: &str, username: &str) -> Result<()> {
    sqlx::query("delete from people_activity where tenant_id = $1 and realm = $2 and username = $3")
        .bind(tenant.0)
        .bind(realm)
        .bind(username)
        .execute(&mut *connection)
        .await?;
    sqlx::query("delete from user_preferences where realm = $1 and username = $2")
        .bind(realm)
        .bind(username)
        .execute(&mut *connection)
        .await?;
    for table in ["kh_bookmarks", "kh_search_history", "kh_saved_searches"] {
        let sql = format!("delete from {table} where tenant_id = $1 and realm = $2 and user_id = $3");
        let delete = sqlx::query(AssertSqlSafe(sql)).bind(tenant.0).bind(realm).bind(username);
        delete.execute(&mut *connection).await?;
    }
    Ok(())
}

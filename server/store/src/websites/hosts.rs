//! Hosts that an operator allows a tenant to read without proof of ownership.

use contract::{TenantId, Timestamp, websites::AllowedHost};

use crate::{connection::PgConnection, error::Result};

/// The hosts of a tenant, by name.
pub async fn all(connection: &mut PgConnection, tenant: TenantId) -> Result<Vec<AllowedHost>> {
    let rows: Vec<(String, String, Timestamp)> =
        sqlx::query_as("select host, allowed_by, created_at from allowed_hosts where tenant_id = $1 order by host")
            .bind(tenant.0)
            .fetch_all(connection)
            .await?;
    Ok(rows.into_iter().map(|(host, allowed_by, created_at)| AllowedHost { host, allowed_by, created_at }).collect())
}

/// Whether a host is among them.
pub async fn is_allowed(connection: &mut PgConnection, tenant: TenantId, host: &str) -> Result<bool> {
    let sql = "select exists (select from allowed_hosts where tenant_id = $1 and host = $2)";
    Ok(sqlx::query_scalar(sql).bind(tenant.0).bind(host).fetch_one(connection).await?)
}

/// Allows a host; `false` when it is allowed already.
pub async fn insert(connection: &mut PgConnection, tenant: TenantId, host: &str, allowed_by: &str) -> Result<bool> {
    let done = sqlx::query(
        "insert into allowed_hosts (tenant_id, host, allowed_by) values ($1, $2, $3) on conflict do nothing",
    );
    Ok(done.bind(tenant.0).bind(host).bind(allowed_by).execute(connection).await?.rows_affected() > 0)
}

/// Revokes the permission; `false` when there is none.
pub async fn delete(connection: &mut PgConnection, tenant: TenantId, host: &str) -> Result<bool> {
    let done = sqlx::query("delete from allowed_hosts where tenant_id = $1 and host = $2");
    Ok(done.bind(tenant.0).bind(host).execute(connection).await?.rows_affected() > 0)
}

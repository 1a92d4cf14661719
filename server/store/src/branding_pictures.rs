//! Pictures that tenants uploaded for their brandings.

use contract::TenantId;

use crate::{connection::PgConnection, error::Result};

/// Stores a picture; does nothing when it is already stored.
pub async fn insert(connection: &mut PgConnection, tenant: TenantId, name: &str, bytes: &[u8]) -> Result<()> {
    sqlx::query("insert into branding_pictures (tenant_id, name, bytes) values ($1, $2, $3) on conflict do nothing")
        .bind(tenant.0)
        .bind(name)
        .bind(bytes)
        .execute(connection)
        .await?;
    Ok(())
}

/// The bytes of a picture of a live tenant (system scope).
pub async fn find(connection: &mut PgConnection, name: &str) -> Result<Option<Vec<u8>>> {
    Ok(sqlx::query_scalar(
        "select p.bytes from branding_pictures p join tenants t on t.id = p.tenant_id and t.deleted_at is null
         where p.name = $1 order by p.tenant_id limit 1",
    )
    .bind(name)
    .fetch_optional(connection)
    .await?)
}

/// Removes pictures that neither the tenant's branding nor that of one of its chatbots uses any more; `path` is the
/// prefix of their names there. The transaction must have locked the tenant's branding.
pub async fn remove_unused(connection: &mut PgConnection, tenant: TenantId, path: &str) -> Result<()> {
    sqlx::query(
        "delete from branding_pictures p
         where p.tenant_id = $1
           and not exists (select from tenant_branding b
                           where b.tenant_id = $1 and $2 || p.name in (b.fields ->> 'logo_url', b.fields ->> 'avatar_url'))
           and not exists (select from chatbot_branding b
                           where b.tenant_id = $1 and $2 || p.name in (b.fields ->> 'logo_url', b.fields ->> 'avatar_url'))",
    )
    .bind(tenant.0)
    .bind(path)
    .execute(connection)
    .await?;
    Ok(())
}

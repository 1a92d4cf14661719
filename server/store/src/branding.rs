//! Branding of tenants and chatbots.

use contract::{
    ChatbotId, TenantId,
    branding::{BrandingFields, TenantBranding},
};
use sqlx::{PgConnection, types::Json};

use crate::error::Result;

/// The branding of a tenant, without warnings; empty before the first edit.
///
/// # Errors
/// When the database fails.
pub async fn find_tenant(connection: &mut PgConnection, tenant: TenantId) -> Result<TenantBranding> {
    type Row = (Json<BrandingFields>, Option<String>, Vec<String>, contract::Timestamp);
    let row: Option<Row> = sqlx::query_as(
        "select fields, custom_css, allowed_origins, updated_at from tenant_branding where tenant_id = $1",
    )
    .bind(tenant.0)
    .fetch_optional(connection)
    .await?;
    Ok(row.map_or_else(TenantBranding::default, |(fields, custom_css, allowed_origins, updated_at)| TenantBranding {
        fields: fields.0,
        custom_css,
        allowed_origins,
        warnings: Vec::new(),
        updated_at: Some(updated_at),
    }))
}

/// Locks the tenant's branding against concurrent edits until the transaction ends, also when
/// there is no row yet.
///
/// # Errors
/// When the database fails.
pub async fn lock_tenant(connection: &mut PgConnection, tenant: TenantId) -> Result<()> {
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('tenant_branding:' || $1::text, 0))")
        .bind(tenant.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// Writes the fields that a tenant may write, as an upsert.
///
/// # Errors
/// When the database fails.
pub async fn upsert_tenant(
    connection: &mut PgConnection,
    tenant: TenantId,
    fields: &BrandingFields,
    allowed_origins: &[String],
) -> Result<()> {
    sqlx::query(
        "insert into tenant_branding (tenant_id, fields, allowed_origins) values ($1, $2, $3)
         on conflict (tenant_id) do update
         set fields = excluded.fields, allowed_origins = excluded.allowed_origins, updated_at = now()",
    )
    .bind(tenant.0)
    .bind(Json(fields))
    .bind(allowed_origins)
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes a chatbot's own fields, as an upsert.
///
/// # Errors
/// When the database fails.
pub async fn upsert_chatbot(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    fields: &BrandingFields,
) -> Result<()> {
    sqlx::query(
        "insert into chatbot_branding (tenant_id, chatbot_id, fields) values ($1, $2, $3)
         on conflict (tenant_id, chatbot_id) do update set fields = excluded.fields, updated_at = now()",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(Json(fields))
    .execute(connection)
    .await?;
    Ok(())
}

//! Branding of tenants and chatbots.

use contract::{
    ChatbotId, TenantId,
    branding::{BrandingFields, ChatbotBranding, TenantBranding},
};
use sqlx::types::Json;

use crate::{connection::PgConnection, error::Result};

/// The branding of a tenant, without warnings; empty before the first edit.
pub async fn find_tenant(connection: &mut PgConnection, tenant: TenantId) -> Result<TenantBranding> {
    type Row = (Json<BrandingFields>, Option<String>, Vec<String>, bool, contract::Timestamp);
    let row: Option<Row> = sqlx::query_as(
        "select fields, custom_css, allowed_origins, record_page_urls, updated_at from tenant_branding where tenant_id = $1",
    )
    .bind(tenant.0)
    .fetch_optional(connection)
    .await?;
    let branding = |(fields, custom_css, allowed_origins, record_page_urls, updated_at): Row| TenantBranding {
        fields: fields.0,
        custom_css,
        allowed_origins,
        record_page_urls,
        warnings: Vec::new(),
        updated_at: Some(updated_at),
    };
    Ok(row.map_or_else(TenantBranding::default, branding))
}

/// Locks the tenant's branding and pictures against concurrent edits until the transaction ends, even when it has no row
/// yet. Take the locks of chatbots after this one.
pub async fn lock_tenant(connection: &mut PgConnection, tenant: TenantId) -> Result<()> {
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('tenant_branding:' || $1::text, 0))")
        .bind(tenant.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// Writes the fields that a tenant may write, as an upsert.
pub async fn upsert_tenant(connection: &mut PgConnection, tenant: TenantId, branding: &TenantBranding) -> Result<()> {
    sqlx::query(
        "insert into tenant_branding (tenant_id, fields, allowed_origins, record_page_urls) values ($1, $2, $3, $4)
         on conflict (tenant_id) do update
         set fields = excluded.fields, allowed_origins = excluded.allowed_origins,
             record_page_urls = excluded.record_page_urls, updated_at = now()",
    )
    .bind(tenant.0)
    .bind(Json(&branding.fields))
    .bind(&branding.allowed_origins)
    .bind(branding.record_page_urls)
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes every field, as an upsert (operator scope: no other role may write `custom_css`).
pub async fn upsert_tenant_with_css(
    connection: &mut PgConnection,
    tenant: TenantId,
    branding: &TenantBranding,
) -> Result<()> {
    sqlx::query(
        "insert into tenant_branding (tenant_id, fields, allowed_origins, custom_css, record_page_urls)
         values ($1, $2, $3, $4, $5)
         on conflict (tenant_id) do update
         set fields = excluded.fields, allowed_origins = excluded.allowed_origins, custom_css = excluded.custom_css,
             record_page_urls = excluded.record_page_urls, updated_at = now()",
    )
    .bind(tenant.0)
    .bind(Json(&branding.fields))
    .bind(&branding.allowed_origins)
    .bind(&branding.custom_css)
    .bind(branding.record_page_urls)
    .execute(connection)
    .await?;
    Ok(())
}

/// The branding that a chatbot sets itself, and the effective one: its fields over the tenant's. Without warnings;
/// empty before the first edit of either.
pub async fn find_chatbot(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
) -> Result<ChatbotBranding> {
    type Row = (Option<Json<BrandingFields>>, Option<contract::Timestamp>, Option<Json<BrandingFields>>);
    let (own, updated_at, tenants): Row = sqlx::query_as(
        "select cb.fields, cb.updated_at, tb.fields
         from (select) nothing
         left join chatbot_branding cb on cb.tenant_id = $1 and cb.chatbot_id = $2
         left join tenant_branding tb on tb.tenant_id = $1",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .fetch_one(connection)
    .await?;
    let fields = own.map(|fields| fields.0).unwrap_or_default();
    let resolved = fields.clone().or(tenants.map(|fields| fields.0).unwrap_or_default());
    Ok(ChatbotBranding { fields, resolved, warnings: Vec::new(), updated_at })
}

/// Writes the fields of a chatbot, as an upsert. The transaction must have locked or created the chatbot.
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

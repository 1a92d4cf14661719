//! Branding of a tenant: read, and change as an upsert.

use contract::branding::{TenantBranding, TenantBrandingPatch};
use store::{AuditEntry, audit};

use crate::{
    app_state::App,
    http::{caller::Caller, error::ApiResult},
};

/// The branding of the caller's tenant.
///
/// # Errors
/// When the database fails.
pub async fn get_own(app: &App, caller: &Caller) -> ApiResult<TenantBranding> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let branding = store::branding::find_tenant(&mut tx, caller.tenant()?).await?;
    tx.end().await?;
    Ok(with_warnings(branding))
}

/// Changes the branding of the caller's tenant; a change that changes nothing writes nothing.
///
/// # Errors
/// When the database fails.
pub async fn update_own(app: &App, caller: &Caller, patch: TenantBrandingPatch) -> ApiResult<TenantBranding> {
    let tenant = caller.tenant()?;
    let mut tx = app.db.write(&caller.scope()?).await?;
    store::branding::lock_tenant(&mut tx, tenant).await?;
    let before = store::branding::find_tenant(&mut tx, tenant).await?;
    let mut after = before.clone();
    patch.fields.apply(&mut after.fields);
    let mut origins = Some(after.allowed_origins);
    patch.allowed_origins.apply(&mut origins);
    after.allowed_origins = origins.unwrap_or_default();
    let Some(details) = audit::changed(&before, &after) else {
        tx.discard().await?;
        return Ok(with_warnings(before));
    };
    store::branding::upsert_tenant(&mut tx, tenant, &after.fields, &after.allowed_origins).await?;
    let after = store::branding::find_tenant(&mut tx, tenant).await?;
    let entry = AuditEntry {
        actor: caller.actor(),
        tenant_id: Some(tenant),
        chatbot_id: None,
        action: "tenant_branding.updated",
        entity_type: "tenant_branding",
        entity_id: tenant.to_string(),
        details,
    };
    let audited = tx.audit(&entry).await?;
    tx.commit(audited).await?;
    Ok(with_warnings(after))
}

fn with_warnings(mut branding: TenantBranding) -> TenantBranding {
    branding.warnings = branding.fields.warnings();
    branding
}

//! Tenants: list, create, change, soft-delete.

pub mod erasure;

use contract::{
    ErrorCode, Page, TenantId,
    audit::actions,
    page::PageQuery,
    tenants::{BulkDeleted, BulkSoftDelete, NewTenant, Tenant, TenantPatch},
};
use store::{AuditEntry, audit, people::ending};
use uuid::Uuid;

use crate::{
    caller::Caller,
    error::{ApiResult, on_constraint},
    precondition::IfMatch,
    service::answer_models,
    state::App,
};

const SLUG_CONSTRAINT: &str = "tenants_live_slug_key";

/// A page of live tenants.
pub async fn list(app: &App, caller: &Caller, page: &PageQuery) -> ApiResult<Page<Tenant>> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let tenants = store::tenants::list(&mut tx, page).await?;
    Ok(tenants)
}

/// A live tenant.
///
/// # Errors
/// `tenant_not_found`.
pub async fn get(app: &App, caller: &Caller, id: TenantId) -> ApiResult<Tenant> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let tenant = store::tenants::find(&mut tx, id).await?;
    tenant.ok_or_else(|| ErrorCode::TenantNotFound.into())
}

/// Creates a tenant.
///
/// # Errors
/// `tenant_slug_taken`.
pub async fn create(app: &App, caller: &Caller, new: &NewTenant) -> ApiResult<Tenant> {
    create_with_id(app, caller, TenantId(Uuid::now_v7()), new).await
}

/// Creates a tenant with a given id, for the demo world.
///
/// # Errors
/// `tenant_slug_taken`.
pub async fn create_with_id(app: &App, caller: &Caller, id: TenantId, new: &NewTenant) -> ApiResult<Tenant> {
    let mut tx = app.db.write(&caller.scope()?).await?;
    store::tenants::insert(&mut tx, id, new)
        .await
        .map_err(|error| on_constraint(error, SLUG_CONSTRAINT, ErrorCode::TenantSlugTaken))?;
    let tenant = store::tenants::find(&mut tx, id).await?.ok_or(ErrorCode::InternalError)?;
    let audited = tx.audit(&entry(caller, actions::TENANT_CREATED, id, audit::created(&tenant))).await?;
    tx.commit(audited).await?;
    Ok(tenant)
}

/// Changes a tenant; a change that changes nothing writes nothing.
///
/// # Errors
/// `tenant_not_found`, `tenant_slug_taken`, `precondition_failed`.
pub async fn update(
    app: &App,
    caller: &Caller,
    id: TenantId,
    if_match: &IfMatch,
    patch: TenantPatch,
) -> ApiResult<Tenant> {
    let mut tx = app.db.write(&caller.scope()?).await?;
    let before = store::tenants::find_for_update(&mut tx, id).await?.ok_or(ErrorCode::TenantNotFound)?;
    if_match.check(&before)?;
    let mut after = before.clone();
    if let Some(slug) = patch.slug {
        after.slug = slug;
    }
    if let Some(name) = patch.display_name {
        after.display_name = name.trim().to_owned();
    }
    if let Some(language) = patch.default_language {
        after.default_language = language;
    }
    after.quotas = patch.quotas.applied_to(after.quotas);
    patch.answer_model.apply(&mut after.answer_model);
    after.answer_models = patch.answer_models.unwrap_or(after.answer_models);
    after.api_keys_allowed = patch.api_keys_allowed.unwrap_or(after.api_keys_allowed);
    answer_models::check_tenant(app, &before, &after)?;
    let Some(details) = audit::changed(&before, &after) else {
        tx.discard().await?;
        return Ok(before);
    };
    store::tenants::update(&mut tx, &after)
        .await
        .map_err(|error| on_constraint(error, SLUG_CONSTRAINT, ErrorCode::TenantSlugTaken))?;
    let after = store::tenants::find(&mut tx, id).await?.ok_or(ErrorCode::InternalError)?;
    let audited = tx.audit(&entry(caller, actions::TENANT_UPDATED, id, details)).await?;
    tx.commit(audited).await?;
    Ok(after)
}

/// Soft-deletes a tenant: its users, chatbots and widgets are refused immediately, and its people are then signed out
/// and deactivated at the identity provider.
///
/// # Errors
/// `tenant_not_found`, also for a tenant that was deleted before.
pub async fn soft_delete(app: &App, caller: &Caller, id: TenantId) -> ApiResult<()> {
    let mut tx = app.db.write(&caller.scope()?).await?;
    if store::tenants::lock_active(&mut tx, &[id]).await? == 0 {
        return Err(ErrorCode::TenantNotFound.into());
    }
    store::tenants::soft_delete_all(&mut tx, &[id]).await?;
    ending::want(&mut tx, &[id], &caller.actor(), &caller.identity.realm).await?;
    let details = serde_json::json!({ "before": { "deleted": false }, "after": { "deleted": true } });
    let audited = tx.audit(&entry(caller, actions::TENANT_SOFT_DELETED, id, details)).await?;
    tx.commit(audited).await?;
    app.tenant_deleted().notify_one();
    Ok(())
}

/// Soft-deletes several tenants with one audit row, all or none.
///
/// # Errors
/// `tenant_not_found` when one of them is unknown or was deleted before; nothing changes then.
pub async fn soft_delete_all(app: &App, caller: &Caller, bulk: &BulkSoftDelete) -> ApiResult<BulkDeleted> {
    let ids = &bulk.tenant_ids;
    let mut tx = app.db.write(&caller.scope()?).await?;
    let locked = store::tenants::lock_active(&mut tx, ids).await?;
    if locked != ids.len() {
        return Err(ErrorCode::TenantNotFound.into());
    }
    store::tenants::soft_delete_all(&mut tx, ids).await?;
    ending::want(&mut tx, ids, &caller.actor(), &caller.identity.realm).await?;
    let details = serde_json::json!({
        "before": { "deleted": false }, "after": { "deleted": true, "tenant_ids": ids },
    });
    let entry = AuditEntry {
        actor: caller.actor(),
        tenant_id: None,
        chatbot_id: None,
        action: actions::TENANT_BULK_SOFT_DELETED,
        entity_type: "tenant",
        entity_id: format!("bulk:{}", ids.len()),
        details,
    };
    let audited = tx.audit(&entry).await?;
    tx.commit(audited).await?;
    app.tenant_deleted().notify_one();
    Ok(BulkDeleted { deleted: ids.len() })
}

fn entry(caller: &Caller, action: &'static str, id: TenantId, details: serde_json::Value) -> AuditEntry {
    AuditEntry {
        actor: caller.actor(),
        tenant_id: Some(id),
        chatbot_id: None,
        action,
        entity_type: "tenant",
        entity_id: id.to_string(),
        details,
    }
}

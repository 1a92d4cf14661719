//! The modules of a tenant: list, switch one, replace the set of optional ones. A tenant's own users cannot see
//! internal modules, and nobody can switch modules that are always on. A bulk assignment may name these; if nothing
//! else differs, no audit row is written. The registry's flag does not touch a tenant's choice.

use contract::{
    ErrorCode, ModuleId, Page, TenantId,
    audit::actions,
    identity::TokenScope,
    modules::{ModuleAssignment, TenantModule},
    page::PageQuery,
};
use serde_json::json;
use store::{AuditEntry, WriteTx};

use crate::{caller::Caller, error::ApiResult, service::tenant_write, state::App};

/// A page of the modules that the caller may see, with what the tenant has of them.
///
/// # Errors
/// `tenant_not_found`.
pub async fn list(app: &App, caller: &Caller, tenant: TenantId, page: &PageQuery) -> ApiResult<Page<TenantModule>> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    if !store::tenants::is_active(&mut tx, tenant).await? {
        return Err(ErrorCode::TenantNotFound.into());
    }
    let modules = store::modules::list_of_tenant(&mut tx, tenant, page).await?;
    Ok(modules)
}

/// Switches a module of a tenant on or off; a switch that changes nothing writes nothing.
///
/// # Errors
/// `tenant_not_found`; `module_not_found`, for a tenant's user also when the module is internal; `module_always_on`,
/// `module_not_self_service`.
pub async fn set(
    app: &App,
    caller: &Caller,
    tenant: TenantId,
    id: &ModuleId,
    enabled: bool,
) -> ApiResult<TenantModule> {
    let mut tx = begin(app, caller, tenant).await?;
    let module = store::modules::find_of_tenant(&mut tx, tenant, id).await?.ok_or(ErrorCode::ModuleNotFound)?;
    if module.module.is_always_on {
        return Err(ErrorCode::ModuleAlwaysOn.into());
    }
    if !module.module.self_service && caller.identity.scope == TokenScope::Tenant {
        return Err(ErrorCode::ModuleNotSelfService.into());
    }
    if module.enabled == enabled {
        tx.discard().await?;
        return Ok(module);
    }
    let ids = std::slice::from_ref(id);
    let action = if enabled {
        store::modules::enable(&mut tx, tenant, ids).await?;
        actions::TENANT_MODULE_ACTIVATED
    } else {
        store::modules::disable(&mut tx, tenant, ids).await?;
        actions::TENANT_MODULE_DEACTIVATED
    };
    let details = json!({ "before": { "enabled": !enabled }, "after": { "enabled": enabled } });
    tx.commit_audited(&entry(caller, action, tenant, id.to_string(), details)).await?;
    Ok(TenantModule { enabled, ..module })
}

/// Replaces the optional modules of a tenant; all others are disabled. An unchanged set writes nothing. Modules that
/// are always on are ignored.
///
/// # Errors
/// `tenant_not_found`, `module_not_found` when one of them is unknown; nothing changes then.
pub async fn assign(
    app: &App,
    caller: &Caller,
    tenant: TenantId,
    assignment: ModuleAssignment,
) -> ApiResult<ModuleAssignment> {
    let ids = &assignment.module_ids;
    let mut tx = begin(app, caller, tenant).await?;
    let existing = store::modules::existing(&mut tx, ids).await?;
    if existing.len() != ids.len() {
        return Err(ErrorCode::ModuleNotFound.into());
    }
    let optional_ids: Vec<ModuleId> =
        existing.into_iter().filter(|module| !module.is_always_on).map(|module| module.id).collect();
    let before = store::modules::optional_of_tenant(&mut tx, tenant).await?;
    if before == optional_ids {
        tx.discard().await?;
        return Ok(assignment);
    }
    let removed: Vec<ModuleId> = before.iter().filter(|id| !optional_ids.contains(id)).cloned().collect();
    store::modules::disable(&mut tx, tenant, &removed).await?;
    store::modules::enable(&mut tx, tenant, &optional_ids).await?;
    let details = json!({ "before": { "module_ids": before }, "after": { "module_ids": ids } });
    let entity_id = format!("bulk:{}", ids.len());
    tx.commit_audited(&entry(caller, actions::TENANT_MODULE_BULK_ASSIGNED, tenant, entity_id, details)).await?;
    Ok(assignment)
}

/// Begins a change of a live tenant's modules, one at a time.
async fn begin(app: &App, caller: &Caller, tenant: TenantId) -> ApiResult<WriteTx> {
    let mut tx = tenant_write::begin(app, caller).await?;
    store::modules::lock_tenant(&mut tx, tenant).await?;
    if !store::tenants::is_active(&mut tx, tenant).await? {
        return Err(ErrorCode::TenantNotFound.into());
    }
    Ok(tx)
}

fn entry(
    caller: &Caller,
    action: &'static str,
    tenant: TenantId,
    entity_id: String,
    details: serde_json::Value,
) -> AuditEntry {
    AuditEntry {
        actor: caller.actor(),
        tenant_id: Some(tenant),
        chatbot_id: None,
        action,
        entity_type: "tenant_module",
        entity_id,
        details,
    }
}

//! The module registry: list, show, register, change.

pub mod tenant_modules;

use contract::{
    ErrorCode, ModuleId, Page,
    audit::actions,
    modules::{Module, ModulePatch, NewModule},
    page::PageQuery,
};
use serde_json::Value;
use store::{AuditEntry, audit};

use crate::{
    caller::Caller,
    error::{ApiResult, on_constraint},
    precondition::IfMatch,
    state::App,
};

/// A page of the registry.
pub async fn list(app: &App, caller: &Caller, page: &PageQuery) -> ApiResult<Page<Module>> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let modules = store::modules::list(&mut tx, page).await?;
    Ok(modules)
}

/// A module of the registry.
///
/// # Errors
/// `module_not_found`.
pub async fn get(app: &App, caller: &Caller, id: &ModuleId) -> ApiResult<Module> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let module = store::modules::find(&mut tx, id).await?;
    module.ok_or_else(|| ErrorCode::ModuleNotFound.into())
}

/// Registers a module.
///
/// # Errors
/// `module_exists`.
pub async fn create(app: &App, caller: &Caller, new: NewModule) -> ApiResult<Module> {
    let module = Module {
        id: new.id,
        name: new.name.trim().to_owned(),
        description: new.description,
        category: new.category.trim().to_owned(),
        is_always_on: new.is_always_on,
        internal_only: new.internal_only,
        self_service: new.self_service,
        position: new.position,
    };
    let mut tx = app.db.write(&caller.scope()?).await?;
    store::modules::insert(&mut tx, &module)
        .await
        .map_err(|error| on_constraint(error, "modules_pkey", ErrorCode::ModuleExists))?;
    tx.commit_audited(&entry(caller, actions::MODULE_CREATED, &module.id, audit::created(&module))).await?;
    Ok(module)
}

/// Changes a module; a change that changes nothing writes nothing.
///
/// # Errors
/// `module_not_found`, `precondition_failed`.
pub async fn update(
    app: &App,
    caller: &Caller,
    id: &ModuleId,
    if_match: &IfMatch,
    patch: ModulePatch,
) -> ApiResult<Module> {
    let mut tx = app.db.write(&caller.scope()?).await?;
    let before = store::modules::find_for_update(&mut tx, id).await?.ok_or(ErrorCode::ModuleNotFound)?;
    if_match.check(&before)?;
    let after = patched(before.clone(), patch);
    let Some(details) = audit::changed(&before, &after) else {
        tx.discard().await?;
        return Ok(before);
    };
    store::modules::update(&mut tx, &after).await?;
    tx.commit_audited(&entry(caller, actions::MODULE_UPDATED, id, details)).await?;
    Ok(after)
}

fn patched(module: Module, patch: ModulePatch) -> Module {
    let trimmed = |text: String| text.trim().to_owned();
    Module {
        name: patch.name.map_or(module.name, trimmed),
        description: patch.description.unwrap_or(module.description),
        category: patch.category.map_or(module.category, trimmed),
        is_always_on: patch.is_always_on.unwrap_or(module.is_always_on),
        internal_only: patch.internal_only.unwrap_or(module.internal_only),
        self_service: patch.self_service.unwrap_or(module.self_service),
        position: patch.position.unwrap_or(module.position),
        id: module.id,
    }
}

fn entry(caller: &Caller, action: &'static str, id: &ModuleId, details: Value) -> AuditEntry {
    AuditEntry {
        actor: caller.actor(),
        tenant_id: None,
        chatbot_id: None,
        action,
        entity_type: "module",
        entity_id: id.to_string(),
        details,
    }
}

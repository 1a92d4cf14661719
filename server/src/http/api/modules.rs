//! The module registry and the modules of a tenant.

use axum::Router;
use contract::{
    Page,
    modules::{
        ActivateModule, AssignPlatformTenantModules, AssignTenantModules, CreateModule, DeactivateModule, GetModule,
        ListModules, ListTenantModules, Module, ModuleAssignment, SetTenantModule, TenantModule, UpdateModule,
    },
};

use crate::{
    error::ApiResult,
    http::endpoint::{Call, Register, Reply},
    service::modules::{self, tenant_modules},
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router
        .endpoint(list)
        .endpoint(create)
        .endpoint(get)
        .endpoint(update)
        .endpoint(list_of_tenant)
        .endpoint(set)
        .endpoint(assign)
        .endpoint(assign_on_platform)
        .endpoint(activate)
        .endpoint(deactivate)
}

async fn list(app: App, call: Call<ListModules>) -> ApiResult<Page<Module>> {
    modules::list(&app, &call.caller, &call.query.page).await
}

async fn create(app: App, call: Call<CreateModule>) -> ApiResult<Reply<Module>> {
    let module = modules::create(&app, &call.caller, call.body).await?;
    let location = format!("/api/v1/platform/modules/{}", module.id);
    Ok(Reply::created(module, location))
}

async fn get(app: App, call: Call<GetModule>) -> ApiResult<Module> {
    modules::get(&app, &call.caller, &call.path).await
}

async fn update(app: App, call: Call<UpdateModule>) -> ApiResult<Module> {
    modules::update(&app, &call.caller, &call.path, &call.if_match(), call.body).await
}

async fn list_of_tenant(app: App, call: Call<ListTenantModules>) -> ApiResult<Page<TenantModule>> {
    let tenant = call.caller.tenant_of_path(call.path)?;
    tenant_modules::list(&app, &call.caller, tenant, &call.query.page).await
}

async fn set(app: App, call: Call<SetTenantModule>) -> ApiResult<TenantModule> {
    let (tenant, module) = call.path;
    tenant_modules::set(&app, &call.caller, tenant, &module, call.body.enabled).await
}

async fn assign(app: App, call: Call<AssignTenantModules>) -> ApiResult<ModuleAssignment> {
    tenant_modules::assign(&app, &call.caller, call.path, call.body).await
}

async fn assign_on_platform(app: App, call: Call<AssignPlatformTenantModules>) -> ApiResult<ModuleAssignment> {
    tenant_modules::assign(&app, &call.caller, call.path, call.body).await
}

async fn activate(app: App, call: Call<ActivateModule>) -> ApiResult<TenantModule> {
    tenant_modules::set(&app, &call.caller, call.caller.tenant()?, &call.path, true).await
}

async fn deactivate(app: App, call: Call<DeactivateModule>) -> ApiResult<TenantModule> {
    tenant_modules::set(&app, &call.caller, call.caller.tenant()?, &call.path, false).await
}

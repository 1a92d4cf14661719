//! Tenants.

use axum::Router;
use contract::{
    Page,
    identity::TokenScope,
    tenants::{
        BulkDeleteTenants, BulkDeleted, CreateTenant, DeleteTenant, GetOwnTenant, GetTenant, ListTenants, Tenant,
        UpdateTenant,
    },
};

use crate::{
    error::{ApiError, ApiResult},
    http::endpoint::{Call, Register, Reply},
    service::tenants,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router
        .endpoint(get_own)
        .endpoint(list)
        .endpoint(create)
        .endpoint(get)
        .endpoint(update)
        .endpoint(delete)
        .endpoint(delete_all)
}

async fn get_own(app: App, call: Call<GetOwnTenant>) -> ApiResult<Tenant> {
    let id = match (call.caller.identity.scope, call.query.tenant_id) {
        (TokenScope::Tenant, _) => call.caller.tenant()?,
        (_, Some(id)) => id,
        (_, None) => return Err(ApiError::field(&["query", "tenant_id"], "is required", "missing")),
    };
    tenants::get(&app, &call.caller, id).await
}

async fn list(app: App, call: Call<ListTenants>) -> ApiResult<Page<Tenant>> {
    tenants::list(&app, &call.caller, &call.query.page).await
}

async fn create(app: App, call: Call<CreateTenant>) -> ApiResult<Reply<Tenant>> {
    let tenant = tenants::create(&app, &call.caller, &call.body).await?;
    let location = format!("/api/v1/platform/tenants/{}", tenant.id);
    Ok(Reply::created(tenant, location))
}

async fn get(app: App, call: Call<GetTenant>) -> ApiResult<Tenant> {
    tenants::get(&app, &call.caller, call.path).await
}

async fn update(app: App, call: Call<UpdateTenant>) -> ApiResult<Tenant> {
    tenants::update(&app, &call.caller, call.path, &call.if_match(), call.body).await
}

async fn delete(app: App, call: Call<DeleteTenant>) -> ApiResult<()> {
    tenants::soft_delete(&app, &call.caller, call.path).await
}

async fn delete_all(app: App, call: Call<BulkDeleteTenants>) -> ApiResult<BulkDeleted> {
    tenants::soft_delete_all(&app, &call.caller, &call.body).await
}

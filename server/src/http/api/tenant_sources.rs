//! Counts about the sources of a tenant, for operators and vendors.

use axum::Router;
use contract::{
    Page,
    tenant_sources::{ListTenantSources, TenantSource},
};

use crate::{
    error::ApiResult,
    http::endpoint::{Call, Register},
    service::knowledge::tenant_sources,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint(list)
}

async fn list(app: App, call: Call<ListTenantSources>) -> ApiResult<Page<TenantSource>> {
    tenant_sources::list(&app, &call.caller, call.path, &call.query).await
}

//! The usage and the quotas of a tenant.

use axum::Router;
use contract::usage::{GetOwnUsage, GetTenantUsage, TenantUsage};

use crate::{
    error::ApiResult,
    http::endpoint::{Call, Register},
    service::usage,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint(get_own).endpoint(get)
}

async fn get_own(app: App, call: Call<GetOwnUsage>) -> ApiResult<TenantUsage> {
    usage::own(&app, &call.caller, call.query).await
}

async fn get(app: App, call: Call<GetTenantUsage>) -> ApiResult<TenantUsage> {
    usage::get(&app, &call.caller, call.path, call.query).await
}

//! Branding of the caller's tenant.

use axum::Router;
use contract::branding::{GetTenantBranding, TenantBranding, UpdateTenantBranding};

use crate::{
    app_state::App,
    http::{
        endpoint::{Call, Register},
        error::ApiResult,
    },
    service::branding,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint::<GetTenantBranding, _, _, _, _>(get).endpoint::<UpdateTenantBranding, _, _, _, _>(update)
}

async fn get(app: App, call: Call<GetTenantBranding>) -> ApiResult<TenantBranding> {
    branding::get_own(&app, &call.caller).await
}

async fn update(app: App, call: Call<UpdateTenantBranding>) -> ApiResult<TenantBranding> {
    branding::update_own(&app, &call.caller, call.body).await
}

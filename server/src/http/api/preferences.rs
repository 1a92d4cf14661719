//! Preferences of the caller.

use axum::Router;
use contract::preferences::{GetPreferences, Preferences, UpdatePreferences};

use crate::{
    error::ApiResult,
    http::endpoint::{Call, Register},
    service::preferences,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint(get).endpoint(update)
}

async fn get(app: App, call: Call<GetPreferences>) -> ApiResult<Preferences> {
    preferences::get(&app, &call.caller).await
}

async fn update(app: App, call: Call<UpdatePreferences>) -> ApiResult<Preferences> {
    preferences::update(&app, &call.caller, call.body).await
}

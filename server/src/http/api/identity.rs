//! The identity of the caller.

use axum::Router;
use contract::identity::{GetMe, Identity, WhoAmI};

use crate::{
    error::ApiResult,
    http::endpoint::{Call, Register},
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint(me).endpoint(who_am_i)
}

async fn me(_: App, call: Call<GetMe>) -> ApiResult<Identity> {
    Ok(call.caller.identity)
}

async fn who_am_i(_: App, call: Call<WhoAmI>) -> ApiResult<Identity> {
    Ok(call.caller.identity)
}

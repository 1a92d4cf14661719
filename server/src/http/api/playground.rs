//! The playground of the tenant console.

use axum::Router;
use contract::playground::{AskPlayground, PlaygroundReply};

use crate::{
    error::ApiResult,
    http::endpoint::{Call, Register},
    service::answers,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint(ask)
}

async fn ask(app: App, call: Call<AskPlayground>) -> ApiResult<PlaygroundReply> {
    answers::try_out(&app, &call.caller, call.path, call.body).await
}

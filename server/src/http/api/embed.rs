//! Websites that requested a chatbot.

use axum::Router;
use contract::embed::{EmbedReport, GetEmbedReport};

use crate::{
    error::ApiResult,
    http::endpoint::{Call, Register},
    service::embed,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint(report)
}

async fn report(app: App, call: Call<GetEmbedReport>) -> ApiResult<EmbedReport> {
    embed::report(&app, &call.caller, call.path, &call.query).await
}

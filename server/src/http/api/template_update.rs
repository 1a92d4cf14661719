//! Applying a template's changes to a chatbot.

use axum::Router;
use contract::{
    chatbots::Chatbot,
    template_update::{ApplyTemplate, GetTemplateUpdate, TemplateUpdate},
};

use crate::{
    error::ApiResult,
    http::endpoint::{Call, Register},
    service::template_update,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint(get).endpoint(apply)
}

async fn get(app: App, call: Call<GetTemplateUpdate>) -> ApiResult<TemplateUpdate> {
    template_update::get(&app, &call.caller, call.path).await
}

async fn apply(app: App, call: Call<ApplyTemplate>) -> ApiResult<Chatbot> {
    template_update::apply(&app, &call.caller, call.path, call.body).await
}

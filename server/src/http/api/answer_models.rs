//! Language models of answers.

use axum::Router;
use contract::answer_models::{AnswerModels, ListAnswerModels, ListTenantAnswerModels};

use crate::{
    error::ApiResult,
    http::endpoint::{Call, Register},
    service::answer_models,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint(own).endpoint(of_tenant)
}

async fn own(app: App, call: Call<ListAnswerModels>) -> ApiResult<AnswerModels> {
    answer_models::own(&app, &call.caller).await
}

async fn of_tenant(app: App, call: Call<ListTenantAnswerModels>) -> ApiResult<AnswerModels> {
    answer_models::of_tenant(&app, &call.caller, call.path).await
}

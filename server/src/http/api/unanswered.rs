//! Unanswered questions of a chatbot.

use axum::Router;
use contract::unanswered::{ListUnanswered, SetQuestionHandled, UnansweredPage, UnansweredQuestion};

use crate::{
    error::ApiResult,
    http::endpoint::{Call, Register},
    service::unanswered,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint(list).endpoint(set_handled)
}

async fn list(app: App, call: Call<ListUnanswered>) -> ApiResult<UnansweredPage> {
    unanswered::list(&app, &call.caller, call.path, &call.query).await
}

async fn set_handled(app: App, call: Call<SetQuestionHandled>) -> ApiResult<UnansweredQuestion> {
    unanswered::set_handled(&app, &call.caller, call.path, call.body.handled).await
}

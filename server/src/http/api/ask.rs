//! Questions of a tenant's own program.

use axum::{Router, response::Response};
use contract::ask::AskChatbot;

use crate::{
    error::ApiResult,
    http::{
        endpoint::{Call, Register},
        event_stream,
    },
    service::answers,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.negotiated_endpoint(ask)
}

async fn ask(app: App, call: Call<AskChatbot>) -> ApiResult<Response> {
    let chatbot = answers::find_own(&app, &call.caller, call.path).await?;
    app.limiter.question_of_program(&app.limiter.client(&call.parts), call.path).await?;
    let events = answers::answer(&app, &chatbot, call.body.into()).await?;
    event_stream::negotiated(events, &call.parts, app.settings.stream_silence).await
}

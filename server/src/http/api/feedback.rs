//! Feedback of visitors: created by the widget, read by the tenant.

use axum::{Router, response::Response};
use contract::{
    Endpoint, Page,
    feedback::{
        CreateFeedback, CreateLegacyFeedback, ExportFeedback, Feedback, FeedbackCreated, FeedbackStats,
        GetFeedbackStats, ListFeedback, SetFeedbackHandled,
    },
};
use http::request::Parts;

use crate::{
    caller::WidgetCaller,
    error::ApiResult,
    http::{
        csv,
        endpoint::{Call, Register, Reply},
        widget_guard::{ChatbotFromBody, ChatbotFromSession},
    },
    service::feedback::{self, export, triage},
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router
        .endpoint(create)
        .endpoint(create_legacy)
        .endpoint(list)
        .endpoint(stats)
        .csv_endpoint(export)
        .endpoint(set_handled)
}

async fn create(app: App, call: Call<CreateFeedback, ChatbotFromBody>) -> ApiResult<Reply<FeedbackCreated>> {
    count(&app, &call.caller.0, &call.parts).await?;
    let created = feedback::create(&app, &call.caller.0, call.body).await?;
    Ok(Reply::created(created, place(&call.caller.0)))
}

async fn create_legacy(
    app: App,
    call: Call<CreateLegacyFeedback, ChatbotFromSession>,
) -> ApiResult<Reply<FeedbackCreated>> {
    count(&app, &call.caller.0, &call.parts).await?;
    let created = feedback::create_legacy(&app, &call.caller.0, call.body).await?;
    Ok(Reply::created(created, place(&call.caller.0)))
}

/// Anybody may send feedback, and each leaves a row in the audit log.
async fn count(app: &App, caller: &WidgetCaller, parts: &Parts) -> ApiResult<()> {
    app.limiter.feedback(&app.limiter.client(parts), caller.chatbot.config.chatbot_id).await
}

/// The address where the tenant reads the feedback.
fn place(caller: &WidgetCaller) -> String {
    ListFeedback::path(&caller.chatbot.config.chatbot_id)
}

async fn list(app: App, call: Call<ListFeedback>) -> ApiResult<Page<Feedback>> {
    feedback::list(&app, &call.caller, call.path, &call.query).await
}

async fn stats(app: App, call: Call<GetFeedbackStats>) -> ApiResult<FeedbackStats> {
    feedback::stats(&app, &call.caller, call.path, call.query).await
}

async fn export(app: App, call: Call<ExportFeedback>) -> ApiResult<Response> {
    let name = export::file_name(call.path, chrono::Utc::now());
    csv::attachment(&call.parts, &name, |client| export::start(&app, &call.caller, call.path, call.body, client)).await
}

async fn set_handled(app: App, call: Call<SetFeedbackHandled>) -> ApiResult<Feedback> {
    triage::set_handled(&app, &call.caller, call.path, call.body.handled).await
}

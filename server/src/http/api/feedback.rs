//! Feedback of visitors: written by the widget, read by the tenant.

use axum::Router;
use contract::{
    Endpoint, Page,
    feedback::{
        CreateFeedback, CreateLegacyFeedback, Feedback, FeedbackCreated, FeedbackStats, GetFeedbackStats, ListFeedback,
    },
};

use crate::{
    app_state::App,
    http::{
        endpoint::{Call, Register, Reply},
        error::ApiResult,
        widget_guard::{ByBody, BySession, WidgetCaller},
    },
    service::feedback,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router
        .endpoint::<CreateFeedback, ByBody, _, _, _>(create)
        .endpoint::<CreateLegacyFeedback, BySession, _, _, _>(create_legacy)
        .endpoint::<ListFeedback, _, _, _, _>(list)
        .endpoint::<GetFeedbackStats, _, _, _, _>(stats)
}

async fn create(app: App, call: Call<CreateFeedback, ByBody>) -> ApiResult<Reply<FeedbackCreated>> {
    let created = feedback::create(&app, &call.caller.0, call.body).await?;
    Ok(Reply::created(created, place(&call.caller.0)))
}

async fn create_legacy(app: App, call: Call<CreateLegacyFeedback, BySession>) -> ApiResult<Reply<FeedbackCreated>> {
    let created = feedback::create_legacy(&app, &call.caller.0, call.body).await?;
    Ok(Reply::created(created, place(&call.caller.0)))
}

/// Where the tenant reads what a visitor wrote.
fn place(caller: &WidgetCaller) -> String {
    ListFeedback::path(&caller.chatbot.config.chatbot_id)
}

async fn list(app: App, call: Call<ListFeedback>) -> ApiResult<Page<Feedback>> {
    feedback::list(&app, &call.caller, call.path, &call.query).await
}

async fn stats(app: App, call: Call<GetFeedbackStats>) -> ApiResult<FeedbackStats> {
    feedback::stats(&app, &call.caller, call.path).await
}

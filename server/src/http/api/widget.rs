//! The public endpoints of the embedded widget.

use axum::{
    Json, Router,
    extract::{Request, State},
    response::{IntoResponse, Response},
    routing::get,
};
use contract::{
    Endpoint,
    widget::{GetWidgetConfig, GetWidgetHistory, QueryWidget, WidgetConfig, WidgetHistory},
};
use http::{HeaderMap, HeaderValue, header};

use crate::{
    app_state::App,
    http::{
        endpoint::{Call, Register},
        error::ApiResult,
        etag, event_stream,
        widget_guard::{self, WidgetCaller},
    },
    service::answers,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    // The configuration answers with validators and 304, which an `Endpoint` reply cannot.
    router
        .route(GetWidgetConfig::PATH, get(config))
        .negotiated_endpoint::<QueryWidget, WidgetCaller, _, _>(query)
        .endpoint::<GetWidgetHistory, WidgetCaller, _, _, _>(history)
}

async fn config(State(app): State<App>, request: Request) -> Response {
    let (mut parts, _) = request.into_parts();
    match widget_guard::admit(&app, &mut parts).await {
        Ok(caller) => cacheable(&parts.headers, &caller.chatbot.config),
        Err(error) => error.into_response(),
    }
}

/// The configuration with its `ETag`, or 304 when the widget has it already (decisions, 4).
fn cacheable(request: &HeaderMap, config: &WidgetConfig) -> Response {
    let mut response = etag::json(request, config, "private, max-age=60");
    response.headers_mut().append(header::VARY, HeaderValue::from_static("Origin"));
    response
}

/// One exchange in two forms: a stream for whoever asks for one, else the reply that ends it.
async fn query(app: App, call: Call<QueryWidget, WidgetCaller>) -> ApiResult<Response> {
    let chatbot = &call.caller.chatbot;
    app.limiter.question(&app.limiter.client(&call.parts), chatbot.config.chatbot_id).await?;
    let events = answers::answer(&app, chatbot, call.body).await?;
    if event_stream::is_wanted(&call.parts.headers) {
        return Ok(event_stream::response(events, &call.parts.extensions, app.settings.stream_silence));
    }
    Ok(Json(events.reply().await?).into_response())
}

async fn history(app: App, call: Call<GetWidgetHistory, WidgetCaller>) -> ApiResult<WidgetHistory> {
    let (_, session) = call.path;
    answers::history(&app, &call.caller.chatbot, session).await
}

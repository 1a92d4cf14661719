//! The public endpoints of the embedded widget.

use axum::{
    Json, Router,
    extract::{Request, State},
    response::{IntoResponse, Response},
    routing::get,
};
use contract::{
    Endpoint,
    widget::{GetWidgetConfig, GetWidgetHistory, QueryWidget, WidgetConfig, WidgetHistory, WidgetReply},
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use sha2::{Digest, Sha256};

use crate::{
    app_state::App,
    http::{
        endpoint::{Call, Register},
        error::ApiResult,
        etag,
        widget_guard::{self, WidgetCaller},
    },
    service::answers,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    // The configuration answers with validators and 304, which an `Endpoint` reply cannot.
    router
        .route(GetWidgetConfig::PATH, get(config))
        .endpoint::<QueryWidget, WidgetCaller, _, _, _>(query)
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
    let bytes = serde_json::to_vec(config).unwrap_or_default();
    let digest = Sha256::digest(&bytes);
    let tag: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{tag}\"");
    let mut response = if etag::is_known(request, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Json(config).into_response()
    };
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::try_from(tag) {
        headers.insert(header::ETAG, value);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=60"));
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
    response
}

async fn query(app: App, call: Call<QueryWidget, WidgetCaller>) -> ApiResult<WidgetReply> {
    answers::answer(&app, &call.caller.chatbot, call.body).await
}

async fn history(app: App, call: Call<GetWidgetHistory, WidgetCaller>) -> ApiResult<WidgetHistory> {
    let (_, session) = call.path;
    answers::history(&app, &call.caller.chatbot, session).await
}

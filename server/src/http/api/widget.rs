//! The public endpoints of the embedded widget.

mod files;

use axum::{
    Router,
    extract::{Request, State},
    response::{IntoResponse, Response},
    routing::get,
};
use contract::{
    Endpoint,
    documents::SourceSection,
    widget::{
        GetWidgetConfig, GetWidgetHistory, GetWidgetSection, QueryLegacyWidget, QueryWidget, SessionToken,
        WidgetConfig, WidgetHistory, WidgetQuery,
    },
};
use http::{HeaderMap, HeaderValue, header, request::Parts};

use crate::{
    caller::WidgetCaller,
    error::ApiResult,
    http::{
        endpoint::{Call, Register},
        etag, event_stream, guard, page_url,
        widget_guard::{self, ChatbotOfLegacyPage},
    },
    service::{answers, branding::pictures, knowledge::sections},
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    // The configuration answers with validators and 304, which an `Endpoint` reply cannot.
    router
        .route(GetWidgetConfig::PATH, get(config))
        .negotiated_endpoint(query)
        .negotiated_endpoint(query_legacy)
        .endpoint(history)
        .endpoint(section)
        .negotiated_endpoint(files::open)
}

async fn config(State(app): State<App>, request: Request) -> Response {
    let (mut parts, _) = request.into_parts();
    if let Err(refusal) = guard::refuse_key(GetWidgetConfig::KEY_SCOPE, &parts.headers) {
        return refusal.into_response();
    }
    match widget_guard::admit(&app, &mut parts).await {
        Ok(mut caller) => {
            let config = &mut caller.chatbot.config;
            pictures::with_addresses(&mut config.branding.fields, &app.settings.base_url);
            cacheable(&parts.headers, config)
        }
        Err(error) => error.into_response(),
    }
}

/// The configuration with its `ETag`, or 304 when the widget has it already.
fn cacheable(request: &HeaderMap, config: &WidgetConfig) -> Response {
    let mut response = etag::json(request, config, "private, max-age=60");
    response.headers_mut().append(header::VARY, HeaderValue::from_static("Origin"));
    response
}

async fn query(app: App, call: Call<QueryWidget, WidgetCaller>) -> ApiResult<Response> {
    answer(app, call.caller, call.body, call.parts).await
}

async fn query_legacy(app: App, call: Call<QueryLegacyWidget, ChatbotOfLegacyPage>) -> ApiResult<Response> {
    answer(app, call.caller.0, call.body, call.parts).await
}

async fn answer(app: App, caller: WidgetCaller, mut question: WidgetQuery, parts: Parts) -> ApiResult<Response> {
    let chatbot = &caller.chatbot;
    let page = question.page_url.take().filter(|_| chatbot.records_page_urls);
    question.page_url = page.and_then(|page| page_url::of(&parts.headers, &page));
    app.limiter.question(&app.limiter.client(&parts), chatbot.config.chatbot_id).await?;
    let events = answers::answer(&app, chatbot, question.into()).await?;
    event_stream::negotiated(events, &parts, app.settings.stream_silence).await
}

async fn history(app: App, call: Call<GetWidgetHistory, WidgetCaller>) -> ApiResult<WidgetHistory> {
    let (_, session) = call.path;
    answers::history(&app, &call.caller.chatbot, session, session_token(&call.parts.headers)).await
}

/// The token in an `Accept` header such as `application/json;session_token=...`. The cross-origin policy has no header for it, and
/// unlike an address this header is in no log.
fn session_token(headers: &HeaderMap) -> Option<SessionToken> {
    let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut parameters = values.flat_map(|value| value.split([',', ';'])).filter_map(|part| part.split_once('='));
    let (_, token) = parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case(SessionToken::PARAMETER))?;
    Some(SessionToken(token.trim().trim_matches('"').to_owned()))
}

async fn section(app: App, call: Call<GetWidgetSection, WidgetCaller>) -> ApiResult<SourceSection> {
    let (_, passage) = call.path;
    sections::of_visitor(&app, &call.caller.chatbot, passage).await
}

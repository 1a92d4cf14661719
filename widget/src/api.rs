//! The widget's endpoints and the liveness check. Every response becomes a contract type or an [`ApiError`]. The requests
//! are made by `loader/transport.js`, where the code takes a fifth of the size.

use contract::ErrorBody;
use contract::feedback::{LegacyFeedback, NewFeedback, Rating};
use contract::widget::{WidgetConfig, WidgetQuery};
use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, Element};

use crate::api_error::ApiError;
use crate::json::{self, HistoryMessage, name};
use crate::options::Options;

/// Timeout until an answer begins: 90 s, for slow generators.
const QUERY_TIMEOUT_MS: i32 = 90_000;
/// Everything else: 10 s.
const READ_TIMEOUT_MS: i32 = 10_000;

#[wasm_bindgen]
extern "C" {
    fn request(url: &str, abort: &JsValue, timeout: i32, body: &JsValue, hear: &JsValue) -> Promise;
    fn read(url: &str, hear: &JsValue);
    fn answers(url: &str) -> Promise;
    fn page() -> JsValue;
    /// Writes a text with the day of a moment, in a language, into an element.
    pub(crate) fn write_date(element: &Element, text: &str, moment: &str, language: &str);
}

/// Fetches the configuration.
pub(crate) async fn config(options: &Options) -> Result<WidgetConfig, ApiError> {
    let url = options.endpoint(&["config/", &options.chatbot_id]);
    json::config(&exchange(&url, &JsValue::UNDEFINED).await?).ok_or(ApiError::Unavailable)
}

/// Reads the configuration that the loader fetched: its body, or the status of a failure.
pub(crate) fn early_config(outcome: &JsValue) -> Result<WidgetConfig, ApiError> {
    match outcome.as_f64() {
        Some(status) => Err(ApiError::of(status as u16, None, None)),
        None => json::config(outcome).ok_or(ApiError::Unavailable),
    }
}

/// Asks a question; `abort` stops the answer. If the platform streams, `hear` is called with the data of each event;
/// otherwise the answer arrives as a whole. Returns the whole answer.
pub(crate) async fn query(
    options: &Options,
    session_id: Option<&str>,
    question: &str,
    abort: &AbortController,
    hear: &JsValue,
) -> Result<json::Reply, ApiError> {
    let session_id = session_id.map_or(JsValue::NULL, JsValue::from_str);
    let body = json::object(&[
        (name!(WidgetQuery, session_id), session_id),
        (name!(WidgetQuery, question), question.into()),
        (name!(WidgetQuery, page_url), page()),
    ]);
    let answer = outcome(request(&options.query(), abort, QUERY_TIMEOUT_MS, &body, hear)).await?;
    let mut reply = json::reply(&answer).ok_or(ApiError::Unavailable)?;
    if options.is_legacy() {
        // The page names no chatbot, so its sections cannot be requested.
        for source in &mut reply.sources {
            source.passage_id = None;
        }
    }
    Ok(reply)
}

/// Fetches the messages of a session, oldest first.
pub(crate) async fn history(options: &Options, session_id: &str) -> Result<Vec<HistoryMessage>, ApiError> {
    let url = options.endpoint(&["chatbots/", &options.chatbot_id, "/sessions/", session_id, "/messages"]);
    Ok(json::history(&exchange(&url, &JsValue::UNDEFINED).await?, session_id))
}

/// Fetches the section of a passage and calls `hear` with it, or with nothing.
pub(crate) fn section(options: &Options, passage_id: &str, hear: &JsValue) {
    read(&options.endpoint(&["chatbots/", &options.chatbot_id, "/passages/", passage_id, "/section"]), hear);
}

/// Records what the visitor thinks of an answer.
pub(crate) async fn feedback(
    options: &Options,
    session_id: Option<String>,
    message_id: Option<String>,
    rating: Rating,
    category: Option<String>,
    comment: Option<String>,
) -> Result<JsValue, ApiError> {
    let mut fields = vec![
        (name!(NewFeedback, session_id), session_id.into()),
        (name!(NewFeedback, message_id), message_id.into()),
        (name!(NewFeedback, comment), comment.into()),
        (name!(NewFeedback, rating), rating.as_str().into()),
    ];
    if options.is_legacy() {
        fields.push((name!(LegacyFeedback, rating), if rating == Rating::Up { 1.0 } else { -1.0 }.into()));
    } else {
        fields.push((name!(NewFeedback, chatbot_id), options.chatbot_id.as_str().into()));
        fields.push((name!(NewFeedback, category), category.into()));
    }
    exchange(&options.feedback(), &json::object(&fields)).await
}

/// Whether the platform itself answers.
pub(crate) async fn is_reachable(options: &Options) -> bool {
    JsFuture::from(answers(&options.health())).await.is_ok_and(|answer| answer.is_truthy())
}

/// A short request, a POST where there is a body.
async fn exchange(url: &str, body: &JsValue) -> Result<JsValue, ApiError> {
    outcome(request(url, &JsValue::UNDEFINED, READ_TIMEOUT_MS, body, &JsValue::UNDEFINED)).await
}

async fn outcome(request: Promise) -> Result<JsValue, ApiError> {
    let answer = JsFuture::from(request).await.unwrap_or(JsValue::UNDEFINED);
    let body = json::get(&answer, "body");
    match json::number(&answer, "status").unwrap_or_default() as u16 {
        200..=299 => Ok(body),
        status => {
            let detail = json::text(&body, name!(ErrorBody, detail));
            Err(ApiError::of(status, detail.as_deref(), json::number(&body, name!(ErrorBody, retry_after_seconds))))
        }
    }
}

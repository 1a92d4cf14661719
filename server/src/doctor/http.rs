//! HTTP requests of the checks: bounded in time and size, without redirects.

use std::time::Duration;

use reqwest::{Client, RequestBuilder, header::HeaderMap};
use serde_json::Value;

use super::text::Text;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
const TIMEOUT: Duration = Duration::from_secs(8);
const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;

/// Why there is no usable response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum HttpError {
    Unreachable(String),
    Status(u16),
    NotUnderstood,
}

impl HttpError {
    pub(super) fn text(&self) -> Text {
        match self {
            Self::Unreachable(why) => Text::no_answer(why),
            Self::Status(status) => text!("Answers with status {status}.", "Antwortet mit Status {status}."),
            Self::NotUnderstood => {
                text!("The answer is not the expected JSON.", "Die Antwort ist nicht das erwartete JSON.")
            }
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct JsonResponse {
    pub(super) headers: HeaderMap,
    pub(super) body: Value,
}

/// A client for these calls.
pub(super) fn client() -> Result<Client, HttpError> {
    let client = tls::http_client()
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(TIMEOUT)
        .redirect(reqwest::redirect::Policy::none())
        .build();
    client.map_err(|error| HttpError::Unreachable(reason(&error)))
}

/// Sends a request and reads the JSON of its answer.
pub(super) async fn ask(request: RequestBuilder) -> Result<JsonResponse, HttpError> {
    let unreachable = |error: reqwest::Error| HttpError::Unreachable(reason(&error));
    let mut response = request.send().await.map_err(unreachable)?;
    if !response.status().is_success() {
        return Err(HttpError::Status(response.status().as_u16()));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        if body.len() + chunk.len() > MAX_BODY_BYTES {
            return Err(HttpError::NotUnderstood);
        }
        body.extend_from_slice(&chunk);
    }
    let body = serde_json::from_slice(&body).map_err(|_| HttpError::NotUnderstood)?;
    Ok(JsonResponse { headers: response.headers().clone(), body })
}

/// The innermost cause, without the address, which may contain credentials.
pub(super) fn reason(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "it took too long".to_owned();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    if std::ptr::addr_eq(cause, error) { "the request failed".to_owned() } else { cause.to_string() }
}

//! Typed calls over `fetch`, for the consoles. The caller passes the token and the endpoint type; errors are the API's
//! own error body with the request id.

use core::fmt;

pub use gloo_net::http::Response;
use gloo_net::http::{Headers, Request as HttpRequest};
use wasm_bindgen::JsValue;
use web_sys::{AbortSignal, RequestInit};

use crate::{
    endpoint::{Endpoint, Method},
    error::{ErrorBody, ErrorCode},
    file::File,
};

/// Why a call gave no reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientError {
    /// The HTTP status; 0 when no answer arrived.
    pub status: u16,
    /// The API's error body; `service_unavailable` when no answer arrived, `internal_error` when
    /// the answer was not the API's.
    pub error: ErrorBody,
    /// The id that the server's log has too.
    pub request_id: Option<String>,
}

impl ClientError {
    /// No answer arrived.
    pub fn unreachable() -> Self {
        Self { status: 0, error: ErrorCode::ServiceUnavailable.into(), request_id: None }
    }

    /// What an answer with a status of 400 or more says.
    pub fn refused(status: u16, text: &str, request_id: Option<String>) -> Self {
        let error = serde_json::from_str(text).unwrap_or_else(|_| fallback(status).into());
        Self { status, error, request_id }
    }

    /// The answer is not the endpoint's reply.
    pub fn unreadable(status: u16, request_id: Option<String>) -> Self {
        Self { status, error: ErrorCode::InternalError.into(), request_id }
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.status, self.error.detail)
    }
}

impl core::error::Error for ClientError {}

/// The media type of most replies.
const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

/// A request, ready to be sent; the same for every endpoint, so that sending is compiled once.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    method: Method,
    url: String,
    body: Body,
    accept: &'static str,
    if_match: Option<String>,
    signal: Option<AbortSignal>,
}

#[derive(Debug, Clone, PartialEq)]
enum Body {
    None,
    Json(String),
    /// A file of the browser, which reads it while it is sent and says what it is.
    File(JsValue),
}

impl Request {
    /// The same request for this version of its resource only (`None`: for the current one).
    #[must_use]
    pub fn if_match(self, etag: Option<String>) -> Self {
        Self { if_match: etag, ..self }
    }

    /// This request, which the signal cancels.
    #[must_use]
    pub fn until(self, signal: Option<AbortSignal>) -> Self {
        Self { signal, ..self }
    }

    /// This request, with server-sent events as its answer.
    #[must_use]
    pub fn for_events(self) -> Self {
        Self { accept: EVENTS, ..self }
    }
}

/// The text of a successful answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextResponse {
    status: u16,
    request_id: Option<String>,
    etag: Option<String>,
    text: String,
}

impl TextResponse {
    /// The version of the resource that it shows.
    pub fn etag(&self) -> Option<&str> {
        self.etag.as_deref()
    }
}

/// Calls endpoint `E` below `base` (`""` for the page's own origin) with an optional bearer token.
///
/// # Errors
/// A status of 400 or more, no answer, or an answer that is not the endpoint's reply.
pub async fn call<E: Endpoint>(
    base: &str,
    token: Option<&str>,
    path: &E::Path,
    query: &E::Query,
    body: &E::Body,
) -> Result<E::Reply, ClientError> {
    parse::<E>(send(&prepare::<E>(base, path, query, body)?, token).await?)
}

/// Writes the request of a call.
///
/// # Errors
/// The body cannot be written as JSON.
pub fn prepare<E: Endpoint>(
    base: &str,
    path: &E::Path,
    query: &E::Query,
    body: &E::Body,
) -> Result<Request, ClientError> {
    let url = with_query(format!("{base}{}", E::path(path)), serde_urlencoded::to_string(query).unwrap_or_default());
    let body = if size_of::<E::Body>() == 0 {
        Body::None
    } else {
        Body::Json(serde_json::to_string(body).map_err(|_| ClientError::unreadable(0, None))?)
    };
    Ok(Request { method: E::METHOD, url, body, accept: JSON, if_match: None, signal: None })
}

/// Writes the request of a call whose body is a file of the browser.
pub fn prepare_file<E: Endpoint<Body = File>>(base: &str, path: &E::Path, query: &E::Query, file: JsValue) -> Request {
    let url = with_query(format!("{base}{}", E::path(path)), serde_urlencoded::to_string(query).unwrap_or_default());
    Request { method: E::METHOD, url, body: Body::File(file), accept: JSON, if_match: None, signal: None }
}

/// Reads the reply of a call.
///
/// # Errors
/// The answer is not the endpoint's reply.
pub fn parse<E: Endpoint>(answer: TextResponse) -> Result<E::Reply, ClientError> {
    let TextResponse { status, request_id, text, .. } = answer;
    serde_json::from_str(&text).map_err(|_| ClientError::unreadable(status, request_id))
}

fn with_query(url: String, query: String) -> String {
    if query.is_empty() { url } else { format!("{url}?{query}") }
}

/// Sends a request; it can be sent again with another token.
///
/// # Errors
/// A status of 400 or more, or no answer.
pub async fn send(request: &Request, token: Option<&str>) -> Result<TextResponse, ClientError> {
    let response = open(request, token).await?;
    let (status, request_id) = (response.status(), response.headers().get("x-request-id"));
    let etag = response.headers().get("etag");
    let text = response.text().await.map_err(|_| ClientError::unreachable())?;
    let text = if text.is_empty() { "null".to_owned() } else { text };
    Ok(TextResponse { status, request_id, etag, text })
}

/// Sends a request whose answer is no JSON, for example a file; its body has not been read yet.
///
/// # Errors
/// A status of 400 or more, or no answer.
pub async fn open(request: &Request, token: Option<&str>) -> Result<Response, ClientError> {
    let http_request = build(request, token).map_err(|_| ClientError::unreachable())?;
    let response = http_request.send().await.map_err(|_| ClientError::unreachable())?;
    if response.ok() {
        return Ok(response);
    }
    let (status, request_id) = (response.status(), response.headers().get("x-request-id"));
    let text = response.text().await.map_err(|_| ClientError::unreachable())?;
    Err(ClientError::refused(status, &text, request_id))
}

/// `RequestBuilder` of `gloo_net` would add an `&` to the end of every query.
fn build(request: &Request, token: Option<&str>) -> Result<HttpRequest, JsValue> {
    let (init, headers) = (RequestInit::new(), Headers::new());
    init.set_method(request.method.as_str());
    headers.set("accept", request.accept);
    if let Some(token) = token {
        headers.set("authorization", &format!("Bearer {token}"));
    }
    if let Some(etag) = &request.if_match {
        headers.set("if-match", etag);
    }
    match &request.body {
        Body::Json(body) => {
            headers.set("content-type", JSON);
            init.set_body(&JsValue::from_str(body));
        }
        Body::File(file) => init.set_body(file),
        Body::None => {}
    }
    if let Some(signal) = &request.signal {
        init.set_signal(Some(signal));
    }
    init.set_headers(&headers.into_raw());
    Ok(web_sys::Request::new_with_str_and_init(&request.url, &init)?.into())
}

/// The code for an answer that some proxy gave instead of the API.
fn fallback(status: u16) -> ErrorCode {
    match status {
        401 => ErrorCode::NotAuthenticated,
        404 => ErrorCode::NotFound,
        413 => ErrorCode::PayloadTooLarge,
        429 => ErrorCode::RateLimited,
        502..=504 => ErrorCode::ServiceUnavailable,
        _ => ErrorCode::InternalError,
    }
}

//! Typed calls over the browser's `fetch`, for the consoles.

use core::{any::TypeId, fmt};

use gloo_net::http::{RequestBuilder, Response};

use crate::{Endpoint, ErrorBody, ErrorCode, Method};

/// Why a call gave no reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientError {
    /// The platform could not be reached.
    Unreachable,
    /// The platform answered with an error.
    Refused {
        /// The HTTP status.
        status: u16,
        /// The error body; its `detail` is empty when there was none.
        body: ErrorBody,
        /// The `x-request-id` of the answer, to find it in the log.
        request_id: Option<String>,
    },
    /// The answer was not what the contract says.
    Unexpected,
}

impl ClientError {
    /// The machine-readable code, when the platform gave one that this version knows.
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Refused { body, .. } => body.code(),
            _ => None,
        }
    }

    /// The HTTP status, when there was an answer.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Refused { status, .. } => Some(*status),
            _ => None,
        }
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable => f.write_str("unreachable"),
            Self::Refused { body, .. } => f.write_str(&body.detail),
            Self::Unexpected => f.write_str("unexpected answer"),
        }
    }
}

impl core::error::Error for ClientError {}

/// Calls `E` below `base` (empty for the page's own origin) with an access token.
///
/// # Errors
/// See [`ClientError`]; the call is made once, retries are the caller's.
pub async fn call<E: Endpoint>(
    base: &str,
    token: Option<&str>,
    path: &E::Path,
    query: &E::Query,
    body: &E::Body,
) -> Result<E::Reply, ClientError> {
    let mut url = format!("{base}{}", E::path(path));
    let query = serde_urlencoded::to_string(query).map_err(|_| ClientError::Unexpected)?;
    if !query.is_empty() {
        url.push('?');
        url.push_str(&query);
    }
    let mut request = builder(E::METHOD, &url).header("Accept", "application/json");
    if let Some(token) = token {
        request = request.header("Authorization", &format!("Bearer {token}"));
    }
    let sent = if TypeId::of::<E::Body>() == TypeId::of::<()>() {
        request.send().await
    } else {
        request.json(body).map_err(|_| ClientError::Unexpected)?.send().await
    };
    read::<E>(sent.map_err(|_| ClientError::Unreachable)?).await
}

fn builder(method: Method, url: &str) -> RequestBuilder {
    let method = match method {
        Method::Get => gloo_net::http::Method::GET,
        Method::Post => gloo_net::http::Method::POST,
        Method::Put => gloo_net::http::Method::PUT,
        Method::Patch => gloo_net::http::Method::PATCH,
        Method::Delete => gloo_net::http::Method::DELETE,
    };
    RequestBuilder::new(url).method(method)
}

async fn read<E: Endpoint>(response: Response) -> Result<E::Reply, ClientError> {
    if response.ok() {
        let text = if response.status() == 204 { String::new() } else { response.text().await.unwrap_or_default() };
        let text = if text.is_empty() { "null" } else { text.as_str() };
        return serde_json::from_str(text).map_err(|_| ClientError::Unexpected);
    }
    let status = response.status();
    let request_id = response.headers().get("x-request-id");
    let body = response.json().await.unwrap_or(ErrorBody { detail: String::new(), errors: Vec::new() });
    Err(ClientError::Refused { status, body, request_id })
}

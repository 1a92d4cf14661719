//! The error body of OAuth 2.0: `{"error", "error_description"}`.

use std::borrow::Cow;

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::json;

use super::respond;

/// An answer of the token endpoint and its neighbours that is not a success.
#[derive(Debug)]
pub(crate) struct OAuthError {
    status: StatusCode,
    error: &'static str,
    description: Cow<'static, str>,
    challenge: Option<&'static str>,
    retry_after: Option<i64>,
}

impl OAuthError {
    fn new(status: StatusCode, error: &'static str, description: impl Into<Cow<'static, str>>) -> Self {
        Self { status, error, description: description.into(), challenge: None, retry_after: None }
    }

    pub(crate) fn invalid_request(description: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_request", description)
    }

    pub(crate) fn invalid_grant(description: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_grant", description)
    }

    pub(crate) fn invalid_scope(scope: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_scope", format!("Invalid scopes: {scope}"))
    }

    pub(crate) fn unauthorized_client(description: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "unauthorized_client", description)
    }

    pub(crate) fn unsupported_grant_type() -> Self {
        Self::new(StatusCode::BAD_REQUEST, "unsupported_grant_type", "Unsupported grant_type")
    }

    pub(crate) fn unsupported_response_type() -> Self {
        Self::new(StatusCode::BAD_REQUEST, "unsupported_response_type", "Only response_type code is supported")
    }

    pub(crate) fn request_not_supported() -> Self {
        Self::new(StatusCode::BAD_REQUEST, "request_not_supported", "Request objects are not supported")
    }

    pub(crate) fn unsupported_token_type() -> Self {
        let description = "Access tokens cannot be revoked; they expire within minutes";
        Self::new(StatusCode::BAD_REQUEST, "unsupported_token_type", description)
    }

    /// One answer for an unknown client and a wrong secret.
    pub(crate) fn invalid_client() -> Self {
        let description = "Invalid client or Invalid client credentials";
        let error = Self::new(StatusCode::UNAUTHORIZED, "invalid_client", description);
        Self { challenge: Some("Basic realm=\"clients\""), ..error }
    }

    /// A Bearer token is missing or not good.
    pub(crate) fn invalid_token() -> Self {
        let error = Self::new(StatusCode::UNAUTHORIZED, "invalid_token", "Token verification failed");
        Self { challenge: Some("Bearer error=\"invalid_token\""), ..error }
    }

    /// A good Bearer token that does not reach far enough.
    pub(crate) fn insufficient_scope(description: &'static str) -> Self {
        let error = Self::new(StatusCode::FORBIDDEN, "insufficient_scope", description);
        Self { challenge: Some("Bearer error=\"insufficient_scope\""), ..error }
    }

    pub(crate) fn forbidden(description: &'static str) -> Self {
        Self::new(StatusCode::FORBIDDEN, "access_denied", description)
    }

    /// Refuses a caller for `seconds` seconds (429 with `Retry-After`).
    pub(crate) fn wait(error: &'static str, seconds: i64) -> Self {
        let description = format!("Too many attempts; try again in {seconds} s");
        let error = Self::new(StatusCode::TOO_MANY_REQUESTS, error, description);
        Self { retry_after: Some(seconds), ..error }
    }

    /// A fault of the provider itself; the reason is in the log.
    pub(crate) fn server_error() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "server_error", "The provider failed; its log says why")
    }

    pub(crate) fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    pub(crate) fn code(&self) -> &'static str {
        self.error
    }

    pub(crate) fn description(&self) -> &str {
        &self.description
    }
}

impl IntoResponse for OAuthError {
    fn into_response(self) -> Response {
        let body = Json(json!({"error": self.error, "error_description": self.description}));
        let mut response = respond::no_store((self.status, body));
        let headers = response.headers_mut();
        if let Some(challenge) = self.challenge {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

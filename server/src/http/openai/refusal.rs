//! Errors in the form of OpenAI's protocol.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use contract::ErrorCode;
use http::{HeaderValue, StatusCode, header};
use serde_json::{Value, json};

use crate::error::ApiError;

/// The kind of most errors: the request must change.
const INVALID_REQUEST: &str = "invalid_request_error";

/// The message of 401. The platform's own code follows each message.
const UNAUTHENTICATED: &str = "The request has no valid API key or token. Send it as 'Authorization: Bearer ...'.";

/// An error with its status.
#[derive(Debug)]
pub(super) struct Refusal {
    status: u16,
    kind: &'static str,
    code: String,
    message: String,
    param: Option<String>,
    retry_after: Option<u64>,
}

impl Refusal {
    /// A parameter with a value that is not valid: 400 with this code.
    pub(super) fn parameter(param: impl Into<String>, code: &str, message: impl Into<String>) -> Self {
        Self {
            status: 400,
            kind: INVALID_REQUEST,
            code: code.to_owned(),
            message: message.into(),
            param: Some(param.into()),
            retry_after: None,
        }
    }

    /// The error of a call that names a model.
    pub(super) fn of_model(error: ApiError, model: &str) -> Self {
        if !error.is(ErrorCode::ChatbotNotFound) {
            return error.into();
        }
        let short_model: String = model.chars().take(100).collect();
        let message = format!("The model '{short_model}' does not exist or you do not have access to it.");
        Self { status: 404, ..Self::parameter("model", "model_not_found", message) }
    }

    pub(super) fn body(&self) -> Value {
        let Self { kind, code, message, param, .. } = self;
        json!({ "error": { "message": message, "type": kind, "param": param, "code": code } })
    }
}

impl From<ErrorCode> for Refusal {
    fn from(code: ErrorCode) -> Self {
        ApiError::from(code).into()
    }
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        let (status, retry_after) = (error.status(), error.retry_after());
        let body = error.into_body();
        let detail = body.detail.as_str();
        let (kind, code, message) = match status {
            401 => (INVALID_REQUEST, "invalid_api_key", UNAUTHENTICATED),
            403 => ("permission_error", detail, "The API key or token may not do this."),
            404 if detail == ErrorCode::NotFound.as_str() => (INVALID_REQUEST, "unknown_url", "No such address."),
            405 => (INVALID_REQUEST, detail, "The address has no such method."),
            413 => (INVALID_REQUEST, detail, "The request has too many bytes."),
            429 => ("rate_limit_error", "rate_limit_exceeded", "Too many requests. Try again later."),
            503 => ("server_error", detail, "The service is not available at the moment. Try again later."),
            500.. => ("server_error", detail, "The request failed."),
            _ => (INVALID_REQUEST, detail, "The request was refused."),
        };
        let (kind, code, message) = (kind, code.to_owned(), format!("{message} ({detail})"));
        let refusal = Self { status, kind, code, message, param: None, retry_after };
        match body.errors.first() {
            Some(error) if status == 422 => {
                let place = error.loc.get(1..).filter(|rest| !rest.is_empty()).map(|rest| rest.join("."));
                let message = format!("{} {}.", place.as_deref().unwrap_or("The body"), error.msg);
                Self { status: 400, message, param: place, ..refusal }
            }
            _ => refusal,
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(self.body())).into_response();
        let headers = response.headers_mut();
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

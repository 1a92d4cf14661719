//! Errors of the API. Status codes are made here and nowhere else.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use contract::{ErrorBody, ErrorCode, FieldError};
use http::{HeaderValue, StatusCode, header};

/// The result of a handler or service.
pub type ApiResult<T> = Result<T, ApiError>;

/// An error on its way to the client.
#[derive(Debug)]
pub struct ApiError {
    body: ErrorBody,
    status: u16,
}

impl ApiError {
    /// A validation error with its broken rules.
    pub fn validation(errors: Vec<FieldError>) -> Self {
        let code = ErrorCode::ValidationError;
        Self { body: ErrorBody { detail: code.as_str().to_owned(), errors }, status: code.status() }
    }

    /// A validation error of one field.
    pub fn field(loc: &[&str], msg: impl Into<String>, kind: &str) -> Self {
        Self::validation(vec![FieldError::new(loc.iter().copied(), msg, kind)])
    }

    /// The body, for answers that are not HTTP responses of the API.
    pub fn into_body(self) -> ErrorBody {
        self.body
    }

    /// The HTTP status.
    pub fn status(&self) -> u16 {
        self.status
    }
}

impl From<ErrorCode> for ApiError {
    fn from(code: ErrorCode) -> Self {
        Self { body: code.into(), status: code.status() }
    }
}

impl From<store::Error> for ApiError {
    fn from(error: store::Error) -> Self {
        match &error {
            store::Error::Unavailable(_) => {
                tracing::warn!(%error, "database.unavailable");
                ErrorCode::ServiceUnavailable.into()
            }
            store::Error::Text => Self::field(&["body"], "must not contain NUL characters", "control_character"),
            _ => {
                tracing::error!(%error, "database.failed");
                ErrorCode::InternalError.into()
            }
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(self.body)).into_response();
        let headers = response.headers_mut();
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if matches!(status, StatusCode::SERVICE_UNAVAILABLE) {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
        }
        response
    }
}

/// Turns a violated constraint into its code; every other error stays what it is.
pub fn conflict(error: store::Error, constraint: &str, code: ErrorCode) -> ApiError {
    if error.constraint() == Some(constraint) { code.into() } else { error.into() }
}

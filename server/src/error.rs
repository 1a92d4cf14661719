//! The application's error: a code of the contract with its details. The module `http` converts it to a response.

use std::fmt;

use contract::{ErrorBody, ErrorCode, FieldError};

/// The result of a service or handler.
pub type ApiResult<T> = Result<T, ApiError>;

/// When to retry a call that was refused because its tenant used its full share of the database connections.
const BUSY_RETRY_AFTER: std::time::Duration = std::time::Duration::from_secs(2);

/// An error on its way to the client.
#[derive(Debug)]
pub struct ApiError {
    body: ErrorBody,
    status: u16,
    /// Whole seconds after which another attempt makes sense.
    retry_after: Option<u64>,
}

impl ApiError {
    /// Too many requests; the next one has a chance after `wait`.
    pub fn rate_limited(wait: std::time::Duration) -> Self {
        let seconds = Some((wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1));
        let body = ErrorBody { retry_after_seconds: seconds, ..ErrorCode::RateLimited.into() };
        Self { body, retry_after: seconds, ..ErrorCode::RateLimited.into() }
    }

    /// A validation error with its broken rules.
    pub fn validation(errors: Vec<FieldError>) -> Self {
        let code = ErrorCode::ValidationError;
        let body = ErrorBody { errors, ..code.into() };
        Self { body, ..code.into() }
    }

    /// A validation error of one field.
    pub fn field(loc: &[&str], msg: impl Into<String>, kind: &str) -> Self {
        Self::validation(vec![FieldError::new(loc.iter().copied(), msg, kind)])
    }

    /// A quota that is used up. The code begins with `quota_`.
    pub fn quota(code: ErrorCode, limit: i64, used: i64) -> Self {
        let error = FieldError::new(["body"], format!("exceeds the quota: {used} of {limit} are used"), "quota");
        let body =
            ErrorBody { errors: vec![FieldError { limit: Some(limit), used: Some(used), ..error }], ..code.into() };
        Self { body, ..code.into() }
    }

    /// A file with more bytes than it may have.
    pub fn too_large(limit: u64) -> Self {
        let code = ErrorCode::PayloadTooLarge;
        let error = FieldError::new(["body"], format!("must have at most {limit} bytes"), "too_large");
        let body = ErrorBody { errors: vec![FieldError { limit: i64::try_from(limit).ok(), ..error }], ..code.into() };
        Self { body, ..code.into() }
    }

    /// The body, for answers that are not HTTP responses of the API.
    pub fn into_body(self) -> ErrorBody {
        self.body
    }

    /// Whether this is the error of that code.
    pub fn is(&self, code: ErrorCode) -> bool {
        self.body.detail == code.as_str()
    }

    /// The status of its code.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// Whole seconds after which another attempt makes sense.
    pub fn retry_after(&self) -> Option<u64> {
        self.retry_after
    }
}

/// For the log: the code, and the broken rules.
impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.body.detail)?;
        self.body.errors.iter().try_for_each(|error| write!(f, "; {} {}", error.loc.join("."), error.msg))
    }
}

impl From<ErrorCode> for ApiError {
    fn from(code: ErrorCode) -> Self {
        // An unavailable dependency may be back soon.
        let retry_after = (code.status() == 503).then_some(2);
        Self { body: code.into(), status: code.status(), retry_after }
    }
}

impl From<store::Error> for ApiError {
    fn from(error: store::Error) -> Self {
        match &error {
            store::Error::Unavailable(_) => {
                tracing::warn!(%error, "database.unavailable");
                ErrorCode::ServiceUnavailable.into()
            }
            store::Error::TenantBusy => Self::rate_limited(BUSY_RETRY_AFTER),
            store::Error::Vectors(_) => {
                tracing::warn!(%error, "vectors.unavailable");
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

/// Turns a violated constraint into its code; every other error stays what it is.
pub fn on_constraint(error: store::Error, constraint: &str, code: ErrorCode) -> ApiError {
    if error.constraint() == Some(constraint) { code.into() } else { error.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_has_the_code_and_the_broken_rules() {
        assert_eq!(ApiError::from(ErrorCode::ServiceUnavailable).to_string(), "service_unavailable");
        let error = ApiError::field(&["body", "email"], "is not an address", "email");
        assert_eq!(error.to_string(), "validation_error; body.email is not an address");
    }
}

//! Why there is no answer.

use crate::backoff::wait_seconds;

/// Why there is no answer, as far as the visitor is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ApiError {
    /// 403: this site may not, or the chatbot is not there.
    Forbidden,
    /// 404 `session_not_found`: the session ended.
    SessionNotFound,
    /// 413 and 422: the question was refused.
    Invalid,
    /// 429, with the seconds to wait if the platform sent them.
    RateLimited(Option<u32>),
    /// 5xx and everything unforeseen.
    Unavailable,
    /// No answer at all, or one that broke off.
    Unreachable,
}

impl ApiError {
    /// The error of a status (0: no answer), with the code and the seconds to wait of its body.
    pub(crate) fn of(status: u16, detail: Option<&str>, retry_after: Option<f64>) -> Self {
        match status {
            0 => Self::Unreachable,
            403 => Self::Forbidden,
            404 if detail == Some("session_not_found") => Self::SessionNotFound,
            413 | 422 => Self::Invalid,
            429 => Self::RateLimited(retry_after.map(wait_seconds)),
            _ => Self::Unavailable,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_status_is_the_error_that_the_visitor_reads_about() {
        assert_eq!(ApiError::of(0, None, None), ApiError::Unreachable);
        assert_eq!(ApiError::of(403, Some("origin_not_allowed"), None), ApiError::Forbidden);
        assert_eq!(ApiError::of(404, Some("session_not_found"), None), ApiError::SessionNotFound);
        assert_eq!(ApiError::of(404, Some("Not Found"), None), ApiError::Unavailable);
        assert_eq!(ApiError::of(422, None, None), ApiError::Invalid);
        assert_eq!(ApiError::of(429, None, Some(7.0)), ApiError::RateLimited(Some(7)));
        assert_eq!(ApiError::of(429, None, None), ApiError::RateLimited(None));
        assert_eq!(ApiError::of(503, Some("generator_unavailable"), None), ApiError::Unavailable);
    }
}

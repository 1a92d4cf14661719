//! Tells a caller what is left of its quota: the headers `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`.

use axum::{extract::Request, middleware::Next, response::Response};
use http::{HeaderName, HeaderValue};

use crate::admission::rate_limit::observe;

const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

/// Adds the headers to every response for which a quota was counted.
pub async fn layer(request: Request, next: Next) -> Response {
    let (mut response, standing) = observe(next.run(request)).await;
    if let Some(standing) = standing {
        let headers = response.headers_mut();
        headers.insert(LIMIT, HeaderValue::from(standing.limit));
        headers.insert(REMAINING, HeaderValue::from(standing.remaining));
        headers.insert(RESET, HeaderValue::from(standing.reset_seconds));
    }
    response
}

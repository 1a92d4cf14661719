//! Security headers of every response, and the content security policies of the pages.

use axum::{extract::Request, middleware::Next, response::Response};
use http::{HeaderName, HeaderValue, header};

/// The policy of pages without scripts: the landing page and the documentation.
pub const PLAIN_PAGE: &str =
    "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'";

/// Adds the headers that are missing: no sniffing, no referrer, no framing, no caching of API
/// answers.
pub async fn layer(request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let mut default = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    default(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    default(header::REFERRER_POLICY, "no-referrer");
    default(header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'");
    default(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    if is_api {
        default(header::CACHE_CONTROL, "no-store");
    }
    response
}

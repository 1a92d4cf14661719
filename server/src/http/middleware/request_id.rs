//! Adds an `x-request-id` to every response and to the log lines of the request, and logs one line per request without
//! query, body or address.

use std::time::Instant;

use axum::{extract::Request, middleware::Next, response::Response};
use http::HeaderValue;
use tracing::Instrument;
use uuid::Uuid;

use crate::telemetry;

/// The header's name.
pub const HEADER: &str = "x-request-id";

/// The request's id, in the extensions of the request.
#[derive(Debug, Clone)]
pub struct RequestId(pub String);

/// Adds the id and the log line.
pub async fn layer(mut request: Request, next: Next) -> Response {
    let id = Uuid::new_v4().simple().to_string();
    request.extensions_mut().insert(RequestId(id.clone()));
    let method = request.method().clone();
    let path = request.extensions().get::<axum::extract::MatchedPath>().map(|path| path.as_str().to_owned());
    let span = tracing::info_span!("request", request_id = %id, %method, route = path.as_deref().unwrap_or("-"));
    telemetry::continue_trace(&span, request.headers());
    let started = Instant::now();
    let mut response = next.run(request).instrument(span.clone()).await;
    let elapsed_us = started.elapsed().as_micros();
    let status = response.status().as_u16();
    telemetry::answered(&span, status);
    span.in_scope(|| tracing::debug!(status, elapsed_us, "request.answered"));
    if let Ok(value) = HeaderValue::try_from(id) {
        response.headers_mut().insert(HEADER, value);
    }
    response
}

//! `/metrics`, restricted to allowed client networks, and the layer that counts requests.

use axum::{
    Router,
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
    routing::get,
};
use contract::ErrorCode;
use http::header;

use crate::{client_ip, error::ApiError, metrics, state::App};

pub(super) fn routes() -> Router<App> {
    Router::new().route("/metrics", get(show))
}

/// Counts every request that was answered.
pub(super) async fn count(request: Request, next: Next) -> Response {
    let in_flight = metrics::request_started();
    let response = next.run(request).await;
    in_flight.answered(response.status().as_u16());
    response
}

async fn show(State(app): State<App>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let allowed = client_ip::of(&parts).is_some_and(|ip| app.settings.metrics_allowlist.iter().any(|c| c.contains(ip)));
    if !allowed {
        return ApiError::from(ErrorCode::Forbidden).into_response();
    }
    let text = metrics::render(app.answer_queue().load());
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}

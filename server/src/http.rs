//! The HTTP side: routes, guards, input, middleware. Handlers are thin; rules are in `service`.

mod accept_language;
pub mod api;
mod console_backend;
mod console_page;
pub mod console_token;
mod consoles;
mod csv;
mod docs;
pub mod endpoint;
mod error_response;
pub mod etag;
mod event_stream;
mod file_response;
mod form;
pub mod guard;
mod health;
mod idempotency;
mod input;
mod landing;
pub mod live_reload;
mod metrics;
pub mod middleware;
mod openai;
pub mod openapi;
mod page_url;
mod pictures;
pub mod serving;
mod static_files;
pub mod widget_assets;
pub mod widget_guard;

use axum::{Extension, Router, middleware::from_fn, middleware::from_fn_with_state};
use contract::ErrorCode;

use crate::{
    client_ip::TrustedProxies,
    error::ApiError,
    http::{
        live_reload::WatchedConsole,
        middleware::{
            cors, rate_limit_headers,
            reject_delay::{self, RejectDelay},
            request_id, security_headers,
        },
    },
    state::App,
};

/// The platform's router: API, consoles, widget bundle, health, landing page.
pub fn router(app: App) -> Router {
    router_with(app, None)
}

/// Like [`router`], with a console that is built on every change. For development only: its policy is wider.
pub fn router_with(app: App, watched: Option<&WatchedConsole>) -> Router {
    let trusted = TrustedProxies(app.settings.trusted_proxies.clone().into());
    let router = Router::new()
        .merge(api::routes())
        .merge(openai::routes())
        .merge(landing::routes())
        .merge(docs::routes())
        .merge(consoles::routes(&app, watched))
        .merge(console_token::routes(&app))
        .merge(widget_assets::routes(&app))
        .merge(pictures::routes())
        .merge(metrics::routes())
        .method_not_allowed_fallback(|| async { ApiError::from(ErrorCode::MethodNotAllowed) })
        .fallback(|| async { ApiError::from(ErrorCode::NotFound) })
        .with_state(app.clone());
    let router = match cors::Policy::new(&app) {
        Some(policy) => router.layer(from_fn_with_state(policy, cors::layer)),
        None => router,
    };
    router
        .layer(from_fn(rate_limit_headers::layer))
        .layer(from_fn(security_headers::layer))
        .layer(from_fn(request_id::layer))
        .layer(Extension(trusted))
        .layer(from_fn(metrics::count))
        .layer(from_fn_with_state(RejectDelay::default(), reject_delay::layer))
}

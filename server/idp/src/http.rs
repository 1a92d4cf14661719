//! The HTTP side: Keycloak's paths, one file per endpoint.

mod admin;
mod authorize;
mod client_auth;
mod cookies;
mod cors;
mod discovery;
mod html;
mod login;
mod logout;
mod oauth_error;
mod params;
mod password;
mod realm_path;
mod required_action;
mod respond;
mod revoke;
mod sign_in;
mod texts;
mod token;
mod userinfo;

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::DefaultBodyLimit,
    http::{HeaderValue, header},
    middleware,
    response::{IntoResponse, Response},
    routing::{get, post, put},
};
use serde_json::json;

use self::admin::{roles, users};
use crate::state::ProviderState;

/// No request of this protocol is larger.
const MAX_BODY_BYTES: usize = 64 * 1024;

/// All routes of the provider.
pub(crate) fn router(state: Arc<ProviderState>) -> Router {
    let for_pages = Router::new()
        .route("/realms/{realm}/.well-known/openid-configuration", get(discovery::configuration))
        .route("/realms/{realm}/protocol/openid-connect/certs", get(discovery::certs))
        .route("/realms/{realm}/protocol/openid-connect/token", post(token::token))
        .route("/realms/{realm}/protocol/openid-connect/revoke", post(revoke::revoke))
        .route("/realms/{realm}/protocol/openid-connect/userinfo", get(userinfo::get).post(userinfo::post))
        .route_layer(middleware::from_fn_with_state(Arc::clone(&state), cors::layer));
    Router::new()
        .route("/realms/{realm}/protocol/openid-connect/auth", get(authorize::get).post(authorize::post))
        .route("/realms/{realm}/protocol/openid-connect/logout", get(logout::get).post(logout::post))
        .route("/realms/{realm}/login-actions/authenticate", post(login::post))
        .route("/realms/{realm}/login-actions/required-action", post(required_action::post))
        .route("/admin/realms/{realm}/users", get(users::list).post(users::create))
        .route("/admin/realms/{realm}/users/{id}", get(users::get).put(users::update).delete(users::delete))
        .route("/admin/realms/{realm}/users/{id}/reset-password", put(users::reset_password))
        .route("/admin/realms/{realm}/users/{id}/credentials", get(users::credentials))
        .route("/admin/realms/{realm}/users/{id}/sessions", get(users::sessions))
        .route("/admin/realms/{realm}/users/{id}/logout", post(users::logout))
        .route(
            "/admin/realms/{realm}/users/{id}/role-mappings/realm",
            get(roles::of_user).post(roles::give).delete(roles::take),
        )
        .route("/admin/realms/{realm}/users/{id}/role-mappings/realm/composite", get(roles::of_user))
        .route("/admin/realms/{realm}/roles/{role}", get(roles::get))
        .route("/admin/realms/{realm}/roles/{role}/users", get(roles::members))
        .route("/admin/realms/{realm}/events", get(admin::events))
        .route("/admin/realms/{realm}/rotate-keys", post(admin::rotate_keys))
        .route("/resources/login.css", get(stylesheet))
        .route("/health/ready", get(ready))
        .merge(for_pages)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(middleware::map_response(harden))
        .with_state(state)
}

async fn ready() -> Response {
    Json(json!({"status": "UP", "checks": []})).into_response()
}

async fn stylesheet() -> Response {
    let headers = [(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::CACHE_CONTROL, "max-age=3600")];
    (headers, html::STYLESHEET).into_response()
}

/// Headers that every answer carries.
async fn harden(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

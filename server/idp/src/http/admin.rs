//! The admin API: login events for the audit poller, users for the platform, and key rotation.

mod access;
pub(crate) mod roles;
pub(crate) mod users;

use std::sync::Arc;

use axum::{Json, extract::Query, http::HeaderMap, response::Response};
use serde_json::json;

use super::{
    oauth_error::OAuthError,
    realm_path::{InRealm, Peer},
    respond,
};
use crate::{error::Error, events::Filter};

/// `GET /admin/realms/{realm}/events`, for that realm's service accounts with the role `view-events`.
pub(crate) async fn events(
    at: InRealm,
    headers: HeaderMap,
    pairs: Result<Query<Vec<(String, String)>>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, OAuthError> {
    access::require(at.loaded(), &headers, at.state.now(), "view-events")?;
    let Query(pairs) = pairs.map_err(|_| OAuthError::invalid_request("the parameters cannot be parsed"))?;
    let filter = Filter::from_pairs(pairs).map_err(OAuthError::invalid_request)?;
    let events = at.state.memory().events.list(&at.loaded().realm.name, &filter);
    Ok(respond::no_store(Json(events)))
}

/// `POST /admin/realms/{realm}/rotate-keys`, from this machine only and with a token that may view the
/// events of some realm: the demo world has no stronger administrator. Answers the new key's id.
pub(crate) async fn rotate_keys(at: InRealm, Peer(address): Peer, headers: HeaderMap) -> Result<Response, OAuthError> {
    let now = at.state.now();
    if !at.state.realms.iter().any(|loaded| access::require(loaded, &headers, now, "view-events").is_ok()) {
        return Err(OAuthError::invalid_token());
    }
    if !address.is_some_and(|address| address.is_loopback()) {
        return Err(OAuthError::forbidden("Keys are rotated from the provider's own machine only"));
    }
    let (state, name) = (Arc::clone(&at.state), at.loaded().realm.name.clone());
    match tokio::task::spawn_blocking(move || state.rotate_keys(&name)).await {
        Ok(Ok(kid)) => Ok(respond::no_store(Json(json!({"kid": kid})))),
        Ok(Err(Error::TooManyKeys)) => Err(OAuthError::wait("slow_down", at.loaded().realm.lifetimes.access_token)),
        Ok(Err(error)) => {
            tracing::error!(%error, "idp.key_not_rotated");
            Err(OAuthError::server_error())
        }
        Err(error) => {
            tracing::error!(%error, "idp.key_not_rotated: the work was aborted");
            Err(OAuthError::server_error())
        }
    }
}

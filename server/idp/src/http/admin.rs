//! The administration paths: login events for the audit poller, and key rotation.

use std::sync::Arc;

use axum::{Json, extract::Query, http::HeaderMap, response::Response};
use serde_json::{Value, json};

use super::{
    client_auth,
    oauth_error::OAuthError,
    realm_path::{InRealm, Peer},
    respond,
};
use crate::{error::Error, events::Filter, provider::LoadedRealm};

/// `GET /admin/realms/{realm}/events`, for that realm's service accounts with the role `view-events`.
pub(crate) async fn events(
    at: InRealm,
    headers: HeaderMap,
    pairs: Result<Query<Vec<(String, String)>>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, OAuthError> {
    may_view_events(at.loaded(), &headers, at.inner.now())?;
    let Query(pairs) = pairs.map_err(|_| OAuthError::invalid_request("the parameters cannot be parsed"))?;
    let filter = Filter::from_pairs(pairs).map_err(OAuthError::invalid_request)?;
    let events = at.inner.memory().events.list(&at.loaded().realm.name, &filter);
    Ok(respond::no_store(Json(events)))
}

/// `POST /admin/realms/{realm}/rotate-keys`, from this machine only and with a token that may view the
/// events of some realm: the demo world has no stronger administrator. Answers the new key's id.
pub(crate) async fn rotate_keys(at: InRealm, Peer(address): Peer, headers: HeaderMap) -> Result<Response, OAuthError> {
    let now = at.inner.now();
    if !at.inner.realms.iter().any(|loaded| may_view_events(loaded, &headers, now).is_ok()) {
        return Err(OAuthError::invalid_token());
    }
    if !address.is_some_and(|address| address.is_loopback()) {
        return Err(OAuthError::forbidden("Keys are rotated from the provider's own machine only"));
    }
    let (inner, name) = (Arc::clone(&at.inner), at.loaded().realm.name.clone());
    match tokio::task::spawn_blocking(move || inner.rotate_keys(&name)).await {
        Ok(Ok(kid)) => Ok(respond::no_store(Json(json!({"kid": kid})))),
        Ok(Err(Error::TooManyKeys)) => Err(OAuthError::wait("slow_down", at.loaded().realm.lifetimes.access_token)),
        Ok(Err(error)) => {
            tracing::error!(%error, "the signing key was not rotated");
            Err(OAuthError::server_error())
        }
        Err(error) => {
            tracing::error!(%error, "the rotation of the signing key was cut off");
            Err(OAuthError::server_error())
        }
    }
}

fn may_view_events(loaded: &LoadedRealm, headers: &HeaderMap, now: i64) -> Result<(), OAuthError> {
    let token = client_auth::bearer(headers).ok_or_else(OAuthError::invalid_token)?;
    let claims = loaded.verify(token, "Bearer", Some(now)).ok_or_else(OAuthError::invalid_token)?;
    let client = claims.get("azp").and_then(Value::as_str).and_then(|azp| loaded.realm.client(azp));
    let name = claims.get("preferred_username").and_then(Value::as_str);
    let account = client.and_then(|client| loaded.realm.service_account(client));
    let account = account.filter(|account| name == Some(account.username.as_str()));
    match account.is_some_and(|account| account.has_client_role("realm-management", "view-events")) {
        true => Ok(()),
        false => Err(OAuthError::forbidden("The role view-events is needed")),
    }
}

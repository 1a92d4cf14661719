//! Authorises calls of the admin API: a realm's service account with one of these roles of `realm-management`.

use axum::http::HeaderMap;
use serde_json::Value;

use crate::{
    http::{client_auth, oauth_error::OAuthError},
    state::LoadedRealm,
};

/// Refuses everybody but a service account of the realm that has the role. As in Keycloak, `manage-users` includes
/// `view-users`.
pub(super) fn require(loaded: &LoadedRealm, headers: &HeaderMap, now: i64, role: &str) -> Result<(), OAuthError> {
    let token = client_auth::bearer(headers).ok_or_else(OAuthError::invalid_token)?;
    let claims = loaded.verify(token, "Bearer", Some(now)).ok_or_else(OAuthError::invalid_token)?;
    let client = claims.get("azp").and_then(Value::as_str).and_then(|azp| loaded.realm.client(azp));
    let name = claims.get("preferred_username").and_then(Value::as_str);
    let account = client.and_then(|client| loaded.realm.service_account(client));
    let account = account.filter(|account| name == Some(account.username.as_str()));
    let has = |role: &str| account.is_some_and(|account| account.has_client_role("realm-management", role));
    match has(role) || role == "view-users" && has("manage-users") {
        true => Ok(()),
        false => Err(OAuthError::forbidden(match role {
            "view-events" => "The role view-events is needed",
            "view-users" => "The role view-users is needed",
            _ => "The role manage-users is needed",
        })),
    }
}

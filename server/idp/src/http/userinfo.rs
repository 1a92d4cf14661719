//! The userinfo endpoint (OpenID Connect Core 1.0, 5.3).

use axum::{Json, http::HeaderMap, response::Response};
use serde_json::Value;

use super::{client_auth, cors, oauth_error::OAuthError, params::Form, realm_path::InRealm, respond};
use crate::{scopes::Granted, tokens::Subject};

/// `GET userinfo` with the access token in the header.
pub(crate) async fn get(at: InRealm, headers: HeaderMap) -> Result<Response, OAuthError> {
    let token = client_auth::bearer(&headers).ok_or_else(OAuthError::invalid_token)?;
    userinfo(&at, token)
}

/// `POST userinfo` with the access token in the header or the form.
pub(crate) async fn post(at: InRealm, headers: HeaderMap, Form(params): Form) -> Result<Response, OAuthError> {
    let token = client_auth::bearer(&headers).or(params.get("access_token"));
    userinfo(&at, token.ok_or_else(OAuthError::invalid_token)?)
}

fn userinfo(at: &InRealm, token: &str) -> Result<Response, OAuthError> {
    let (loaded, now) = (at.loaded(), at.state.now());
    let realm = &loaded.realm;
    let claims = loaded.verify(token, "Bearer", Some(now)).ok_or_else(OAuthError::invalid_token)?;
    let text = |name: &str| claims.get(name).and_then(Value::as_str).unwrap_or_default();
    let session = at.state.memory().session(realm, text("sid"), now).ok_or_else(OAuthError::invalid_token)?;
    let user = &*loaded.people.enabled(&session.username).ok_or_else(OAuthError::invalid_token)?;
    let client = realm.client(text("azp")).ok_or_else(OAuthError::invalid_token)?;
    let granted = Granted::resolve(client, text("scope")).map_err(|_| OAuthError::invalid_token())?;
    if !granted.openid {
        return Err(OAuthError::insufficient_scope("Missing openid scope"));
    }
    let issuer = &loaded.issuer;
    let subject = Subject { realm, issuer, client, user, session: Some(&session), granted: &granted };
    Ok(cors::only_for(client, respond::no_store(Json(subject.userinfo()))))
}

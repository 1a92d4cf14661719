//! The success response of the token endpoint.

use axum::{Json, response::Response};
use serde_json::{Map, Value, json};

use crate::{
    http::{oauth_error::OAuthError, realm_path::InRealm, respond},
    realm::Client,
    sessions::Refreshed,
    tokens::Subject,
};

/// Access, refresh and, for `openid`, ID token of a session.
pub(super) fn with_refresh_token(
    at: &InRealm,
    client: &Client,
    refreshed: &Refreshed,
    nonce: Option<&str>,
) -> Result<Response, OAuthError> {
    let (loaded, now) = (at.loaded(), at.state.now());
    let realm = &loaded.realm;
    let (session, granted) = (&refreshed.session, &refreshed.granted);
    let user = loaded.people.enabled(&session.username);
    let user = &*user.ok_or_else(|| OAuthError::invalid_grant("User disabled"))?;
    let subject = Subject { realm, issuer: &loaded.issuer, client, user, session: Some(session), granted };
    let expires = (now + realm.lifetimes.access_token).min(refreshed.last_end);
    if expires <= now {
        return Err(OAuthError::invalid_grant("Session not active"));
    }
    let access_token = sign(at, &subject.access_claims(now, expires))?;
    let mut answer = json!({
        "expires_in": expires - now,
        "refresh_expires_in": refreshed.expires - now,
        "refresh_token": refreshed.token,
        "token_type": "Bearer",
        "not-before-policy": 0,
        "session_state": session.id,
        "scope": granted.text(realm),
    });
    if granted.openid {
        answer["id_token"] = sign(at, &subject.id_claims(nonce, &access_token, now, expires))?.into();
    }
    answer["access_token"] = access_token.into();
    Ok(respond::no_store(Json(answer)))
}

/// The access token of a service account.
pub(super) fn access_only(at: &InRealm, subject: &Subject<'_>) -> Result<Response, OAuthError> {
    let (now, lifetime) = (at.state.now(), subject.realm.lifetimes.access_token);
    Ok(respond::no_store(Json(json!({
        "access_token": sign(at, &subject.access_claims(now, now + lifetime))?,
        "expires_in": lifetime,
        "refresh_expires_in": 0,
        "token_type": "Bearer",
        "not-before-policy": 0,
        "scope": subject.granted.text(subject.realm),
    }))))
}

fn sign(at: &InRealm, claims: &Map<String, Value>) -> Result<String, OAuthError> {
    at.loaded().keys.sign(claims).map_err(|error| {
        tracing::error!(%error, "idp.token_not_signed");
        OAuthError::server_error()
    })
}

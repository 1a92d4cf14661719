//! Revocation of refresh tokens (RFC 7009).

use axum::{
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};

use super::{client_auth, cors, oauth_error::OAuthError, params::Form, realm_path::InRealm};

/// `POST revoke`: revokes a refresh token; unknown tokens count as revoked.
pub(crate) async fn revoke(at: InRealm, headers: HeaderMap, Form(params): Form) -> Result<Response, OAuthError> {
    let (loaded, now) = (at.loaded(), at.state.now());
    let client = client_auth::client(&loaded.realm, &headers, &params)?;
    let token = params.require("token")?;
    if loaded.verify(token, "Bearer", None).is_some() {
        return Ok(cors::only_for(client, OAuthError::unsupported_token_type().into_response()));
    }
    at.state.memory().revoke(client, token, now);
    Ok(cors::only_for(client, StatusCode::OK.into_response()))
}

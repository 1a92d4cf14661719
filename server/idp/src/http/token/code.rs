//! The authorization code grant with PKCE (RFC 6749, 4.1.3; RFC 7636, 4.6).

use axum::response::Response;

use super::issue;
use crate::{
    http::{oauth_error::OAuthError, params::Params, realm_path::InRealm},
    realm::Client,
    secret,
    sessions::{AuthRequest, Code, CodeError},
};

/// Exchanges a code. Whatever the outcome, the code is used up.
pub(super) fn exchange(at: &InRealm, client: &Client, params: &Params) -> Result<Response, OAuthError> {
    let (realm, now) = (&at.loaded().realm, at.state.now());
    if !client.standard_flow {
        return Err(OAuthError::unauthorized_client("Client is not allowed to use the standard flow"));
    }
    let presented = params.require("code")?;
    let mut memory = at.state.memory();
    let code = memory.redeem(realm, presented, now).map_err(|fault| refuse(client, &fault))?;
    check(client, &code, params)?;
    let session = memory.session(realm, &code.session_id, now);
    let session = session.ok_or_else(|| OAuthError::invalid_grant("Session not active"))?;
    let refreshed = memory.new_grant(realm, client, &session, code.request.granted.clone(), now);
    memory.code_gave(presented, &refreshed.grant_id, now);
    drop(memory);
    issue::with_refresh_token(at, client, &refreshed, code.request.nonce.as_deref())
}

fn refuse(client: &Client, fault: &CodeError) -> OAuthError {
    if *fault == CodeError::Reused {
        tracing::warn!(client = client.id, "idp.code_used_twice: its tokens were revoked");
    }
    OAuthError::invalid_grant("Code not valid")
}

fn check(client: &Client, code: &Code, params: &Params) -> Result<(), OAuthError> {
    let request: &AuthRequest = &code.request;
    if request.client_id != client.id {
        return Err(OAuthError::invalid_grant("Code was issued to another client"));
    }
    if params.get("redirect_uri") != Some(request.redirect_uri.as_str()) {
        return Err(OAuthError::invalid_grant("Incorrect redirect_uri"));
    }
    match (&request.challenge, params.get("code_verifier")) {
        (None, None) => Ok(()),
        (None, Some(_)) => Err(OAuthError::invalid_grant("PKCE code challenge not sent before")),
        (Some(_), None) => Err(OAuthError::invalid_grant("PKCE code verifier not specified")),
        (Some(challenge), Some(verifier)) => {
            let well_formed = (43..=128).contains(&verifier.len());
            match well_formed && secret::matches(&secret::hash_base64url(verifier), challenge) {
                true => Ok(()),
                false => Err(OAuthError::invalid_grant("PKCE verification failed: Code mismatch")),
            }
        }
    }
}

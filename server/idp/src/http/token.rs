//! The token endpoint: four grants, one response.

mod code;
mod issue;

use std::net::IpAddr;

use axum::{http::HeaderMap, response::IntoResponse, response::Response};

use super::{
    client_auth, cors,
    oauth_error::OAuthError,
    params::{Form, Params},
    password::{self, Denied},
    realm_path::{InRealm, Peer},
};
use crate::{
    events::EventType, realm::Client, scopes::Granted, sessions::RefreshError, state::EventRecord, tokens::Subject,
};

/// `POST token`.
pub(crate) async fn token(
    at: InRealm,
    Peer(address): Peer,
    headers: HeaderMap,
    Form(params): Form,
) -> Result<Response, OAuthError> {
    let client = client_auth::client(&at.loaded().realm, &headers, &params)?;
    let answer = match params.require("grant_type")? {
        "authorization_code" => code::exchange(&at, client, &params),
        "password" => password_grant(&at, address, client, &params),
        "client_credentials" => client_credentials(&at, client, &params),
        "refresh_token" => refresh(&at, client, &params),
        _ => Err(OAuthError::unsupported_grant_type()),
    };
    Ok(cors::only_for(client, answer.into_response()))
}

fn password_grant(
    at: &InRealm,
    address: Option<IpAddr>,
    client: &Client,
    params: &Params,
) -> Result<Response, OAuthError> {
    if !client.direct_grants {
        return Err(OAuthError::unauthorized_client("Client not allowed for direct access grants"));
    }
    let granted = scopes(client, params)?;
    let (username, attempt) = (params.require("username")?, params.require("password")?);
    let user = password::check(at, address, client, username, attempt).map_err(|denied| match denied {
        Denied::Wrong => OAuthError::invalid_grant("Invalid user credentials"),
        Denied::Wait(seconds) => OAuthError::wait("invalid_grant", seconds),
    })?;
    if user.must_change_password() {
        return Err(OAuthError::invalid_grant("Account is not fully set up"));
    }
    let (realm, now) = (&at.loaded().realm, at.state.now());
    let refreshed = {
        let mut memory = at.state.memory();
        let (session, _) = memory.start_session(realm, &user, now);
        memory.new_grant(realm, client, &session, granted, now)
    };
    let record = EventRecord {
        kind: EventType::Login,
        client: &client.id,
        username: &user.username,
        session: Some(&refreshed.session.id),
        error: None,
        details: &[("auth_method", "openid-connect"), ("grant_type", "password")],
    };
    at.state.record(realm, address, &record);
    issue::with_refresh_token(at, client, &refreshed, None)
}

fn client_credentials(at: &InRealm, client: &Client, params: &Params) -> Result<Response, OAuthError> {
    let loaded = at.loaded();
    let account = loaded.realm.service_account(client).filter(|_| client.service_account && !client.is_public());
    let not_allowed = || OAuthError::unauthorized_client("Client not enabled to retrieve service account");
    let user = account.ok_or_else(not_allowed)?;
    let granted = scopes(client, params)?;
    let (realm, issuer) = (&loaded.realm, &loaded.issuer);
    issue::access_only(at, &Subject { realm, issuer, client, user, session: None, granted: &granted })
}

fn refresh(at: &InRealm, client: &Client, params: &Params) -> Result<Response, OAuthError> {
    let (loaded, now) = (at.loaded(), at.state.now());
    let refreshed = at.state.memory().refresh(&loaded.realm, client, params.require("refresh_token")?, now);
    match refreshed {
        Ok(refreshed) => issue::with_refresh_token(at, client, &refreshed, None),
        Err(RefreshError::Unknown) => Err(OAuthError::invalid_grant("Invalid refresh token")),
        Err(RefreshError::Reused(session)) => {
            tracing::warn!(
                realm = loaded.realm.name,
                client = client.id,
                session_id = session,
                "idp.refresh_token_used_twice: its session was ended"
            );
            Err(OAuthError::invalid_grant("Maximum allowed refresh token reuse exceeded"))
        }
    }
}

fn scopes(client: &Client, params: &Params) -> Result<Granted, OAuthError> {
    let requested = params.get("scope").unwrap_or_default();
    Granted::resolve(client, requested).map_err(|scope| OAuthError::invalid_scope(&scope))
}

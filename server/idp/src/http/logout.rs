//! Signing out (OpenID Connect RP-Initiated Logout 1.0): ends the session and all its refresh tokens.

use std::net::IpAddr;

use axum::{
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::Value;

use super::{
    client_auth,
    cookies::Cookie,
    html,
    oauth_error::OAuthError,
    params::{Form, Params, Query},
    realm_path::{InRealm, Peer},
    respond,
    texts::{self, Texts},
};
use crate::{events::EventType, sessions::Session, state::EventRecord};

/// `GET logout`.
pub(crate) async fn get(
    at: InRealm,
    Peer(address): Peer,
    headers: HeaderMap,
    Query(params): Query,
) -> Result<Response, OAuthError> {
    Ok(sign_out(&at, address, &headers, &params, false))
}

/// `POST logout`: the same parameters in a form, the confirmation of our own page, or a client with its refresh token.
pub(crate) async fn post(
    at: InRealm,
    Peer(address): Peer,
    headers: HeaderMap,
    Form(params): Form,
) -> Result<Response, OAuthError> {
    match params.get("refresh_token") {
        Some(token) => by_client(&at, address, &headers, &params, token),
        None => Ok(sign_out(&at, address, &headers, &params, params.get("confirmed").is_some())),
    }
}

/// A client ends the session of its refresh token.
fn by_client(
    at: &InRealm,
    address: Option<IpAddr>,
    headers: &HeaderMap,
    params: &Params,
    token: &str,
) -> Result<Response, OAuthError> {
    let client = client_auth::client(&at.loaded().realm, headers, params)?;
    let session = at.state.memory().session_of_refresh_token(client, token, at.state.now());
    let session = session.ok_or_else(|| OAuthError::invalid_grant("Invalid refresh token"))?;
    end(at, address, &session, &client.id);
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// A browser ends its session. Without an ID token as a hint, the user is asked first.
fn sign_out(at: &InRealm, address: Option<IpAddr>, headers: &HeaderMap, params: &Params, confirmed: bool) -> Response {
    let text = texts::choose(params.get("ui_locales"), headers);
    let hint = params.get("id_token_hint").and_then(|hint| at.loaded().verify(hint, "ID", None));
    let hinted = |name: &str| hint.as_ref().and_then(|claims| claims.get(name)).and_then(Value::as_str);
    let client_id = params.get("client_id").or(hinted("azp"));
    let fault = |reason: &str| html::message(StatusCode::BAD_REQUEST, text, text.bad_request, reason);
    if hint.is_some() && client_id != hinted("azp") {
        return fault("Parameter client_id is different to the client of the ID token");
    }
    let target = params.get("post_logout_redirect_uri");
    if target.is_some_and(|uri| !allowed(at, client_id, uri)) {
        return fault("Invalid parameter: post_logout_redirect_uri");
    }
    let own = own_session(at, headers);
    if hint.is_none() && own.is_some() && !confirmed {
        return html::confirm_logout(at, text, params);
    }
    for session in hinted("sid").map(str::to_owned).into_iter().chain(own.map(|session| session.id)) {
        end(at, address, &session, client_id.unwrap_or_default());
    }
    signed_out(at, text, target, params.get("state"))
}

fn signed_out(at: &InRealm, text: &'static Texts, target: Option<&str>, state: Option<&str>) -> Response {
    let state: Vec<_> = state.map(|state| ("state", state)).into_iter().collect();
    let mut response = match target {
        Some(uri) if state.is_empty() => respond::see_other(uri),
        Some(uri) => respond::see_other(&respond::with_params(uri, false, &state)),
        None => html::message(StatusCode::OK, text, text.signed_out_title, text.signed_out),
    };
    let clear = Cookie::Session.clear(&at.state, &at.loaded().realm);
    response.headers_mut().append(header::SET_COOKIE, clear);
    response
}

fn allowed(at: &InRealm, client_id: Option<&str>, uri: &str) -> bool {
    let client = client_id.and_then(|id| at.loaded().realm.client(id));
    client.is_some_and(|client| client.allows_post_logout_redirect(uri))
}

fn own_session(at: &InRealm, headers: &HeaderMap) -> Option<Session> {
    let cookie = Cookie::Session.read(&at.state, headers)?;
    at.state.memory().session_of_cookie(&at.loaded().realm, cookie, at.state.now())
}

fn end(at: &InRealm, address: Option<IpAddr>, id: &str, client_id: &str) {
    let (realm, now) = (&at.loaded().realm, at.state.now());
    // Looked up in its realm first, so that a session id of another realm has no effect.
    let is_of_realm = at.state.memory().session(realm, id, now).is_some();
    let Some(session) = is_of_realm.then(|| at.state.memory().end_session(id, now)).flatten() else { return };
    let record = EventRecord {
        kind: EventType::Logout,
        client: client_id,
        username: &session.username,
        session: Some(&session.id),
        error: None,
        details: &[],
    };
    at.state.record(realm, address, &record);
}

//! The authorization endpoint: checks the request, then signs in silently or shows the sign-in page.
//!
//! Until client and redirect address are validated, an error is shown as a page; afterwards it is returned to the
//! client.

mod request;

use std::net::IpAddr;

use axum::{
    http::{HeaderMap, StatusCode, header},
    response::Response,
};

use super::{
    cookies::Cookie,
    html,
    oauth_error::OAuthError,
    params::{Form, Params, Query},
    realm_path::{InRealm, Peer},
    respond, texts,
};
use crate::{
    events::EventType,
    secret,
    sessions::{AuthRequest, Pending, Session},
    state::EventRecord,
};
use request::{AuthorizeError, AuthorizeParams};

/// `GET auth`.
pub(crate) async fn get(at: InRealm, peer: Peer, headers: HeaderMap, params: Result<Query, OAuthError>) -> Response {
    authorize(&at, peer.0, &headers, params.map(|Query(params)| params))
}

/// `POST auth` with the same parameters in a form.
pub(crate) async fn post(at: InRealm, peer: Peer, headers: HeaderMap, params: Result<Form, OAuthError>) -> Response {
    authorize(&at, peer.0, &headers, params.map(|Form(params)| params))
}

/// Sends the browser back to the client with a code for a signed-in user.
pub(crate) fn succeed(at: &InRealm, address: Option<IpAddr>, session: &Session, request: &AuthRequest) -> Response {
    let (realm, now) = (&at.loaded().realm, at.state.now());
    let code = at.state.memory().new_code(realm, session, request.clone(), now);
    let record = EventRecord {
        kind: EventType::Login,
        client: &request.client_id,
        username: &session.username,
        session: Some(&session.id),
        error: None,
        details: &[("auth_method", "openid-connect"), ("auth_type", "code"), ("redirect_uri", &request.redirect_uri)],
    };
    at.state.record(realm, address, &record);
    send_back(at, request, &[("session_state", &session.id), ("code", &code)])
}

fn authorize(
    at: &InRealm,
    address: Option<IpAddr>,
    headers: &HeaderMap,
    params: Result<Params, OAuthError>,
) -> Response {
    let text = texts::choose(params.as_ref().ok().and_then(|params| params.get("ui_locales")), headers);
    let fault = |reason: &str| html::message(StatusCode::BAD_REQUEST, text, text.bad_request, reason);
    let params = match params {
        Ok(params) => params,
        Err(error) => return fault(error.description()),
    };
    match request::read(&at.loaded().realm, &params) {
        Err(AuthorizeError::Page(reason)) => fault(&reason),
        Err(AuthorizeError::Client { request, error }) => {
            let details = [("error", error.code()), ("error_description", error.description())];
            send_back(at, &request, &details)
        }
        Ok((request, params)) => sign_in(at, address, headers, text, request, &params),
    }
}

fn sign_in(
    at: &InRealm,
    address: Option<IpAddr>,
    headers: &HeaderMap,
    text: &'static texts::Texts,
    request: AuthRequest,
    params: &AuthorizeParams,
) -> Response {
    let (realm, now) = (&at.loaded().realm, at.state.now());
    let cookie = Cookie::Session.read(&at.state, headers);
    let session = cookie.and_then(|cookie| at.state.memory().session_of_cookie(realm, cookie, now));
    let recent = |session: &Session| params.max_age.is_none_or(|age| now - session.auth_time <= age);
    match session.filter(|session| !params.login && recent(session)) {
        Some(session) => {
            at.state.memory().touch(realm, &session, now);
            succeed(at, address, &session, &request)
        }
        None if params.silent => send_back(at, &request, &[("error", "login_required")]),
        None => ask(at, headers, text, request),
    }
}

/// Shows the sign-in page and binds the request to this browser.
fn ask(at: &InRealm, headers: &HeaderMap, text: &'static texts::Texts, request: AuthRequest) -> Response {
    let (realm, now) = (&at.loaded().realm, at.state.now());
    let binding = Cookie::Login.read(&at.state, headers).filter(|value| value.len() == 43);
    let binding = binding.map_or_else(secret::random, str::to_owned);
    let id = secret::random();
    let username = request.login_hint.clone().unwrap_or_default();
    let page = html::login(at, text, &request, &html::LoginForm { id: &id, username: &username, error: None });
    let pending = Pending { realm: realm.name.clone(), request, binding: secret::hash(&binding), proven: None };
    at.state.memory().pending.insert(id, pending, now + realm.lifetimes.login, now);
    let mut response = page;
    response.headers_mut().append(header::SET_COOKIE, Cookie::Login.set(&at.state, realm, &binding));
    response
}

/// Sends the browser back to the client; `state` and `iss` go with every answer (RFC 9207).
fn send_back(at: &InRealm, request: &AuthRequest, params: &[(&str, &str)]) -> Response {
    let state = request.state.as_deref().map(|state| ("state", state));
    let all: Vec<_> =
        state.into_iter().chain([("iss", at.loaded().issuer.as_str())]).chain(params.iter().copied()).collect();
    respond::see_other(&respond::with_params(&request.redirect_uri, request.fragment, &all))
}

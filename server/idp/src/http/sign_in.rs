//! A sign-in in progress: which browser began it, and its completion.

use std::net::IpAddr;

use axum::{
    http::{HeaderMap, header},
    response::Response,
};

use super::{authorize, cookies::Cookie, realm_path::InRealm};
use crate::{realm::User, secret, sessions::Pending};

/// The sign-in in progress, if this browser began it.
pub(super) fn pending(at: &InRealm, headers: &HeaderMap, id: &str) -> Option<Pending> {
    let binding = Cookie::Login.read(&at.state, headers)?;
    let memory = at.state.memory();
    let pending = memory.pending.get(&id.to_owned(), at.state.now())?;
    let mine = pending.realm == at.loaded().realm.name && secret::matches_hash(binding, &pending.binding);
    mine.then(|| pending.clone())
}

/// Signs the user in and sends the browser back to the client. Ends whatever session this browser had: a session never
/// changes its user or its cookie.
pub(super) fn complete(
    at: &InRealm,
    address: Option<IpAddr>,
    headers: &HeaderMap,
    id: &str,
    pending: &Pending,
    user: &User,
) -> Response {
    let (realm, now) = (&at.loaded().realm, at.state.now());
    let (session, cookie) = {
        let mut memory = at.state.memory();
        memory.pending.remove(&id.to_owned(), now);
        let cookie = Cookie::Session.read(&at.state, headers);
        let old = cookie.and_then(|cookie| memory.session_of_cookie(realm, cookie, now));
        if let Some(old) = old {
            memory.end_session(&old.id, now);
        }
        memory.start_session(realm, user, now)
    };
    let mut response = authorize::succeed(at, address, &session, &pending.request);
    response.headers_mut().append(header::SET_COOKIE, Cookie::Session.set(&at.state, realm, &cookie));
    response
}

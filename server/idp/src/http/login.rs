//! Handles the sign-in form.

use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use super::{
    authorize,
    cookies::Cookie,
    html::{self, LoginForm},
    oauth_error::OAuthError,
    params::{Form, Params},
    password::{self, Denied},
    realm_path::{InRealm, Peer},
    required_action,
    texts::{self, Texts},
};
use crate::{
    realm::User,
    secret,
    sessions::{Pending, Session},
};

/// `POST login-actions/authenticate`: only from the browser that was shown the form.
pub(crate) async fn post(
    at: InRealm,
    Peer(address): Peer,
    headers: HeaderMap,
    params: Result<Form, OAuthError>,
) -> Response {
    let params = match params {
        Ok(Form(params)) => params,
        Err(error) => return error.into_response(),
    };
    let text = texts::choose(params.get("ui_locales"), &headers);
    let id = params.get("request").unwrap_or_default();
    let Some(pending) = pending(&at, &headers, id) else {
        return html::message(StatusCode::BAD_REQUEST, text, text.expired_title, text.expired);
    };
    let username = params.get("username").unwrap_or_default();
    let Some(client) = at.loaded().realm.client(&pending.request.client_id) else {
        return html::message(StatusCode::BAD_REQUEST, text, text.expired_title, text.expired);
    };
    match password::check(&at, address, client, username, params.get("password").unwrap_or_default()) {
        Ok(user) if user.must_change_password() => required_action::ask(&at, text, id, pending, &user.username),
        Ok(user) => {
            let (session, cookie) = begin(&at, &headers, id, &user);
            let mut response = authorize::succeed(&at, address, &session, &pending.request);
            response
                .headers_mut()
                .append(header::SET_COOKIE, Cookie::Session.set(&at.inner, &at.loaded().realm, &cookie));
            response
        }
        Err(denied) => refuse(&at, text, &pending, &params, &denied),
    }
}

/// The sign-in in progress, if this browser began it.
pub(super) fn pending(at: &InRealm, headers: &HeaderMap, id: &str) -> Option<Pending> {
    let binding = Cookie::Login.read(&at.inner, headers)?;
    let memory = at.inner.memory();
    let pending = memory.pending.get(&id.to_owned(), at.inner.now())?;
    let mine = pending.realm == at.loaded().realm.name && secret::matches_hash(binding, &pending.binding);
    mine.then(|| pending.clone())
}

/// Ends whatever session this browser had and starts a new one: a session never changes its user or its cookie.
pub(super) fn begin(at: &InRealm, headers: &HeaderMap, id: &str, user: &User) -> (Session, String) {
    let (realm, now) = (&at.loaded().realm, at.inner.now());
    let mut memory = at.inner.memory();
    memory.pending.remove(&id.to_owned(), now);
    let old = Cookie::Session.read(&at.inner, headers).and_then(|cookie| memory.session_of_cookie(realm, cookie, now));
    if let Some(old) = old {
        memory.end_session(&old.id, now);
    }
    memory.start_session(realm, user, now)
}

/// The form again, with the name still in it.
fn refuse(at: &InRealm, text: &'static Texts, pending: &Pending, params: &Params, denied: &Denied) -> Response {
    let (status, error) = match denied {
        Denied::Wrong => (StatusCode::OK, text.wrong.to_owned()),
        Denied::Wait(seconds) => (StatusCode::TOO_MANY_REQUESTS, text.wait.replace("{}", &seconds.to_string())),
    };
    let form = LoginForm {
        id: params.get("request").unwrap_or_default(),
        username: params.get("username").unwrap_or_default(),
        error: Some(&error),
    };
    let mut response = html::login(at, text, &pending.request, &form);
    *response.status_mut() = status;
    if let Denied::Wait(seconds) = denied {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(*seconds));
    }
    response
}

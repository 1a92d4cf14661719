//! Handles the sign-in form.

use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use super::{
    html::{self, LoginForm},
    oauth_error::OAuthError,
    params::{Form, Params},
    password::{self, Denied},
    realm_path::{InRealm, Peer},
    required_action, sign_in,
    texts::{self, Texts},
};
use crate::sessions::Pending;

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
    let Some(pending) = sign_in::pending(&at, &headers, id) else {
        return html::message(StatusCode::BAD_REQUEST, text, text.expired_title, text.expired);
    };
    let username = params.get("username").unwrap_or_default();
    let Some(client) = at.loaded().realm.client(&pending.request.client_id) else {
        return html::message(StatusCode::BAD_REQUEST, text, text.expired_title, text.expired);
    };
    match password::check(&at, address, client, username, params.get("password").unwrap_or_default()) {
        Ok(user) if user.must_change_password() => required_action::ask(&at, text, id, pending, &user.username),
        Ok(user) => sign_in::complete(&at, address, &headers, id, &pending, &user),
        Err(denied) => refuse(&at, text, &pending, &params, &denied),
    }
}

/// The form again, with the name still in it.
fn refuse(at: &InRealm, text: &'static Texts, pending: &Pending, params: &Params, denied: &Denied) -> Response {
    let (status, error) = match denied {
        Denied::Wrong => (StatusCode::OK, text.wrong.to_owned()),
        Denied::Wait(1) => (StatusCode::TOO_MANY_REQUESTS, text.wait_one.to_owned()),
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

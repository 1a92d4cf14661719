//! The page on which a user chooses a password at the first sign-in.

use axum::{
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};

use super::{
    html,
    oauth_error::OAuthError,
    params::Form,
    realm_path::{InRealm, Peer},
    sign_in,
    texts::{self, Texts},
};
use crate::{password_hash::PasswordHash, realm::UPDATE_PASSWORD, sessions::Pending};

/// `POST login-actions/required-action`: only for the browser in which the old password was given.
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
    let expired = || html::message(StatusCode::BAD_REQUEST, text, text.expired_title, text.expired);
    let Some(pending) = sign_in::pending(&at, &headers, id) else { return expired() };
    let proven = pending.proven.as_ref().and_then(|name| at.loaded().people.enabled(name));
    let Some(user) = proven.filter(|user| user.must_change_password()) else { return expired() };
    let (new, again) =
        (params.get("password-new").unwrap_or_default(), params.get("password-confirm").unwrap_or_default());
    let (fewest, is_old) = (at.loaded().realm.min_password, user.has_password(new));
    let fault = match () {
        () if new.chars().count() < fewest => Some(text.too_short.replace("{}", &fewest.to_string())),
        () if new != again => Some(text.not_equal.to_owned()),
        () if is_old => Some(text.not_new.to_owned()),
        () => None,
    };
    if let Some(fault) = fault {
        return html::new_password(&at, text, &pending.request, id, Some(&fault));
    }
    let now = at.state.now_millis();
    let hash = PasswordHash::new(new);
    let changed = at.loaded().people.change(&user.id, |user| {
        user.password = None;
        user.password_hash = Some(hash);
        user.password_set = now;
        user.required_actions.retain(|action| action != UPDATE_PASSWORD);
    });
    if changed.is_err() {
        return OAuthError::server_error().into_response();
    }
    sign_in::complete(&at, address, &headers, id, &pending, &user)
}

/// Asks for a new password after the old one was entered.
pub(super) fn ask(at: &InRealm, text: &'static Texts, id: &str, pending: Pending, username: &str) -> Response {
    let now = at.state.now();
    let page = html::new_password(at, text, &pending.request, id, None);
    let proven = Pending { proven: Some(username.to_owned()), ..pending };
    at.state.memory().pending.insert(id.to_owned(), proven, now + at.loaded().realm.lifetimes.login, now);
    page
}

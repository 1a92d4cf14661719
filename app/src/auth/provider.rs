//! Requests to the identity provider: the token endpoint, and a check that it is reachable.

use gloo_net::http::{Method, RequestBuilder};
use leptos::prelude::window;
use serde::Deserialize;
use wasm_bindgen_futures::JsFuture;
use web_sys::{RequestInit, RequestMode, UrlSearchParams};

/// The response of the token endpoint.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Tokens {
    pub(super) access_token: String,
    pub(super) refresh_token: Option<String>,
    pub(super) id_token: Option<String>,
    /// The lifetime of the access token in seconds.
    pub(super) expires_in: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TokenError {
    /// The provider did not answer, or not as itself.
    Unreachable,
    /// The provider refused, with this code.
    Refused(String),
}

#[derive(Deserialize)]
struct Refusal {
    error: String,
}

/// An error code that is safe to show. The page never repeats other text of the provider.
pub(super) fn plain(error: &str) -> String {
    let is_plain_code =
        !error.is_empty() && error.len() <= 40 && error.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    if is_plain_code { error.to_owned() } else { "unknown".to_owned() }
}

/// Builds the query or form text of `pairs`.
pub(super) fn encode(pairs: &[(&str, &str)]) -> String {
    let Ok(params) = UrlSearchParams::new() else { return String::new() };
    for (key, value) in pairs {
        params.append(key, value);
    }
    params.to_string().into()
}

/// Posts a form to the token endpoint.
pub(super) async fn request_tokens(endpoint: &str, form: &[(&str, &str)]) -> Result<Tokens, TokenError> {
    let request = RequestBuilder::new(endpoint)
        .method(Method::POST)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(encode(form))
        .map_err(|_| TokenError::Unreachable)?;
    let response = request.send().await.map_err(|_| TokenError::Unreachable)?;
    let text = response.text().await.map_err(|_| TokenError::Unreachable)?;
    if response.ok() {
        return serde_json::from_str(&text).map_err(|_| TokenError::Unreachable);
    }
    match serde_json::from_str::<Refusal>(&text) {
        Ok(refusal) if response.status() < 500 => Err(TokenError::Refused(refusal.error)),
        _ => Err(TokenError::Unreachable),
    }
}

/// Asks the platform to delete the refresh token's cookie. The request survives the page, which is about to be left.
pub(super) fn forget_cookie(endpoint: &str) {
    let init = RequestInit::new();
    init.set_method("DELETE");
    let _ = js_sys::Reflect::set(&init, &"keepalive".into(), &true.into());
    let _ = window().fetch_with_str_and_init(endpoint, &init);
}

/// Whether something answers at the issuer's address, so that the browser is not sent to a dead page.
pub(super) async fn answers(issuer: &str) -> bool {
    let url = format!("{issuer}/.well-known/openid-configuration");
    let init = RequestInit::new();
    init.set_mode(RequestMode::NoCors);
    JsFuture::from(window().fetch_with_str_and_init(&url, &init)).await.is_ok()
}

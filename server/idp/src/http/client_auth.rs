//! Authenticates clients: by HTTP Basic, by form fields, or a public client by its id only.

use axum::http::{HeaderMap, header};
use base64::{Engine, engine::general_purpose::STANDARD};

use super::{oauth_error::OAuthError, params::Params};
use crate::{
    realm::{Client, Realm},
    secret,
};

/// The calling client. Unknown clients and wrong secrets give the same `invalid_client`.
pub(crate) fn client<'a>(realm: &'a Realm, headers: &HeaderMap, params: &Params) -> Result<&'a Client, OAuthError> {
    let (id, presented) = match basic(headers)? {
        Some((id, secret)) => (id, Some(secret)),
        None => (params.require("client_id")?.to_owned(), params.get("client_secret").map(str::to_owned)),
    };
    let client = realm.client(&id).ok_or_else(OAuthError::invalid_client)?;
    let good = match (client.secret(), presented) {
        (None, presented) => presented.is_none_or(|secret| secret.is_empty()),
        (Some(_), None) => false,
        (Some(expected), Some(presented)) => secret::matches(&presented, expected),
    };
    good.then_some(client).ok_or_else(|| {
        tracing::warn!(realm = realm.name(), client = client.id(), "idp.client_refused: it did not authenticate");
        OAuthError::invalid_client()
    })
}

/// The token of `Authorization: Bearer`.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    credentials(headers, "bearer")
}

fn credentials<'a>(headers: &'a HeaderMap, expected_scheme: &str) -> Option<&'a str> {
    let (scheme, value) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case(expected_scheme).then_some(value.trim())
}

/// Id and secret from HTTP Basic, each form-encoded (RFC 6749, 2.3.1).
fn basic(headers: &HeaderMap) -> Result<Option<(String, String)>, OAuthError> {
    let Some(encoded) = credentials(headers, "basic") else { return Ok(None) };
    let decoded = STANDARD.decode(encoded).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let pair = decoded.as_deref().and_then(|text| text.split_once(':'));
    let (id, secret) = pair.ok_or_else(OAuthError::invalid_client)?;
    Ok(Some((form_decode(id), form_decode(secret))))
}

fn form_decode(text: &str) -> String {
    let value = format!("v={}", text.replace('&', "%26"));
    let pairs: Vec<(String, String)> = serde_urlencoded::from_str(&value).unwrap_or_default();
    pairs.into_iter().next().map_or_else(String::new, |(_, value)| value)
}

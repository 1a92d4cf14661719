//! Parses tokens: header, claims, and the unverified issuer.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::Algorithm;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::TokenError;

/// The claims that are read. `sub` is never required.
#[derive(Debug, Deserialize)]
pub(super) struct Claims {
    pub(super) iss: String,
    pub(super) azp: String,
    pub(super) typ: String,
    pub(super) preferred_username: String,
    #[serde(default)]
    pub(super) realm_access: RealmAccess,
    pub(super) tenant_id: Option<String>,
    pub(super) sid: Option<String>,
    pub(super) iat: i64,
    pub(super) exp: i64,
    pub(super) nbf: Option<i64>,
    pub(super) auth_time: Option<i64>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct RealmAccess {
    #[serde(default)]
    pub(super) roles: Vec<String>,
}

/// The algorithm and key id; headers that change how a token is read are refused.
pub(super) fn header(token: &str) -> Result<(Algorithm, String), TokenError> {
    let header: Map<String, Value> = part(token, 0)?;
    for name in ["crit", "jku", "jwk", "x5u", "x5c", "b64", "zip", "enc"] {
        if header.contains_key(name) {
            return Err(TokenError::Shape("a header that is not accepted"));
        }
    }
    let algorithm = match header.get("alg").and_then(Value::as_str) {
        Some("RS256") => Algorithm::RS256,
        Some("ES256") => Algorithm::ES256,
        _ => return Err(TokenError::Shape("an algorithm that is not accepted")),
    };
    match header.get("kid").and_then(Value::as_str) {
        Some(kid) if (1..=200).contains(&kid.len()) => Ok((algorithm, kid.to_owned())),
        _ => Err(TokenError::Shape("no key id")),
    }
}

/// The unverified issuer, used only to choose the realm.
pub(super) fn unverified_issuer(token: &str) -> Result<String, TokenError> {
    #[derive(Deserialize)]
    struct Issuer {
        iss: String,
    }
    part::<Issuer>(token, 1).map(|claims| claims.iss)
}

fn part<T: DeserializeOwned>(token: &str, index: usize) -> Result<T, TokenError> {
    let parts: Vec<&str> = token.split('.').collect();
    let [_, _, _] = parts[..] else { return Err(TokenError::Shape("not three parts")) };
    let bytes = URL_SAFE_NO_PAD.decode(parts[index]).map_err(|_| TokenError::Shape("not base64url"))?;
    serde_json::from_slice(&bytes).map_err(|_| TokenError::Shape("not the expected JSON"))
}

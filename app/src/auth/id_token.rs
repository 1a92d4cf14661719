//! The ID token's claims. It arrives from the token endpoint over the provider's own connection, so
//! its signature need not be verified (OpenID Connect Core, 3.1.3.7); its claims must fit.

use serde::Deserialize;

use super::pkce::from_base64url;

/// The claims that are checked.
#[derive(Debug, Deserialize)]
struct Claims {
    iss: String,
    aud: Audience,
    nonce: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

impl Audience {
    fn has(&self, client: &str) -> bool {
        match self {
            Self::One(one) => one == client,
            Self::Many(many) => many.iter().any(|one| one == client),
        }
    }
}

/// Whether `token` was issued by `issuer` to `client` for the sign-in with `nonce`.
pub(super) fn fits(token: &str, issuer: &str, client: &str, nonce: &str) -> bool {
    let Some(claims) = claims(token) else { return false };
    claims.iss == issuer && claims.aud.has(client) && claims.nonce.as_deref() == Some(nonce)
}

fn claims(token: &str) -> Option<Claims> {
    let payload = from_base64url(token.split('.').nth(1)?)?;
    serde_json::from_slice(&payload).ok()
}

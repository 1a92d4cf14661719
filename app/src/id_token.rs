//! Validates the claims of this page's tokens. The ID token comes directly from the token endpoint, so its signature
//! need not be verified (OpenID Connect Core, 3.1.3.7); its claims must be.

use serde::Deserialize;

use crate::base64url;

/// The claims that are checked.
#[derive(Debug, Deserialize)]
struct Claims {
    iss: String,
    aud: Audience,
    nonce: Option<String>,
}

/// The time claims.
#[derive(Debug, Deserialize)]
struct Times {
    auth_time: Option<u32>,
    iat: Option<u32>,
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
pub(crate) fn fits(token: &str, issuer: &str, client: &str, nonce: &str) -> bool {
    let Some(claims) = claims(token) else { return false };
    claims.iss == issuer && claims.aud.has(client) && claims.nonce.as_deref() == Some(nonce)
}

fn claims(token: &str) -> Option<Claims> {
    let payload = base64url::decode(token.split('.').nth(1)?)?;
    serde_json::from_slice(&payload).ok()
}

/// When the session of `token` began, in seconds since 1970: its sign-in, or else the token's own beginning.
pub(crate) fn signed_in_at(token: &str) -> Option<u32> {
    let payload = base64url::decode(token.split('.').nth(1)?)?;
    let times = serde_json::from_slice::<Times>(&payload).ok()?;
    times.auth_time.or(times.iat)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISSUER: &str = "https://id.example.com/realms/svc-platform";

    fn token(claims: &str) -> String {
        format!("e30.{}.sig", base64url::encode(claims.as_bytes()))
    }

    #[test]
    fn a_token_for_this_sign_in_fits() {
        for audience in [r#""operator-ui""#, r#"["other","operator-ui"]"#] {
            let token = token(&format!(r#"{{"iss":"{ISSUER}","aud":{audience},"nonce":"n"}}"#));
            assert!(fits(&token, ISSUER, "operator-ui", "n"), "{audience}");
        }
    }

    #[test]
    fn another_issuer_client_or_nonce_does_not_fit() {
        let good = token(&format!(r#"{{"iss":"{ISSUER}","aud":"operator-ui","nonce":"n"}}"#));
        assert!(!fits(&good, "https://id.example.com/realms/svc", "operator-ui", "n"));
        assert!(!fits(&good, ISSUER, "tenant-ui", "n"));
        assert!(!fits(&good, ISSUER, "operator-ui", "m"));
        let silent = token(&format!(r#"{{"iss":"{ISSUER}","aud":"operator-ui"}}"#));
        assert!(!fits(&silent, ISSUER, "operator-ui", "n"));
    }

    #[test]
    fn a_session_begins_with_its_sign_in_or_its_token() {
        assert_eq!(signed_in_at(&token(r#"{"auth_time":7,"iat":9}"#)), Some(7));
        assert_eq!(signed_in_at(&token(r#"{"iat":9}"#)), Some(9));
        assert_eq!((signed_in_at(&token("{}")), signed_in_at("no dots")), (None, None));
    }

    #[test]
    fn rubbish_does_not_fit() {
        for rubbish in ["", "a.b.c", "e30.e30.e30", "no dots"] {
            assert!(!fits(rubbish, ISSUER, "operator-ui", "n"), "{rubbish}");
        }
    }
}

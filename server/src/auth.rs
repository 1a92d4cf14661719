//! Verifies access tokens of the two realms. Every error gives the same 401. The reason is logged, the token never is.
//!
//! Verifying a signature is the expensive part of a request without rights, so tokens with a wrong signature are counted by
//! address. Other requests are not, because that would lock out an office.

pub mod api_key;
mod claims;
pub mod console_client;
mod keys;
mod verified;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use contract::{
    ErrorCode, TenantId, clients,
    identity::{Identity, TokenScope},
};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, errors::ErrorKind};
use parking_lot::RwLock;

use claims::Claims;
use keys::{KeyError, Keys};
use verified::{VerifiedToken, VerifiedTokens};

/// The realm of operators and vendors.
pub const PLATFORM_REALM: &str = "svc-platform";
/// The realm of tenant users.
pub const TENANT_REALM: &str = "svc-tenants";

/// Sessions of break-glass and tunnel clients end after two hours (specification, Limits).
const SESSION_CAP_SECONDS: i64 = 2 * 60 * 60;
const LEEWAY_SECONDS: i64 = 30;
const MAX_TOKEN_BYTES: usize = 16 * 1024;

/// Checks tokens against the keys of both realms.
#[derive(Debug)]
pub struct TokenVerifier {
    realms: [Realm; 2],
    users: RwLock<TokenUsers>,
    verified: VerifiedTokens,
}

/// The user names seen with each token scope.
#[derive(Debug, Clone, Default)]
pub struct TokenUsers {
    /// User names seen with the vendor's scope.
    pub vendors: BTreeSet<String>,
    /// User names seen with the operator's scope.
    pub operators: BTreeSet<String>,
}

#[derive(Debug)]
struct Realm {
    name: &'static str,
    issuer: String,
    clients: &'static [&'static str],
    keys: Keys,
}

/// Why a token was refused; only for the log.
#[derive(Debug, thiserror::Error)]
enum TokenError {
    #[error("{0}")]
    Shape(&'static str),
    #[error("the signature is wrong")]
    Signature,
    #[error("the claims cannot be read: {0}")]
    Claims(jsonwebtoken::errors::Error),
    #[error("the key is unknown")]
    UnknownKey,
    #[error("the session is older than its cap")]
    SessionCap,
    #[error("the identity provider cannot be reached")]
    Unavailable,
}

/// A token that was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// The error code for the caller.
    pub code: ErrorCode,
    /// Whether the signature was checked, which costs time, and is wrong.
    pub is_forged: bool,
}

impl From<TokenError> for Refusal {
    fn from(error: TokenError) -> Self {
        let code = match error {
            TokenError::SessionCap => ErrorCode::SessionCapExceeded,
            TokenError::Unavailable => ErrorCode::ServiceUnavailable,
            _ => ErrorCode::NotAuthenticated,
        };
        Self { code, is_forged: matches!(error, TokenError::Signature) }
    }
}

/// A token that was verified.
#[derive(Debug)]
pub struct Verified {
    /// Its owner.
    pub identity: Identity,
    /// When it was issued, in seconds since 1970.
    pub issued_at: i64,
}

impl TokenVerifier {
    /// A verifier for the realms below `auth_url` (no slash at the end). Fetches nothing yet.
    ///
    /// # Errors
    /// When the HTTP client cannot be created.
    pub fn new(auth_url: &str) -> Result<Self, reqwest::Error> {
        let client =
            tls::http_client().timeout(Duration::from_secs(3)).redirect(reqwest::redirect::Policy::none()).build()?;
        let realm = |name: &'static str, clients: &'static [&'static str]| {
            let issuer = format!("{auth_url}/realms/{name}");
            let keys = Keys::new(client.clone(), format!("{issuer}/protocol/openid-connect/certs"));
            Realm { name, issuer, clients, keys }
        };
        let realms = [realm(PLATFORM_REALM, &clients::PLATFORM), realm(TENANT_REALM, &clients::TENANT)];
        Ok(Self { realms, users: RwLock::default(), verified: VerifiedTokens::default() })
    }

    /// Verifies a token at the time `now` (seconds since 1970).
    ///
    /// # Errors
    /// `not_authenticated`, `session_cap_exceeded`, or `service_unavailable` when the keys were never available.
    pub async fn verify(&self, token: &str, now: i64) -> Result<Verified, Refusal> {
        let checked = self.check(token, now).await;
        if let Ok(verified) = &checked {
            self.remember(&verified.identity);
        }
        checked.map_err(|fault| {
            tracing::info!(reason = %fault, "token.refused");
            fault.into()
        })
    }

    /// Users of the platform's realm with a valid token since the start.
    pub fn users(&self) -> TokenUsers {
        self.users.read().clone()
    }

    /// Whether the token's signature was found good lately, so that [`TokenVerifier::verify`] need not check it again.
    pub fn knows(&self, token: &str) -> bool {
        token.len() <= MAX_TOKEN_BYTES && self.verified.get(&verified::digest(token)).is_some()
    }

    fn remember(&self, identity: &Identity) {
        let users = self.users.read();
        let is_new = match identity.scope {
            TokenScope::Vendor => !users.vendors.contains(&identity.username),
            TokenScope::Operator => !users.operators.contains(&identity.username),
            TokenScope::Tenant => false,
        };
        drop(users);
        if is_new {
            let mut users = self.users.write();
            let names = if identity.scope == TokenScope::Vendor { &mut users.vendors } else { &mut users.operators };
            names.insert(identity.username.clone());
        }
    }

    /// Whether both realms return their keys, checked at most ten seconds ago.
    pub async fn is_ready(&self) -> bool {
        let [one, other] = &self.realms;
        let (one, other) = tokio::join!(one.keys.is_ready(), other.keys.is_ready());
        one && other
    }

    /// Whether both realms returned their keys at least once.
    pub fn has_keys(&self) -> bool {
        self.realms.iter().all(|realm| realm.keys.were_fetched())
    }

    async fn check(&self, token: &str, now: i64) -> Result<Verified, TokenError> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(TokenError::Shape("too long"));
        }
        let digest = verified::digest(token);
        if let Some(verified) = self.verified.get(&digest) {
            let realm = &self.realms[verified.realm];
            if Arc::ptr_eq(&realm.key(&verified.kid, verified.algorithm).await?, &verified.key) {
                return realm.accept(&verified.claims, now);
            }
        }
        let (algorithm, kid) = claims::header(token)?;
        let issuer = claims::unverified_issuer(token)?;
        let place =
            self.realms.iter().position(|realm| realm.issuer == issuer).ok_or(TokenError::Shape("foreign issuer"))?;
        let realm = &self.realms[place];
        let key = realm.key(&kid, algorithm).await?;
        let claims = claims_of(token, &key, algorithm)?;
        let accepted = realm.accept(&claims, now);
        // A good signature is remembered with refused claims, too: a flood of one expired token costs no cryptography.
        self.verified.put(digest, VerifiedToken { realm: place, kid, algorithm, key, claims });
        accepted
    }
}

fn claims_of(token: &str, key: &DecodingKey, algorithm: Algorithm) -> Result<Claims, TokenError> {
    let decoded = jsonwebtoken::decode::<Claims>(token, key, &validation(algorithm));
    decoded.map(|token| token.claims).map_err(|error| match error.kind() {
        ErrorKind::InvalidSignature => TokenError::Signature,
        _ => TokenError::Claims(error),
    })
}

fn validation(algorithm: Algorithm) -> Validation {
    let mut validation = Validation::new(algorithm);
    // Times are checked against the verifier's own clock, the issuer exactly, the audience by `azp`.
    validation.validate_exp = false;
    validation.validate_nbf = false;
    validation.validate_aud = false;
    validation.required_spec_claims.clear();
    validation
}

impl Realm {
    async fn key(&self, kid: &str, algorithm: Algorithm) -> Result<Arc<DecodingKey>, TokenError> {
        self.keys.get(kid, algorithm).await.map_err(|error| match error {
            KeyError::Unknown => TokenError::UnknownKey,
            KeyError::Unavailable => TokenError::Unavailable,
        })
    }

    /// What the token says, if every claim is valid at the time `now`.
    fn accept(&self, claims: &Claims, now: i64) -> Result<Verified, TokenError> {
        let check = |holds: bool, reason: &'static str| if holds { Ok(()) } else { Err(TokenError::Shape(reason)) };
        check(claims.iss == self.issuer, "foreign issuer")?;
        check(claims.typ == "Bearer", "not an access token")?;
        check(self.clients.contains(&claims.azp.as_str()), "foreign client")?;
        check(claims.exp > now - LEEWAY_SECONDS, "expired")?;
        check(claims.iat <= now + LEEWAY_SECONDS, "issued in the future")?;
        check(claims.nbf.is_none_or(|nbf| nbf <= now + LEEWAY_SECONDS), "not valid yet")?;
        check((1..=255).contains(&claims.preferred_username.len()), "no user name")?;
        if clients::EMERGENCY.contains(&claims.azp.as_str()) {
            let began =
                claims.auth_time.ok_or(TokenError::Shape("a capped session without the time of its sign-in"))?;
            if now.saturating_sub(began) > SESSION_CAP_SECONDS {
                return Err(TokenError::SessionCap);
            }
        }
        let scope = self.scope(&claims.realm_access.roles).ok_or(TokenError::Shape("no role of the platform"))?;
        let tenant_id = match scope {
            TokenScope::Tenant => claims.tenant_id.as_deref().and_then(|id| id.parse::<TenantId>().ok()),
            _ => None,
        };
        let expires_at = chrono::DateTime::from_timestamp(claims.exp, 0).ok_or(TokenError::Shape("no expiry"))?;
        let identity = Identity {
            realm: self.name.to_owned(),
            username: claims.preferred_username.clone(),
            scope,
            roles: claims.realm_access.roles.clone(),
            tenant_id,
            client_id: claims.azp.clone(),
            session_id: claims.sid.clone(),
            expires_at,
        };
        Ok(Verified { identity, issued_at: claims.iat })
    }

    fn scope(&self, roles: &[String]) -> Option<TokenScope> {
        let has = |name: &str| roles.iter().any(|role| role == name);
        if self.name == PLATFORM_REALM {
            return if has("operator") {
                Some(TokenScope::Operator)
            } else {
                has("vendor").then_some(TokenScope::Vendor)
            };
        }
        (has("tenant-admin") || has("tenant-viewer")).then_some(TokenScope::Tenant)
    }
}

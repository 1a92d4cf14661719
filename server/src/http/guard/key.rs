//! Authorises calls with an API key. A key is looked up with every call, so that one that was revoked opens nothing from
//! then on, on no replica.

use std::{net::IpAddr, time::Instant};

use chrono::{DateTime, Utc};
use contract::{
    ErrorCode,
    api_keys::KeyScope,
    identity::{Identity, TokenScope},
};
use store::{
    Exemption, Scope,
    api_keys::{self, StoredKey},
};
use subtle::ConstantTimeEq;

use crate::{
    admission::rate_limit::Client,
    auth::api_key::KeyText,
    caller::{Caller, KeyLimits},
    config::Cidr,
    error::{ApiError, ApiResult},
    state::App,
};

/// The realm of callers with a key. It is not a realm of the identity provider.
const KEY_REALM: &str = "api-keys";

/// The caller with this key, which must have `scope`.
///
/// # Errors
/// 401 for a key that is malformed, unknown, revoked or expired; 403 for an address or a scope that it does not have, for a
/// tenant that is not active or may not use keys; 429 after too many wrong keys or calls.
pub(super) async fn authorise(app: &App, scope: KeyScope, token: &str, client: &Client) -> ApiResult<Caller> {
    let (digest, key) = find(app, token, client).await?;
    if let Err(refusal) = check(&key, scope, client.ip_address) {
        app.known_keys().forget(&digest);
        tracing::info!(reason = %refusal, tenant_id = %key.tenant, key_id = %key.id, "key.refused");
        return Err(refusal.into());
    }
    if app.known_keys().accept(digest, Instant::now()) {
        record_use(app, &key);
    }
    Ok(caller(key, client.ip_address))
}

/// Looks up a key. Wrong keys of a network are counted, and too many are refused without a query.
async fn find(app: &App, token: &str, client: &Client) -> ApiResult<([u8; 32], StoredKey)> {
    let Some(key) = KeyText::parse(token) else {
        app.limiter.before_token(client)?;
        return Err(wrong(app, client, ErrorCode::KeyMalformed).await);
    };
    let digest = key.digest();
    if !app.known_keys().contains(&digest) {
        app.limiter.before_token(client)?;
    }
    app.limiter.key(client, digest).await?;
    match api_keys::find_by_prefix(&app.db, key.prefix()).await?.filter(|stored| is_same(&key, stored)) {
        Some(stored) => Ok((digest, stored)),
        None => Err(wrong(app, client, ErrorCode::KeyUnknown).await),
    }
}

async fn wrong(app: &App, client: &Client, code: ErrorCode) -> ApiError {
    app.limiter.forged(client).await;
    tracing::info!(reason = %code, "key.refused");
    code.into()
}

/// Compares in constant time, so that the time of the answer tells nothing about the stored hash.
fn is_same(key: &KeyText<'_>, stored: &StoredKey) -> bool {
    key.hash(&stored.hash_secret).as_slice().ct_eq(&stored.hash).into()
}

fn check(key: &StoredKey, scope: KeyScope, address: Option<IpAddr>) -> Result<(), ErrorCode> {
    let checks = [
        (!key.is_revoked, ErrorCode::KeyRevoked),
        (!key.is_expired, ErrorCode::KeyExpired),
        (key.tenant_is_active, ErrorCode::TenantNotActive),
        (key.tenant_allows_keys, ErrorCode::KeysNotAllowed),
        (is_allowed(&key.allowed_addresses, address), ErrorCode::KeyAddressNotAllowed),
        (key.scopes.contains(&scope), ErrorCode::KeyScopeMissing),
    ];
    checks.into_iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, code)| Err(code))
}

/// Whether one of the networks has the address; no network is every address.
fn is_allowed(networks: &[String], address: Option<IpAddr>) -> bool {
    let contains = |address| {
        networks.iter().filter_map(|network| network.parse::<Cidr>().ok()).any(|network| network.contains(address))
    };
    networks.is_empty() || address.is_some_and(contains)
}

fn caller(key: StoredKey, ip_address: Option<IpAddr>) -> Caller {
    let identity = Identity {
        realm: KEY_REALM.to_owned(),
        username: format!("key:{}", key.name),
        scope: TokenScope::Tenant,
        roles: Vec::new(),
        tenant_id: Some(key.tenant),
        client_id: KEY_REALM.to_owned(),
        session_id: None,
        expires_at: key.expires_at.unwrap_or(DateTime::<Utc>::MAX_UTC),
    };
    let limits = KeyLimits { id: key.id, chatbots: key.chatbots };
    Caller { identity, issued_at: Utc::now().timestamp(), ip_address, key: Some(limits) }
}

/// Writes the time of the use in the background: no call waits for it.
fn record_use(app: &App, key: &StoredKey) {
    let (id, db) = (key.id, app.db.clone());
    app.tasks.spawn(async move {
        let written = async {
            let mut tx = db.write(&Scope::system()).await?;
            api_keys::record_use(&mut tx, id).await?;
            tx.commit_exempt(Exemption::Activity).await
        };
        if let Err(error) = written.await {
            tracing::warn!(%error, "key.use_not_written");
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_without_networks_may_be_used_from_everywhere() {
        let at = |text: &str| Some(text.parse().unwrap());
        assert!(is_allowed(&[], None) && is_allowed(&[], at("192.0.2.1")));
        let networks = ["192.0.2.0/24".to_owned(), "2001:db8::/32".to_owned()];
        for (address, holds) in [("192.0.2.9", true), ("2001:db8::1", true), ("192.0.3.1", false), ("::1", false)] {
            assert_eq!(is_allowed(&networks, at(address)), holds, "{address}");
        }
        assert!(!is_allowed(&networks, None), "an unknown address is in no network");
    }
}

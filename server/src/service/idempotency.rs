//! Calls with an `Idempotency-Key`: the first one is carried out, and a repeated one within 24 hours gets its answer again. The answer
//! is stored encrypted with a secret derived from the key, of which only a hash is stored.

pub mod expiry;

use contract::{ErrorCode, identity::TokenScope};
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use store::{
    Exemption, Scope,
    idempotency::{self, CallKey},
};
use subtle::ConstantTimeEq as _;

use crate::{
    caller::Caller,
    error::{ApiError, ApiResult},
    state::App,
};

/// Maximum calls of a tenant in 24 hours; all operators and vendors together count as one.
const MAX_CALLS: i64 = 10_000;
/// Maximum bytes of their answers.
const MAX_BYTES: i64 = 64 * 1024 * 1024;

/// An answer as a repeated call gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The header `Location`.
    pub location: Option<String>,
    /// JSON, or empty.
    pub body: String,
}

/// What is to be done with a call.
pub enum Begun {
    /// It is the first one.
    New(Box<Claim>),
    /// It was answered before.
    Known(KeptAnswer),
}

/// The right to carry out a call.
pub struct Claim {
    app: App,
    scope: Scope,
    call: CallKey,
    cipher: LessSafeKey,
}

/// Begins a call, or finds the answer of the same call before it. `request` is a hash of everything that the call says.
///
/// # Errors
/// `idempotency_key_reused`, `idempotency_key_in_progress`, `idempotency_answer_not_kept`, `quota_idempotency_keys`;
/// `service_unavailable` when the database is down.
pub async fn begin(app: &App, caller: &Caller, key: &str, request: [u8; 32]) -> ApiResult<Begun> {
    let (call, scope) = (call_key(caller, key), caller.scope()?);
    let cipher = cipher(&call, key)?;
    let mut tx = app.db.write(&scope).await?;
    if let Some(earlier_call) = idempotency::find(&mut tx, call).await? {
        if !bool::from(earlier_call.request_sha256.as_slice().ct_eq(&request)) {
            return Err(ErrorCode::IdempotencyKeyReused.into());
        }
        if !earlier_call.is_finished {
            return Err(ErrorCode::IdempotencyKeyInProgress.into());
        }
        let answer = earlier_call.answer.and_then(|sealed| open(&cipher, sealed));
        return answer.map(Begun::Known).ok_or_else(|| ErrorCode::IdempotencyAnswerNotKept.into());
    }
    let stored_calls = idempotency::count(&mut tx, call.tenant).await?;
    if stored_calls.calls >= MAX_CALLS || stored_calls.bytes >= MAX_BYTES {
        return Err(ApiError::quota(ErrorCode::QuotaIdempotencyKeys, MAX_CALLS, stored_calls.calls));
    }
    if !idempotency::begin(&mut tx, call, &request).await? {
        return Err(ErrorCode::IdempotencyKeyInProgress.into());
    }
    tx.commit_exempt(Exemption::Idempotency).await?;
    Ok(Begun::New(Box::new(Claim { app: app.clone(), scope, call, cipher })))
}

impl Claim {
    /// Keeps the answer; `None` is one that is too large. If that fails, a repeated call is refused for five minutes.
    pub async fn finish(self, answer: Option<&KeptAnswer>) {
        let sealed = answer.and_then(|answer| seal(&self.cipher, answer));
        if let Err(error) = self.store(Some(sealed)).await {
            tracing::warn!(%error, "idempotency.answer_not_kept");
        }
    }

    /// Forgets the call, because its failure may be temporary.
    pub async fn release(self) {
        if let Err(error) = self.store(None).await {
            tracing::warn!(%error, "idempotency.key_not_released");
        }
    }

    async fn store(&self, outcome: Option<Option<Vec<u8>>>) -> store::Result<()> {
        let mut tx = self.app.db.write(&self.scope).await?;
        match outcome {
            Some(answer) => idempotency::finish(&mut tx, self.call, answer.as_deref()).await?,
            None => idempotency::release(&mut tx, self.call).await?,
        }
        tx.commit_exempt(Exemption::Idempotency).await
    }
}

fn call_key(caller: &Caller, key: &str) -> CallKey {
    let identity = &caller.identity;
    let tenant = identity.tenant_id.filter(|_| identity.scope == TokenScope::Tenant);
    let api_key = caller.key.as_ref().map(|key| key.id.to_string()).unwrap_or_default();
    let principal = digest(&[&identity.realm, identity.scope.as_str(), &identity.username, &api_key]);
    CallKey { tenant, principal, key: digest(&["key", key]) }
}

/// The cipher of a call's answer. Another principal with the same key has another one.
fn cipher(call: &CallKey, key: &str) -> ApiResult<LessSafeKey> {
    let tenant = call.tenant.map(|id| id.to_string()).unwrap_or_default();
    let secret = digest(&["answer", key, &tenant, &crate::hex::encode(&call.principal)]);
    let key = UnboundKey::new(&AES_256_GCM, &secret).map_err(|_| ErrorCode::InternalError)?;
    Ok(LessSafeKey::new(key))
}

/// The encrypted answer, after its nonce.
fn seal(cipher: &LessSafeKey, answer: &KeptAnswer) -> Option<Vec<u8>> {
    let nonce: [u8; NONCE_LEN] = rand::random();
    let mut sealed = serde_json::to_vec(answer).ok()?;
    cipher.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut sealed).ok()?;
    Some([nonce.as_slice(), &sealed].concat())
}

fn open(cipher: &LessSafeKey, mut sealed: Vec<u8>) -> Option<KeptAnswer> {
    let (nonce, text) = sealed.split_at_mut_checked(NONCE_LEN)?;
    let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
    let text = cipher.open_in_place(nonce, Aad::empty(), text).ok()?;
    serde_json::from_slice(text).ok()
}

/// The SHA-256 of texts, each after its length.
fn digest(parts: &[&str]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cipher_of(key: &str) -> LessSafeKey {
        cipher(&CallKey { tenant: None, principal: [7; 32], key: [0; 32] }, key).unwrap()
    }

    #[test]
    fn an_answer_opens_with_its_key_alone() {
        let answer =
            KeptAnswer { status: 201, location: Some("/x".to_owned()), body: "{\"token\":\"secret\"}".to_owned() };
        let sealed = seal(&cipher_of("one"), &answer).unwrap();
        assert!(!String::from_utf8_lossy(&sealed).contains("secret"));
        assert_eq!(open(&cipher_of("one"), sealed.clone()), Some(answer));
        assert_eq!(open(&cipher_of("two"), sealed), None);
        assert_eq!(open(&cipher_of("one"), vec![1, 2]), None);
    }
}

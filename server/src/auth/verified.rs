//! Caches tokens with a verified signature, together with the key. Only the signature is cached: times, session cap,
//! roles and whether the realm still has the key are checked with each request.

use std::{num::NonZeroUsize, sync::Arc};

use jsonwebtoken::{Algorithm, DecodingKey};
use lru::LruCache;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use super::claims::Claims;

const MAX_TOKENS: NonZeroUsize = NonZeroUsize::new(4096).expect("a positive number");

/// The SHA-256 of a token; the token itself is not stored.
pub(super) type TokenDigest = [u8; 32];

/// A token with a good signature.
#[derive(Debug)]
pub(super) struct VerifiedToken {
    /// The index of the realm that issued it.
    pub(super) realm: usize,
    pub(super) kid: String,
    pub(super) algorithm: Algorithm,
    /// The key that the signature was checked with.
    pub(super) key: Arc<DecodingKey>,
    pub(super) claims: Claims,
}

/// The most recently used tokens with a valid signature.
pub(super) struct VerifiedTokens(Mutex<LruCache<TokenDigest, Arc<VerifiedToken>>>);

impl Default for VerifiedTokens {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(MAX_TOKENS)))
    }
}

impl std::fmt::Debug for VerifiedTokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VerifiedTokens").finish_non_exhaustive()
    }
}

impl VerifiedTokens {
    pub(super) fn get(&self, digest: &TokenDigest) -> Option<Arc<VerifiedToken>> {
        self.0.lock().get(digest).cloned()
    }

    /// Remembers a token and evicts the least recently used one.
    pub(super) fn put(&self, digest: TokenDigest, verified: VerifiedToken) {
        self.0.lock().put(digest, Arc::new(verified));
    }
}

pub(super) fn digest(token: &str) -> TokenDigest {
    Sha256::digest(token).into()
}

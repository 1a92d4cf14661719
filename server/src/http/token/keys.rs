//! The signing keys of one realm: cached, fetched by one task at a time, asked for again on an
//! unknown key at most once in ten seconds. Good keys survive a failed fetch.

use std::{
    collections::HashMap,
    sync::{Arc, RwLock},
    time::{Duration, Instant},
};

use jsonwebtoken::{
    Algorithm, DecodingKey,
    jwk::{JwkSet, PublicKeyUse},
};
use tokio::sync::Mutex;

const REFETCH_AFTER: Duration = Duration::from_secs(10);
const STALE_AFTER: Duration = Duration::from_secs(600);
const MAX_BODY_BYTES: usize = 256 * 1024;

/// Why there is no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyError {
    /// The realm has no such key.
    Unknown,
    /// The realm's keys were never to be had.
    Unavailable,
}

/// The signing keys of one realm.
#[derive(Debug, Clone)]
pub(super) struct Keys {
    client: reqwest::Client,
    url: Arc<str>,
    known: Arc<RwLock<Known>>,
    last_attempt: Arc<Mutex<Option<Instant>>>,
}

#[derive(Default)]
struct Known {
    keys: HashMap<String, (Algorithm, Arc<DecodingKey>)>,
    fetched_at: Option<Instant>,
}

impl std::fmt::Debug for Known {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Known").field("keys", &self.keys.len()).finish()
    }
}

impl Keys {
    pub(super) fn new(client: reqwest::Client, url: String) -> Self {
        Self { client, url: url.into(), known: Arc::default(), last_attempt: Arc::default() }
    }

    /// The key with this id for this algorithm.
    pub(super) async fn get(&self, kid: &str, algorithm: Algorithm) -> Result<Arc<DecodingKey>, KeyError> {
        if let Some(key) = self.find(kid, algorithm) {
            self.refresh_stale_in_background();
            return Ok(key);
        }
        self.refresh().await;
        match self.find(kid, algorithm) {
            Some(key) => Ok(key),
            None if self.fetched_at().is_none() => Err(KeyError::Unavailable),
            None => Err(KeyError::Unknown),
        }
    }

    /// Whether keys are at hand; asks for them when there are none.
    pub(super) async fn is_ready(&self) -> bool {
        if self.fetched_at().is_none_or(|at| at.elapsed() > STALE_AFTER) {
            return self.refresh().await;
        }
        true
    }

    fn find(&self, kid: &str, algorithm: Algorithm) -> Option<Arc<DecodingKey>> {
        let known = self.known.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        known.keys.get(kid).filter(|(of, _)| *of == algorithm).map(|(_, key)| Arc::clone(key))
    }

    fn fetched_at(&self) -> Option<Instant> {
        self.known.read().unwrap_or_else(std::sync::PoisonError::into_inner).fetched_at
    }

    fn refresh_stale_in_background(&self) {
        if self.fetched_at().is_some_and(|at| at.elapsed() > STALE_AFTER) {
            let keys = self.clone();
            tokio::spawn(async move { keys.refresh().await });
        }
    }

    /// Fetches the keys unless that was tried a moment ago; true when keys were just fetched or are
    /// still fresh. Waits for a fetch that is under way.
    async fn refresh(&self) -> bool {
        let mut last_attempt = self.last_attempt.lock().await;
        if last_attempt.is_some_and(|at| at.elapsed() < REFETCH_AFTER) && self.fetched_at().is_some() {
            return true;
        }
        // Before the first success every call may try: nothing could be served otherwise.
        if last_attempt.is_some_and(|at| at.elapsed() < Duration::from_millis(500)) {
            return false;
        }
        *last_attempt = Some(Instant::now());
        match self.fetch().await {
            Ok(keys) => {
                let mut known = self.known.write().unwrap_or_else(std::sync::PoisonError::into_inner);
                *known = Known { keys, fetched_at: Some(Instant::now()) };
                true
            }
            Err(reason) => {
                tracing::warn!(url = %self.url, %reason, "identity_provider.keys_unavailable");
                false
            }
        }
    }

    async fn fetch(&self) -> Result<HashMap<String, (Algorithm, Arc<DecodingKey>)>, String> {
        let mut response = self.client.get(&*self.url).send().await.map_err(|error| error.to_string())?;
        if !response.status().is_success() {
            return Err(format!("status {}", response.status()));
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| error.to_string())? {
            if body.len() + chunk.len() > MAX_BODY_BYTES {
                return Err("the answer is too long".to_owned());
            }
            body.extend_from_slice(&chunk);
        }
        let set: JwkSet = serde_json::from_slice(&body).map_err(|error| error.to_string())?;
        let keys: HashMap<_, _> = set.keys.iter().filter_map(signing_key).collect();
        if keys.is_empty() { Err("no signing key in the answer".to_owned()) } else { Ok(keys) }
    }
}

fn signing_key(jwk: &jsonwebtoken::jwk::Jwk) -> Option<(String, (Algorithm, Arc<DecodingKey>))> {
    let common = &jwk.common;
    if common.public_key_use.as_ref().is_some_and(|usage| *usage != PublicKeyUse::Signature) {
        return None;
    }
    let algorithm = match common.key_algorithm?.to_string().as_str() {
        "RS256" => Algorithm::RS256,
        "ES256" => Algorithm::ES256,
        _ => return None,
    };
    let key = DecodingKey::from_jwk(jwk).ok()?;
    Some((common.key_id.clone()?, (algorithm, Arc::new(key))))
}

//! The signing keys of one realm: cached, fetched by one task at a time. In ten seconds they are fetched again at most
//! once per unknown key, twice for all unknown keys together, and once for the readiness check. Valid keys survive a
//! failed fetch.

use std::{
    collections::{HashMap, VecDeque},
    num::NonZeroUsize,
    sync::Arc,
    time::{Duration, Instant},
};

use jsonwebtoken::{
    Algorithm, DecodingKey,
    jwk::{JwkSet, PublicKeyUse},
};
use lru::LruCache;
use parking_lot::RwLock;
use tokio::sync::Mutex;

/// The pause between two fetches while there are keys.
const REFETCH_AFTER: Duration = Duration::from_secs(10);
/// Fetches for unknown keys in [`REFETCH_AFTER`]: a forged key id leaves one for a key that is really new.
const MAX_FETCHES: usize = 2;
/// Unknown keys that are remembered.
const MAX_UNKNOWN_KEYS: NonZeroUsize = NonZeroUsize::new(256).expect("a positive number");
/// The pause between two fetches before the first success.
const FIRST_FETCH_AFTER: Duration = Duration::from_millis(500);
const STALE_AFTER: Duration = Duration::from_secs(600);
const MAX_BODY_BYTES: usize = 256 * 1024;

/// Why there is no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyError {
    /// The realm has no such key.
    Unknown,
    /// The realm's keys were never available.
    Unavailable,
}

/// The signing keys of one realm.
#[derive(Debug, Clone)]
pub(super) struct Keys {
    client: reqwest::Client,
    url: Arc<str>,
    stored: Arc<RwLock<Known>>,
    attempts: Arc<Mutex<Attempts>>,
}

/// Why keys are fetched. Each reason waits for its own attempts only, so that looking after the keys does not keep a new one
/// unknown.
#[derive(Debug, Clone)]
enum Cause {
    UnknownKey(String),
    Upkeep,
}

/// The attempts of the last ten seconds, which block further ones.
#[derive(Debug)]
struct Attempts {
    upkeep: Option<Attempt>,
    /// For unknown keys, newest last.
    unknown: VecDeque<Attempt>,
    /// When keys were fetched for this id.
    last_fetches: LruCache<String, Instant>,
}

impl Default for Attempts {
    fn default() -> Self {
        Self {
            upkeep: None,
            unknown: VecDeque::with_capacity(MAX_FETCHES),
            last_fetches: LruCache::new(MAX_UNKNOWN_KEYS),
        }
    }
}

impl Attempts {
    /// The last attempt, when it is too early for another one. Before the first success nothing can be served, so
    /// the next caller tries again a moment later.
    fn too_early(&mut self, cause: &Cause, has_keys: bool) -> Option<Attempt> {
        let pause = if has_keys { REFETCH_AFTER } else { FIRST_FETCH_AFTER };
        let is_recent = |attempt: &Attempt| attempt.ended.elapsed() < pause;
        let Cause::UnknownKey(kid) = cause else { return self.upkeep.filter(is_recent) };
        let last = self.unknown.back().copied().filter(is_recent)?;
        let is_recently_fetched = self.last_fetches.get(kid).is_some_and(|fetched| fetched.elapsed() < pause);
        let is_enough = self.unknown.len() >= MAX_FETCHES && self.unknown.front().is_some_and(is_recent);
        (!has_keys || is_recently_fetched || is_enough).then_some(last)
    }

    /// Records an attempt that has just ended, so that callers who waited for it find it recent.
    fn record(&mut self, cause: Cause, succeeded: bool) {
        let attempt = Attempt { ended: Instant::now(), succeeded };
        let Cause::UnknownKey(kid) = cause else {
            self.upkeep = Some(attempt);
            return;
        };
        if self.unknown.len() >= MAX_FETCHES {
            self.unknown.pop_front();
        }
        self.unknown.push_back(attempt);
        self.last_fetches.put(kid, attempt.ended);
    }
}

#[derive(Debug, Clone, Copy)]
struct Attempt {
    ended: Instant,
    succeeded: bool,
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
        Self { client, url: url.into(), stored: Arc::default(), attempts: Arc::default() }
    }

    /// The key with this id for this algorithm.
    pub(super) async fn get(&self, kid: &str, algorithm: Algorithm) -> Result<Arc<DecodingKey>, KeyError> {
        if let Some(key) = self.find(kid, algorithm) {
            self.refresh_stale_in_background();
            return Ok(key);
        }
        self.refresh(Cause::UnknownKey(kid.to_owned())).await;
        match self.find(kid, algorithm) {
            Some(key) => Ok(key),
            None if self.fetched_at().is_none() => Err(KeyError::Unavailable),
            None => Err(KeyError::Unknown),
        }
    }

    /// Whether the realm returns its keys, checked at most ten seconds ago. Cached keys do not count: they still verify
    /// tokens, but nobody can sign in.
    pub(super) async fn is_ready(&self) -> bool {
        self.refresh(Cause::Upkeep).await
    }

    fn find(&self, kid: &str, algorithm: Algorithm) -> Option<Arc<DecodingKey>> {
        let stored = self.stored.read();
        stored.keys.get(kid).filter(|(of, _)| *of == algorithm).map(|(_, key)| Arc::clone(key))
    }

    /// Whether a fetch that ended while this caller waited has brought the key, of whatever algorithm.
    fn has(&self, kid: &str) -> bool {
        self.stored.read().keys.contains_key(kid)
    }

    fn fetched_at(&self) -> Option<Instant> {
        self.stored.read().fetched_at
    }

    pub(super) fn were_fetched(&self) -> bool {
        self.fetched_at().is_some()
    }

    fn refresh_stale_in_background(&self) {
        if self.fetched_at().is_some_and(|at| at.elapsed() > STALE_AFTER) {
            let keys = self.clone();
            tokio::spawn(async move { keys.refresh_serially(Cause::Upkeep).await });
        }
    }

    /// Fetches the keys unless that was attempted recently; returns whether the last attempt succeeded. Joins a running
    /// fetch, which continues when its caller is dropped.
    async fn refresh(&self, cause: Cause) -> bool {
        let keys = self.clone();
        tokio::spawn(async move { keys.refresh_serially(cause).await }).await.unwrap_or(false)
    }

    async fn refresh_serially(&self, cause: Cause) -> bool {
        let mut attempts = self.attempts.lock().await;
        if let Cause::UnknownKey(kid) = &cause
            && self.has(kid)
        {
            return true;
        }
        if let Some(last) = attempts.too_early(&cause, self.fetched_at().is_some()) {
            return last.succeeded;
        }
        let fetched = self.fetch().await;
        let succeeded = fetched.is_ok();
        match fetched {
            Ok(keys) => {
                let mut stored = self.stored.write();
                *stored = Known { keys, fetched_at: Some(Instant::now()) };
            }
            Err(reason) => tracing::warn!(url = %self.url, %reason, "identity_provider.keys_unavailable"),
        }
        attempts.record(cause, succeeded);
        succeeded
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::{Router, routing::get};
    use tokio_util::sync::CancellationToken;

    use super::*;

    const SET: &str = r#"{"keys":[{"kty":"EC","kid":"one","alg":"ES256","use":"sig","crv":"P-256",
        "x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}"#;

    /// Resets the time of the last attempt.
    async fn later(keys: &Keys) {
        let mut attempts = keys.attempts.lock().await;
        let Attempts { upkeep, unknown, last_fetches } = &mut *attempts;
        let ended = upkeep.iter_mut().chain(unknown).map(|attempt| &mut attempt.ended);
        for time in ended.chain(last_fetches.iter_mut().map(|(_, fetched)| fetched)) {
            *time = time.checked_sub(REFETCH_AFTER).unwrap();
        }
    }

    #[tokio::test]
    async fn readiness_fails_without_the_provider_and_its_keys_stay() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop_provider = CancellationToken::new();
        let router = Router::new().route("/", get(async || SET));
        let serving = axum::serve(listener, router).with_graceful_shutdown(stop_provider.clone().cancelled_owned());
        let serving = tokio::spawn(serving.into_future());
        let client = reqwest::Client::builder().pool_max_idle_per_host(0).build().unwrap();
        let keys = Keys::new(client, format!("http://{address}/"));
        assert!(keys.is_ready().await);
        stop_provider.cancel();
        serving.await.unwrap().unwrap();
        assert!(keys.is_ready().await, "it was asked a moment ago");
        later(&keys).await;
        assert!(!keys.is_ready().await);
        assert!(!keys.is_ready().await, "the failure is remembered, too");
        assert!(keys.get("one", Algorithm::ES256).await.is_ok());
        let listener = tokio::net::TcpListener::bind(address).await.unwrap();
        tokio::spawn(axum::serve(listener, Router::new().route("/", get(async || SET))).into_future());
        later(&keys).await;
        assert!(keys.is_ready().await);
    }

    /// A provider that names its key by the value of `kid`, with the number of requests to it.
    async fn provider(kid: &Arc<RwLock<&'static str>>) -> (Keys, Arc<AtomicUsize>) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (kid, fetches) = (Arc::clone(kid), Arc::new(AtomicUsize::new(0)));
        let counted = Arc::clone(&fetches);
        let set = async move || {
            counted.fetch_add(1, Ordering::Relaxed);
            SET.replace("\"one\"", &format!("{:?}", *kid.read()))
        };
        tokio::spawn(axum::serve(listener, Router::new().route("/", get(set))).into_future());
        (Keys::new(reqwest::Client::new(), format!("http://{address}/")), fetches)
    }

    async fn is_known(keys: &Keys, kid: &str) -> bool {
        keys.get(kid, Algorithm::ES256).await.is_ok()
    }

    #[tokio::test]
    async fn a_new_key_is_found_although_readiness_has_just_asked() {
        let kid = Arc::new(RwLock::new("one"));
        let (keys, _) = provider(&kid).await;
        assert!(keys.is_ready().await);
        *kid.write() = "two";
        assert!(is_known(&keys, "two").await);
        assert_eq!(keys.get("three", Algorithm::ES256).await.err(), Some(KeyError::Unknown));
    }

    #[tokio::test]
    async fn a_forged_key_id_does_not_keep_a_new_key_unknown() {
        let kid = Arc::new(RwLock::new("one"));
        let (keys, fetches) = provider(&kid).await;
        assert!(keys.is_ready().await);
        for _ in 0..10 {
            assert!(!is_known(&keys, "forged").await);
        }
        assert_eq!(fetches.load(Ordering::Relaxed), 2, "one fetch for the id, one for readiness");
        *kid.write() = "two";
        assert!(is_known(&keys, "two").await);
        assert_eq!(fetches.load(Ordering::Relaxed), 3);
    }

    #[tokio::test]
    async fn a_thousand_unknown_keys_cost_two_fetches_in_ten_seconds() {
        let kid = Arc::new(RwLock::new("one"));
        let (keys, fetches) = provider(&kid).await;
        assert!(keys.is_ready().await);
        let flood = async |from: usize| {
            for number in from..from + 1000 {
                assert!(!is_known(&keys, &format!("unknown-{number}")).await);
            }
        };
        flood(0).await;
        assert_eq!(fetches.load(Ordering::Relaxed), 1 + MAX_FETCHES);
        later(&keys).await;
        flood(1000).await;
        assert_eq!(fetches.load(Ordering::Relaxed), 1 + 2 * MAX_FETCHES);
        assert!(keys.attempts.lock().await.last_fetches.len() <= MAX_UNKNOWN_KEYS.get());
    }
}

//! Shares the refresh of a session's tokens. The provider accepts a refresh token once and ends the session when it is
//! repeated, but the tabs of a browser share the cookie with it and refresh at the same time.

use std::{
    num::NonZeroUsize,
    sync::Arc,
    time::{Duration, Instant},
};

use lru::LruCache;
use sha2::{Digest, Sha256};
use tokio::sync::Mutex;

use super::{ConsoleClient, ProviderResponse};
use crate::error::ApiError;

/// How long a second tab gets the first one's response.
const SHARED_FOR: Duration = Duration::from_secs(10);
const MAX_RENEWALS: NonZeroUsize = NonZeroUsize::new(64).expect("a positive number");

/// Responses with their times, by the digest of the used refresh token.
type CachedResponses = LruCache<[u8; 32], (Instant, ProviderResponse)>;

/// The renewals of a moment ago.
#[derive(Clone)]
pub(super) struct Renewals(Arc<Mutex<CachedResponses>>);

impl Default for Renewals {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(LruCache::new(MAX_RENEWALS))))
    }
}

impl std::fmt::Debug for Renewals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Renewals").finish_non_exhaustive()
    }
}

impl Renewals {
    /// The provider's answer to this refresh token. One renewal at a time: an emergency console has few users.
    pub(super) async fn renew(&self, client: &ConsoleClient, token: &str) -> Result<ProviderResponse, ApiError> {
        let digest: [u8; 32] = Sha256::digest(token).into();
        let mut answers = self.0.lock().await;
        if let Some((at, answer)) = answers.get(&digest)
            && at.elapsed() < SHARED_FOR
        {
            return Ok(answer.clone());
        }
        let answer = client.ask(&[("grant_type", "refresh_token"), ("refresh_token", token)]).await?;
        answers.put(digest, (Instant::now(), answer.clone()));
        Ok(answer)
    }
}

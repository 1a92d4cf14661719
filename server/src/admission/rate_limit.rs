//! Rate limits: token buckets per client address on public endpoints and for forged tokens, per visitor and per chatbot
//! for questions, and per principal elsewhere. Buckets are shared through Redis when it is configured and available,
//! otherwise they are local to this process. Guards check the limit before they query the database; health, metrics,
//! files and preflights are not limited. A request takes a token of every bucket that counts it or of none, so a refused
//! visitor empties nobody's bucket.

mod client;
mod local;
mod quota;
mod shared;
mod standing;

use std::time::Duration;

use contract::{ChatbotId, identity::Identity};
use http::request::Parts;
use subtle::ConstantTimeEq;

pub use self::client::Client;
pub use self::quota::{Quota, RateLimits};
pub use self::shared::{SharedError, client as redis_client};
pub use self::standing::{Standing, observe};

use self::client::Key;
pub(super) use self::client::Network;
use self::local::Local;
use self::shared::Shared;

use crate::config::Secret;
use crate::error::{ApiError, ApiResult};

/// The header with which load tests skip the limit (specification, Cross-origin policy).
const BYPASS_HEADER: &str = "x-loadtest-bypass";
/// A shorter secret could be guessed and does not count.
const MIN_SECRET_BYTES: usize = 32;
/// Uploaded files that visitors of one address open: this many a second, and this many at once.
const DOWNLOADS: (u32, u32) = (2, 60);

/// A bucket without a token.
#[derive(Debug, Clone, Copy)]
struct Refused {
    /// Its place among those of the request.
    place: usize,
    /// The time until it has one.
    wait: Duration,
}

/// How long each bucket needs to be full again, or the one that is the last to have a token.
type TakeResult = Result<Vec<Duration>, Refused>;

/// Settings of the rate limiter.
#[derive(Debug, Clone, Default)]
pub struct RateLimitSettings {
    /// The quota of each class of callers.
    pub limits: RateLimits,
    /// The Redis server for shared buckets; without it they are local to this process.
    pub redis_url: Option<Secret>,
    /// The value of the header that skips the limit.
    pub loadtest_secret: Option<Secret>,
}

/// Counts requests and refuses those that are too many.
#[derive(Debug)]
pub struct RateLimiter {
    limits: RateLimits,
    local: Local,
    shared: Option<Shared>,
    bypass: Option<Secret>,
}

impl RateLimiter {
    /// A limiter with empty counts. It connects to Redis in the background, and counts by itself until then.
    ///
    /// # Errors
    /// An address that is not one of a Redis.
    pub fn new(settings: &RateLimitSettings) -> Result<Self, SharedError> {
        let long_enough = |secret: &&Secret| secret.expose().len() >= MIN_SECRET_BYTES;
        Ok(Self {
            limits: settings.limits,
            local: Local::default(),
            shared: settings.redis_url.as_ref().map(|url| Shared::connect(url.expose())).transpose()?,
            bypass: settings.loadtest_secret.as_ref().filter(long_enough).cloned(),
        })
    }

    /// The client of a request, as far as it is known without its token.
    #[must_use]
    pub fn client(&self, parts: &Parts) -> Client {
        let sent = parts.headers.get(BYPASS_HEADER).map(http::HeaderValue::as_bytes);
        let equal = |secret: &Secret| sent.is_some_and(|sent| secret.expose().as_bytes().ct_eq(sent).into());
        Client::of(parts, self.bypass.as_ref().is_some_and(equal))
    }

    /// Counts a call of a public endpoint.
    ///
    /// # Errors
    /// `rate_limited` when the client's address exceeds its quota.
    pub async fn public(&self, client: &Client) -> ApiResult<()> {
        self.count(client, || of_network(client, self.limits.public, Key::Public)).await
    }

    /// Counts an uploaded file that a visitor opens.
    ///
    /// # Errors
    /// `rate_limited` when the client's address opens too many.
    pub async fn download(&self, client: &Client) -> ApiResult<()> {
        self.count(client, || of_network(client, Quota::new(DOWNLOADS.0, DOWNLOADS.1), Key::Download)).await
    }

    /// Whether a chatbot may be looked up for the origin of a request that is not counted yet, with the quota of public
    /// endpoints. Counted by this process only, to protect its database connections.
    pub fn may_look_up(&self, client: &Client) -> bool {
        client.bypasses || self.local.take(&of_network(client, self.limits.public, Key::Lookup)).is_ok()
    }

    /// Counts a question to an existing chatbot from an allowed origin. Takes nothing from the chatbot's quota when the
    /// visitor exceeds the own one.
    ///
    /// # Errors
    /// `rate_limited` when the client's address, or all clients together, exceed the quota of questions to the chatbot.
    pub async fn question(&self, client: &Client, chatbot: ChatbotId) -> ApiResult<()> {
        let buckets = || {
            let mut buckets = of_network(client, self.limits.visitor, |network| Key::Visitor(network, chatbot));
            buckets.extend(self.limits.chatbot.map(|quota| (Key::Chatbot(chatbot), quota)));
            buckets
        };
        self.count(client, buckets).await
    }

    /// Counts a question that a tenant's own program asks, whose calls the guard has counted. Its visitors share one address,
    /// so only the chatbot's quota counts.
    ///
    /// # Errors
    /// `rate_limited` when all clients together exceed the quota of questions to the chatbot.
    pub async fn question_of_program(&self, client: &Client, chatbot: ChatbotId) -> ApiResult<()> {
        let buckets = || self.limits.chatbot.map(|quota| (Key::Chatbot(chatbot), quota)).into_iter().collect();
        self.count(client, buckets).await
    }

    /// Counts feedback to a chatbot.
    ///
    /// # Errors
    /// `rate_limited` when the chatbot was given too much, by everybody together.
    pub async fn feedback(&self, client: &Client, chatbot: ChatbotId) -> ApiResult<()> {
        self.count(client, || self.limits.feedback.map(|quota| (Key::Feedback(chatbot), quota)).into_iter().collect())
            .await
    }

    /// Counts a call of an authenticated principal.
    ///
    /// # Errors
    /// `rate_limited` when the principal exceeds its quota.
    pub async fn principal(&self, client: &Client, identity: &Identity) -> ApiResult<()> {
        let key = || Key::Principal(identity.realm.clone(), identity.username.clone());
        self.count(client, || self.limits.principal.map(|quota| (key(), quota)).into_iter().collect()).await
    }

    /// Counts a call with the API key of this SHA-256, with the quota of a principal, before the key is looked up.
    ///
    /// # Errors
    /// `rate_limited` when the key exceeds its quota.
    pub async fn key(&self, client: &Client, digest: [u8; 32]) -> ApiResult<()> {
        self.count(client, || self.limits.principal.map(|quota| (Key::Program(digest), quota)).into_iter().collect())
            .await
    }

    /// Refuses a client whose address has sent too many forged tokens and wrong keys, before a further one is verified.
    ///
    /// # Errors
    /// `rate_limited` until the address may try again.
    pub fn before_token(&self, client: &Client) -> ApiResult<()> {
        let blocked = |network| self.local.blocked(network);
        match blocked(client.network).max(client.site.and_then(blocked)) {
            Some(wait) if !client.bypasses => {
                if let Some(quota) = self.limits.failed {
                    Standing::refused(quota, wait).note();
                }
                Err(ApiError::rate_limited(wait))
            }
            _ => Ok(()),
        }
    }

    /// Counts a token with an invalid signature, or a wrong API key.
    pub async fn forged(&self, client: &Client) {
        if client.bypasses {
            return;
        }
        let networks = [Some(client.network), client.site].into_iter().flatten();
        for (network, bucket) in networks.zip(of_network(client, self.limits.failed, Key::Failed)) {
            if let Err(refused) = self.take(&[bucket]).await {
                self.local.block(network, refused.wait);
            }
        }
    }

    /// Whether the storage of the buckets is available: Redis when it is configured, otherwise always.
    pub async fn is_ready(&self) -> bool {
        match &self.shared {
            Some(shared) => shared.ping().await,
            None => true,
        }
    }

    /// Whether buckets are shared at the moment.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.shared.as_ref().is_some_and(Shared::is_up)
    }

    async fn count(&self, client: &Client, buckets: impl FnOnce() -> Vec<(Key, Quota)>) -> ApiResult<()> {
        if client.bypasses {
            return Ok(());
        }
        let buckets = buckets();
        match self.take(&buckets).await {
            Ok(ahead) => {
                for ((_, quota), ahead) in buckets.iter().zip(ahead) {
                    Standing::counted(*quota, ahead).note();
                }
                Ok(())
            }
            Err(Refused { place, wait }) => {
                if let Some((_, quota)) = buckets.get(place) {
                    Standing::refused(*quota, wait).note();
                }
                Err(ApiError::rate_limited(wait))
            }
        }
    }

    /// Takes a token from each bucket.
    async fn take(&self, buckets: &[(Key, Quota)]) -> TakeResult {
        if buckets.is_empty() {
            return Ok(Vec::new());
        }
        if let Some(shared) = &self.shared
            && let Some(answer) = shared.take(buckets).await
        {
            // Keeps the local buckets in step, so that they are not full when Redis fails.
            if answer.is_ok() {
                let _ = self.local.take(buckets);
            }
            return answer;
        }
        self.local.take(buckets)
    }
}

/// The buckets of a client's network, and of its site when it has one.
fn of_network(client: &Client, quota: Option<Quota>, key: impl Fn(Network) -> Key) -> Vec<(Key, Quota)> {
    let Some(quota) = quota else { return Vec::new() };
    let site = client.site.map(|site| (key(site), quota.of_site()));
    std::iter::once((key(client.network), quota)).chain(site).collect()
}

//! Buckets in Redis, shared by all processes. A request waits for Redis only briefly and only while it is available;
//! otherwise the caller falls back to local buckets, and a background task detects when Redis is back.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Script, TlsCertificates};
use tokio::time::{sleep, timeout};

use super::client::Key;
use super::quota::Quota;
use super::{Refused, TakeResult};

/// The longest that a request waits for Redis.
const CALL_TIMEOUT: Duration = Duration::from_millis(50);
/// The longest wait for a sign of life.
const PING_TIMEOUT: Duration = Duration::from_secs(2);
/// The pause between two attempts to reach a Redis that is down.
const RETRY_INTERVAL: Duration = Duration::from_millis(250);

/// The same buckets as in `local`, in microseconds of Redis' own clock, so that the clocks of the processes do not
/// matter. Takes a token from each and returns 0 and how long each needs to be full again, or takes none and returns the
/// number of the one that is last to have a token, and the time until then. The arguments are interval and tolerance of each
/// key.
const TAKE: &str = r"
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local spent, refusing, wait = {}, 0, 0
for i, key in ipairs(KEYS) do
  spent[i] = tonumber(redis.call('GET', key)) or 0
  local own = spent[i] - now - tonumber(ARGV[2 * i])
  if own > wait then refusing, wait = i, own end
end
if wait > 0 then return {refusing, wait} end
local result = {0}
for i, key in ipairs(KEYS) do
  local next = math.max(spent[i], now) + tonumber(ARGV[2 * i - 1])
  redis.call('SET', key, string.format('%.0f', next), 'PX', math.ceil((next - now) / 1000))
  result[i + 1] = next - now
end
return result
";

/// Redis could not be set up.
#[derive(Debug, thiserror::Error)]
#[error("redis.url cannot be used: {0}")]
pub struct SharedError(#[from] redis::RedisError);

/// A client for the address of a Redis.
///
/// # Errors
/// When the address is invalid.
pub fn client(url: &str) -> redis::RedisResult<redis::Client> {
    if !url.starts_with("rediss:") {
        return redis::Client::open(url);
    }
    let authorities = TlsCertificates { client_tls: None, root_cert: Some(tls::pem().into_bytes()) };
    redis::Client::build_with_tls(url, authorities)
}

/// The buckets in one Redis.
pub(super) struct Shared(Arc<State>);

struct State {
    manager: ConnectionManager,
    script: Script,
    is_up: AtomicBool,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("is_up", &self.0.is_up).finish_non_exhaustive()
    }
}

impl Shared {
    /// Begins to connect in the background.
    pub(super) fn connect(url: &str) -> Result<Self, SharedError> {
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(PING_TIMEOUT))
            .set_response_timeout(Some(PING_TIMEOUT))
            .set_number_of_retries(1)
            .set_min_delay(RETRY_INTERVAL);
        let manager = ConnectionManager::new_lazy_with_config(client(url)?, config)?;
        let shared = Self(Arc::new(State { manager, script: Script::new(TAKE), is_up: AtomicBool::new(false) }));
        shared.watch_for_return(false);
        Ok(shared)
    }

    /// Takes a token from each bucket; `None` when Redis is unavailable.
    pub(super) async fn take(&self, buckets: &[(Key, Quota)]) -> Option<TakeResult> {
        if !self.0.is_up.load(Relaxed) {
            return None;
        }
        let mut manager = self.0.manager.clone();
        let mut call = self.0.script.prepare_invoke();
        for (key, quota) in buckets {
            call.key(key.shared()).arg(micros(quota.interval())).arg(micros(quota.tolerance()));
        }
        match timeout(CALL_TIMEOUT, call.invoke_async::<Vec<u64>>(&mut manager)).await {
            Ok(Ok(result)) => Some(parse_result(&result)),
            Ok(Err(error)) => self.is_down(&error),
            Err(_) => self.is_down(&"no answer in time"),
        }
    }

    /// Whether requests are counted in Redis at the moment.
    pub(super) fn is_up(&self) -> bool {
        self.0.is_up.load(Relaxed)
    }

    /// Whether Redis answers within two seconds.
    pub(super) async fn ping(&self) -> bool {
        ping(&self.0).await.is_ok()
    }

    /// Records the failure, once until Redis is back.
    fn is_down<T>(&self, reason: &dyn fmt::Display) -> Option<T> {
        if self.0.is_up.swap(false, Relaxed) {
            log_down(reason);
            self.watch_for_return(true);
        }
        None
    }

    /// Polls until Redis is available; ends with the limiter. Logs the first failure unless the log has it already.
    fn watch_for_return(&self, mut is_logged: bool) {
        let state = Arc::downgrade(&self.0);
        tokio::spawn(async move {
            while let Some(state) = state.upgrade() {
                match ping(&state).await {
                    Ok(()) => {
                        state.is_up.store(true, Relaxed);
                        tracing::info!("redis.up: rates are limited by all processes together");
                        return;
                    }
                    Err(reason) if !is_logged => {
                        log_down(&reason);
                        is_logged = true;
                    }
                    Err(_) => {}
                }
                drop(state);
                sleep(RETRY_INTERVAL).await;
            }
        });
    }
}

/// The result of the script.
fn parse_result(result: &[u64]) -> TakeResult {
    match result {
        [0, ahead @ ..] => Ok(ahead.iter().map(|micros| Duration::from_micros(*micros)).collect()),
        [number, wait] => {
            let place = usize::try_from(*number).unwrap_or(1) - 1;
            Err(Refused { place, wait: Duration::from_micros(*wait) })
        }
        _ => Ok(Vec::new()),
    }
}

fn log_down(reason: &dyn fmt::Display) {
    tracing::warn!(%reason, "redis.down: rates are limited by each process for itself");
}

/// Pings the server; the error says why it does not answer.
async fn ping(state: &State) -> Result<(), String> {
    let mut manager = state.manager.clone();
    let answer = timeout(PING_TIMEOUT, redis::cmd("PING").query_async::<()>(&mut manager)).await;
    answer.map_err(|_| "no answer in time".to_owned())?.map_err(|error| error.to_string())
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

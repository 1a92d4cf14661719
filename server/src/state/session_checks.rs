//! Recent session checks with the identity provider. Callers with the same session share one check.

use std::{
    num::NonZeroUsize,
    sync::Arc,
    time::{Duration, Instant},
};

use lru::LruCache;
use parking_lot::Mutex;
use tokio::sync::Mutex as AsyncMutex;

/// How long a result is reused.
const CACHE_TIME: Duration = Duration::from_secs(5);
/// Maximum cached sessions; the least recently used is evicted.
const MAX_SESSIONS: NonZeroUsize = NonZeroUsize::new(10_000).expect("a positive number");

type Entry = Arc<AsyncMutex<Option<(Instant, bool)>>>;

/// The answers of the last seconds.
pub struct SessionChecks(Mutex<LruCache<String, Entry>>);

impl Default for SessionChecks {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(MAX_SESSIONS)))
    }
}

impl SessionChecks {
    /// The fresh answer about a session, otherwise that of `ask`. A failure is not remembered.
    ///
    /// # Errors
    /// The error of `ask`.
    pub async fn get<E>(&self, session: &str, ask: impl Future<Output = Result<bool, E>>) -> Result<bool, E> {
        let entry = Arc::clone(self.0.lock().get_or_insert(session.to_owned(), Entry::default));
        let mut last = entry.lock().await;
        if let Some((when, holds)) = *last
            && when.elapsed() < CACHE_TIME
        {
            return Ok(holds);
        }
        let holds = ask.await?;
        *last = Some((Instant::now(), holds));
        Ok(holds)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use super::*;

    #[tokio::test]
    async fn callers_of_a_session_share_an_answer_and_no_failure() {
        let (checks, calls) = (SessionChecks::default(), AtomicUsize::new(0));
        let ask = async |answer: Result<bool, ()>| {
            calls.fetch_add(1, SeqCst);
            answer
        };
        assert_eq!(checks.get("one", ask(Err(()))).await, Err(()));
        assert_eq!(checks.get("one", ask(Ok(true))).await, Ok(true));
        assert_eq!(checks.get("one", ask(Ok(false))).await, Ok(true), "the answer is fresh");
        assert_eq!(checks.get("other", ask(Ok(false))).await, Ok(false));
        assert_eq!(calls.load(SeqCst), 3);
    }
}

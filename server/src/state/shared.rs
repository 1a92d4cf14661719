//! Shares one result between all callers within a period.

use std::{sync::Arc, time::Duration};

use tokio::{sync::Mutex, time::Instant};
use tokio_util::task::TaskTracker;

/// How long a result is reused.
const CACHE_TIME: Duration = Duration::from_secs(1);

/// The last outcome, and when it was found.
#[derive(Debug)]
pub(crate) struct Shared<T>(Arc<Mutex<Option<(Instant, T)>>>);

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: Clone + Send + 'static> Shared<T> {
    /// The last result while it is fresh, otherwise that of `ask`; `None` when that panicked. Concurrent callers get
    /// the same one.
    pub(crate) async fn get(&self, tasks: &TaskTracker, ask: impl Future<Output = T> + Send + 'static) -> Option<T> {
        self.get_within(CACHE_TIME, tasks, ask).await
    }

    /// Like [`Self::get`], for an outcome that is fresh for longer or shorter.
    pub(crate) async fn get_within(
        &self,
        fresh: Duration,
        tasks: &TaskTracker,
        ask: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let mut last = Arc::clone(&self.0).lock_owned().await;
        if let Some((when, outcome)) = &*last
            && when.elapsed() < fresh
        {
            return Some(outcome.clone());
        }
        // In a separate task, which continues when its caller is dropped: the next caller uses its result.
        let asking = tasks.spawn(async move {
            let outcome = ask.await;
            *last = Some((Instant::now(), outcome.clone()));
            outcome
        });
        asking.await.ok()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use super::*;

    #[tokio::test]
    async fn any_number_of_callers_share_one_probe_a_second() {
        let (shared, tasks, probes) = (Shared::default(), TaskTracker::new(), Arc::new(AtomicUsize::new(0)));
        let call = |fresh| {
            let probes = Arc::clone(&probes);
            shared.get_within(fresh, &tasks, async move {
                tokio::task::yield_now().await;
                probes.fetch_add(1, SeqCst)
            })
        };
        let long = Duration::from_secs(3600);
        let outcomes = futures::future::join_all((0..300).map(|_| call(long))).await;
        assert_eq!(outcomes, vec![Some(0); 300]);
        {
            let mut leaving = std::pin::pin!(call(Duration::ZERO));
            assert!(futures::poll!(&mut leaving).is_pending(), "a second later a caller asks and leaves");
        }
        assert_eq!(call(long).await, Some(1), "the next one gets the outcome of the probe that was started");
        assert_eq!(probes.load(SeqCst), 2);
    }
}

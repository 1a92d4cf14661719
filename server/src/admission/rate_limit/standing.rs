//! What is left of a caller's quota, for the headers of the response. The middleware observes a request, and the limiter notes the
//! quota that has the least left.

use std::{cell::Cell, time::Duration};

use super::quota::Quota;

tokio::task_local! {
    static LEAST: Cell<Option<Standing>>;
}

/// How far a quota is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Requests at once.
    pub limit: u32,
    /// Requests that can be sent at once now.
    pub remaining: u32,
    /// Whole seconds until the quota is full again; after a refusal, until the next request has a chance.
    pub reset_seconds: u64,
}

impl Standing {
    /// After a request that was counted; `ahead` is how long the quota needs to be full again.
    pub(super) fn counted(quota: Quota, ahead: Duration) -> Self {
        Self { limit: quota.burst(), remaining: quota.remaining(ahead), reset_seconds: whole_seconds(ahead) }
    }

    /// After a request that was refused.
    pub(super) fn refused(quota: Quota, wait: Duration) -> Self {
        Self { limit: quota.burst(), remaining: 0, reset_seconds: whole_seconds(wait).max(1) }
    }

    /// Notes it for the observed request, unless another quota has less left.
    pub(super) fn note(self) {
        // Requests of other tasks are not observed.
        let _ = LEAST.try_with(|least| {
            if least.get().is_none_or(|strictest| self.remaining <= strictest.remaining) {
                least.set(Some(self));
            }
        });
    }
}

/// Does the work of a request, and returns the quota that has the least left, if one was counted.
pub async fn observe<F: Future>(work: F) -> (F::Output, Option<Standing>) {
    let observed = async { (work.await, LEAST.with(Cell::get)) };
    LEAST.scope(Cell::new(None), observed).await
}

fn whole_seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_quota_with_the_least_left_is_observed() {
        let (wide, narrow) = (Quota::new(50, 200).unwrap(), Quota::new(10, 3).unwrap());
        let counted = |quota, millis| Standing::counted(quota, Duration::from_millis(millis));
        let (_, none) = observe(async {}).await;
        let (_, some) = observe(async {
            counted(narrow, 101).note();
            counted(wide, 20).note();
        })
        .await;
        assert_eq!((none, some), (None, Some(Standing { limit: 3, remaining: 1, reset_seconds: 1 })));
        assert_eq!(counted(wide, 20).remaining, 199);
        assert_eq!(counted(narrow, 300).remaining, 0);
        counted(wide, 20).note();
    }
}

//! Limits work of this process that tenants share: in all, and of each tenant, so that nobody can take every place.
//! Tenants take turns, as with answers.

use std::time::Duration;

use contract::{ChatbotId, TenantId};

use super::answer_queue::{AnswerPermit, AnswerQueue, QueueError, QueueLimits};
use crate::error::ApiError;

/// Hands out permits for one kind of work.
#[derive(Debug)]
pub struct TenantQueue {
    queue: AnswerQueue,
    timeout: Duration,
}

/// The right to do some of the work, until it is dropped.
#[derive(Debug)]
pub struct TenantPermit {
    _permit: AnswerPermit,
}

/// The tenant waited for too long, or for too much at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the tenant has used its share")]
pub struct ShareUsed {
    retry_after: Duration,
}

impl From<ShareUsed> for ApiError {
    fn from(used: ShareUsed) -> Self {
        Self::rate_limited(used.retry_after)
    }
}

/// The shares of this process.
#[derive(Debug)]
pub struct TenantShares {
    /// Conversions of pictures, which may need many megabytes.
    pub pictures: TenantQueue,
    /// Embedding of custom answers, in the background.
    pub custom_answers: TenantQueue,
    /// Reads of people at the identity provider, each with at most two calls at the same time. They leave some of its
    /// places to changes and to session checks.
    pub people_reads: TenantQueue,
    /// Session checks at the identity provider.
    pub session_checks: TenantQueue,
}

impl Default for TenantShares {
    fn default() -> Self {
        Self {
            // A tenant has no more uploads at the same time than may wait.
            pictures: TenantQueue::new(2, 1, 4, Duration::from_secs(30)),
            // As many may wait as a chatbot can have.
            custom_answers: TenantQueue::new(4, 2, 500, Duration::from_secs(600)),
            people_reads: TenantQueue::new(3, 2, 100, Duration::from_secs(5)),
            session_checks: TenantQueue::new(6, 3, 1000, Duration::from_secs(2)),
        }
    }
}

impl TenantQueue {
    fn new(in_all: usize, per_tenant: usize, max_queued: usize, timeout: Duration) -> Self {
        let queue = AnswerQueue::new(QueueLimits {
            max_concurrent: in_all,
            max_concurrent_per_chatbot: per_tenant,
            max_queued,
            queue_timeout: timeout,
        });
        Self { queue, timeout }
    }

    /// Waits for a permit. Dropping the future leaves the queue.
    ///
    /// # Errors
    /// When it waited for too long, or too much of the tenant waits.
    pub async fn acquire(&self, tenant: TenantId) -> Result<TenantPermit, ShareUsed> {
        // A tenant's work waits in one queue, whichever chatbots it is for.
        let permit = self.queue.acquire(tenant, ChatbotId(tenant.0)).await;
        let used = |_: QueueError| ShareUsed { retry_after: self.timeout };
        Ok(TenantPermit { _permit: permit.map_err(used)? })
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures::poll;
    use uuid::Uuid;

    use super::*;

    fn tenant(number: u128) -> TenantId {
        TenantId(Uuid::from_u128(number))
    }

    #[tokio::test]
    async fn a_tenant_with_much_work_leaves_a_place_to_others() {
        let timeout = Duration::from_secs(5);
        let shares = TenantShares::default();
        for (queue, share) in
            [(&shares.pictures, 1), (&shares.custom_answers, 2), (&shares.people_reads, 2), (&shares.session_checks, 3)]
        {
            let mut held = Vec::new();
            for _ in 0..share {
                held.push(tokio::time::timeout(timeout, queue.acquire(tenant(1))).await.unwrap().unwrap());
            }
            let mut waiting = pin!(queue.acquire(tenant(1)));
            assert!(poll!(&mut waiting).is_pending(), "{queue:?}");
            let other = tokio::time::timeout(timeout, queue.acquire(tenant(2))).await;
            assert!(other.expect("a place of its own").is_ok(), "{queue:?}");
            held.pop();
            assert!(waiting.await.is_ok(), "{queue:?}");
        }
    }

    #[tokio::test]
    async fn more_than_may_wait_is_refused_at_once() {
        let queue = TenantQueue::new(1, 1, 2, Duration::from_secs(60));
        let _held = queue.acquire(tenant(1)).await.unwrap();
        let (mut one, mut two) = (pin!(queue.acquire(tenant(1))), pin!(queue.acquire(tenant(1))));
        assert!(poll!(&mut one).is_pending() && poll!(&mut two).is_pending());
        let refused = queue.acquire(tenant(1)).await.unwrap_err();
        assert_eq!(ApiError::from(refused).status(), 429);
    }
}

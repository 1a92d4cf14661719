//! Limits concurrent searches of the knowledge hub in this process. Each search keeps a processor of the database busy,
//! and at least every second one is left to visitors' questions. Tenants take turns, as with answers.

use std::time::Duration;

use contract::{ChatbotId, TenantId};

use super::answer_queue::{AnswerPermit, AnswerQueue, Load, QueueLimits};
use crate::error::{ApiError, ApiResult};

/// Maximum wait of a search.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum searches of one tenant that wait.
const MAX_QUEUED: usize = 100;

/// Hands out permits to search.
#[derive(Debug)]
pub struct SearchQueue(AnswerQueue);

/// The right to search, until it is dropped.
#[derive(Debug)]
pub struct SearchPermit {
    _permit: AnswerPermit,
}

impl Default for SearchQueue {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let max_concurrent = (processors / 2).max(1);
        Self(AnswerQueue::new(QueueLimits {
            max_concurrent,
            max_concurrent_per_chatbot: max_concurrent,
            max_queued: MAX_QUEUED,
            queue_timeout: TIMEOUT,
        }))
    }
}

impl SearchQueue {
    /// Waits for a permit. Dropping the future leaves the queue.
    ///
    /// # Errors
    /// `rate_limited` after five seconds, or when too many searches of the tenant wait.
    pub async fn acquire(&self, tenant: TenantId) -> ApiResult<SearchPermit> {
        // A tenant's searches wait in one queue, whichever chatbots they cover.
        let permit = self.0.acquire(tenant, ChatbotId(tenant.0)).await;
        Ok(SearchPermit { _permit: permit.map_err(|_| ApiError::rate_limited(TIMEOUT))? })
    }

    /// Its current state.
    #[must_use]
    pub fn load(&self) -> Load {
        self.0.load()
    }
}

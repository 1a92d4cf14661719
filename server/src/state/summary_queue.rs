//! The summaries that this process creates: one at a time, the others are queued.

use std::{collections::HashMap, sync::Arc};

use contract::TenantId;
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

/// Maximum summaries that are queued or being created.
const MAX_QUEUED: usize = 64;
/// Of these, the maximum of one tenant.
const MAX_PER_TENANT: usize = 16;

type Versions = Arc<Mutex<HashMap<Uuid, TenantId>>>;

/// The versions whose summaries are queued or being created.
#[derive(Debug, Clone)]
pub struct SummaryQueue {
    versions: Versions,
    turn: Arc<Semaphore>,
}

/// The result of a request for a summary.
#[derive(Debug)]
pub enum Entry {
    /// The summary has a place in the queue.
    New(QueuedSummary),
    /// The version already has a place in the queue.
    Queued,
    /// There is no room for another one.
    Full,
}

/// A place in the queue, until it is dropped.
#[derive(Debug)]
pub struct QueuedSummary {
    version: Uuid,
    queue: SummaryQueue,
}

impl Default for SummaryQueue {
    fn default() -> Self {
        Self { versions: Versions::default(), turn: Arc::new(Semaphore::new(1)) }
    }
}

impl SummaryQueue {
    /// Queues the summary of a version.
    pub(crate) fn enter(&self, tenant: TenantId, version: Uuid) -> Entry {
        let mut versions = self.versions.lock();
        if versions.contains_key(&version) {
            return Entry::Queued;
        }
        let own = versions.values().filter(|owner| **owner == tenant).count();
        if versions.len() >= MAX_QUEUED || own >= MAX_PER_TENANT {
            return Entry::Full;
        }
        versions.insert(version, tenant);
        Entry::New(QueuedSummary { version, queue: self.clone() })
    }
}

impl QueuedSummary {
    /// Waits until the summaries before it are created; `None` when the process ends.
    pub(crate) async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.queue.turn).acquire_owned().await.ok()
    }
}

impl Drop for QueuedSummary {
    fn drop(&mut self) {
        self.queue.versions.lock().remove(&self.version);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn summaries_are_queued_once_and_take_turns() {
        let (queue, tenant) = (SummaryQueue::default(), TenantId(Uuid::from_u128(1)));
        let enter = |version| queue.enter(tenant, Uuid::from_u128(version));
        let (Entry::New(first), Entry::New(second)) = (enter(1), enter(2)) else { panic!("there is room") };
        assert!(matches!(enter(1), Entry::Queued));
        let turn = first.turn().await;
        let waiting = tokio::time::timeout(std::time::Duration::from_millis(20), second.turn()).await;
        assert!(turn.is_some() && waiting.is_err());
        drop((turn, first));
        assert!(second.turn().await.is_some());
        assert!(matches!(enter(1), Entry::New(_)));
    }

    #[test]
    fn one_tenant_leaves_room_for_others() {
        let queue = SummaryQueue::default();
        let enter = |tenant, version| queue.enter(TenantId(Uuid::from_u128(tenant)), Uuid::from_u128(version));
        let held: Vec<Entry> = (0..16).map(|version| enter(1, version)).collect();
        assert!(held.iter().all(|entry| matches!(entry, Entry::New(_))));
        assert!(matches!(enter(1, 16), Entry::Full));
        assert!(matches!(enter(2, 16), Entry::New(_)));
    }
}

//! Shares what the identity provider says about a tenant's people between all callers within a second, so that calls of
//! the platform do not multiply calls of the provider.

use std::{collections::HashMap, num::NonZeroUsize, sync::Arc, time::Duration};

use contract::{ErrorCode, PersonId, TenantId, people::PersonRole};
use lru::LruCache;
use parking_lot::Mutex;
use tokio_util::task::TaskTracker;

use super::shared::Shared;
use crate::identity_admin::Account;

/// How long an answer is reused.
const CACHE_TIME: Duration = Duration::from_secs(1);
/// Maximum cached answers; the least recently used is evicted.
const MAX_READS: NonZeroUsize = NonZeroUsize::new(500).expect("a positive number");

/// Accounts with their roles.
#[derive(Debug, Default)]
pub struct People {
    /// The people whom the provider knows.
    pub accounts: Vec<Account>,
    /// Those of them who have a role.
    pub roles: HashMap<PersonId, PersonRole>,
}

/// A failure is shared as well: it may have taken long.
type Read = Result<Arc<People>, ErrorCode>;

/// All people of a tenant, or one of them.
type Subject = (TenantId, Option<PersonId>);

/// The answers of the last second.
pub struct PeopleReads(Mutex<LruCache<Subject, Shared<Read>>>);

impl Default for PeopleReads {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(MAX_READS)))
    }
}

impl PeopleReads {
    /// The fresh answer about a tenant's people, or one of them, otherwise that of `ask`.
    ///
    /// # Errors
    /// The code of the provider's failure.
    pub async fn get(
        &self,
        tasks: &TaskTracker,
        of: Subject,
        ask: impl Future<Output = Read> + Send + 'static,
    ) -> Read {
        let shared = self.0.lock().get_or_insert(of, Shared::default).clone();
        shared.get_within(CACHE_TIME, tasks, ask).await.unwrap_or(Err(ErrorCode::InternalError))
    }

    /// Drops the answers about a tenant whose people have changed.
    pub fn forget(&self, tenant: TenantId) {
        let mut reads = self.0.lock();
        let stale: Vec<_> = reads.iter().map(|(key, _)| *key).filter(|(of, _)| *of == tenant).collect();
        for key in stale {
            reads.pop(&key);
        }
    }
}

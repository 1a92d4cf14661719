//! The chatbots that are being provisioned, so that a second request for one of them waits for the same task.

use std::collections::HashMap;

use contract::ChatbotId;
use parking_lot::{Mutex, MutexGuard};
use tokio_util::sync::CancellationToken;

/// The newest task of each chatbot; its token is cancelled when it has ended.
#[derive(Debug, Default)]
pub struct ProvisioningTasks(Mutex<HashMap<ChatbotId, CancellationToken>>);

impl ProvisioningTasks {
    /// Records a task that is about to begin.
    pub(crate) fn begin(&self, id: ChatbotId) -> CancellationToken {
        let done = CancellationToken::new();
        self.tasks().insert(id, done.clone());
        done
    }

    /// The task that runs, or one that is about to begin: then the second is true.
    pub(crate) fn join(&self, id: ChatbotId) -> (CancellationToken, bool) {
        let mut tasks = self.tasks();
        let is_new = !tasks.contains_key(&id);
        (tasks.entry(id).or_default().clone(), is_new)
    }

    /// The tasks without those that have ended.
    fn tasks(&self) -> MutexGuard<'_, HashMap<ChatbotId, CancellationToken>> {
        let mut tasks = self.0.lock();
        tasks.retain(|_, done| !done.is_cancelled());
        tasks
    }
}

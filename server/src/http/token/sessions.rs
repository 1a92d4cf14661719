//! When the sessions of capped clients began whose tokens do not say so (decisions, 2): with the first token that was seen.

use std::{
    num::NonZeroUsize,
    sync::{Mutex, PoisonError},
};

use lru::LruCache;

const SESSIONS: NonZeroUsize = NonZeroUsize::new(4096).expect("a positive number");

/// The first `iat` of the sessions that were used last.
pub(super) struct Sessions(Mutex<LruCache<String, i64>>);

impl Default for Sessions {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(SESSIONS)))
    }
}

impl std::fmt::Debug for Sessions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sessions").finish_non_exhaustive()
    }
}

impl Sessions {
    /// When the session of a token that was issued at `iat` began.
    pub(super) fn began(&self, sid: &str, iat: i64) -> i64 {
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let began = sessions.get_or_insert_mut_ref(sid, || iat);
        *began = iat.min(*began);
        *began
    }
}

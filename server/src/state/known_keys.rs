//! API keys that were accepted lately. It decides nothing about access: a known key is looked up like any other, but is not
//! refused because of wrong keys from the same network, and its use is written at most once a minute.

use std::{
    num::NonZeroUsize,
    time::{Duration, Instant},
};

use lru::LruCache;
use parking_lot::Mutex;

/// Minimum time between two notes of a key's use.
const MIN_NOTE_INTERVAL: Duration = Duration::from_secs(60);
/// Maximum cached keys; the least recently used is evicted.
const MAX_KEYS: NonZeroUsize = NonZeroUsize::new(10_000).expect("a positive number");

/// The SHA-256 of a key; the key itself is not stored.
type Digest = [u8; 32];

/// Keys with the time of the last note of their use.
pub struct KnownKeys(Mutex<LruCache<Digest, Instant>>);

impl Default for KnownKeys {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(MAX_KEYS)))
    }
}

impl KnownKeys {
    /// Whether the key was accepted lately.
    pub fn contains(&self, digest: &Digest) -> bool {
        self.0.lock().contains(digest)
    }

    /// Remembers a key that was accepted; returns whether its use is due to be written.
    pub fn accept(&self, digest: Digest, now: Instant) -> bool {
        let mut keys = self.0.lock();
        if keys.get(&digest).is_some_and(|last| now.duration_since(*last) < MIN_NOTE_INTERVAL) {
            return false;
        }
        keys.put(digest, now);
        true
    }

    /// Forgets a key that is no longer accepted.
    pub fn forget(&self, digest: &Digest) {
        self.0.lock().pop(digest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_keys_use_is_due_once_a_minute() {
        let (keys, now) = (KnownKeys::default(), Instant::now());
        assert!(!keys.contains(&[1; 32]));
        assert!(keys.accept([1; 32], now));
        assert!(keys.contains(&[1; 32]));
        assert!(!keys.accept([1; 32], now + Duration::from_secs(59)));
        assert!(keys.accept([1; 32], now + Duration::from_secs(60)));
        assert!(keys.accept([2; 32], now));
        keys.forget(&[1; 32]);
        assert!(!keys.contains(&[1; 32]) && keys.contains(&[2; 32]));
    }
}

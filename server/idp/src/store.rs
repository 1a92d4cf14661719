//! A bounded map with expiring entries, used for all of the provider's memory.

use std::{collections::HashMap, hash::Hash};

struct Entry<V> {
    value: V,
    expires: i64,
}

/// A map of at most `capacity` entries. A full map removes expired entries, then those that expire first.
pub(crate) struct Store<K, V> {
    entries: HashMap<K, Entry<V>>,
    capacity: usize,
}

impl<K: Hash + Eq + Clone, V> Store<K, V> {
    /// An empty map for at most `capacity` entries.
    pub(crate) fn new(capacity: usize) -> Self {
        Self { entries: HashMap::new(), capacity }
    }

    /// Stores a value until `expires` (Unix seconds, exclusive).
    pub(crate) fn insert(&mut self, key: K, value: V, expires: i64, now: i64) {
        if self.entries.len() >= self.capacity && !self.entries.contains_key(&key) {
            self.make_room(now);
        }
        self.entries.insert(key, Entry { value, expires });
    }

    /// The live value of a key.
    pub(crate) fn get(&self, key: &K, now: i64) -> Option<&V> {
        self.entries.get(key).filter(|entry| now < entry.expires).map(|entry| &entry.value)
    }

    /// The live value of a key, to change it.
    pub(crate) fn get_mut(&mut self, key: &K, now: i64) -> Option<&mut V> {
        self.entries.get_mut(key).filter(|entry| now < entry.expires).map(|entry| &mut entry.value)
    }

    /// Moves the expiry of an entry, if there is one.
    pub(crate) fn expire_at(&mut self, key: &K, expires: i64) {
        if let Some(entry) = self.entries.get_mut(key) {
            entry.expires = expires;
        }
    }

    /// When the entry of a key expires.
    pub(crate) fn expiry(&self, key: &K, now: i64) -> Option<i64> {
        self.entries.get(key).map(|entry| entry.expires).filter(|expires| now < *expires)
    }

    /// All live values.
    pub(crate) fn values(&self, now: i64) -> impl Iterator<Item = &V> {
        self.entries.values().filter(move |entry| now < entry.expires).map(|entry| &entry.value)
    }

    /// Removes and returns the unexpired value of a key.
    pub(crate) fn remove(&mut self, key: &K, now: i64) -> Option<V> {
        self.entries.remove(key).filter(|entry| now < entry.expires).map(|entry| entry.value)
    }

    /// Drops every entry that does not satisfy the condition.
    pub(crate) fn retain(&mut self, keep: impl Fn(&V) -> bool) {
        self.entries.retain(|_, entry| keep(&entry.value));
    }

    fn make_room(&mut self, now: i64) {
        self.entries.retain(|_, entry| now < entry.expires);
        while self.entries.len() >= self.capacity {
            let first = self.entries.iter().min_by_key(|(_, entry)| entry.expires).map(|(key, _)| key.clone());
            let Some(first) = first else { return };
            self.entries.remove(&first);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_gone_when_its_time_has_come() {
        let mut store = Store::new(2);
        store.insert("a", 1, 10, 0);
        assert_eq!(store.get(&"a", 9), Some(&1));
        assert_eq!(store.get(&"a", 10), None);
        assert_eq!(store.remove(&"a", 10), None);
    }

    #[test]
    fn a_full_store_drops_the_entry_that_expires_first() {
        let mut store = Store::new(2);
        store.insert("late", 1, 30, 0);
        store.insert("early", 2, 20, 0);
        store.insert("new", 3, 40, 0);
        assert_eq!(store.get(&"early", 0), None);
        assert_eq!(store.get(&"late", 0), Some(&1));
        assert_eq!(store.get(&"new", 0), Some(&3));
    }

    #[test]
    fn a_full_store_drops_expired_entries_before_live_ones() {
        let mut store = Store::new(2);
        store.insert("expired", 1, 5, 0);
        store.insert("live", 2, 20, 0);
        store.insert("new", 3, 30, 6);
        assert_eq!(store.get(&"live", 6), Some(&2));
        assert_eq!(store.get(&"new", 6), Some(&3));
    }
}

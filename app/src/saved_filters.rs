//! Named filters of a list, stored in this browser for the signed-in user.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{session::Session, storage};

/// Maximum filters of one list; the oldest are removed.
const MAX_FILTERS: usize = 20;

/// Filters with their name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedFilter {
    /// The user's name for them.
    pub name: String,
    /// The filters as the query string of the list's address.
    pub query: String,
}

/// The saved filters of one list.
#[derive(Debug, Clone, Copy)]
pub struct SavedFilters {
    key: StoredValue<String>,
    all: RwSignal<Vec<SavedFilter>>,
}

impl SavedFilters {
    /// The signed-in user's filters of `list`, a name that no other list of the console has.
    pub fn of(list: &'static str) -> Self {
        let key = format!("svc_filters:{}:{list}", Session::get().username());
        let stored = storage::read(storage::local(), &key);
        let all = stored.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        Self { key: StoredValue::new(key), all: RwSignal::new(all) }
    }

    /// All of them, the one saved last at the end; tracked.
    pub fn all(self) -> Vec<SavedFilter> {
        self.all.get()
    }

    /// Whether filters are saved already, tracked.
    pub fn knows(self, query: &str) -> bool {
        self.all.with(|all| all.iter().any(|saved| saved.query == query))
    }

    /// Stores filters under a name and replaces those with the same name.
    pub fn save(self, name: &str, query: String) {
        self.change(|all| {
            all.retain(|saved| saved.name != name);
            all.push(SavedFilter { name: name.to_owned(), query });
            let surplus = all.len().saturating_sub(MAX_FILTERS);
            all.drain(..surplus);
        });
    }

    /// Removes the filters of this name.
    pub fn remove(self, name: &str) {
        self.change(|all| all.retain(|saved| saved.name != name));
    }

    fn change(self, change: impl FnOnce(&mut Vec<SavedFilter>)) {
        self.all.update(change);
        let text = self.all.with_untracked(|all| serde_json::to_string(all).unwrap_or_default());
        self.key.with_value(|key| storage::put(storage::local(), key, &text));
    }
}

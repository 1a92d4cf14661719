//! The browser's storages, for choices and for the sign-in under way; never for tokens. A browser that
//! refuses storage is served without.

use leptos::prelude::window;
use web_sys::Storage;

/// What survives the browser's restart: theme and language.
pub(crate) fn local() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// What lives as long as the tab: the sign-in under way.
pub(crate) fn session() -> Option<Storage> {
    window().session_storage().ok().flatten()
}

/// Reads `key` and removes it.
pub(crate) fn take(storage: Option<Storage>, key: &str) -> Option<String> {
    let storage = storage?;
    let value = storage.get_item(key).ok().flatten();
    let _ = storage.remove_item(key);
    value
}

/// Writes `key`; a full or refused storage is no error.
pub(crate) fn put(storage: Option<Storage>, key: &str, value: &str) {
    if let Some(storage) = storage {
        let _ = storage.set_item(key, value);
    }
}

pub(crate) fn read(storage: Option<Storage>, key: &str) -> Option<String> {
    storage?.get_item(key).ok().flatten()
}

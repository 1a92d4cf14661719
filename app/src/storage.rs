//! The browser's storages, for preferences and the pending sign-in; never for tokens. Everything works without them
//! when the browser refuses storage.

use leptos::prelude::window;
use web_sys::Storage;

/// Storage that survives a restart of the browser, for theme and language.
pub(crate) fn local() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// Storage of the tab, for the pending sign-in.
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

//! The access token of this page, in memory only: a reload loses it.

use std::cell::RefCell;

thread_local! {
    static TOKEN: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// The access token, when somebody is signed in.
pub(crate) fn current() -> Option<String> {
    TOKEN.with_borrow(Clone::clone)
}

#[cfg(feature = "csr")]
pub(crate) fn set(token: Option<String>) {
    TOKEN.set(token);
}

//! The pending sign-in, stored in the tab's session storage while the browser is at the provider.

use crate::storage;

/// The values that the response must match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pending {
    /// Returned by the provider as it is.
    pub(super) state: String,
    /// Returned inside the ID token.
    pub(super) nonce: String,
    /// Proves that the code is ours.
    pub(super) verifier: String,
    /// The path, query and fragment to go on at.
    pub(super) path: String,
    /// Whether the provider was asked without showing a page.
    pub(super) silent: bool,
}

impl Pending {
    /// One value per line: no value contains a line break.
    fn text(&self) -> String {
        let silent = if self.silent { "silent" } else { "" };
        [&self.state, &self.nonce, &self.verifier, silent, &self.path].join("\n")
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.split('\n').map(str::to_owned);
        let (state, nonce, verifier) = (lines.next()?, lines.next()?, lines.next()?);
        Some(Self { state, nonce, verifier, silent: lines.next()? == "silent", path: lines.next()? })
    }
}

fn key(realm: &str) -> String {
    format!("svc_sign_in:{realm}")
}

/// Stores the pending sign-in.
pub(super) fn keep(realm: &str, pending: &Pending) {
    storage::put(storage::session(), &key(realm), &pending.text());
}

/// Returns and removes the pending sign-in.
pub(super) fn take(realm: &str) -> Option<Pending> {
    Pending::parse(&storage::take(storage::session(), &key(realm))?)
}

fn sign_out_key(realm: &str) -> String {
    format!("svc_signed_out:{realm}")
}

/// Remembers over the way to the provider that the user signed out on purpose.
pub(super) fn record_sign_out(realm: &str) {
    storage::put(storage::session(), &sign_out_key(realm), "1");
}

/// Whether the user has just signed out on purpose.
pub(super) fn take_sign_out(realm: &str) -> bool {
    storage::take(storage::session(), &sign_out_key(realm)).is_some()
}

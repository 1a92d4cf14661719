//! The provider's code, from its arrival until tokens are fetched for it.

use std::cell::RefCell;

/// The provider's code with the data of the pending sign-in.
pub(super) struct Grant {
    /// The authorization code: it can be exchanged for tokens once.
    pub(super) code: String,
    /// Proves that the code is ours.
    pub(super) verifier: String,
    /// The nonce that the ID token must contain.
    pub(super) nonce: String,
}

thread_local! {
    static GRANT: RefCell<Option<Grant>> = const { RefCell::new(None) };
}

/// Leaves a grant to be redeemed.
pub(super) fn expect(grant: Grant) {
    GRANT.set(Some(grant));
}

/// The grant that was left, once.
pub(super) fn take() -> Option<Grant> {
    GRANT.take()
}

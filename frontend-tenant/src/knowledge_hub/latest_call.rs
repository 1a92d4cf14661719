//! Cancels a search as soon as the next one begins, so that the server does not go on with it.

use leptos::prelude::*;
use web_sys::{AbortController, AbortSignal};

/// The call that is under way.
#[derive(Clone, Copy)]
pub(super) struct LatestCall(StoredValue<Option<AbortController>, LocalStorage>);

impl LatestCall {
    /// Cancels the last call when the page is left.
    pub(super) fn new() -> Self {
        let latest = Self(StoredValue::new_local(None));
        on_cleanup(move || latest.cancel());
        latest
    }

    /// Cancels the former call, and returns the signal that cancels the next one.
    pub(super) fn begin(self) -> Option<AbortSignal> {
        self.cancel();
        let controller = AbortController::new().ok();
        let signal = controller.as_ref().map(AbortController::signal);
        let _ = self.0.try_set_value(controller);
        signal
    }

    fn cancel(self) {
        if let Some(controller) = self.0.try_get_value().flatten() {
            controller.abort();
        }
    }
}

//! Opens the form for something new through the URL.

use app::list_url::ListUrl;
use leptos::prelude::*;

use crate::paths::CREATE;

/// Opens the form when the URL requests it, and removes the request from the URL so that a reload does not open it
/// again.
pub(crate) fn open_when_asked(list: ListUrl, form: RwSignal<bool>) {
    Effect::new(move |_| {
        if !list.value(CREATE).is_empty() {
            form.set(true);
            list.replace(&[(CREATE, "")]);
        }
    });
}

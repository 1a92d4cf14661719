//! Lists whose form of something new can be opened by an address.

use app::list_url::ListUrl;
use leptos::prelude::*;

use crate::paths::CREATE;

/// Opens the form when the address asks for it, and takes that out of the address: a reload does not open it again.
pub(crate) fn open_when_asked(list: ListUrl, form: RwSignal<bool>) {
    Effect::new(move |_| {
        if !list.value(CREATE).is_empty() {
            form.set(true);
            list.replace(&[(CREATE, "")]);
        }
    });
}

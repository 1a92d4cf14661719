//! The filter of lists whose entries can be resolved: open, resolved, or both.

use app::{list_url::ListUrl, ui::Select};
use leptos::prelude::*;

use crate::texts::faq as texts;

/// The filter's name in the address.
pub(super) const KEY: &str = "handled";

/// The filter in the URL, tracked.
pub(super) fn from_url(url: ListUrl) -> Option<bool> {
    match url.value(KEY).as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// Like [`wanted`], for a list that shows open entries by default, tracked.
pub(super) fn wanted_open(url: ListUrl) -> Option<bool> {
    match url.value(KEY).as_str() {
        "" => Some(false),
        _ => from_url(url),
    }
}

/// The filter as a select; its value is in the URL.
#[component]
pub(super) fn HandledFilter(
    url: ListUrl,
    /// Whether the list shows open entries by default.
    #[prop(optional)]
    open_first: bool,
) -> impl IntoView {
    let (all, open) = if open_first { ("all", "") } else { ("", "false") };
    let mut options = [(all, texts::STATE_ALL), (open, texts::STATE_OPEN), ("true", texts::STATE_HANDLED)];
    if open_first {
        options.swap(0, 1);
    }
    view! {
        <Select
            label=texts::STATE
            hide_label=true
            value=url.signal(KEY)
            options=options.map(|(value, text)| (value.to_owned(), text.into())).to_vec()
            on_change=move |value: String| url.filter(KEY, &value)
        />
    }
}

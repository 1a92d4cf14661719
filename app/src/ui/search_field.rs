//! The search field of a list. It reports the text after a short pause; `/` focuses it.

use std::time::Duration;

use leptos::{ev, html, leptos_dom::helpers::TimeoutHandle, prelude::*};
use wasm_bindgen::JsCast;

use super::{Icon, IconName};
use crate::i18n::Localized;

/// How long typing pauses before the search runs.
const SEARCH_DELAY: Duration = Duration::from_millis(250);

/// The search of a list; one a page.
#[component]
pub fn SearchField(
    /// Shown in the empty field and read by screen readers.
    #[prop(into)]
    label: Localized,
    /// The text that the list is filtered by.
    #[prop(into)]
    value: Signal<String>,
    /// Called with the text after a pause in typing.
    #[prop(into)]
    on_search: Callback<String>,
) -> impl IntoView {
    let input = NodeRef::<html::Input>::new();
    let timer = StoredValue::<Option<TimeoutHandle>>::new(None);
    let typed = move |event: ev::Event| {
        let text = event_target_value(&event);
        if let Some(old) = timer.get_value() {
            old.clear();
        }
        let search = move || {
            timer.set_value(None);
            on_search.run(text);
        };
        timer.set_value(set_timeout_with_handle(search, SEARCH_DELAY).ok());
    };
    // The list's search is trimmed and lags behind the typed text: do not overwrite it.
    Effect::new(move |_| {
        let value = value.get();
        let Some(input) = input.get() else { return };
        if timer.with_value(Option::is_none) && input.value().trim() != value {
            input.set_value(&value);
        }
    });
    focus_by_slash(input);
    on_cleanup(move || {
        if let Some(Some(timer)) = timer.try_get_value() {
            timer.clear();
        }
    });
    view! {
        <div class="ui-search" role="search">
            <Icon name=IconName::Search class="ui-search__icon" />
            <input
                class="ui-input ui-search__input"
                type="search"
                node_ref=input
                placeholder=label.clone()
                aria-label=label
                aria-keyshortcuts="/"
                autocomplete="off"
                maxlength="200"
                on:input=typed
            />
            <kbd class="ui-search__key" aria-hidden="true">"/"</kbd>
        </div>
    }
}

/// Focuses the field when `/` is pressed elsewhere.
fn focus_by_slash(input: NodeRef<html::Input>) {
    let shortcut = window_event_listener(ev::keydown, move |event| {
        let is_shortcut = event.key() == "/" && !event.ctrl_key() && !event.meta_key() && !event.alt_key();
        if let (true, Some(input)) = (is_shortcut && !is_typing(), input.get_untracked()) {
            event.prevent_default();
            let _ = input.focus();
            input.select();
        }
    });
    on_cleanup(move || shortcut.remove());
}

/// Whether a key belongs to a field or an open dialog.
pub fn is_typing() -> bool {
    let Some(active) = document().active_element() else { return false };
    let in_field = matches!(active.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT");
    in_field
        || active.unchecked_ref::<web_sys::HtmlElement>().is_content_editable()
        || document().query_selector("dialog[open]").is_ok_and(|dialog| dialog.is_some())
}

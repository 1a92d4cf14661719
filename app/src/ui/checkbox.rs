//! A checkbox whose value is saved with its form, or with its change.

use leptos::{ev::MouseEvent, prelude::*};

use crate::i18n::Localized;

/// A checkbox with its label.
#[component]
pub fn Checkbox(
    /// Shown next to the box.
    #[prop(into)]
    label: Localized,
    #[prop(into)] checked: Signal<bool>,
    #[prop(into)] on_change: Callback<bool>,
    #[prop(optional, into)] disabled: Signal<bool>,
    /// A change is in progress: the checkbox does not react, and keeps the focus.
    #[prop(optional, into)]
    busy: Signal<bool>,
) -> impl IntoView {
    view! {
        <label class="ui-checkbox">
            <input
                class="ui-checkbox__input"
                type="checkbox"
                disabled=disabled
                aria-busy=move || busy.get().then_some("true")
                on:click=ignored_while(busy)
                prop:checked=move || checked.get()
                on:change=move |event| on_change.run(event_target_checked(&event))
            />
            <span class="ui-checkbox__label">{label}</span>
        </label>
    }
}

/// A click handler that keeps the value while a change is in progress.
pub(super) fn ignored_while(busy: Signal<bool>) -> impl Fn(MouseEvent) + 'static {
    move |event| {
        if busy.get_untracked() {
            event.prevent_default();
        }
    }
}

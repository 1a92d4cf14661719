//! A switch whose change takes effect immediately.

use leptos::prelude::*;

use super::checkbox::ignored_while;
use crate::i18n::Localized;

/// A switch with its label.
#[component]
pub fn Switch(
    /// Shown next to the switch.
    #[prop(into)]
    label: Localized,
    #[prop(into)] checked: Signal<bool>,
    #[prop(into)] on_change: Callback<bool>,
    #[prop(optional, into)] disabled: Signal<bool>,
    /// A change is in progress: the switch does not react, and keeps the focus.
    #[prop(optional, into)]
    busy: Signal<bool>,
) -> impl IntoView {
    view! {
        <label class="ui-switch">
            <input
                class="ui-switch__input"
                type="checkbox"
                role="switch"
                disabled=disabled
                aria-busy=move || busy.get().then_some("true")
                on:click=ignored_while(busy)
                prop:checked=move || checked.get()
                on:change=move |event| on_change.run(event_target_checked(&event))
            />
            <span class="ui-switch__track" aria-hidden="true"></span>
            <span class="ui-switch__label">{label}</span>
        </label>
    }
}

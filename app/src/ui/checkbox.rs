//! A checkbox whose value is saved with its form.

use leptos::prelude::*;

use crate::i18n::Localized;

/// A checkbox with its label.
#[component]
pub fn Checkbox(
    /// Shown next to the box.
    #[prop(into)]
    label: Localized,
    /// Whether it is checked.
    #[prop(into)]
    checked: Signal<bool>,
    /// Called on change.
    #[prop(into)]
    on_change: Callback<bool>,
    /// It cannot be changed.
    #[prop(optional, into)]
    disabled: Signal<bool>,
) -> impl IntoView {
    view! {
        <label class="ui-checkbox">
            <input
                class="ui-checkbox__input"
                type="checkbox"
                disabled=disabled
                prop:checked=move || checked.get()
                on:change=move |event| on_change.run(event_target_checked(&event))
            />
            <span class="ui-checkbox__label">{label}</span>
        </label>
    }
}

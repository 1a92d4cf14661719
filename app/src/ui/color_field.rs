//! A colour as `#rrggbb`, picked or typed; empty means not set.

use leptos::prelude::*;

use super::field_shell::{FieldShell, Ids};
use crate::{
    form::Field,
    i18n::{Localized, texts},
};

/// A colour, picked or typed.
#[component]
pub fn ColorField(
    /// Shown above the field.
    #[prop(into)]
    label: Localized,
    /// `#rrggbb`, or empty for not set, and its error.
    field: Field,
    /// A hint on how to choose it.
    #[prop(optional, into)]
    hint: Localized,
    #[prop(optional, into)] disabled: Signal<bool>,
) -> impl IntoView {
    let ids = Ids::new();
    let described_by = ids.described_by(field, !hint.is_empty());
    let id = ids.control.clone();
    let pick_label = texts::COLOUR_OF.with_localized([label.clone()]);
    let is_set = move || is_color(&field.get());
    let swatch = move || if is_set() { field.get() } else { "#ffffff".to_owned() };
    view! {
        <FieldShell field ids label hint optional=true>
            <div class="ui-color" class=("ui-color--empty", move || !is_set())>
            <input
                class="ui-color__swatch"
                type="color"
                aria-label=pick_label
                disabled=disabled
                prop:value=swatch
                on:input=move |event| field.set(event_target_value(&event))
            />
            <input
                class="ui-input ui-input--mono"
                id=id
                name=field.name()
                type="text"
                maxlength="7"
                placeholder="#1d4ed8"
                autocomplete="off"
                spellcheck="false"
                disabled=disabled
                aria-invalid=move || field.error().map(|_| "true")
                aria-describedby=described_by
                prop:value=move || field.get()
                on:input=move |event| field.set(event_target_value(&event))
            />
            </div>
        </FieldShell>
    }
}

fn is_color(text: &str) -> bool {
    text.len() == 7 && text.starts_with('#') && text[1..].bytes().all(|byte| byte.is_ascii_hexdigit())
}

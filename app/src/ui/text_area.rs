//! A multi-line text field.

use leptos::prelude::*;

use super::field_shell::{FieldShell, Ids};
use crate::{form::Field, i18n::Localized};

/// A field for several lines of text.
#[component]
pub fn TextArea(
    /// Shown above the field.
    #[prop(into)]
    label: Localized,
    field: Field,
    /// Help for the field; none when empty.
    #[prop(optional, into)]
    hint: Localized,
    /// Whether it may stay empty.
    #[prop(optional)]
    optional: bool,
    /// Lines that it shows.
    #[prop(default = 4)]
    rows: u32,
    /// Monospaced, for code.
    #[prop(optional)]
    mono: bool,
    /// A dialog opens with the focus here instead of in its first field.
    #[prop(optional)]
    autofocus: bool,
    #[prop(optional, into)] disabled: Signal<bool>,
) -> impl IntoView {
    let ids = Ids::new();
    let described_by = ids.described_by(field, !hint.is_empty());
    let id = ids.control.clone();
    view! {
        <FieldShell field ids label hint optional>
            <textarea
                class="ui-input ui-input--area"
                class=("ui-input--mono", mono)
                id=id
                name=field.name()
                rows=rows.to_string()
                disabled=disabled
                autofocus=autofocus
                aria-required=(!optional).then_some("true")
                aria-invalid=move || field.error().map(|_| "true")
                aria-describedby=described_by
                prop:value=move || field.get()
                on:input=move |event| field.set(event_target_value(&event))
            ></textarea>
        </FieldShell>
    }
}

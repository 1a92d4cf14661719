//! A single-line text field.

use leptos::prelude::*;

use super::field_shell::{FieldShell, Ids};
use crate::{form::Field, i18n::Localized};

/// A field for one line of text.
#[component]
pub fn TextField(
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
    /// The type of the input: `text`, `url`, `number`.
    #[prop(default = "text")]
    input_type: &'static str,
    /// A text before the input, for example the start of an address.
    #[prop(optional, into)]
    prefix: String,
    /// An example.
    #[prop(optional, into)]
    placeholder: Localized,
    /// Monospaced, for ids, addresses and code.
    #[prop(optional)]
    mono: bool,
    /// The id of a `datalist` with values to choose from.
    #[prop(optional)]
    offers: Option<&'static str>,
    #[prop(optional, into)] disabled: Signal<bool>,
    /// Called with the typed text after the field was updated.
    #[prop(optional, into)]
    on_input: Option<Callback<String>>,
) -> impl IntoView {
    let ids = Ids::new();
    let (id, described_by) = (ids.control.clone(), ids.described_by(field, !hint.is_empty()));
    let input = move |event: leptos::ev::Event| accept(event_target_value(&event), field, on_input);
    view! {
        <FieldShell field ids label hint optional>
            {(!prefix.is_empty()).then(|| view! { <span class="ui-field__prefix">{prefix}</span> })}
            <input
                class="ui-input"
                class=("ui-input--mono", mono)
                id=id
                name=field.name()
                type=input_type
                placeholder=placeholder
                list=offers
                autocomplete="off"
                spellcheck=mono.then_some("false")
                disabled=disabled
                aria-required=(!optional).then_some("true")
                aria-invalid=move || field.error().map(|_| "true")
                aria-describedby=described_by
                prop:value=move || field.get()
                on:input=input
            />
        </FieldShell>
    }
}

/// Puts typed text into the field and reports it.
fn accept(typed: String, field: Field, on_input: Option<Callback<String>>) {
    field.set(typed.clone());
    if let Some(on_input) = on_input {
        on_input.run(typed);
    }
}

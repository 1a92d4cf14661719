//! A choice between a few options.

use leptos::prelude::*;

use super::{Icon, IconName, unique_id};
use crate::i18n::Localized;

/// Values with their texts under a heading.
pub type OptionGroup = (Localized, Vec<(String, Localized)>);

/// A choice of one out of a few, as the browser's own list.
#[component]
pub fn Select(
    /// Shown above the list.
    #[prop(into)]
    label: Localized,
    #[prop(into)] value: Signal<String>,
    /// Values with their texts.
    options: Vec<(String, Localized)>,
    /// Further values in groups, below the others.
    #[prop(optional)]
    groups: Vec<OptionGroup>,
    #[prop(into)] on_change: Callback<String>,
    /// The label is for screen readers only.
    #[prop(optional)]
    hide_label: bool,
    /// Smaller, for bars.
    #[prop(optional)]
    small: bool,
    #[prop(optional, into)] disabled: Signal<bool>,
) -> impl IntoView {
    let id = unique_id("select");
    let label_class = if hide_label { "ui-visually-hidden" } else { "ui-field__label" };
    let options = entries(value, options);
    let groups: Vec<_> = groups
        .into_iter()
        .map(|(label, options)| view! { <optgroup label=label>{entries(value, options)}</optgroup> })
        .collect();
    view! {
        <div class="ui-field" class=("ui-field--inline", hide_label)>
            <label class=label_class for=id.clone()>{label}</label>
            <div class="ui-select" class=("ui-select--small", small)>
                <select
                    class="ui-select__control"
                    id=id
                    disabled=disabled
                    prop:value=move || value.get()
                    on:change=move |event| on_change.run(event_target_value(&event))
                >
                    {options}
                    {groups}
                </select>
                <Icon name=IconName::ChevronDown class="ui-select__arrow" />
            </div>
        </div>
    }
}

fn entries(value: Signal<String>, options: Vec<(String, Localized)>) -> Vec<impl IntoView> {
    options
        .into_iter()
        .map(|(key, text)| {
            let own = key.clone();
            view! { <option value=key selected=move || value.get() == own>{text}</option> }
        })
        .collect()
}

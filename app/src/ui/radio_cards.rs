//! A choice between a few options with a sentence each.

use leptos::prelude::*;

use super::unique_id;
use crate::i18n::Localized;

/// An option with its explanation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Tells the option from the others.
    pub value: String,
    /// Its name.
    pub title: Localized,
    /// Its explanation; may be empty.
    pub text: Localized,
}

/// Cards of which one is chosen.
#[component]
pub fn RadioCards(
    #[prop(into)] legend: Localized,
    /// The options, in the order they are shown.
    choices: Vec<Choice>,
    #[prop(into)] value: Signal<String>,
    #[prop(into)] on_change: Callback<String>,
) -> impl IntoView {
    let name = unique_id("choice");
    let cards: Vec<_> = choices
        .into_iter()
        .map(|choice| {
            let (own, chosen) = (choice.value.clone(), choice.value.clone());
            let text = Some(choice.text).filter(|text| !text.is_empty());
            view! {
                <label class="ui-choice">
                    <input
                        class="ui-choice__input"
                        type="radio"
                        name=name.clone()
                        value=choice.value
                        prop:checked=move || value.get() == own
                        on:change=move |_| on_change.run(chosen.clone())
                    />
                    <span class="ui-choice__body">
                        <span class="ui-choice__title">{choice.title}</span>
                        {text.map(|text| view! { <span class="ui-choice__text">{text}</span> })}
                    </span>
                </label>
            }
        })
        .collect();
    view! {
        <fieldset class="ui-choices">
            <legend class="ui-field__label">{legend}</legend>
            {cards}
        </fieldset>
    }
}

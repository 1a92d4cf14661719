//! Terms with their values, for the fields of one thing.

use leptos::prelude::*;

use crate::i18n::Localized;

/// Terms with their values; children are [`DefinitionItem`]s.
#[component]
pub fn DefinitionList(
    /// Terms above their values.
    #[prop(optional)]
    stacked: bool,
    children: Children,
) -> impl IntoView {
    view! { <dl class="ui-definitions" class=("ui-definitions--stacked", stacked)>{children()}</dl> }
}

/// One term with its value.
#[component]
pub fn DefinitionItem(
    /// Names the value.
    #[prop(into)]
    term: Localized,
    /// Its value.
    children: Children,
) -> impl IntoView {
    view! {
        <div class="ui-definitions__item">
            <dt class="ui-definitions__term">{term}</dt>
            <dd class="ui-definitions__value">{children()}</dd>
        </div>
    }
}

//! A spinner for work of unknown length.

use leptos::prelude::*;

use crate::i18n::Localized;

/// A turning circle; its label is for screen readers.
#[component]
pub fn Spinner(
    /// What is awaited, for screen readers.
    #[prop(into)]
    label: Localized,
    /// Bigger, for a whole page.
    #[prop(optional)]
    large: bool,
) -> impl IntoView {
    view! {
        <span class="ui-spinner" class=("ui-spinner--large", large) role="status">
            <span class="ui-visually-hidden">{label}</span>
        </span>
    }
}

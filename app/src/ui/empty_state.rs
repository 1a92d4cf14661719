//! A placeholder for an empty list: why it is empty, and what to do.

use leptos::prelude::*;

use super::{Icon, IconName};
use crate::i18n::Localized;

/// A placeholder for an empty list. Children are its buttons.
#[component]
pub fn EmptyState(
    /// An icon for what is missing.
    icon: IconName,
    /// What is missing, in a few words.
    #[prop(into)]
    title: Localized,
    #[prop(into)] text: Localized,
    /// Lower, inside a card.
    #[prop(optional)]
    compact: bool,
    /// Buttons.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    view! {
        <div class="ui-empty" class=("ui-empty--compact", compact)>
            <div class="ui-empty__icon"><Icon name=icon /></div>
            <p class="ui-empty__title">{title}</p>
            <p class="ui-empty__text">{text}</p>
            {children.map(|children| view! { <div class="ui-empty__actions">{children()}</div> })}
        </div>
    }
}

//! What stands where nothing is yet: why, and what to do.

use leptos::prelude::*;

use super::{Icon, IconName};
use crate::i18n::Localized;

/// What stands where nothing is yet. Children are its buttons.
#[component]
pub fn EmptyState(
    /// An icon for what is missing.
    icon: IconName,
    /// What is missing.
    #[prop(into)]
    title: Localized,
    /// What to do about it.
    #[prop(into)]
    text: Localized,
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

//! A framed part of a page.

use leptos::prelude::*;

use crate::i18n::Localized;

/// A framed part of a page, with an optional title.
#[component]
pub fn Card(
    /// The heading; none when empty.
    #[prop(optional, into)]
    title: Localized,
    /// Buttons next to the title.
    #[prop(optional, into)]
    actions: ViewFnOnce,
    /// Without padding, for tables.
    #[prop(optional)]
    flush: bool,
    /// Less prominent than other cards.
    #[prop(optional)]
    subtle: bool,
    children: Children,
) -> impl IntoView {
    let class = match (flush, subtle) {
        (true, _) => "ui-card ui-card--flush",
        (false, true) => "ui-card ui-card--subtle",
        (false, false) => "ui-card",
    };
    let header = (!title.is_empty()).then(|| {
        view! {
            <header class="ui-card__header">
                <h2 class="ui-card__title">{title}</h2>
                <div class="ui-card__actions">{actions.run()}</div>
            </header>
        }
    });
    view! {
        <section class=class>
            {header}
            <div class="ui-card__body">{children()}</div>
        </section>
    }
}

//! One figure of an overview.

use leptos::{either::Either, prelude::*};

use super::{Icon, IconName, Tone};
use crate::i18n::Localized;

/// One figure; with `href` a link to what it counts.
#[component]
pub fn StatCard(
    /// What the figure counts.
    #[prop(into)]
    label: Localized,
    /// The figure, formatted.
    #[prop(into)]
    value: Localized,
    /// An icon for what is counted.
    icon: IconName,
    /// The list of the counted things.
    #[prop(optional, into)]
    href: Option<String>,
    /// Whether it is the one of several links that is chosen; the page stays where it is scrolled to.
    #[prop(optional)]
    chosen: Option<bool>,
    /// The meaning of the figure.
    #[prop(optional)]
    tone: Tone,
    /// A word about the period or the meaning.
    #[prop(optional, into)]
    hint: Localized,
) -> impl IntoView {
    let class = format!("ui-stat ui-stat--{}", tone.as_str());
    let body = view! {
        <span class="ui-stat__icon"><Icon name=icon /></span>
        <span class="ui-stat__label">{label}</span>
        <span class="ui-stat__value">{value}</span>
        {(!hint.is_empty()).then(|| view! { <span class="ui-stat__hint">{hint}</span> })}
    };
    match href {
        Some(href) => Either::Left(view! {
            <a class=class href=href data-noscroll=chosen.is_some() aria-current=(chosen == Some(true)).then_some("true")>{body}</a>
        }),
        None => Either::Right(view! { <div class=class>{body}</div> }),
    }
}

//! The pages of one thing, as links that look like tabs.

use leptos::prelude::*;

/// One page of a thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionLink {
    /// Where it leads.
    pub href: String,
    /// The page's name.
    pub label: String,
    /// Whether it is the page that is shown.
    pub is_current: bool,
}

/// Links between the pages of one thing; they scroll sideways where they do not fit.
#[component]
pub fn SectionNav(
    /// What the pages are about.
    #[prop(into)]
    label: String,
    /// The pages.
    links: Vec<SectionLink>,
) -> impl IntoView {
    let links: Vec<_> = links
        .into_iter()
        .map(|link| {
            view! {
                <a class="ui-tabs__tab" href=link.href aria-current=link.is_current.then_some("page")>{link.label}</a>
            }
        })
        .collect();
    view! { <nav class="ui-tabs" aria-label=label>{links}</nav> }
}

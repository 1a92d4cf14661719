//! A link in running text or a table.

use leptos::prelude::*;

use super::{Icon, IconName};

/// A link. External ones open in a new tab without referrer.
#[component]
pub fn Link(
    #[prop(into)] href: String,
    /// Leads to another site.
    #[prop(optional)]
    external: bool,
    /// Underlined on hover only.
    #[prop(optional)]
    quiet: bool,
    children: Children,
) -> impl IntoView {
    let class = match (external, quiet) {
        (true, _) => "ui-link ui-link--external",
        (false, true) => "ui-link ui-link--quiet",
        (false, false) => "ui-link",
    };
    view! {
        <a class=class href=href target=external.then_some("_blank") rel=external.then_some("noopener noreferrer")>
            {children()}
            {external.then(|| view! { <Icon name=IconName::External /> })}
        </a>
    }
}

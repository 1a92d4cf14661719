//! The head of a page: breadcrumbs, title, actions. It also sets the title of the browser tab.

use leptos::prelude::*;

use super::{Breadcrumbs, Crumb};
use crate::{console, i18n::Localized};

/// The head of a page. Children are its buttons.
#[component]
pub fn PageHeader(
    /// The page's title, in the browser's tab too.
    #[prop(into)]
    title: Localized,
    /// The purpose of the page.
    #[prop(optional, into)]
    subtitle: Localized,
    /// The pages above this one.
    #[prop(optional)]
    crumbs: Vec<Crumb>,
    /// Buttons.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    console::name_tab(title.clone());
    view! {
        <header class="ui-page-header">
            {(!crumbs.is_empty()).then(|| view! { <Breadcrumbs crumbs /> })}
            <div class="ui-page-header__row">
                <div class="ui-page-header__text">
                    <h1 class="ui-page-header__title">{title}</h1>
                    {(!subtitle.is_empty()).then(|| view! { <p class="ui-page-header__subtitle">{subtitle}</p> })}
                </div>
                {children.map(|children| view! { <div class="ui-page-header__actions">{children()}</div> })}
            </div>
        </header>
    }
}

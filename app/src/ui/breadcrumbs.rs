//! The path from the start page to this one.

use leptos::{either::Either, prelude::*};

use crate::i18n::{Localized, Text};

const LABEL: Text = Text::new("You are here", "Sie sind hier");

/// One step of the way; the last one has no address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crumb {
    /// The page's name.
    pub label: Localized,
    /// Its address.
    pub href: Option<String>,
}

impl Crumb {
    /// A page on the way.
    pub fn link(label: impl Into<Localized>, href: impl Into<String>) -> Self {
        Self { label: label.into(), href: Some(href.into()) }
    }

    /// This page.
    pub fn here(label: impl Into<Localized>) -> Self {
        Self { label: label.into(), href: None }
    }
}

/// The way from the first page to this one.
#[component]
pub fn Breadcrumbs(
    /// The pages on the way, from the top; the last one is the current page.
    crumbs: Vec<Crumb>,
) -> impl IntoView {
    let items: Vec<_> = crumbs
        .into_iter()
        .map(|crumb| {
            let label = crumb.label;
            let body = match crumb.href {
                Some(href) => Either::Left(view! { <a class="ui-link ui-link--quiet" href=href>{label}</a> }),
                None => Either::Right(view! { <span aria-current="page">{label}</span> }),
            };
            view! { <li class="ui-crumbs__item">{body}</li> }
        })
        .collect();
    view! {
        <nav class="ui-crumbs" aria-label=LABEL.t()>
            <ol class="ui-crumbs__list">{items}</ol>
        </nav>
    }
}

//! The head of the hub's pages, with the navigation between them.

use app::{
    i18n::{Localized, Text},
    ui::{PageHeader, SectionLink, SectionNav},
};
use leptos::prelude::*;

use crate::{paths, texts::knowledge_hub as texts};

/// Title, and the pages of the hub.
#[component]
pub(super) fn Head(
    #[prop(into)] title: Localized,
    #[prop(optional, into)] subtitle: Localized,
    /// The address of the current page.
    #[prop(optional)]
    here: &'static str,
) -> impl IntoView {
    let link = |href: &str, label: Text| SectionLink {
        href: href.to_owned(),
        label: label.into(),
        is_current: href == here,
        open: None,
    };
    let links = vec![
        link(paths::KNOWLEDGE, texts::START),
        link(paths::KNOWLEDGE_SEARCH, texts::SEARCH_TITLE),
        link(paths::KNOWLEDGE_BOOKMARKS, texts::BOOKMARKS),
        link(paths::KNOWLEDGE_SAVED, texts::SAVED),
        link(paths::KNOWLEDGE_HISTORY, texts::HISTORY),
    ];
    view! {
        <PageHeader title subtitle />
        <SectionNav label=texts::SECTIONS links />
    }
}

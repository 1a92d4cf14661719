//! Links to searches, and the lists of links on the hub's start page.

use app::{i18n::Localized, ui::Link};
use leptos::prelude::*;
use leptos_router::params::ParamsMap;

use crate::{paths, texts::knowledge_hub as texts};

/// The address of a search for these words.
pub(super) fn search_for(words: &str) -> String {
    let mut query = ParamsMap::new();
    query.insert("q".to_owned(), words.to_owned());
    format!("{}{}", paths::KNOWLEDGE_SEARCH, query.to_query_string())
}

/// A list of links, or a text when there are none.
pub(super) fn list(links: Vec<(String, Localized)>, none: Localized, all: Option<&'static str>) -> AnyView {
    if links.is_empty() {
        return view! { <p class="ui-muted">{none}</p> }.into_any();
    }
    let links: Vec<_> =
        links.into_iter().map(|(href, text)| view! { <li class="ui-break"><Link href>{text}</Link></li> }).collect();
    view! {
        <ul class="ui-list ui-list--loose">{links}</ul>
        {all.map(|href| view! { <p class="ui-small"><Link href quiet=true>{texts::SHOW_ALL.t()}</Link></p> })}
    }
    .into_any()
}

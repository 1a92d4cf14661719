//! Redirects from former addresses of a chatbot's pages, with their filters.

use contract::ChatbotId;
use leptos::prelude::*;
use leptos_router::{
    NavigateOptions,
    hooks::{use_location, use_navigate, use_params_map},
};

use crate::{not_found::NotFoundPage, paths};

/// Redirects to the current address of the page.
#[component]
pub(crate) fn MovedPage() -> impl IntoView {
    let params = use_params_map();
    let place = use_location();
    let today = Memo::new(move |_| {
        params.with(|params| {
            let id = params.get("id")?.parse::<ChatbotId>().ok()?;
            paths::moved(id, params.get_str("former")?)
        })
    });
    let navigate = use_navigate();
    Effect::new(move |_| {
        if let Some(page) = today.get() {
            let query = place.search.get_untracked();
            let query = if query.is_empty() { query } else { format!("?{}", query.trim_start_matches('?')) };
            let options = NavigateOptions { resolve: false, replace: true, ..NavigateOptions::default() };
            navigate(&format!("{page}{query}"), options);
        }
    });
    move || today.with(Option::is_none).then(|| view! { <NotFoundPage /> })
}

//! The number of events per category, as tiles that filter the list.

use app::{
    format,
    i18n::{Localized, Text},
    list_url::ListUrl,
    ui::{IconName, StatCard, Tone},
};
use contract::output_filter::events::OutputFilterSummary;
use leptos::prelude::*;

use crate::texts::output_filter as texts;

/// The built-in categories and their names; others are shown unchanged.
const KNOWN: [(&str, Text); 4] = [
    ("pii", texts::PII),
    ("secret", texts::SECRET),
    ("prompt_injection", texts::PROMPT_INJECTION),
    ("system_prompt_leak", texts::SYSTEM_PROMPT_LEAK),
];

/// A category as people call it.
pub(super) fn name(category: &str) -> Localized {
    KNOWN.iter().find(|(code, _)| *code == category).map_or_else(|| category.into(), |(_, name)| (*name).into())
}

/// A tile for all events and one for each category.
#[component]
pub(super) fn Tiles(summary: OutputFilterSummary, list: ListUrl) -> impl IntoView {
    let OutputFilterSummary { total, is_complete, categories, watched } = summary;
    let watched: Vec<_> = watched.iter().map(|rule| (name(&rule.category), format::number(rule.count))).collect();
    let watched = (!watched.is_empty()).then(|| {
        let listed = move || {
            let counts = watched.iter().map(|(name, count)| format!("{} {}", name.get(), count.get()));
            counts.collect::<Vec<_>>().join(", ")
        };
        view! { <p class="ui-muted">{texts::WATCHED.t()} " " {listed}</p> }
    });
    let others = categories.iter().filter(|counted| KNOWN.iter().all(|(code, _)| *code != counted.category));
    let listed = KNOWN.iter().map(|(code, _)| {
        let count = categories.iter().find(|counted| counted.category == *code).map_or(0, |counted| counted.count);
        ((*code).to_owned(), count)
    });
    let tiles: Vec<_> = listed.chain(others.map(|counted| (counted.category.clone(), counted.count))).collect();
    let tile = move |label: Localized, category: String, count: i64| {
        let chosen = list.value("category") == category;
        let tone = if count > 0 && !category.is_empty() { Tone::Warning } else { Tone::Neutral };
        let icon = if category.is_empty() { IconName::Shield } else { IconName::Alert };
        let hint = if is_complete { Localized::default() } else { texts::NEWEST_COUNTED.into() };
        let href = list.url(&[("category", &category), ("cursor", "")]);
        view! { <StatCard label value=format::number(count) icon href chosen tone hint /> }
    };
    // Rebuilt when the URL changes, because the links keep its other values.
    let links = move || {
        let all = tile(texts::ALL_CATEGORIES.into(), String::new(), total);
        let rest = tiles.iter().map(|(category, count)| tile(name(category), category.clone(), *count)).collect_view();
        view! { <nav class="ui-grid ui-grid--cards ui-grid--five" aria-label=texts::CATEGORIES.t()>{all} {rest}</nav> }
    };
    view! { {links} {watched} }
}

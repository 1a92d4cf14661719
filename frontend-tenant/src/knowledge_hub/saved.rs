//! Saved searches with their new results.

use app::{
    api, format,
    i18n::texts as shared,
    page_task::spawn_on_page,
    resource::{Loaded, Resource},
    ui::{Badge, Card, EmptyState, IconButton, IconName, Link, SkeletonTable, ToastKind, Tone, toast, toast_problem},
};
use contract::{
    id::SavedSearchId,
    knowledge_hub::{
        DeleteSavedSearch, ListNewSearchResults, ListSavedSearches, RecordListQuery, SavedSearch, SearchFilters,
    },
    page::MAX_LIMIT,
};
use leptos::prelude::*;
use leptos_router::params::ParamsMap;

use super::sections::Head;
use crate::{paths, texts::knowledge_hub as texts};

/// Maximum saved searches whose new results are requested together.
const MAX_LOOKUPS: usize = 10;

/// The key of a saved search in the address of its results.
pub(super) const KEY: &str = "saved";

/// The address of a saved search.
pub(super) fn address(of: &SavedSearch) -> String {
    let mut query = ParamsMap::new();
    let (id, filters) = (of.id.to_string(), &of.filters);
    let values = [
        (KEY, Some(&id)),
        ("q", Some(&of.query)),
        ("sources", filters.sources.as_ref()),
        ("chatbots", filters.chatbots.as_ref()),
        ("kinds", filters.kinds.as_ref()),
        ("languages", filters.languages.as_ref()),
        ("date_from", filters.date_from.as_ref()),
        ("date_to", filters.date_to.as_ref()),
    ];
    for (key, value) in values {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            query.insert(key.to_owned(), value.clone());
        }
    }
    format!("{}{}", paths::KNOWLEDGE_SEARCH, query.to_query_string())
}

#[component]
pub(crate) fn SavedPage() -> impl IntoView {
    let searches = Resource::new(|| async {
        let query = RecordListQuery { limit: MAX_LIMIT, offset: 0 };
        api::call::<ListSavedSearches>(&(), &query, &()).await
    });
    let busy = RwSignal::new(false);
    let delete = Callback::new(move |id: SavedSearchId| {
        if busy.get_untracked() {
            return;
        }
        let call = async move { api::call::<DeleteSavedSearch>(&id, &(), &()).await };
        spawn_on_page(busy, call, move |deleted| match deleted {
            Ok(()) => {
                toast(ToastKind::Success, texts::SAVED_DELETED);
                searches.reload();
            }
            Err(problem) => toast_problem(&problem),
        });
    });
    view! {
        <Head title=texts::SAVED subtitle=texts::SAVED_SUBTITLE here=paths::KNOWLEDGE_SAVED />
        <Loaded resource=searches skeleton=|| view! { <SkeletonTable columns=2 /> } let:page>
            {if page.items.is_empty() {
                view! {
                    <Card><EmptyState icon=IconName::Search title=texts::SAVED_EMPTY text=texts::SAVED_NONE /></Card>
                }
                .into_any()
            } else {
                let rows: Vec<_> =
                    page.items.into_iter().enumerate().map(|(place, search)| row(search, place < MAX_LOOKUPS, delete)).collect();
                view! { <Card flush=true><ul class="ui-entries">{rows}</ul></Card> }.into_any()
            }}
        </Loaded>
    }
}

fn row(of: SavedSearch, looks_up: bool, delete: Callback<SavedSearchId>) -> impl IntoView {
    let (id, href) = (of.id, address(&of));
    let words = if of.query.is_empty() { texts::EMPTY_QUERY.into() } else { shared::QUOTED.with(&[&of.query]) };
    let filters = (of.filters != SearchFilters::default()).then(|| view! { " · " {texts::WITH_FILTERS.t()} });
    let label = texts::DELETE_NAMED.with(&[&of.name]);
    view! {
        <li class="ui-entries__item">
            <div class="ui-row ui-row--between">
                <div class="ui-break">
                    <Link href>{of.name}</Link>
                    " "
                    {looks_up.then(|| view! { <News id /> })}
                    <p class="ui-muted ui-small">{words} {filters} " · " {format::date(of.created_at)}</p>
                </div>
                <IconButton icon=IconName::Trash label on_click=move |()| delete.run(id) />
            </div>
        </li>
    }
}

/// The number of new results.
#[component]
fn News(id: SavedSearchId) -> impl IntoView {
    let news = Resource::new(move || async move { api::call::<ListNewSearchResults>(&id, &(), &()).await });
    move || {
        let total = news.get().map_or(0, |news| news.total);
        (total > 0).then(|| {
            view! { <Badge tone=Tone::Info>{texts::NEW.with_localized([format::number(total)])}</Badge> }
        })
    }
}

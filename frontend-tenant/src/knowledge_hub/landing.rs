//! The hub's start page: the search field, recent and saved searches, and the most opened sources.

use app::{
    api,
    i18n::Localized,
    resource::{Loaded, Resource},
    session::Session,
    ui::{Button, ButtonKind, Card, Icon, IconName, Skeleton, use_guarded_navigate},
};
use contract::knowledge_hub::{
    ListPopularSources, ListSavedSearches, ListSearchHistory, PopularSource, RecordListQuery, SavedSearch,
};
use leptos::{ev, html, prelude::*};

use super::{
    insights::InsightsCard,
    labels,
    links::{list, search_for},
    saved,
    sections::Head,
};
use crate::{paths, texts::knowledge_hub as texts};

/// Entries of each list.
const MAX_ENTRIES: usize = 6;

/// The first page of the hub.
#[component]
pub(crate) fn LandingPage() -> impl IntoView {
    view! {
        <Head title=texts::TITLE subtitle=texts::SUBTITLE here=paths::KNOWLEDGE />
        <Start />
        <div class="ui-hub-cards">
            <Recent />
            <Saved />
            <Sources />
            {Session::get().is_tenant_admin().then(|| view! { <InsightsCard /> })}
        </div>
    }
}

#[component]
fn Start() -> impl IntoView {
    let input = NodeRef::<html::Input>::new();
    let navigate = use_guarded_navigate();
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let words = input.get_untracked().map(|input| input.value()).unwrap_or_default();
        navigate(&search_for(words.trim()));
    };
    let shortcut = window_event_listener(ev::keydown, move |event| {
        let is_shortcut = event.key() == "/" && !event.ctrl_key() && !event.meta_key() && !event.alt_key();
        if let (true, Some(input)) = (is_shortcut && !app::ui::is_typing(), input.get_untracked()) {
            event.prevent_default();
            let _ = input.focus();
        }
    });
    on_cleanup(move || shortcut.remove());
    view! {
        <form class="ui-hub-start" role="search" on:submit=submit>
            <div class="ui-search ui-search--wide">
                <Icon name=IconName::Search class="ui-search__icon" />
                <input
                    class="ui-input ui-search__input"
                    type="search"
                    node_ref=input
                    placeholder=texts::SEARCH.t()
                    aria-label=texts::SEARCH.t()
                    aria-keyshortcuts="/"
                    autocomplete="off"
                    maxlength="1000"
                />
                <kbd class="ui-search__key" aria-hidden="true">"/"</kbd>
            </div>
            <Button kind=ButtonKind::Primary submit=true>{texts::SEARCH_BUTTON.t()}</Button>
        </form>
    }
}

fn short() -> RecordListQuery {
    RecordListQuery { limit: 20, offset: 0 }
}

#[component]
fn Recent() -> impl IntoView {
    let history = Resource::new(|| async { api::call::<ListSearchHistory>(&(), &short(), &()).await });
    view! {
        <Card title=texts::RECENT>
            <Loaded resource=history skeleton=|| view! { <Skeleton lines=3 /> } let:page>
                {
                    let mut queries = Vec::new();
                    for search in page.items {
                        if !queries.contains(&search.query) {
                            queries.push(search.query);
                        }
                    }
                    queries.truncate(MAX_ENTRIES);
                    let links = queries.into_iter().map(|query| (search_for(&query), query.into())).collect();
                    list(links, texts::RECENT_NONE.into(), Some(paths::KNOWLEDGE_HISTORY))
                }
            </Loaded>
        </Card>
    }
}

#[component]
fn Saved() -> impl IntoView {
    let searches = Resource::new(|| async { api::call::<ListSavedSearches>(&(), &short(), &()).await });
    view! {
        <Card title=texts::SAVED>
            <Loaded resource=searches skeleton=|| view! { <Skeleton lines=3 /> } let:page>
                {
                    let link = |search: SavedSearch| (saved::address(&search), search.name.into());
                    let links = page.items.into_iter().take(MAX_ENTRIES).map(link).collect();
                    list(links, texts::SAVED_NONE.into(), Some(paths::KNOWLEDGE_SAVED))
                }
            </Loaded>
        </Card>
    }
}

#[component]
fn Sources() -> impl IntoView {
    let popular = Resource::new(|| async { api::call::<ListPopularSources>(&(), &(), &()).await });
    view! {
        <Card title=texts::SOURCES>
            <Loaded resource=popular skeleton=|| view! { <Skeleton lines=3 /> } let:popular>
                {
                    let links = popular.items.into_iter().take(MAX_ENTRIES).map(source).collect();
                    list(links, texts::SOURCES_NONE.into(), None)
                }
            </Loaded>
        </Card>
    }
}

fn source(of: PopularSource) -> (String, Localized) {
    let PopularSource { source, documents, opened, .. } = of;
    let count = if opened > 0 { labels::times_opened(opened) } else { labels::documents(documents) };
    let name = source.name;
    (paths::knowledge_source(source.id), Localized::new(move || format!("{name} · {}", count.get())))
}

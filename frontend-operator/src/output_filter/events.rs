//! The events of the output filter, newest first and without texts; position and category are in the URL.

use app::{
    api,
    i18n::{Localized, texts as common},
    list_url::ListUrl,
    resource::{Loaded, Resource},
    ui::{Badge, Button, Card, Column, EmptyState, IconName, SkeletonTable, Table, Tone},
};
use contract::output_filter::events::{
    ListOutputFilterEvents, OutputFilterEvent, OutputFilterEvents, OutputFilterEventsQuery,
};
use leptos::{either::Either, prelude::*};

use super::{PAGE_SIZE, range, tiles};
use crate::{
    cells::{short, time},
    cursor_steps::CursorSteps,
    paths,
    texts::{self as console, output_filter as texts},
};

const KEYS: [&str; 5] = ["from", "to", "tenant", "category", "cursor"];

#[component]
pub(super) fn EventsCard(list: ListUrl) -> impl IntoView {
    let events = Resource::new(move || {
        let value = |key: &str| Some(list.value(key)).filter(|text| !text.is_empty());
        let (category, cursor) = (value("category"), value("cursor"));
        let query = range::from_address(list).map(|selection| OutputFilterEventsQuery {
            selection,
            category,
            limit: PAGE_SIZE,
            cursor,
        });
        async move { api::call::<ListOutputFilterEvents>(&(), &query?, &()).await }
    });
    view! {
        <Card title=texts::EVENTS flush=true>
            <Loaded resource=events skeleton=|| view! { <SkeletonTable rows=6 columns=4 /> } let:page>
                <Rows page list />
            </Loaded>
        </Card>
    }
}

#[component]
fn Rows(page: OutputFilterEvents, list: ListUrl) -> impl IntoView {
    let OutputFilterEvents { items, next_cursor, previous_cursor } = page;
    if items.is_empty() {
        return Either::Left(view! { <Nothing list /> });
    }
    let columns = vec![
        Column::new(console::AUDIT_TIME),
        Column::new(texts::RULE),
        Column::new(texts::CHATBOT),
        Column::new(texts::LAYER).wide_only(),
        Column::new(console::AUDIT_SESSION).wide_only(),
    ];
    let rows: Vec<_> = items.into_iter().map(row).collect();
    Either::Right(view! {
        <Table caption=texts::EVENTS columns>{rows}</Table>
        <CursorSteps list next_cursor previous_cursor end=texts::EVENTS_END />
    })
}

fn row(event: OutputFilterEvent) -> impl IntoView {
    let layer = match event.filter_layer.as_str() {
        "inline" => texts::INLINE.into(),
        "post_stream" => texts::POST_STREAM.into(),
        _ => Localized::from(event.filter_layer),
    };
    let session = event.session_id.map(|id| {
        let text = id.to_string();
        view! { <span class="ui-muted ui-mono" title=text.clone()>{short(&text)}</span> }
    });
    let chatbot = event.chatbot_name.map_or_else(|| texts::DELETED_CHATBOT.into(), Localized::from);
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-nowrap">{time(event.created_at)}</td>
            <td class="ui-table__cell">
                <span class="ui-mono">{event.matched_pattern}</span> <br />
                <Badge tone=Tone::Warning>{tiles::name(&event.category)}</Badge>
            </td>
            <td class="ui-table__cell ui-table__cell--main">
                <a class="ui-link ui-link--quiet" href=paths::tenant(event.tenant_id)>{event.tenant_name}</a> <br />
                <span class="ui-muted">{chatbot}</span>
            </td>
            <td class="ui-table__cell ui-table__cell--wide-only">
                {layer} <br /> <span class="ui-muted">{event.language}</span>
            </td>
            <td class="ui-table__cell ui-table__cell--wide-only">{session}</td>
        </tr>
    }
}

/// Shown without rows: nothing matches, or there are no events.
#[component]
fn Nothing(list: ListUrl) -> impl IntoView {
    if untrack(|| KEYS.iter().any(|key| !list.value(key).is_empty())) {
        let clear = move |()| list.set(&KEYS.map(|key| (key, "")));
        return Either::Left(view! {
            <EmptyState icon=IconName::Search title=console::NO_MATCH_TITLE text=texts::NO_MATCH_TEXT compact=true>
                <Button on_click=clear>{common::CLEAR_FILTERS.t()}</Button>
            </EmptyState>
        });
    }
    Either::Right(view! {
        <EmptyState icon=IconName::Shield title=texts::EMPTY_TITLE text=texts::EMPTY_TEXT compact=true />
    })
}

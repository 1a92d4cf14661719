//! The documents of a chatbot that are indexed. Search, order and page stand in the address.

use app::{
    api, format,
    list_url::ListUrl,
    resource::{Loaded, Resource},
    ui::{Card, Column, ListPages, SkeletonTable, Table},
};
use contract::{
    ChatbotId, Page,
    documents::{ChatbotSource, DocumentListQuery, IndexedDocument, ListDocuments, SourceKind},
    id::SourceId,
};
use leptos::prelude::*;

use crate::texts::faq as texts;

/// The documents; they are loaded again with the sources.
#[component]
pub(super) fn DocumentsCard(id: ChatbotId, url: ListUrl, sources: Resource<Page<ChatbotSource>>) -> impl IntoView {
    let page = Resource::new(move || {
        sources.state();
        let query = DocumentListQuery { source_id: None, page: url.page_query() };
        async move { api::call::<ListDocuments>(&id, &query, &()).await }
    });
    view! {
        <Card title=texts::DOCUMENTS>
            <Loaded resource=page skeleton=|| view! { <SkeletonTable columns=4 /> } let:found>
                <Documents found url sources />
            </Loaded>
        </Card>
    }
}

#[component]
fn Documents(found: Page<IndexedDocument>, url: ListUrl, sources: Resource<Page<ChatbotSource>>) -> impl IntoView {
    if found.total == 0 {
        return view! { <p class="ui-muted">{texts::NO_DOCUMENT.t()}</p> }.into_any();
    }
    let columns = vec![
        Column::new(texts::DOCUMENT).sorted_by("title"),
        Column::new(texts::PASSAGES).sorted_by("passages").number(),
        Column::new(texts::SIZE).sorted_by("characters").number().wide_only(),
        Column::new(texts::CHANGED).sorted_by("updated_at").wide_only(),
    ];
    let kinds: Vec<_> = untrack(|| sources.get()).map(|sources| sources.items).unwrap_or_default();
    let kind = |of: SourceId| kinds.iter().find(|source| source.id == of).map(|source| source.kind);
    let rows = found.items.into_iter().map(|of| (kind(of.source_id), of)).map(row).collect_view();
    view! {
        <Table
            caption=texts::DOCUMENTS
            columns
            sort=url.sort()
            on_sort=Callback::new(move |sort: String| url.order(&sort))
        >
            {rows}
        </Table>
        <ListPages url total=found.total limit=found.limit offset=found.offset />
    }
    .into_any()
}

fn row((kind, of): (Option<SourceKind>, IndexedDocument)) -> impl IntoView {
    // What was written here has no path that says anything.
    let place = match kind {
        Some(kind @ (SourceKind::Faq | SourceKind::FaqSeed)) => {
            view! { <span class="ui-muted ui-small">{super::kind(kind).t()}</span> }.into_any()
        }
        _ => view! { <span class="ui-muted ui-small ui-mono">{of.path}</span> }.into_any(),
    };
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-table__cell--main">
                {of.title} <br /> {place}
            </td>
            <td class="ui-table__cell ui-table__cell--number">{format::number(of.passages)}</td>
            <td class="ui-table__cell ui-table__cell--number ui-table__cell--wide-only">{format::number(of.characters)}</td>
            <td class="ui-table__cell ui-table__cell--wide-only ui-nowrap">
                <time datetime=format::machine(of.updated_at)>{format::date_time(of.updated_at)}</time>
            </td>
        </tr>
    }
}

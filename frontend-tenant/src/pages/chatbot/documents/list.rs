//! The documents of a chatbot that are indexed. Search, order and page stand in the address.

use app::{
    api, format,
    list_url::ListUrl,
    resource::{Loaded, Resource},
    ui::{Card, Column, ListPages, SearchField, SkeletonTable, Table},
};
use contract::{
    ChatbotId, Page,
    documents::{ChatbotSource, DocumentListQuery, IndexedDocument, ListDocuments},
};
use leptos::prelude::*;

use crate::texts::faq as texts;

const ROWS: i64 = 25;

/// The documents; they are loaded again with the sources.
#[component]
pub(super) fn DocumentsCard(id: ChatbotId, sources: Resource<Page<ChatbotSource>>) -> impl IntoView {
    let url = ListUrl::new("title", ROWS);
    let page = Resource::new(move || {
        sources.state();
        let query = DocumentListQuery { source_id: None, page: url.page_query() };
        async move { api::call::<ListDocuments>(&id, &query, &()).await }
    });
    view! {
        <Card title=texts::DOCUMENTS>
            <SearchField
                label=texts::SEARCH
                value=url.signal("q")
                on_search=Callback::new(move |text: String| url.search(&text))
            />
            <Loaded resource=page skeleton=|| view! { <SkeletonTable columns=4 /> } let:found>
                <Documents found url />
            </Loaded>
        </Card>
    }
}

#[component]
fn Documents(found: Page<IndexedDocument>, url: ListUrl) -> impl IntoView {
    if found.items.is_empty() {
        return view! { <p class="ui-muted">{texts::NO_DOCUMENT.t()}</p> }.into_any();
    }
    let columns = vec![
        Column::new(texts::DOCUMENT).sorted_by("title"),
        Column::new(texts::PASSAGES).sorted_by("passages").number(),
        Column::new(texts::SIZE).sorted_by("characters").number().wide_only(),
        Column::new(texts::CHANGED).sorted_by("updated_at").wide_only(),
    ];
    let rows = found.items.into_iter().map(row).collect_view();
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

fn row(of: IndexedDocument) -> impl IntoView {
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-table__cell--main">
                {of.title} <br /> <span class="ui-muted ui-small ui-mono">{of.path}</span>
            </td>
            <td class="ui-table__cell ui-table__cell--number">{format::number(of.passages)}</td>
            <td class="ui-table__cell ui-table__cell--number ui-table__cell--wide-only">{format::number(of.characters)}</td>
            <td class="ui-table__cell ui-table__cell--wide-only ui-nowrap">
                <time datetime=format::machine(of.updated_at)>{format::date_time(of.updated_at)}</time>
            </td>
        </tr>
    }
}

//! What the chatbot answers from: its sources and documents to look at, and the tenant's own answers to add and remove.

mod faq;
mod list;

use app::{
    api, format,
    i18n::Text,
    list_url::ListUrl,
    resource::{Loaded, Resource},
    ui::{Card, Column, SearchField, SkeletonTable, Table},
};
use contract::{
    documents::{ChatbotSource, ListSources, SourceKind, SourceListQuery},
    page::MAX_LIMIT,
};
use leptos::prelude::*;

use self::{faq::FaqCard, list::DocumentsCard};
use super::frame::{Frame, Section};
use crate::{provisioning::ProvisioningPoller, texts::faq as texts};

/// Rows a page, of documents and of answers.
const ROWS: i64 = 25;

/// The documents of the chatbot that the address names.
#[component]
pub(crate) fn DocumentsPage() -> impl IntoView {
    view! { <Frame section=Section::Documents content /> }
}

fn content(poller: ProvisioningPoller) -> AnyView {
    let id = poller.chatbot().with_untracked(|chatbot| chatbot.id);
    let all = SourceListQuery { limit: MAX_LIMIT, offset: 0 };
    let sources = Resource::new(move || {
        let all = all.clone();
        async move { api::call::<ListSources>(&id, &all, &()).await }
    });
    let changed = Callback::new(move |()| sources.reload());
    let url = ListUrl::new("title", ROWS);
    view! {
        <Card title=texts::SOURCES>
            <Loaded resource=sources skeleton=|| view! { <SkeletonTable columns=4 /> } let:found>
                <Sources sources=found.items />
            </Loaded>
        </Card>
        <SearchField
            label=texts::SEARCH
            value=url.signal("q")
            on_search=Callback::new(move |text: String| url.search(&text))
        />
        <FaqCard id url changed />
        <DocumentsCard id url sources />
    }
    .into_any()
}

#[component]
fn Sources(sources: Vec<ChatbotSource>) -> impl IntoView {
    if sources.is_empty() {
        return view! { <p class="ui-muted">{texts::SOURCES_NONE.t()}</p> }.into_any();
    }
    let columns = vec![
        Column::new(texts::SOURCE),
        Column::new(texts::DOCUMENTS).number(),
        Column::new(texts::PASSAGES).number(),
        Column::new(texts::SIZE).number().wide_only(),
        Column::new(texts::CHANGED).wide_only(),
    ];
    let rows = sources.into_iter().map(source).collect_view();
    view! { <Table caption=texts::SOURCES columns>{rows}</Table> }.into_any()
}

fn source(of: ChatbotSource) -> impl IntoView {
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-table__cell--main">
                {kind(of.kind).t()}
                {(of.kind == SourceKind::Files).then(|| view! { <br /> <span class="ui-muted ui-mono">{of.name}</span> })}
            </td>
            <td class="ui-table__cell ui-table__cell--number">{format::number(of.documents)}</td>
            <td class="ui-table__cell ui-table__cell--number">{format::number(of.passages)}</td>
            <td class="ui-table__cell ui-table__cell--number ui-table__cell--wide-only">{format::number(of.characters)}</td>
            <td class="ui-table__cell ui-table__cell--wide-only ui-nowrap">
                <time datetime=format::machine(of.updated_at)>{format::date_time(of.updated_at)}</time>
            </td>
        </tr>
    }
}

const fn kind(of: SourceKind) -> Text {
    match of {
        SourceKind::FaqSeed => texts::KIND_FAQ_SEED,
        SourceKind::Files => texts::KIND_FILES,
        SourceKind::Faq => texts::KIND_FAQ,
    }
}

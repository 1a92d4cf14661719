//! A source with its documents.

use app::{
    api, format,
    list_url::ListUrl,
    resource::{Loaded, Resource},
    ui::{ButtonLink, Card, Column, EmptyState, IconName, Link, ListPages, SkeletonTable, Table},
};
use contract::{
    id::SourceId,
    knowledge_hub::{GetKnowledgeSource, KnowledgeSource, KnowledgeSourceQuery, SourceDocument},
};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use super::{labels, sections::Head};
use crate::{not_found::NotFoundPage, paths, texts::knowledge_hub as texts};

const PAGE_SIZE: i64 = 25;

/// The source in the URL.
#[component]
pub(crate) fn SourcePage() -> impl IntoView {
    let params = use_params_map();
    move || match params.with(|params| params.get("id")).and_then(|id| id.parse::<SourceId>().ok()) {
        Some(id) => view! { <OfId id /> }.into_any(),
        None => view! { <NotFoundPage /> }.into_any(),
    }
}

#[component]
fn OfId(id: SourceId) -> impl IntoView {
    let url = ListUrl::new("", PAGE_SIZE);
    let source = Resource::new(move || {
        let page = url.page_query();
        let query = KnowledgeSourceQuery { limit: page.limit, offset: page.offset };
        async move { api::call::<GetKnowledgeSource>(&id, &query, &()).await }
    });
    view! {
        <Loaded resource=source skeleton=|| view! { <SkeletonTable columns=3 /> } let:source>
            {source_view(url, source)}
        </Loaded>
    }
}

fn source_view(url: ListUrl, of: KnowledgeSource) -> AnyView {
    let KnowledgeSource { source, chatbot, documents, total, limit, offset, .. } = of;
    let subtitle = texts::SOURCE_SUBTITLE.with_localized([labels::kind(source.kind).into(), chatbot.name.into()]);
    let search = format!("{}?sources={}", paths::KNOWLEDGE_SEARCH, source.id);
    let website = of.url.map(|url| view! { <Link href=url external=true>{texts::OPEN_ORIGINAL.t()}</Link> });
    let body = if total == 0 {
        view! {
            <Card>
                <EmptyState icon=IconName::Inbox title=texts::DOCUMENTS_NONE text=texts::SOURCE_NONE_TEXT />
            </Card>
        }
        .into_any()
    } else {
        let columns = vec![
            Column::new(texts::DOCUMENT),
            Column::new(texts::CHANGED).wide_only(),
            Column::new(texts::PASSAGES).number(),
        ];
        let rows = documents.into_iter().map(row).collect_view();
        view! {
            <Table caption=labels::documents(total) columns>{rows}</Table>
            <ListPages url total limit offset />
        }
        .into_any()
    };
    view! {
        <Head title=source.name subtitle />
        <div class="ui-row ui-row--wrap">
            <ButtonLink href=search icon=IconName::Search>{texts::SEARCH_IN.t()}</ButtonLink>
            {website}
        </div>
        {body}
    }
    .into_any()
}

fn row(of: SourceDocument) -> impl IntoView {
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-table__cell--main">
                <Link href=paths::knowledge_document(of.document_id) quiet=true>{of.title}</Link>
                <div class="ui-table__note ui-break">{of.path}</div>
            </td>
            <td class="ui-table__cell ui-table__cell--wide-only ui-nowrap">
                <time datetime=format::machine(of.updated_at) title=format::date_time(of.updated_at)>
                    {format::ago(of.updated_at)}
                </time>
            </td>
            <td class="ui-table__cell ui-table__cell--number">{format::number(of.passages)}</td>
        </tr>
    }
}

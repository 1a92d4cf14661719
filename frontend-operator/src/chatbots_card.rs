//! The chatbots of one tenant, read only.

use app::{
    api, format,
    i18n::{languages, texts as common},
    resource::{Loaded, Resource},
    ui::{Badge, Card, Column, EmptyState, IconName, LocalPages, SkeletonTable, Table, Tone},
};
use contract::{
    Page, TenantId,
    chatbots::{Chatbot, ChatbotListQuery, ChatbotStatus, ListTenantChatbots, Provisioning},
    page::PageQuery,
};
use leptos::{either::Either, prelude::*};

use crate::{paths, texts};

/// The chatbots of one tenant.
#[component]
pub(crate) fn ChatbotsCard(tenant_id: TenantId) -> impl IntoView {
    let (sort, range) = (RwSignal::new("name".to_owned()), RwSignal::new((0, 10)));
    let chatbots = Resource::new(move || {
        let (offset, limit) = range.get();
        let page = PageQuery { q: None, sort: Some(sort.get()), limit, offset };
        let query = ChatbotListQuery { status: None, page };
        async move { api::call::<ListTenantChatbots>(&tenant_id, &query, &()).await }
    });
    let order = move |key: String| {
        range.update(|range| range.0 = 0);
        sort.set(key);
    };
    view! {
        <Card title=texts::CHATBOTS>
            <Loaded resource=chatbots skeleton=|| view! { <SkeletonTable rows=3 columns=4 /> } let:page>
                <Rows page sort on_sort=order range />
            </Loaded>
        </Card>
    }
}

#[component]
fn Rows(
    page: Page<Chatbot>,
    sort: RwSignal<String>,
    #[prop(into)] on_sort: Callback<String>,
    range: RwSignal<(i64, i64)>,
) -> impl IntoView {
    let Page { items, total, limit, offset } = page;
    if items.is_empty() {
        return Either::Left(view! {
            <EmptyState
                icon=IconName::Chatbot
                title=texts::CHATBOTS_EMPTY_TITLE
                text=texts::CHATBOTS_EMPTY_TEXT
                compact=true
            />
        });
    }
    let columns = vec![
        Column::new(common::NAME).sorted_by("name"),
        Column::new(common::LANGUAGE).wide_only(),
        Column::new(texts::TEMPLATE).wide_only(),
        Column::new(common::CREATED).sorted_by("created_at").wide_only(),
    ];
    let rows: Vec<_> = items.into_iter().map(row).collect();
    Either::Right(view! {
        <Table caption=texts::CHATBOTS columns sort=sort on_sort>{rows}</Table>
        <LocalPages range total limit offset />
    })
}

fn row(chatbot: Chatbot) -> impl IntoView {
    let (tone, state) = match (chatbot.status, chatbot.provisioning) {
        (ChatbotStatus::Deactivated, _) => (Tone::Neutral, common::DEACTIVATED),
        (ChatbotStatus::Active, Provisioning::Ready) => (Tone::Success, common::READY),
        (ChatbotStatus::Active, Provisioning::Pending) => (Tone::Info, common::PENDING),
        (ChatbotStatus::Active, Provisioning::Failed) => (Tone::Danger, common::FAILED),
    };
    let template = chatbot.template_id.map(|id| {
        view! { <a class="ui-link ui-link--quiet" href=paths::template(&id)>{id.to_string()}</a> }
    });
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-table__cell--main">
                <span class="ui-row ui-row--wrap">{chatbot.name} <Badge tone dot=true>{state.t()}</Badge></span>
                <span class="ui-muted ui-mono">{chatbot.slug}</span>
            </td>
            <td class="ui-table__cell ui-table__cell--wide-only">{languages::name(&chatbot.language)}</td>
            <td class="ui-table__cell ui-table__cell--wide-only">{template}</td>
            <td class="ui-table__cell ui-table__cell--wide-only ui-nowrap">{format::date(chatbot.created_at)}</td>
        </tr>
    }
}

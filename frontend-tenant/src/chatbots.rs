//! The list of chatbots. Search, filter, order and page are in the URL.

use app::{
    api, format,
    i18n::{languages, texts as shared},
    list_url::ListUrl,
    resource::{Loaded, Resource},
    ui::{
        Badge, Button, ButtonKind, ButtonLink, Card, Column, EmptyState, IconName, Link, ListPages, PageHeader,
        SearchField, Select, SkeletonTable, Table, Tone,
    },
};
use contract::{
    Page, TemplateId,
    chatbots::{Chatbot, ChatbotListQuery, ChatbotStatus, ListChatbots},
    templates::ListTenantTemplates,
};
use leptos::prelude::*;

use crate::{
    create::active_templates,
    paths,
    provisioning::{badge, status_badge},
    read_only::AdminOnly,
    texts::{self as console, chatbots as texts},
};

const STATUS: &str = "status";
const PAGE_SIZE: i64 = 25;

/// The active templates with their versions.
type Versions = Vec<(TemplateId, i32)>;

/// The chatbots of the user's tenant.
#[component]
pub(crate) fn ChatbotsPage() -> impl IntoView {
    let url = ListUrl::new("name", PAGE_SIZE);
    let page = Resource::new(move || {
        let query = ChatbotListQuery { status: status(&url.value(STATUS)), page: url.page_query() };
        async move { api::call::<ListChatbots>(&(), &query, &()).await }
    });
    let templates = Resource::new(|| async {
        let page = api::call::<ListTenantTemplates>(&(), &active_templates(), &()).await;
        page.map(|page| page.items.into_iter().map(|of| (of.id, of.version)).collect::<Versions>())
    });
    view! {
        <PageHeader title=console::CHATBOTS subtitle=texts::SUBTITLE>
            <AdminOnly>
                <ButtonLink href=paths::create() kind=ButtonKind::Primary icon=IconName::Plus>
                    {texts::NEW.t()}
                </ButtonLink>
            </AdminOnly>
        </PageHeader>
        <Filters url />
        <Loaded resource=page skeleton=|| view! { <SkeletonTable columns=4 /> } let:page>
            {if page.total == 0 { view! { <Nothing url /> }.into_any() } else { view! { <Rows url page templates /> }.into_any() }}
        </Loaded>
    }
}

#[component]
fn Filters(url: ListUrl) -> impl IntoView {
    let states = [ChatbotStatus::Active, ChatbotStatus::Deactivated];
    let mut options = vec![(String::new(), texts::STATUS_ALL.into())];
    options.extend(states.map(|status| (status.as_str().to_owned(), status_badge(status).1.into())));
    view! {
        <div class="ui-toolbar">
            <div class="ui-toolbar__main">
                <SearchField
                    label=texts::SEARCH
                    value=url.signal("q")
                    on_search=Callback::new(move |text: String| url.search(&text))
                />
                <Select
                    label=shared::STATUS
                    hide_label=true
                    value=url.signal(STATUS)
                    options
                    on_change=Callback::new(move |value: String| url.filter(STATUS, &value))
                />
            </div>
        </div>
    }
}

#[component]
fn Rows(
    url: ListUrl,
    page: Page<Chatbot>,
    /// The versions of the templates, to detect pending updates.
    templates: Resource<Versions>,
) -> impl IntoView {
    let columns = vec![
        Column::new(shared::NAME).sorted_by("name"),
        Column::new(shared::SLUG).sorted_by("slug").wide_only(),
        Column::new(shared::LANGUAGE).wide_only(),
        Column::new(shared::CREATED).sorted_by("created_at").wide_only(),
    ];
    let rows = page.items.into_iter().map(|chatbot| row(chatbot, templates)).collect_view();
    view! {
        <Table
            caption=texts::CAPTION
            columns
            sort=url.sort()
            on_sort=Callback::new(move |sort: String| url.order(&sort))
        >
            {rows}
        </Table>
        <ListPages url total=page.total limit=page.limit offset=page.offset />
    }
}

/// Whether the chatbot's template has a newer version, if that is loaded; tracked.
fn has_update(template: Option<&(TemplateId, i32)>, templates: Resource<Versions>) -> bool {
    let Some((id, taken)) = template else { return false };
    templates.get().is_some_and(|versions| versions.iter().any(|(of, version)| of == id && version > taken))
}

fn row(chatbot: Chatbot, templates: Resource<Versions>) -> impl IntoView {
    let (tone, state) = badge(&chatbot);
    let id = chatbot.id;
    let taken = chatbot.template_id.zip(chatbot.template_version);
    let taken = taken.filter(|_| chatbot.status == ChatbotStatus::Active);
    let update = move || {
        has_update(taken.as_ref(), templates).then(|| {
            view! {
                <Link href=paths::template(id) quiet=true>
                    <Badge tone=Tone::Info>{texts::TEMPLATE_UPDATE.t()}</Badge>
                </Link>
            }
        })
    };
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-table__cell--main">
                <span class="ui-row ui-row--wrap">
                    <Link href=paths::chatbot(id) quiet=true>{chatbot.name}</Link>
                    <Badge tone dot=true>{state.t()}</Badge>
                    {update}
                </span>
            </td>
            <td class="ui-table__cell ui-table__cell--mono ui-table__cell--wide-only">{chatbot.slug}</td>
            <td class="ui-table__cell ui-table__cell--wide-only">{languages::name(&chatbot.language)}</td>
            <td class="ui-table__cell ui-table__cell--wide-only ui-nowrap">
                <time datetime=format::machine(chatbot.created_at)>{format::date(chatbot.created_at)}</time>
            </td>
        </tr>
    }
}

#[component]
fn Nothing(url: ListUrl) -> impl IntoView {
    if url.is_narrowed(&[STATUS]) {
        view! {
            <Card>
                <EmptyState icon=IconName::Search title=texts::NO_MATCH_TITLE text=texts::NO_MATCH_TEXT>
                    <Button on_click=Callback::new(move |()| url.clear(&[STATUS]))>{shared::CLEAR_FILTERS.t()}</Button>
                </EmptyState>
            </Card>
        }
        .into_any()
    } else {
        view! {
            <Card>
                <EmptyState icon=IconName::Chatbot title=texts::EMPTY_TITLE text=texts::EMPTY_TEXT>
                    <AdminOnly>
                        <ButtonLink href=paths::create() kind=ButtonKind::Primary icon=IconName::Plus>
                            {texts::NEW.t()}
                        </ButtonLink>
                    </AdminOnly>
                </EmptyState>
            </Card>
        }
        .into_any()
    }
}

fn status(text: &str) -> Option<ChatbotStatus> {
    [ChatbotStatus::Active, ChatbotStatus::Deactivated].into_iter().find(|status| status.as_str() == text)
}

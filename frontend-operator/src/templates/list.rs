//! The list of templates: search, filters, order and page are in the URL.

use app::{
    api,
    backend::TemplateAdoption,
    format,
    i18n::{Localized, languages, texts as common},
    list_url::ListUrl,
    resource::{Loaded, Resource},
    server_fns::operator::fetch_template_adoption,
    ui::{
        Badge, Button, ButtonKind, ButtonLink, Column, ColumnChoice, ColumnMenu, EmptyState, IconName, ListPages,
        PageHeader, SearchField, Select, SkeletonTable, Table, Tone,
    },
};
use contract::{
    Page, TemplateId,
    templates::{ListTemplates, Template, TemplateListQuery, TemplateStatus},
};
use leptos::{either::Either, prelude::*};

use crate::{
    paths,
    texts::{self, overview},
};

/// How many chatbots use each template.
pub(super) type Adoption = Resource<Vec<TemplateAdoption>>;

const FILTERS: [&str; 2] = ["status", "language"];

#[component]
pub(crate) fn TemplatesPage() -> impl IntoView {
    let list = ListUrl::new("name", 25);
    let templates = Resource::new(move || {
        let query = query(list);
        async move { api::call::<ListTemplates>(&(), &query, &()).await }
    });
    let adoption = adoption();
    let choice = ColumnChoice::of("templates");
    view! {
        <PageHeader title=texts::TEMPLATES subtitle=texts::TEMPLATES_SUBTITLE>
            <NewTemplateLink />
        </PageHeader>
        <div class="ui-toolbar">
            <div class="ui-toolbar__main">
                <SearchField
                    label=texts::SEARCH_TEMPLATES
                    value=list.signal("q")
                    on_search=move |text: String| list.search(&text)
                />
                <Filters list />
            </div>
            <div class="ui-toolbar__end"><ColumnMenu choice columns=columns() /></div>
        </div>
        <Loaded resource=templates skeleton=|| view! { <SkeletonTable columns=6 /> } let:page>
            <Rows page list choice adoption />
        </Loaded>
    }
}

fn query(list: ListUrl) -> TemplateListQuery {
    let status = match list.value("status").as_str() {
        "active" => Some(TemplateStatus::Active),
        "deactivated" => Some(TemplateStatus::Deactivated),
        _ => None,
    };
    TemplateListQuery {
        status,
        language: Some(list.value("language")).filter(|tag| !tag.is_empty()),
        page: list.page_query(),
    }
}

#[component]
fn NewTemplateLink() -> impl IntoView {
    view! {
        <ButtonLink href=paths::NEW_TEMPLATE kind=ButtonKind::Primary icon=IconName::Plus>
            {texts::NEW_TEMPLATE.t()}
        </ButtonLink>
    }
}

#[component]
fn Filters(list: ListUrl) -> impl IntoView {
    let all = |what: app::i18n::Text| {
        (String::new(), Localized::new(move || format!("{}: {}", what.get(), common::ALL.get())))
    };
    let statuses = vec![
        all(common::STATUS),
        ("active".to_owned(), common::ACTIVE.into()),
        ("deactivated".to_owned(), common::DEACTIVATED.into()),
    ];
    let mut tags = vec![all(texts::TEMPLATE_LANGUAGE)];
    tags.extend(languages::options(&untrack(|| list.value("language"))));
    view! {
        <Select
            label=common::STATUS
            hide_label=true
            value=list.signal("status")
            options=statuses
            on_change=move |value: String| list.filter("status", &value)
        />
        <Select
            label=texts::TEMPLATE_LANGUAGE
            hide_label=true
            value=list.signal("language")
            options=tags
            on_change=move |value: String| list.filter("language", &value)
        />
    }
}

#[component]
fn Rows(page: Page<Template>, list: ListUrl, choice: ColumnChoice, adoption: Adoption) -> impl IntoView {
    let Page { items, total, limit, offset } = page;
    if total == 0 {
        return Either::Left(view! { <Nothing list /> });
    }
    let rows: Vec<_> = items.into_iter().map(|template| row(template, adoption)).collect();
    Either::Right(view! {
        <Table caption=texts::TEMPLATES columns=columns() choice sort=list.sort() on_sort=move |sort: String| list.order(&sort)>
            {rows}
        </Table>
        <ListPages url=list total limit offset />
    })
}

fn columns() -> Vec<Column> {
    vec![
        Column::new(common::NAME).sorted_by("name"),
        Column::new(texts::TEMPLATE_LANGUAGE).sorted_by("language").optional("language"),
        Column::new(common::STATUS).optional("status"),
        Column::new(texts::CHATBOTS).number().wide_only().optional("chatbots"),
        Column::new(texts::TEMPLATE_VERSION).number().wide_only().optional("version"),
        Column::new(common::UPDATED).sorted_by("updated_at").wide_only().optional("updated"),
    ]
}

/// A template's status as a badge.
pub(super) fn status_badge(status: TemplateStatus) -> impl IntoView {
    let (tone, text) = match status {
        TemplateStatus::Active => (Tone::Success, common::ACTIVE),
        TemplateStatus::Deactivated => (Tone::Neutral, common::DEACTIVATED),
    };
    view! { <Badge tone dot=true>{text.t()}</Badge> }
}

/// Loads how many chatbots use each template.
pub(super) fn adoption() -> Adoption {
    Resource::new(|| api::function(fetch_template_adoption))
}

/// How many chatbots use a template, and how many of them have an older version; tracked, and `None` until it is
/// loaded.
pub(super) fn used(adoption: Adoption, id: &TemplateId) -> Option<(i64, i64)> {
    let all = adoption.get()?;
    all.iter().find(|one| one.template_id == *id).map(|one| (one.chatbots, one.behind))
}

fn row(template: Template, adoption: Adoption) -> impl IntoView {
    let id = template.id.clone();
    let chatbots = move || {
        used(adoption, &id).map(|(chatbots, behind)| {
            let behind = (behind > 0).then(|| overview::BEHIND.with_localized([format::number(behind)]));
            let behind = behind.map(|text| view! { <br /> <span class="ui-muted ui-small">{text}</span> });
            view! { {format::number(chatbots)} {behind} }
        })
    };
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-table__cell--main">
                <a class="ui-link ui-link--quiet" href=paths::template(&template.id)>{template.content.name}</a>
                <br />
                <span class="ui-muted ui-mono">{template.id.to_string()}</span>
            </td>
            <td class="ui-table__cell">{languages::name(&template.language)}</td>
            <td class="ui-table__cell">{status_badge(template.status)}</td>
            <td class="ui-table__cell ui-table__cell--number ui-table__cell--wide-only">{chatbots}</td>
            <td class="ui-table__cell ui-table__cell--number ui-table__cell--wide-only">{template.version}</td>
            <td class="ui-table__cell ui-table__cell--wide-only ui-nowrap">{format::date(template.updated_at)}</td>
        </tr>
    }
}

#[component]
fn Nothing(list: ListUrl) -> impl IntoView {
    if list.is_narrowed(&FILTERS) {
        return Either::Left(view! {
            <EmptyState icon=IconName::Search title=texts::NO_MATCH_TITLE text=texts::NO_MATCH_TEXT>
                <Button on_click=move |()| list.clear(&FILTERS)>{common::CLEAR_FILTERS.t()}</Button>
            </EmptyState>
        });
    }
    Either::Right(view! {
        <EmptyState icon=IconName::Template title=texts::NO_TEMPLATES_TITLE text=texts::NO_TEMPLATES_TEXT>
            <NewTemplateLink />
        </EmptyState>
    })
}

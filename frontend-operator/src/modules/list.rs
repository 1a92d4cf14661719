//! The module registry as a list.

use app::{
    api,
    i18n::{Text, texts as common},
    list_url::ListUrl,
    resource::{Loaded, Resource},
    session::Session,
    ui::{
        Badge, Button, ButtonKind, Column, EmptyState, IconButton, IconName, ListPages, PageHeader, SearchField,
        SkeletonTable, Table, Tone,
    },
};
use contract::{
    Page,
    modules::{KNOWLEDGE_HUB, ListModules, Module, ModuleListQuery},
};
use leptos::{either::Either, prelude::*};

use super::form::ModuleDialog;
use crate::{create_asked::open_when_asked, texts};

#[component]
pub(crate) fn ModulesPage() -> impl IntoView {
    let list = ListUrl::new("position", 50);
    let modules = Resource::new(move || {
        let query = ModuleListQuery { page: list.page_query() };
        async move { api::call::<ListModules>(&(), &query, &()).await }
    });
    let (create, edit) = (RwSignal::new(false), RwSignal::new(false));
    let chosen = RwSignal::new(None::<Module>);
    let may_write = Session::get().is_operator();
    if may_write {
        open_when_asked(list, create);
    }
    let on_edit = Callback::new(move |module: Module| {
        chosen.set(Some(module));
        edit.set(true);
    });
    let new = may_write.then(|| {
        view! {
            <Button kind=ButtonKind::Primary icon=IconName::Plus on_click=move |()| create.set(true)>
                {texts::NEW_MODULE.t()}
            </Button>
        }
    });
    let dialog = move || {
        chosen.get().map(|module| {
            view! { <ModuleDialog open=edit module=Some(module) on_done=move |()| modules.reload() /> }
        })
    };
    view! {
        <PageHeader title=texts::ENABLED_MODULES subtitle=texts::MODULES_SUBTITLE>{new}</PageHeader>
        <div class="ui-toolbar">
            <div class="ui-toolbar__main">
                <SearchField
                    label=texts::SEARCH_TEMPLATES
                    value=list.signal("q")
                    on_search=move |text: String| list.search(&text)
                />
            </div>
        </div>
        <Loaded resource=modules skeleton=|| view! { <SkeletonTable columns=5 /> } let:page>
            <Rows page list on_edit=may_write.then_some(on_edit) />
        </Loaded>
        {may_write.then(|| view! { <ModuleDialog open=create on_done=move |()| modules.reload() /> })}
        {dialog}
    }
}

#[component]
fn Rows(page: Page<Module>, list: ListUrl, on_edit: Option<Callback<Module>>) -> impl IntoView {
    let Page { items, total, limit, offset } = page;
    if total == 0 {
        return Either::Left(view! { <Nothing list /> });
    }
    let columns = vec![
        Column::new(common::NAME).sorted_by("name"),
        Column::new(texts::DESCRIPTION).wide_only(),
        Column::new(texts::CATEGORY).sorted_by("category").wide_only(),
        Column::new(common::STATUS),
        Column::new(texts::POSITION).sorted_by("position").number().wide_only(),
        Column::new(common::ACTIONS).without_head(),
    ];
    let rows: Vec<_> = items.into_iter().map(|module| row(module, on_edit)).collect();
    Either::Right(view! {
        <Table
            caption=texts::ENABLED_MODULES
            columns
            sort=list.sort()
            on_sort=move |sort: String| list.order(&sort)
        >
            {rows}
        </Table>
        <ListPages url=list total limit offset />
    })
}

fn row(module: Module, on_edit: Option<Callback<Module>>) -> impl IntoView {
    let effect = effect(&module).t();
    let action = on_edit.map(|on_edit| {
        let module = module.clone();
        view! {
            <IconButton
                icon=IconName::Edit
                label=texts::EDIT_NAMED.with(&[&module.name])
                on_click=move |()| on_edit.run(module.clone())
            />
        }
    });
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-table__cell--main">
                {module.name} <br /> <span class="ui-muted ui-mono">{module.id.to_string()}</span>
                <div class="ui-muted ui-small">{effect}</div>
            </td>
            <td class="ui-table__cell ui-table__cell--wide-only">{module.description}</td>
            <td class="ui-table__cell ui-table__cell--wide-only">{module.category}</td>
            <td class="ui-table__cell">{flags(module.is_always_on, module.internal_only)}</td>
            <td class="ui-table__cell ui-table__cell--number ui-table__cell--wide-only">{module.position}</td>
            <td class="ui-table__cell ui-table__cell--actions">{action}</td>
        </tr>
    }
}

pub(super) fn effect(module: &Module) -> Text {
    if module.id.as_str() == KNOWLEDGE_HUB { texts::EFFECT_KNOWLEDGE_HUB } else { texts::EFFECT_NONE }
}

/// The flags of a module as badges.
pub(super) fn flags(is_always_on: bool, internal_only: bool) -> impl IntoView {
    view! {
        <span class="ui-chips">
            {is_always_on.then(|| view! { <Badge tone=Tone::Success>{texts::ALWAYS_ON.t()}</Badge> })}
            {internal_only.then(|| view! { <Badge>{texts::INTERNAL_ONLY.t()}</Badge> })}
        </span>
    }
}

#[component]
fn Nothing(list: ListUrl) -> impl IntoView {
    if list.is_narrowed(&[]) {
        return Either::Left(view! {
            <EmptyState icon=IconName::Search title=texts::NO_MATCH_TITLE text=texts::NO_MATCH_TEXT>
                <Button on_click=move |()| list.clear(&[])>{common::CLEAR_FILTERS.t()}</Button>
            </EmptyState>
        });
    }
    Either::Right(view! {
        <EmptyState icon=IconName::Tiles title=texts::NO_MODULES_TITLE text=texts::NO_MODULES_TEXT />
    })
}

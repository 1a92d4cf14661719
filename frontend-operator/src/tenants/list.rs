//! The list of tenants: search, order and page are in the URL. Tenants can be created, edited and deleted here.

use app::{
    api, format,
    i18n::{languages, texts as common},
    list_url::ListUrl,
    people::FIRST,
    resource::{Loaded, Resource},
    session::Session,
    ui::{
        Button, ButtonKind, Column, ColumnChoice, ColumnMenu, EmptyState, IconButton, IconButtonKind, IconName,
        ListPages, PageHeader, SearchField, SkeletonTable, Table,
    },
};
use contract::{
    Page,
    tenants::{ListTenants, Tenant, TenantListQuery},
};
use leptos::{either::Either, prelude::*};
use leptos_router::{NavigateOptions, hooks::use_navigate};

use super::{
    bulk_modules::AssignModules,
    delete::DeleteTenant,
    form::TenantDialog,
    selection::{DeleteSelected, SelectTenant, Selection, SelectionBar},
};
use crate::{create_asked::open_when_asked, paths, texts};

/// Opens the dialogs of the list.
#[derive(Clone, Copy)]
struct Dialogs {
    create: RwSignal<bool>,
    edit: RwSignal<bool>,
    delete: RwSignal<bool>,
    delete_selected: RwSignal<bool>,
    assign_selected: RwSignal<bool>,
    chosen: RwSignal<Option<Tenant>>,
    selection: Selection,
    columns: ColumnChoice,
}

impl Dialogs {
    fn new() -> Self {
        let closed = || RwSignal::new(false);
        Self {
            create: closed(),
            edit: closed(),
            delete: closed(),
            delete_selected: closed(),
            assign_selected: closed(),
            chosen: RwSignal::new(None),
            selection: Selection::new(),
            columns: ColumnChoice::of("tenants"),
        }
    }

    fn open(self, dialog: RwSignal<bool>, tenant: &Tenant) {
        self.chosen.set(Some(tenant.clone()));
        dialog.set(true);
    }
}

#[component]
pub(crate) fn TenantsPage() -> impl IntoView {
    let list = ListUrl::new("display_name", 25);
    let tenants = Resource::new(move || {
        let query = TenantListQuery { page: list.page_query() };
        async move { api::call::<ListTenants>(&(), &query, &()).await }
    });
    let dialogs = Dialogs::new();
    let may_write = Session::get().is_operator();
    let create = may_write.then(|| view! { <CreateButton dialogs /> });
    if may_write {
        open_when_asked(list, dialogs.create);
    }
    // A new tenant has no users: its page offers to invite the first administrator.
    let navigate = use_navigate();
    let created = move |tenant: Tenant| {
        let page = format!("{}?{FIRST}=1", paths::tenant(tenant.id));
        navigate(&page, NavigateOptions { resolve: false, ..NavigateOptions::default() });
    };
    let chosen = move || dialogs.chosen.get().map(|tenant| view! { <ChosenDialogs tenant dialogs tenants /> });
    view! {
        <PageHeader title=texts::TENANTS subtitle=texts::TENANTS_SUBTITLE>{create}</PageHeader>
        <div class="ui-toolbar">
            <div class="ui-toolbar__main">
                <SearchField
                    label=texts::SEARCH_TENANTS
                    value=list.signal("q")
                    on_search=move |text: String| list.search(&text)
                />
            </div>
            <div class="ui-toolbar__end"><ColumnMenu choice=dialogs.columns columns=columns() /></div>
        </div>
        <Loaded resource=tenants skeleton=|| view! { <SkeletonTable columns=5 /> } let:page>
            <Rows page list dialogs may_write />
        </Loaded>
        {may_write.then(|| view! {
            <TenantDialog open=dialogs.create on_done=created />
        })}
        <DeleteSelected
            open=dialogs.delete_selected
            selection=dialogs.selection
            on_done=move |()| tenants.reload()
        />
        <AssignModules
            open=dialogs.assign_selected
            selection=dialogs.selection
            on_done=move |()| tenants.reload()
        />
        {chosen}
    }
}

#[component]
fn CreateButton(dialogs: Dialogs) -> impl IntoView {
    view! {
        <Button kind=ButtonKind::Primary icon=IconName::Plus on_click=move |()| dialogs.create.set(true)>
            {texts::NEW_TENANT.t()}
        </Button>
    }
}

/// The dialogs that edit or delete one tenant.
#[component]
fn ChosenDialogs(tenant: Tenant, dialogs: Dialogs, tenants: Resource<Page<Tenant>>) -> impl IntoView {
    let id = tenant.id;
    let remove_from_list = move |()| {
        dialogs.selection.remove(id);
        tenants.reload();
    };
    view! {
        <TenantDialog open=dialogs.edit tenant=Some(tenant.clone()) on_done=move |_| tenants.reload() />
        <DeleteTenant open=dialogs.delete tenant on_done=remove_from_list />
    }
}

#[component]
fn Rows(page: Page<Tenant>, list: ListUrl, dialogs: Dialogs, may_write: bool) -> impl IntoView {
    let Page { items, total, limit, offset } = page;
    if total == 0 {
        return Either::Left(view! { <Nothing list dialogs may_write /> });
    }
    let on_page = items.iter().map(|tenant| (tenant.id, tenant.display_name.clone())).collect();
    let on_delete = may_write.then(|| Callback::new(move |()| dialogs.delete_selected.set(true)));
    let on_assign = Callback::new(move |()| dialogs.assign_selected.set(true));
    let search = untrack(|| list.page_query());
    let bar = view! {
        <SelectionBar selection=dialogs.selection page=on_page total search on_delete on_assign />
    };
    let rows: Vec<_> = items.into_iter().map(|tenant| row(tenant, dialogs, may_write)).collect();
    Either::Right(view! {
        {bar}
        <Table
            caption=texts::TENANTS
            columns=columns()
            choice=dialogs.columns
            sort=list.sort()
            on_sort=move |sort: String| list.order(&sort)
        >
            {rows}
        </Table>
        <ListPages url=list total limit offset />
    })
}

fn columns() -> Vec<Column> {
    vec![
        Column::new(texts::SELECTION).without_head(),
        Column::new(common::NAME).sorted_by("display_name"),
        Column::new(common::SLUG).sorted_by("slug").wide_only().optional("slug"),
        Column::new(texts::DEFAULT_LANGUAGE).wide_only().optional("language"),
        Column::new(common::CREATED).sorted_by("created_at").wide_only().optional("created"),
        Column::new(common::ACTIONS).without_head(),
    ]
}

fn row(tenant: Tenant, dialogs: Dialogs, may_write: bool) -> impl IntoView {
    let selected = tenant.clone();
    let actions = may_write.then(|| {
        let (edit, delete) = (tenant.clone(), tenant.clone());
        view! {
            <IconButton
                icon=IconName::Edit
                label=texts::EDIT_NAMED.with(&[&tenant.display_name])
                on_click=move |()| dialogs.open(dialogs.edit, &edit)
            />
            <IconButton
                icon=IconName::Trash
                kind=IconButtonKind::Danger
                label=texts::DELETE_NAMED.with(&[&tenant.display_name])
                on_click=move |()| dialogs.open(dialogs.delete, &delete)
            />
        }
    });
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-table__cell--select">
                <SelectTenant selection=dialogs.selection tenant=selected />
            </td>
            <td class="ui-table__cell ui-table__cell--main">
                <a class="ui-link ui-link--quiet" href=paths::tenant(tenant.id)>{tenant.display_name}</a>
                <div class="ui-table__note ui-mono">{tenant.slug.clone()}</div>
            </td>
            <td class="ui-table__cell ui-table__cell--wide-only ui-table__cell--mono">{tenant.slug}</td>
            <td class="ui-table__cell ui-table__cell--wide-only">{languages::name(&tenant.default_language)}</td>
            <td class="ui-table__cell ui-table__cell--wide-only ui-nowrap">
                <time datetime=format::machine(tenant.created_at)>{format::date(tenant.created_at)}</time>
            </td>
            <td class="ui-table__cell ui-table__cell--actions">{actions}</td>
        </tr>
    }
}

/// Shown without rows: there are no tenants, or nothing matches.
#[component]
fn Nothing(list: ListUrl, dialogs: Dialogs, may_write: bool) -> impl IntoView {
    if list.is_narrowed(&[]) {
        return Either::Left(view! {
            <EmptyState icon=IconName::Search title=texts::NO_MATCH_TITLE text=texts::NO_MATCH_TEXT>
                <Button on_click=move |()| list.clear(&[])>{common::CLEAR_FILTERS.t()}</Button>
            </EmptyState>
        });
    }
    let create = may_write.then(|| view! { <CreateButton dialogs /> });
    Either::Right(view! {
        <EmptyState icon=IconName::Tenant title=texts::NO_TENANTS_TITLE text=texts::NO_TENANTS_TEXT>{create}</EmptyState>
    })
}

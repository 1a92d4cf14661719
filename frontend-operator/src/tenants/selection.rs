//! The tenants selected for a bulk action, across several pages of the list, and the action itself.

use std::collections::BTreeMap;

use app::{
    api,
    focus_restore::focus_next,
    format,
    i18n::Localized,
    page_task::spawn_on_page,
    problem::Problem,
    ui::{Button, ButtonKind, Checkbox, ConfirmDialog, IconName, ToastKind, toast, toast_problem},
};
use contract::{
    TenantId,
    page::PageQuery,
    tenants::{BulkDeleteTenants, BulkSoftDelete, ListTenants, MAX_BULK_TENANTS, Tenant, TenantListQuery},
};
use leptos::prelude::*;

use crate::texts::{self, bulk};

/// Maximum page size of the API.
const MAX_PAGE: i64 = 200;
/// Maximum names listed in the confirmation of a deletion.
const MAX_NAMES: usize = 5;
/// The place of the checkbox that selects a page.
const SELECT_PAGE: &str = "select-page";

/// The selected tenants with their names.
#[derive(Clone, Copy)]
pub(super) struct Selection(RwSignal<BTreeMap<TenantId, String>>);

impl Selection {
    pub(super) fn new() -> Self {
        Self(RwSignal::new(BTreeMap::new()))
    }

    /// Whether a tenant is selected, tracked.
    pub(super) fn has(self, id: TenantId) -> bool {
        self.0.with(|selected| selected.contains_key(&id))
    }

    /// Selects a tenant or not.
    pub(super) fn set(self, id: TenantId, name: &str, selected: bool) {
        self.0.update(|all| {
            if selected {
                all.insert(id, name.to_owned());
            } else {
                all.remove(&id);
            }
        });
    }

    /// Number of selected tenants, tracked.
    pub(super) fn len(self) -> usize {
        self.0.with(BTreeMap::len)
    }

    fn clear(self) {
        self.0.update(BTreeMap::clear);
    }

    /// Every selected tenant with its name.
    pub(super) fn all(self) -> Vec<(TenantId, String)> {
        self.0.with_untracked(|selected| selected.iter().map(|(id, name)| (*id, name.clone())).collect())
    }

    /// Deselects a tenant; does nothing when the page is gone.
    pub(super) fn remove(self, id: TenantId) {
        let _ = self.0.try_update(|all| all.remove(&id));
    }

    /// The number of selected tenants as text, tracked.
    pub(super) fn count(self) -> Localized {
        format::count(self.len())
    }

    /// The first names, and how many more there are.
    pub(super) fn names(self) -> Localized {
        self.0.with_untracked(|selected| {
            let names: Vec<_> =
                selected.values().take(MAX_NAMES).map(|name| app::i18n::texts::QUOTED.with(&[name])).collect();
            let names = Localized::joined(names, ", ");
            match selected.len().saturating_sub(MAX_NAMES) {
                0 => names,
                1 => texts::AND_MORE_ONE.with_localized([names]),
                more => texts::AND_MORE.with_localized([names, format::count(more)]),
            }
        })
    }
}

/// A checkbox that selects every tenant of the page, what is selected, and what can be done with it.
#[component]
pub(super) fn SelectionBar(
    selection: Selection,
    /// The tenants of the page.
    page: Vec<(TenantId, String)>,
    /// Number of tenants that match the list's search.
    total: i64,
    /// The list's search.
    search: PageQuery,
    /// Opens the confirmation of the deletion; `None` for users who may not delete.
    on_delete: Option<Callback<()>>,
    /// Opens the assignment of modules.
    on_assign: Callback<()>,
) -> impl IntoView {
    let page = StoredValue::new(page);
    let is_whole = Signal::derive(move || page.with_value(|page| page.iter().all(|(id, _)| selection.has(*id))));
    let all = move |selected: bool| {
        page.with_value(|page| {
            for (id, name) in page {
                selection.set(*id, name, selected);
            }
        });
    };
    // Shows the API's limit before the confirmation instead of after it.
    let delete = move |on_delete: Callback<()>| match untrack(|| selection.len()) > MAX_BULK_TENANTS {
        true => toast(ToastKind::Error, texts::TOO_MANY_SELECTED.with(&[&MAX_BULK_TENANTS.to_string()])),
        false => on_delete.run(()),
    };
    let search = StoredValue::new(search);
    let every = move || {
        let is_offered = is_whole.get() && page.with_value(Vec::len) < usize::try_from(total).unwrap_or(0);
        is_offered.then(|| view! { <SelectEvery selection search=search.get_value() total /> })
    };
    let actions = move || {
        (selection.len() > 0).then(|| {
            view! {
                <span class="ui-strong" role="status">{texts::SELECTED.with_localized([selection.count()])}</span>
                <Button small=true on_click=move |()| forget(selection)>{texts::SELECT_NONE.t()}</Button>
                <Button small=true icon=IconName::Tiles on_click=move |()| on_assign.run(())>{bulk::ASSIGN.t()}</Button>
                {on_delete.map(|on_delete| view! {
                    <Button small=true kind=ButtonKind::Danger icon=IconName::Trash on_click=move |()| delete(on_delete)>
                        {texts::BULK_DELETE.t()}
                    </Button>
                })}
            }
        })
    };
    view! {
        <div class="ui-row ui-row--wrap ui-row--between ui-selection">
            <div class="ui-row ui-row--wrap" id=SELECT_PAGE>
                <Checkbox label=texts::SELECT_PAGE checked=is_whole on_change=all />
                {every}
            </div>
            <div class="ui-row ui-row--wrap">{actions}</div>
        </div>
    }
}

/// Clears the selection; the pressed button disappears with it.
fn forget(selection: Selection) {
    selection.clear();
    focus_next(format!("#{SELECT_PAGE} input"));
}

/// Selects every tenant that matches the list's search, including other pages.
#[component]
fn SelectEvery(selection: Selection, search: PageQuery, total: i64) -> impl IntoView {
    let busy = RwSignal::new(false);
    let select = move |()| {
        let search = search.clone();
        spawn_on_page(busy, every(search), move |tenants| match tenants {
            Ok(tenants) => selection.0.update(|all| all.extend(tenants)),
            Err(problem) => toast_problem(&problem),
        });
    };
    view! {
        <Button small=true kind=ButtonKind::Ghost busy=busy on_click=select>
            {bulk::SELECT_ALL.with_localized([format::number(total)])}
        </Button>
    }
}

/// Every tenant that matches a search, page by page.
async fn every(search: PageQuery) -> Result<Vec<(TenantId, String)>, Problem> {
    let mut tenants = Vec::new();
    let mut page = PageQuery { sort: Some("slug".to_owned()), limit: MAX_PAGE, offset: 0, ..search };
    loop {
        let answer = api::call::<ListTenants>(&(), &TenantListQuery { page: page.clone() }, &()).await?;
        let is_last = answer.items.len() < usize::try_from(MAX_PAGE).unwrap_or(usize::MAX);
        tenants.extend(answer.items.into_iter().map(|tenant| (tenant.id, tenant.display_name)));
        if is_last {
            return Ok(tenants);
        }
        page.offset += MAX_PAGE;
    }
}

/// The checkbox of one row.
#[component]
pub(super) fn SelectTenant(selection: Selection, tenant: Tenant) -> impl IntoView {
    let Tenant { id, display_name, .. } = tenant;
    let label = texts::SELECT_NAMED.with(&[&display_name]);
    view! {
        <input
            class="ui-checkbox__input"
            type="checkbox"
            aria-label=label
            prop:checked=move || selection.has(id)
            on:change=move |event| selection.set(id, &display_name, event_target_checked(&event))
        />
    }
}

/// Lists the selected tenants, asks for their number, and deletes all of them or none.
#[component]
pub(super) fn DeleteSelected(
    open: RwSignal<bool>,
    selection: Selection,
    /// Called after the deletion.
    #[prop(into)]
    on_done: Callback<()>,
) -> impl IntoView {
    let (busy, failure) = (RwSignal::new(false), RwSignal::new(None));
    let confirm = move |()| {
        let tenant_ids: Vec<_> = selection.0.with_untracked(|selected| selected.keys().copied().collect());
        let call = async move { api::call::<BulkDeleteTenants>(&(), &(), &BulkSoftDelete { tenant_ids }).await };
        spawn_on_page(busy, call, move |result| match result {
            Ok(outcome) => {
                open.set(false);
                selection.clear();
                toast(ToastKind::Success, texts::BULK_DELETED.with(&[&outcome.deleted.to_string()]));
                on_done.run(());
            }
            Err(problem) => failure.set(Some(problem)),
        });
    };
    // Rebuilt for another selection, which has another count.
    move || {
        let count = selection.len();
        (count > 0).then(|| {
            let count = count.to_string();
            view! {
                <ConfirmDialog
                    open
                    title=texts::BULK_DELETE_TITLE.with(&[&count])
                    text=texts::BULK_DELETE_TEXT.with_localized([selection.names()])
                    confirm_label=texts::BULK_DELETE_CONFIRM
                    type_to_confirm=count
                    busy=busy
                    failure
                    on_confirm=confirm
                />
            }
        })
    }
}

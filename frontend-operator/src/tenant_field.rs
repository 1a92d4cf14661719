//! A picker for one tenant: searched by name or slug, chosen from a short list.

use std::time::Duration;

use app::{
    api,
    focus_restore::focus_next,
    form::Field,
    ui::{Button, TextField},
};
use contract::{
    TenantId,
    page::PageQuery,
    tenants::{GetTenant, ListTenants, Tenant, TenantListQuery},
};
use leptos::{prelude::*, task::spawn_local};

use crate::texts::output_filter as texts;

/// Debounce of typing before the search runs.
const SEARCH_DELAY: Duration = Duration::from_millis(250);
/// Maximum tenants in the list.
const MAX_SUGGESTIONS: i64 = 6;

/// A field that finds one tenant.
#[component]
pub(crate) fn TenantField(
    /// The typed text.
    text: Field,
    /// The picked tenant.
    chosen: RwSignal<Option<TenantId>>,
) -> impl IntoView {
    let offers = RwSignal::new(None::<Vec<Tenant>>);
    let name = RwSignal::new(String::new());
    let pick = move |tenant: &Tenant| {
        text.set(tenant.display_name.as_str());
        name.set(tenant.display_name.clone());
        chosen.set(Some(tenant.id));
        offers.set(None);
    };
    // An id from the URL gets its name; a deleted tenant leaves the field empty.
    Effect::new(move |_| {
        let Some(id) = chosen.get().filter(|_| text.trimmed().is_empty()) else { return };
        spawn_local(async move {
            let answer = api::call::<GetTenant>(&id, &(), &()).await;
            if chosen.try_get_untracked() == Some(Some(id)) {
                match answer {
                    Ok(tenant) => pick(&tenant),
                    Err(_) => chosen.set(None),
                }
            }
        });
    });
    let generation = StoredValue::new(0_u32);
    let typed = move |typed: String| {
        chosen.set(None);
        let own = generation.get_value() + 1;
        generation.set_value(own);
        if typed.trim().is_empty() {
            return offers.set(None);
        }
        set_timeout(move || search(typed, own, generation, offers), SEARCH_DELAY);
    };
    let picked = Callback::new(move |tenant: Tenant| {
        pick(&tenant);
        // The list of results is removed now.
        focus_next(format!("input[name={}]", text.name()));
    });
    let list = move || offers.get().map(|tenants| view! { <Offers tenants on_pick=picked /> });
    let status = move || chosen.get().map(|_| texts::TENANT_CHOSEN.with(&[&name.get()]).get());
    view! {
        <div class="ui-stack ui-stack--small">
            <TextField label=texts::TENANT hint=texts::TENANT_HINT field=text optional=true on_input=typed />
            <div role="status">{status} {list}</div>
        </div>
    }
}

/// Searches, unless more was typed in the meantime or the page is gone.
fn search(typed: String, own: u32, generation: StoredValue<u32>, offers: RwSignal<Option<Vec<Tenant>>>) {
    let is_latest = move || generation.try_get_value() == Some(own);
    if !is_latest() {
        return;
    }
    let page = PageQuery { q: Some(typed.trim().to_owned()), limit: MAX_SUGGESTIONS, ..PageQuery::default() };
    spawn_local(async move {
        let answer = api::call::<ListTenants>(&(), &TenantListQuery { page }, &()).await;
        if is_latest() {
            offers.set(Some(answer.map(|page| page.items).unwrap_or_default()));
        }
    });
}

#[component]
fn Offers(tenants: Vec<Tenant>, on_pick: Callback<Tenant>) -> impl IntoView {
    if tenants.is_empty() {
        return view! { <p class="ui-muted">{texts::TENANT_NONE.t()}</p> }.into_any();
    }
    let offers: Vec<_> = tenants
        .into_iter()
        .map(|tenant| {
            let label = format!("{} ({})", tenant.display_name, tenant.slug);
            view! { <li><Button small=true on_click=move |()| on_pick.run(tenant.clone())>{label}</Button></li> }
        })
        .collect();
    view! { <ul class="ui-row ui-row--wrap">{offers}</ul> }.into_any()
}

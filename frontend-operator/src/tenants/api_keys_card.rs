//! Whether a tenant's programs may use API keys, and how much they do.

use app::{
    api, format,
    page_task::spawn_on_page,
    problem::Problem,
    resource::{Loaded, Resource},
    session::Session,
    ui::{Card, DefinitionItem, DefinitionList, Skeleton, Switch, ToastKind, toast, toast_problem},
};
use contract::{
    api_keys::{ApiKeyFigures, GetTenantApiKeys},
    tenants::{Tenant, TenantPatch, UpdateTenant},
};
use leptos::{either::Either, prelude::*};

use crate::texts::tenants as texts;

/// The switch and the figures of a tenant's API keys.
#[component]
pub(super) fn ApiKeysCard(tenant: Tenant, #[prop(into)] on_change: Callback<Tenant>) -> impl IntoView {
    let id = tenant.id;
    let figures = Resource::new(move || async move { api::call::<GetTenantApiKeys>(&id, &(), &()).await });
    let (allowed, busy) = (RwSignal::new(tenant.api_keys_allowed), RwSignal::new(false));
    let switch = move |is_on: bool| {
        allowed.set(is_on);
        let patch = TenantPatch { api_keys_allowed: Some(is_on), ..TenantPatch::default() };
        let call = async move { api::call::<UpdateTenant>(&id, &(), &patch).await };
        spawn_on_page(busy, call, move |result: Result<Tenant, Problem>| match result {
            Ok(tenant) => {
                toast(ToastKind::Success, texts::API_KEYS_SAVED);
                on_change.run(tenant);
            }
            Err(problem) => {
                allowed.set(!is_on);
                toast_problem(&problem);
            }
        });
    };
    view! {
        <Card title=texts::API_KEYS>
            <Switch
                label=texts::API_KEYS_ALLOWED
                checked=allowed
                on_change=switch
                disabled=!Session::get().is_operator()
                busy
            />
            <Loaded resource=figures skeleton=|| view! { <Skeleton lines=2 /> } let:figures>
                <Figures figures=figures />
            </Loaded>
        </Card>
    }
}

#[component]
fn Figures(figures: ApiKeyFigures) -> impl IntoView {
    let used = match figures.last_used_at {
        Some(at) => Either::Left(view! { <time datetime=format::machine(at)>{format::ago(at)}</time> }),
        None => Either::Right(texts::API_KEYS_NEVER.t()),
    };
    view! {
        <DefinitionList>
            <DefinitionItem term=texts::API_KEYS_ACTIVE>{format::number(figures.active)}</DefinitionItem>
            <DefinitionItem term=texts::API_KEYS_USED>{used}</DefinitionItem>
        </DefinitionList>
    }
}

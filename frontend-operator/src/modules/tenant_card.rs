//! The modules of one tenant as switches. A switch changes immediately and changes back when the API refuses.

use app::{
    api,
    i18n::modules::localized,
    page_task::spawn_on_page,
    resource::{Loaded, Resource},
    ui::{Card, SkeletonTable, Switch, ToastKind, toast, toast_problem},
};
use contract::{
    TenantId,
    modules::{ListTenantModules, ModuleListQuery, ModuleToggle, SetTenantModule, TenantModule},
    page::PageQuery,
};
use leptos::prelude::*;

use super::list::{effect, flags};
use crate::texts;

/// Shows and switches the modules of one tenant.
#[component]
pub(crate) fn TenantModulesCard(tenant_id: TenantId) -> impl IntoView {
    let modules = Resource::new(move || {
        let page = PageQuery { sort: Some("position".to_owned()), limit: 200, ..PageQuery::default() };
        async move { api::call::<ListTenantModules>(&tenant_id, &ModuleListQuery { page }, &()).await }
    });
    view! {
        <Card title=texts::ENABLED_MODULES>
            <Loaded resource=modules skeleton=|| view! { <SkeletonTable rows=3 columns=2 /> } let:page>
                <ul class="ui-list">
                    {page.items.into_iter().map(|module| view! { <ModuleSwitch tenant_id module /> }).collect_view()}
                </ul>
            </Loaded>
        </Card>
    }
}

#[component]
fn ModuleSwitch(tenant_id: TenantId, module: TenantModule) -> impl IntoView {
    let TenantModule { module, enabled } = module;
    let (on, busy) = (RwSignal::new(enabled), RwSignal::new(false));
    let (id, name) = (module.id.clone(), localized(&module.name));
    let change = move |enabled: bool| {
        let (id, name) = (id.clone(), name.clone());
        on.set(enabled);
        let call = async move { api::call::<SetTenantModule>(&(tenant_id, id), &(), &ModuleToggle { enabled }).await };
        spawn_on_page(busy, call, move |result| match result {
            Ok(_) => {
                let message = if enabled { texts::MODULE_ON } else { texts::MODULE_OFF };
                toast(ToastKind::Success, message.with_localized([name]));
            }
            Err(problem) => {
                on.set(!enabled);
                toast_problem(&problem);
            }
        });
    };
    let is_fixed = module.is_always_on;
    view! {
        <li class="ui-link-row">
            <span>
                <Switch
                    label=localized(&module.name)
                    checked=on
                    disabled=is_fixed
                    on_change=change
                    busy
                />
                <br />
                <span class="ui-muted ui-small">{localized(&module.description)} " " {effect(&module).t()}</span>
            </span>
            {flags(module.is_always_on, module.internal_only)}
        </li>
    }
}

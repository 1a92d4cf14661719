//! The modules of the tenant that have an effect: what each does, whether it is on, and switches for those that tenants
//! may switch.

use app::{
    api,
    i18n::{Localized, modules::localized},
    page_task::spawn_on_page,
    resource::{Loaded, Resource},
    session::Session,
    ui::{Badge, Card, EmptyState, IconName, PageHeader, SkeletonCards, Switch, ToastKind, Tone, toast, toast_problem},
};
use contract::{
    ErrorCode, Page,
    modules::{ActivateModule, DeactivateModule, ListTenantModules, ModuleListQuery, TenantModule},
    page::{MAX_LIMIT, PageQuery},
};
use leptos::prelude::*;

use crate::{
    read_only::{ReadOnlyBanner, is_read_only},
    texts::{self as console, modules as texts},
};

/// The modules of the user's tenant that switch something, by category.
#[component]
pub(crate) fn ModulesPage() -> impl IntoView {
    let tenant = Session::get().tenant_id();
    let modules = Resource::new(move || {
        let query = ModuleListQuery { page: PageQuery { limit: MAX_LIMIT, ..PageQuery::default() } };
        async move {
            let tenant = tenant.ok_or(ErrorCode::TenantRequired)?;
            api::call::<ListTenantModules>(&tenant, &query, &()).await
        }
    });
    view! {
        <PageHeader title=console::MODULES subtitle=texts::SUBTITLE />
        <ReadOnlyBanner />
        <Loaded resource=modules skeleton=|| view! { <SkeletonCards count=3 /> } let:page>
            {by_category(page)}
        </Loaded>
    }
}

/// A card for each category, in the order in which the registry's positions name them first.
fn by_category(page: Page<TenantModule>) -> AnyView {
    let modules: Vec<_> = page.items.into_iter().filter(|of| of.module.switches_something()).collect();
    if modules.is_empty() {
        return view! {
            <Card><EmptyState icon=IconName::Tiles title=texts::EMPTY_TITLE text=texts::EMPTY_TEXT /></Card>
        }
        .into_any();
    }
    let mut groups: Vec<(String, Vec<TenantModule>)> = Vec::new();
    for module in modules {
        match groups.iter_mut().find(|(category, _)| *category == module.module.category) {
            Some((_, modules)) => modules.push(module),
            None => groups.push((module.module.category.clone(), vec![module])),
        }
    }
    groups
        .into_iter()
        .map(|(category, modules)| {
            let rows = modules.into_iter().map(|module| view! { <Row module /> }).collect_view();
            view! {
                <Card title=category_name(&category) flush=true>
                    <ul class="ui-entries">{rows}</ul>
                </Card>
            }
        })
        .collect_view()
        .into_any()
}

/// The name of a category: translated for built-in ones, unchanged for those of operators.
fn category_name(category: &str) -> Localized {
    match category {
        "core" => texts::CORE.into(),
        "insight" => texts::INSIGHT.into(),
        "knowledge" => texts::KNOWLEDGE.into(),
        "operations" => texts::OPERATIONS.into(),
        _ => category.into(),
    }
}

#[component]
fn Row(module: TenantModule) -> impl IntoView {
    let TenantModule { module, enabled } = module;
    let (on, busy) = (RwSignal::new(enabled), RwSignal::new(false));
    let always = module.is_always_on;
    let badge = move || {
        let (tone, text) = match (always, on.get()) {
            (true, _) => (Tone::Info, texts::ALWAYS),
            (false, true) => (Tone::Success, texts::STATE_ON),
            (false, false) => (Tone::Neutral, texts::STATE_OFF),
        };
        view! { <Badge tone dot=true>{text.t()}</Badge> }
    };
    let (id, name) = (module.id.clone(), localized(&module.name));
    let switch = Callback::new(move |enable: bool| {
        on.set(enable);
        let (id, name) = (id.clone(), name.clone());
        let call = async move {
            if enable {
                api::call::<ActivateModule>(&id, &(), &()).await
            } else {
                api::call::<DeactivateModule>(&id, &(), &()).await
            }
        };
        spawn_on_page(busy, call, move |result| match result {
            Ok(_) => {
                let message = if enable { texts::ACTIVATED } else { texts::DEACTIVATED };
                toast(ToastKind::Success, message.with_localized([name]));
            }
            Err(problem) => {
                on.set(!enable);
                toast_problem(&problem);
            }
        });
    });
    let by_operator = !always && !module.self_service;
    let locked = always || by_operator || is_read_only();
    view! {
        <li class="ui-entries__item">
            <div class="ui-row ui-row--wrap">
                <Switch label=localized(&module.name) checked=on on_change=switch disabled=locked busy />
                {badge}
            </div>
            <p>{localized(&module.description)}</p>
            {always.then(|| view! { <p class="ui-muted ui-small">{texts::ALWAYS_TEXT.t()}</p> })}
            {by_operator.then(|| view! { <p class="ui-muted ui-small">{texts::OPERATOR_TEXT.t()}</p> })}
        </li>
    }
}

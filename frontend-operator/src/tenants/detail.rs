//! One tenant: its fields and its chatbots.

use app::{
    api, format,
    i18n::{languages, texts as common},
    people::{PeopleList, PeopleOf, texts as people},
    problem::Problem,
    resource::{Loaded, Resource},
    session::Session,
    ui::{
        Button, ButtonKind, ButtonLink, Card, CopyButton, Crumb, DefinitionItem, DefinitionList, IconName, PageHeader,
        Skeleton,
    },
};
use contract::{
    ErrorCode, TenantId,
    audit::AuditFilter,
    tenants::{GetTenant, Tenant},
};
use leptos::prelude::*;
use leptos_router::{
    NavigateOptions,
    hooks::{use_navigate, use_params_map},
};

use super::{
    answer_models::AnswerModelsCard, api_keys_card::ApiKeysCard, branding_card::BrandingCard, delete::DeleteTenant,
    form::TenantDialog, hosts_card::HostsCard, sources_card::SourcesCard, usage::TenantUsageSection,
};
use crate::{audit::LatestAuditCard, chatbots_card::ChatbotsCard, modules::TenantModulesCard, paths, texts};

/// One tenant, by the id in the address.
#[component]
pub(crate) fn TenantPage() -> impl IntoView {
    let params = use_params_map();
    let id = move || params.with(|params| params.get_str("id").and_then(|id| id.parse::<TenantId>().ok()));
    let tenant = Resource::new(move || {
        let id = id();
        async move {
            let id = id.ok_or_else(|| Problem::from(ErrorCode::TenantNotFound))?;
            api::call::<GetTenant>(&id, &(), &()).await
        }
    });
    view! {
        <Loaded resource=tenant skeleton=|| view! { <Skeleton lines=8 /> } let:content>
            <Content tenant=content resource=tenant />
        </Loaded>
    }
}

#[component]
fn Content(tenant: Tenant, resource: Resource<Tenant>) -> impl IntoView {
    let (edit, delete) = (RwSignal::new(false), RwSignal::new(false));
    let navigate = use_navigate();
    let show_list =
        move |()| navigate(paths::TENANTS, NavigateOptions { resolve: false, ..NavigateOptions::default() });
    let is_operator = Session::get().is_operator();
    let audit = paths::audit_of(&[("tenant_id", &tenant.id.to_string())]);
    let all = audit.clone();
    let actions = is_operator.then(|| {
        view! {
            <Button icon=IconName::Edit on_click=move |()| edit.set(true)>{common::EDIT.t()}</Button>
            <Button kind=ButtonKind::Danger icon=IconName::Trash on_click=move |()| delete.set(true)>
                {common::DELETE.t()}
            </Button>
        }
    });
    let (id, details, name) = (tenant.id, tenant.clone(), tenant.display_name.clone());
    let crumbs = vec![Crumb::link(texts::TENANTS, paths::TENANTS), Crumb::here(tenant.display_name.clone())];
    view! {
        <PageHeader title=tenant.display_name.clone() crumbs>
            <ButtonLink href=audit icon=IconName::Audit>{texts::AUDIT.t()}</ButtonLink>
            {actions}
        </PageHeader>
        <div class="ui-grid ui-grid--two">
            <Card title=texts::DETAILS><Details tenant=details /></Card>
            {is_operator.then(|| view! { <BrandingCard tenant_id=id /> })}
        </div>
        <TenantUsageSection tenant=tenant.clone() on_change=move |tenant| resource.set(tenant) />
        <AnswerModelsCard tenant=tenant.clone() on_change=move |tenant| resource.set(tenant) />
        <ApiKeysCard tenant=tenant.clone() on_change=move |tenant| resource.set(tenant) />
        <ChatbotsCard tenant_id=id />
        {is_operator.then(|| view! {
            <Card title=people::TITLE><PeopleList of=PeopleOf::Tenant(id) may_write=true tenant_name=name /></Card>
        })}
        <SourcesCard tenant_id=id />
        <HostsCard tenant_id=id />
        <div class="ui-grid ui-grid--two">
            <TenantModulesCard tenant_id=id />
            <LatestAuditCard filter=AuditFilter { tenant_id: Some(id), ..AuditFilter::default() } all />
        </div>
        <TenantDialog open=edit tenant=Some(tenant.clone()) on_done=move |tenant| resource.set(tenant) />
        <DeleteTenant open=delete tenant on_done=show_list />
    }
}

#[component]
fn Details(tenant: Tenant) -> impl IntoView {
    let id = tenant.id.to_string();
    view! {
        <DefinitionList>
            <DefinitionItem term=common::SLUG><span class="ui-mono">{tenant.slug}</span></DefinitionItem>
            <DefinitionItem term=texts::TENANT_ID>
                <span class="ui-row ui-row--wrap"><span class="ui-mono">{id.clone()}</span><CopyButton value=id /></span>
            </DefinitionItem>
            <DefinitionItem term=texts::DEFAULT_LANGUAGE>{languages::name(&tenant.default_language)}</DefinitionItem>
            <DefinitionItem term=common::CREATED>{format::date_time(tenant.created_at)}</DefinitionItem>
            <DefinitionItem term=common::UPDATED>{format::date_time(tenant.updated_at)}</DefinitionItem>
        </DefinitionList>
    }
}

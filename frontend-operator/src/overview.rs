//! The start page: counts, problems, the platform's health and growth, templates and the latest changes.

mod attention;
mod health;
mod templates;
mod trends;

use app::{
    api,
    backend::{HubUsage, OperatorOverview},
    format, lazy_view,
    resource::{Loaded, Resource},
    server_fns::operator::fetch_operator_overview,
    ui::{Banner, Card, DefinitionItem, DefinitionList, IconName, LazyPage, PageHeader, SkeletonCards, StatCard, Tone},
};
use contract::audit::AuditFilter;
use leptos::prelude::*;

use self::{attention::Attention, health::Health, templates::TopTemplates, trends::Trends};
use crate::{audit::LatestAuditCard, paths, texts};

/// The first page.
#[component]
pub(crate) fn OverviewPage() -> impl IntoView {
    let overview = Resource::new(|| api::function(fetch_operator_overview));
    view! {
        <PageHeader title=texts::OVERVIEW subtitle=texts::OVERVIEW_SUBTITLE />
        <Loaded resource=overview skeleton=|| view! { <SkeletonCards /> } let:overview>
            {(!overview.unavailable_models.is_empty()).then(|| models_away(&overview.unavailable_models))}
            <Figures overview=overview.clone() />
            <div class="ui-grid ui-grid--two">
                <Attention overview=overview.clone() />
                <Health />
            </div>
            <LazyPage view=lazy_view!(plots, Trends) />
            <div class="ui-grid ui-grid--two">
                <div class="ui-stack">
                    <TopTemplates templates=overview.top_templates />
                    {hub(overview.hub)}
                </div>
                <LatestAuditCard filter=AuditFilter::default() all=paths::AUDIT />
            </div>
        </Loaded>
    }
}

/// Shows which language models are paused.
fn models_away(names: &[String]) -> impl IntoView + use<> {
    let away = texts::MODELS_AWAY.with(&[&names.join(", ")]);
    view! { <Banner tone=Tone::Warning>{away}</Banner> }
}

#[component]
fn Figures(overview: OperatorOverview) -> impl IntoView {
    let number = format::number;
    view! {
        <div class="ui-grid ui-grid--cards">
            <StatCard label=texts::TENANTS value=number(overview.tenants) icon=IconName::Tenant href=paths::TENANTS />
            <StatCard label=texts::LIVE_CHATBOTS value=number(overview.chatbots) icon=IconName::Chatbot />
            <StatCard
                label=texts::ACTIVE_TEMPLATES
                value=number(overview.templates)
                icon=IconName::Template
                href=format!("{}?status=active", paths::TEMPLATES)
            />
        </div>
    }
}

/// The usage of the knowledge hub, once a tenant has it.
fn hub(of: HubUsage) -> impl IntoView {
    let tenants = texts::HUB_OF.with_localized([of.searching, of.tenants].map(format::number));
    (of.tenants > 0).then(|| {
        view! {
            <Card title=texts::HUB>
                <DefinitionList>
                    <DefinitionItem term=texts::HUB_SEARCHES>{format::number(of.searches)}</DefinitionItem>
                    <DefinitionItem term=texts::HUB_TENANTS>{tenants}</DefinitionItem>
                    <DefinitionItem term=texts::HUB_WITHOUT_RESULT>{format::number(of.without_result)}</DefinitionItem>
                    <DefinitionItem term=texts::HUB_OPENED>{format::number(of.opened)}</DefinitionItem>
                </DefinitionList>
            </Card>
        }
    })
}

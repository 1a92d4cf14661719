//! The first page: counts, days, what needs attention, the latest changes and tenants.

mod attention;

use app::{
    api,
    backend::{HubUsage, OperatorOverview, PlatformDay},
    format, lazy_view,
    resource::{Loaded, Resource},
    server_fns::operator::{fetch_operator_overview, fetch_platform_days},
    ui::{
        Banner, ButtonKind, ButtonLink, Card, DayKind, DayMood, DayPlot, DayValues, DefinitionItem, DefinitionList,
        EmptyState, IconName, LazyPage, PageHeader, SkeletonCards, SkeletonPlots, StatCard, Tone,
    },
};
use contract::{audit::AuditFilter, tenants::Tenant};
use leptos::{either::Either, prelude::*};

use self::attention::Attention;
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
            <LazyPage view=lazy_view!(plots, Days) />
            <div class="ui-grid ui-grid--two">
                <div class="ui-stack">
                    <Attention overview=overview.clone() />
                    <LatestTenants tenants=overview.latest_tenants />
                    {hub(overview.hub)}
                </div>
                <LatestAuditCard filter=AuditFilter::default() all=paths::AUDIT />
            </div>
        </Loaded>
    }
}

/// Says which language models are left alone for a while.
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
            <StatCard
                label=texts::CONVERSATIONS
                value=number(overview.conversations)
                icon=IconName::Clock
                hint=texts::LAST_30_DAYS
            />
        </div>
    }
}

/// How the knowledge hub is used, once a tenant has it.
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

/// Questions and filter events of the last 30 days.
#[component]
fn Days() -> impl IntoView {
    let days = Resource::new(|| api::function(fetch_platform_days));
    let skeleton = || view! { <SkeletonPlots titles=vec![texts::QUESTIONS_BY_DAY, texts::FILTER_EVENTS_BY_DAY] /> };
    view! {
        <Loaded resource=days skeleton let:days>
            <div class="ui-grid ui-grid--two">{plots(&days)}</div>
        </Loaded>
    }
}

fn plots(days: &[PlatformDay]) -> impl IntoView + use<> {
    let of = |count: fn(&PlatformDay) -> i64| -> Vec<DayValues> {
        days.iter().map(|day| DayValues { day: day.day.clone(), counts: vec![count(day)] }).collect()
    };
    let kind = |label: app::i18n::Text, mood| vec![DayKind { label: label.into(), mood }];
    let (questions, caught) = (of(|day| day.questions), of(|day| day.filter_events));
    let events = || {
        view! {
            <ButtonLink href=paths::OUTPUT_FILTER kind=ButtonKind::Ghost small=true>
                {texts::output_filter::EVENTS.t()}
            </ButtonLink>
        }
    };
    view! {
        <Card title=texts::QUESTIONS_BY_DAY>
            <DayPlot
                title=texts::QUESTIONS_BY_DAY
                kinds=kind(texts::QUESTIONS, DayMood::Plain)
                days=questions
            />
        </Card>
        <Card title=texts::FILTER_EVENTS_BY_DAY actions=events>
            <DayPlot
                title=texts::FILTER_EVENTS_BY_DAY
                kinds=kind(texts::output_filter::EVENTS, DayMood::Bad)
                days=caught
            />
        </Card>
    }
}

#[component]
fn LatestTenants(tenants: Vec<Tenant>) -> impl IntoView {
    if tenants.is_empty() {
        return Either::Left(view! {
            <Card>
                <EmptyState icon=IconName::Tenant title=texts::NO_TENANTS_TITLE text=texts::NO_TENANTS_TEXT compact=true />
            </Card>
        });
    }
    let rows: Vec<_> = tenants
        .into_iter()
        .map(|tenant| {
            view! {
                <li class="ui-link-row">
                    <a class="ui-link ui-link--quiet" href=paths::tenant(tenant.id)>{tenant.display_name}</a>
                    <span class="ui-muted">{format::date(tenant.created_at)}</span>
                </li>
            }
        })
        .collect();
    let all = || {
        view! { <ButtonLink href=paths::TENANTS kind=ButtonKind::Ghost small=true>{texts::ALL_TENANTS.t()}</ButtonLink> }
    };
    Either::Right(view! {
        <Card title=texts::LATEST_TENANTS actions=all>
            <ul class="ui-list">{rows}</ul>
        </Card>
    })
}

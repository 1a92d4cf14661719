//! The first page: counts, days, what needs attention, the latest changes and tenants.

use app::{
    api,
    backend::{OperatorOverview, PlatformDay},
    format,
    resource::{Loaded, Resource},
    server_fns::operator::{fetch_operator_overview, fetch_platform_days},
    ui::{
        Banner, ButtonKind, ButtonLink, Card, DayPlot, DayValue, EmptyState, IconName, PageHeader, SkeletonCards,
        StatCard, Tone,
    },
};
use contract::{audit::AuditFilter, tenants::Tenant};
use leptos::{either::Either, prelude::*};

use crate::{audit::LatestAuditCard, paths, texts};

/// The first page.
#[component]
pub(crate) fn OverviewPage() -> impl IntoView {
    let overview = Resource::new(|| api::function(fetch_operator_overview));
    let days = Resource::new(|| api::function(fetch_platform_days));
    view! {
        <PageHeader title=texts::OVERVIEW subtitle=texts::OVERVIEW_SUBTITLE />
        <Loaded resource=overview skeleton=|| view! { <SkeletonCards /> } let:overview>
            <Figures overview=overview.clone() />
            <div class="ui-grid ui-grid--two">
                <Loaded resource=days skeleton=|| view! { <SkeletonCards count=1 /> } let:days>
                    <Days days />
                </Loaded>
                <Attention failed=overview.failed_provisioning without_origins=overview.tenants_without_origins />
            </div>
            <div class="ui-grid ui-grid--two">
                <LatestAuditCard filter=AuditFilter::default() all=paths::AUDIT />
                <LatestTenants tenants=overview.latest_tenants />
            </div>
        </Loaded>
    }
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

/// Questions and filter events of the last 30 days.
#[component]
fn Days(days: Vec<PlatformDay>) -> impl IntoView {
    let of = |count: fn(&PlatformDay) -> i64| -> Vec<DayValue> {
        days.iter().map(|day| DayValue { day: day.day.clone(), count: count(day) }).collect()
    };
    let (questions, caught) = (of(|day| day.questions), of(|day| day.filter_events));
    let export = || {
        view! {
            <ButtonLink href=paths::OUTPUT_FILTER kind=ButtonKind::Ghost small=true>
                {texts::output_filter::EXPORT.t()}
            </ButtonLink>
        }
    };
    view! {
        <Card title=texts::QUESTIONS_BY_DAY>
            <DayPlot title=texts::QUESTIONS_BY_DAY days=questions />
        </Card>
        <Card title=texts::FILTER_EVENTS_BY_DAY actions=export>
            <DayPlot title=texts::FILTER_EVENTS_BY_DAY days=caught warning=true />
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

#[component]
fn Attention(failed: i64, without_origins: i64) -> impl IntoView {
    let notes: Vec<_> = [(failed, texts::ATTENTION_PROVISIONING), (without_origins, texts::ATTENTION_ORIGINS)]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, text)| view! { <Banner tone=Tone::Warning>{text.with(&[&format::number(count)])}</Banner> })
        .collect();
    let content = if notes.is_empty() {
        Either::Left(view! {
            <EmptyState
                icon=IconName::Check
                title=texts::ATTENTION_NONE_TITLE
                text=texts::ATTENTION_NONE_TEXT
                compact=true
            />
        })
    } else {
        Either::Right(view! { <div class="ui-stack ui-stack--small">{notes}</div> })
    };
    view! { <Card title=texts::ATTENTION>{content}</Card> }
}

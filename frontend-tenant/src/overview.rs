//! The overview: figures, open tasks, questions by day, and the newest chatbots. Until a chatbot works, it begins with
//! a checklist.

mod checklist;
mod open_work;
mod trends;

use app::{
    api,
    backend::TenantOverview,
    format, lazy_view,
    resource::{Loaded, Resource},
    server_fns::tenant::fetch_tenant_overview,
    ui::{
        Badge, Banner, ButtonKind, ButtonLink, Card, IconName, LazyPage, Link, PageHeader, SkeletonCards, StatCard,
        Tone,
    },
    usage::texts as usage,
};
use leptos::prelude::*;

pub(crate) use self::open_work::OpenWorkRows;
use self::{checklist::Checklist, open_work::OpenWorkCard, trends::Trends};
use crate::{
    paths,
    provisioning::badge,
    texts::{self as console, overview as texts},
};

/// The first page.
#[component]
pub(crate) fn OverviewPage() -> impl IntoView {
    let overview = Resource::new(|| api::function(fetch_tenant_overview));
    let subtitle = move || overview.get().map(|overview| texts::SUBTITLE.with(&[&overview.tenant.display_name]).get());
    view! {
        <div class="ui-stack ui-stack--small">
            <PageHeader title=console::OVERVIEW />
            <p class="ui-page-header__subtitle">{subtitle}</p>
        </div>
        <Loaded resource=overview skeleton=|| view! { <SkeletonCards count=4 /> } let:overview>
            {overview.has_short_quota.then(quota_warning)}
            <Figures overview=overview.clone() />
            <div class="ui-grid ui-grid--main-side">
                <div class="ui-stack">
                    {(!checklist::is_done(&overview)).then(|| view! { <Checklist overview=overview.clone() /> })}
                    {(overview.active_chatbots > 0)
                        .then(|| view! { <OpenWorkCard work=overview.open_work.clone() /> })}
                </div>
                <Latest overview=overview.clone() />
            </div>
            {overview.has_question.then(|| view! { <LazyPage view=lazy_view!(plots, Trends) /> })}
        </Loaded>
    }
}

fn quota_warning() -> impl IntoView {
    view! {
        <Banner tone=Tone::Warning title=usage::NEAR_LIMITS>
            <Link href=paths::USAGE>{usage::SHOW_USAGE.t()}</Link>
        </Banner>
    }
}

#[component]
fn Figures(overview: TenantOverview) -> impl IntoView {
    let failed = overview.failed_provisioning > 0;
    let (chatbots_tone, chatbots_hint) = if failed {
        (Tone::Danger, texts::FAILED_COUNT.with_localized([format::number(overview.failed_provisioning)]))
    } else {
        (Tone::Neutral, texts::DEACTIVATED_COUNT.with_localized([format::number(overview.deactivated_chatbots)]))
    };
    let (origins_tone, origins_hint) = if overview.allowed_origins == 0 {
        (Tone::Warning, texts::ORIGINS_NONE)
    } else {
        (Tone::Neutral, texts::ORIGINS_SOME)
    };
    view! {
        <div class="ui-grid ui-grid--cards">
            <StatCard
                label=texts::ACTIVE_CHATBOTS
                value=format::number(overview.active_chatbots)
                icon=IconName::Chatbot
                href=paths::CHATBOTS
                tone=chatbots_tone
                hint=chatbots_hint
            />
            <StatCard
                label=texts::ORIGINS
                value=format::number(overview.allowed_origins)
                icon=IconName::Globe
                href=paths::BRANDING
                tone=origins_tone
                hint=origins_hint
            />
        </div>
    }
}

#[component]
fn Latest(overview: TenantOverview) -> impl IntoView {
    if overview.latest_chatbots.is_empty() {
        return ().into_any();
    }
    let rows = overview
        .latest_chatbots
        .into_iter()
        .map(|chatbot| {
            let (tone, text) = badge(&chatbot);
            view! {
                <li class="ui-link-row">
                    <Link href=paths::chatbot(chatbot.id) quiet=true>{chatbot.name}</Link>
                    <Badge tone dot=true>{text.t()}</Badge>
                </li>
            }
        })
        .collect_view();
    let all = || {
        view! {
            <ButtonLink href=paths::CHATBOTS kind=ButtonKind::Ghost small=true>{texts::ALL_CHATBOTS.t()}</ButtonLink>
        }
    };
    view! { <Card title=texts::LATEST actions=all><ul class="ui-list">{rows}</ul></Card> }.into_any()
}

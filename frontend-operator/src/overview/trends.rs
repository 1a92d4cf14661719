//! The growth of the platform over 7, 30 or 90 days, compared with the same number of days before, and the active
//! tenants. The range is in the URL.

use app::{
    api,
    backend::{PlatformDay, PlatformSums, PlatformTrends, TenantActivity},
    comparison::{compared, percent_change, texts as compare},
    format,
    i18n::{Localized, Text},
    list_url::ListUrl,
    resource::{Loaded, Resource},
    server_fns::operator::fetch_platform_trends,
    ui::{
        ButtonKind, ButtonLink, Card, DayKind, DayMood, DayPlot, DayRange, DayValues, IconName, RangeSwitch,
        SkeletonCards, SkeletonPlots, StatCard,
    },
};
use leptos::prelude::*;

use crate::{
    paths,
    texts::{output_filter, overview as texts},
};

#[component]
pub(super) fn Trends() -> impl IntoView {
    let range = DayRange::new(ListUrl::new("", 0));
    let trends = Resource::new(move || {
        let days = range.days();
        async move { api::function(|| fetch_platform_trends(Some(days))).await }
    });
    let skeleton = || {
        view! { <SkeletonCards /> <SkeletonPlots titles=vec![texts::QUESTIONS_BY_DAY, texts::FILTER_EVENTS_BY_DAY] /> }
    };
    view! {
        <section class="ui-stack ui-section" aria-labelledby="trends">
            <div class="ui-row ui-row--between">
                <h2 id="trends">{compare::TRENDS.t()}</h2>
                <RangeSwitch range />
            </div>
            <Loaded resource=trends skeleton let:trends>
                <Content trends />
            </Loaded>
        </section>
    }
}

#[component]
fn Content(trends: PlatformTrends) -> impl IntoView {
    let PlatformTrends { days, days_before, now, before, most_active, tenants_without_questions } = trends;
    let length = format::count(days.len());
    view! {
        <Growth length=length.clone() now before />
        <div class="ui-grid ui-grid--two">{plots(&days, &days_before)}</div>
        <MostActive tenants=most_active without_questions=tenants_without_questions length />
    }
}

/// The sums with their changes: many things in percent, few by their number.
#[component]
fn Growth(
    /// The number of summed days.
    length: Localized,
    now: PlatformSums,
    before: PlatformSums,
) -> impl IntoView {
    let in_percent = |of: fn(&PlatformSums) -> i64| {
        let change = percent_change(of(&now), of(&before));
        compared(compare::BEFORE_CHANGE, change, &length)
    };
    let by_number = |of: fn(&PlatformSums) -> i64| {
        let change = (of(&before) > 0).then(|| format::change(of(&now) - of(&before)));
        compared(compare::BEFORE_CHANGE, change, &length)
    };
    view! {
        <div class="ui-grid ui-grid--cards">
            <StatCard
                label=texts::QUESTIONS
                value=format::number(now.questions)
                icon=IconName::Question
                hint=in_percent(|sums| sums.questions)
            />
            <StatCard
                label=texts::CONVERSATIONS
                value=format::number(now.conversations)
                icon=IconName::Inbox
                hint=in_percent(|sums| sums.conversations)
            />
            <StatCard
                label=texts::NEW_TENANTS
                value=format::number(now.new_tenants)
                icon=IconName::Tenant
                href=format!("{}?sort=-created_at", paths::TENANTS)
                hint=by_number(|sums| sums.new_tenants)
            />
            <StatCard
                label=texts::NEW_CHATBOTS
                value=format::number(now.new_chatbots)
                icon=IconName::Chatbot
                hint=by_number(|sums| sums.new_chatbots)
            />
        </div>
    }
}

fn plots(days: &[PlatformDay], days_before: &[PlatformDay]) -> impl IntoView + use<> {
    let of = |count: fn(&PlatformDay) -> i64| -> [Vec<DayValues>; 2] {
        let values = |day: &PlatformDay| DayValues { day: day.day.clone(), counts: vec![count(day)] };
        [days, days_before].map(|days| days.iter().map(values).collect())
    };
    let kind = |label: Text, mood| vec![DayKind { label: label.into(), mood }];
    let [questions, questions_before] = of(|day| day.questions);
    let [caught, caught_before] = of(|day| day.filter_events);
    let events = || {
        view! {
            <ButtonLink href=paths::OUTPUT_FILTER kind=ButtonKind::Ghost small=true>
                {output_filter::EVENTS.t()}
            </ButtonLink>
        }
    };
    view! {
        <Card title=texts::QUESTIONS_BY_DAY>
            <DayPlot
                title=texts::QUESTIONS_BY_DAY
                kinds=kind(texts::QUESTIONS, DayMood::Plain)
                days=questions
                before=questions_before
            />
        </Card>
        <Card title=texts::FILTER_EVENTS_BY_DAY actions=events>
            <DayPlot
                title=texts::FILTER_EVENTS_BY_DAY
                kinds=kind(output_filter::EVENTS, DayMood::Bad)
                days=caught
                before=caught_before
            />
        </Card>
    }
}

#[component]
fn MostActive(
    tenants: Vec<TenantActivity>,
    /// Live tenants without questions.
    without_questions: i64,
    /// The number of summed days.
    length: Localized,
) -> impl IntoView {
    let all = || {
        view! { <ButtonLink href=paths::TENANTS kind=ButtonKind::Ghost small=true>{texts::ALL_TENANTS.t()}</ButtonLink> }
    };
    let list = if tenants.is_empty() {
        view! { <p class="ui-muted">{texts::MOST_ACTIVE_NONE.t()}</p> }.into_any()
    } else {
        let explained = texts::MOST_ACTIVE_BEFORE.with_localized([length]);
        view! {
            <p class="ui-muted ui-small">{explained}</p>
            <ul class="ui-list">{tenants.into_iter().map(active).collect_view()}</ul>
        }
        .into_any()
    };
    let quiet = texts::WITHOUT_QUESTIONS.with_localized([format::number(without_questions)]);
    view! {
        <Card title=texts::MOST_ACTIVE actions=all>
            {list}
            {(without_questions > 0).then(|| view! { <p class="ui-muted">{quiet}</p> })}
        </Card>
    }
}

fn active(of: TenantActivity) -> impl IntoView {
    let TenantActivity { tenant_id, tenant_name, questions, before } = of;
    let question_count = if questions == 1 {
        texts::ONE_QUESTION.into()
    } else {
        texts::QUESTION_COUNT.with_localized([format::number(questions)])
    };
    let change = percent_change(questions, before).unwrap_or_else(|| texts::NONE_BEFORE.into());
    view! {
        <li class="ui-link-row ui-row--wrap">
            <a class="ui-link ui-link--quiet" href=paths::tenant(tenant_id)>{tenant_name}</a>
            <span class="ui-muted">{Localized::joined(vec![question_count, change], " · ")}</span>
        </li>
    }
}

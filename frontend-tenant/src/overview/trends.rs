//! What happened in the conversations over 7, 30 or 90 days, beside as many days before; what was asked most, and which documents
//! answered it. The range stands in the address.

use app::{
    api,
    backend::{TenantTrends, TopDocument, TopQuestion, TrendSums},
    format,
    i18n::{Localized, Text},
    list_url::ListUrl,
    resource::{Loaded, Resource},
    server_fns::tenant::fetch_tenant_trends,
    ui::{
        Badge, Card, DayKind, DayMood, DayPlot, DayValues, IconName, Link, Select, SkeletonCards, SkeletonPlots,
        StatCard, Tone,
    },
};
use leptos::prelude::*;

use crate::{
    routes,
    texts::{conversations, overview as texts},
};

const DAYS: &str = "days";
/// The ranges; the middle one without a choice.
const RANGES: [(&str, Text); 3] = [("7", texts::DAYS_7), ("", texts::DAYS_30), ("90", texts::DAYS_90)];
const DEFAULT: u16 = 30;

/// The trends.
#[component]
pub(super) fn Trends() -> impl IntoView {
    let url = ListUrl::new("", 0);
    let days = Memo::new(move |_| match url.value(DAYS).as_str() {
        "7" => 7,
        "90" => 90,
        _ => DEFAULT,
    });
    let trends = Resource::new(move || {
        let days = days.get();
        async move { api::function(|| fetch_tenant_trends(Some(days))).await.map(|trends| (days, trends)) }
    });
    let skeleton = || view! { <SkeletonCards count=3 /> <SkeletonPlots titles=vec![texts::BY_DAY] /> };
    let ranges = RANGES.map(|(value, text)| (value.to_owned(), text.into())).to_vec();
    view! {
        <section class="ui-stack" aria-labelledby="trends">
            <div class="ui-row ui-row--between">
                <h2 id="trends">{texts::TRENDS.t()}</h2>
                <Select
                    label=texts::RANGE
                    hide_label=true
                    small=true
                    value=url.signal(DAYS)
                    options=ranges
                    on_change=move |value: String| url.replace(&[(DAYS, value.as_str())])
                />
            </div>
            <Loaded resource=trends skeleton let:found>
                <Content days=found.0 trends=found.1 />
            </Loaded>
        </section>
    }
}

#[component]
fn Content(days: u16, trends: TenantTrends) -> impl IntoView {
    let TenantTrends { days: daily, now, before, questions, documents } = trends;
    let kind = |label: Text, mood| DayKind { label: label.into(), mood };
    let kinds = vec![kind(conversations::ANSWERED, DayMood::Good), kind(conversations::UNANSWERED, DayMood::Bad)];
    let values = |day: &contract::conversations::ConversationDay| DayValues {
        day: day.date.to_string(),
        counts: vec![day.answered, day.unanswered],
    };
    let plotted = daily.iter().map(values).collect();
    view! {
        <Sums days now before />
        <Card title=texts::BY_DAY><DayPlot title=texts::BY_DAY kinds days=plotted /></Card>
        <div class="ui-grid ui-grid--two">
            <Card title=texts::TOP_QUESTIONS>{top_questions(questions)}</Card>
            <Card title=texts::TOP_DOCUMENTS>{top_documents(documents)}</Card>
        </div>
    }
}

#[component]
fn Sums(days: u16, now: TrendSums, before: TrendSums) -> impl IntoView {
    let all = || routes::conversations(None);
    let share = |sums: TrendSums| format::percent(sums.answered, sums.questions);
    let length = format::number(i64::from(days));
    let answered = match share(now).zip(share(before)) {
        None => texts::BEFORE_NONE.with_localized([length]),
        Some((now, before)) => texts::BEFORE_POINTS.with_localized([format::change(now - before), length]),
    };
    view! {
        <div class="ui-grid ui-grid--cards">
            <StatCard
                label=texts::CONVERSATIONS
                value=format::number(now.conversations)
                icon=IconName::User
                href=all()
                hint=change(days, now.conversations, before.conversations)
            />
            <StatCard
                label=texts::QUESTIONS
                value=format::number(now.questions)
                icon=IconName::Inbox
                href=all()
                hint=change(days, now.questions, before.questions)
            />
            <StatCard
                label=conversations::ANSWERED
                value=format::share(now.answered, now.questions)
                icon=IconName::Check
                tone=Tone::Success
                hint=answered
            />
        </div>
    }
}

/// How a number differs from that of as many days before.
fn change(days: u16, now: i64, before: i64) -> Localized {
    let length = format::number(i64::from(days));
    match format::percent(now - before, before) {
        None => texts::BEFORE_NONE.with_localized([length]),
        Some(percent) => texts::BEFORE_CHANGE.with_localized([format::percent_change(percent), length]),
    }
}

fn top_questions(questions: Vec<TopQuestion>) -> AnyView {
    if questions.is_empty() {
        return view! { <p class="ui-muted">{texts::TOP_QUESTIONS_NONE.t()}</p> }.into_any();
    }
    let row = |of: TopQuestion| {
        let unanswered =
            (!of.answered).then(|| view! { <Badge tone=Tone::Warning>{texts::TOP_UNANSWERED.t()}</Badge> });
        view! {
            <li class="ui-link-row">
                <span class="ui-break">
                    <Link href=routes::conversation(of.session_id, None) quiet=true>{of.question}</Link>
                    " "
                    {unanswered}
                </span>
                <span class="ui-muted ui-nowrap">{times(of.times)}</span>
            </li>
        }
    };
    view! { <ul class="ui-list">{questions.into_iter().map(row).collect_view()}</ul> }.into_any()
}

fn top_documents(documents: Vec<TopDocument>) -> AnyView {
    if documents.is_empty() {
        return view! { <p class="ui-muted">{texts::TOP_DOCUMENTS_NONE.t()}</p> }.into_any();
    }
    let row = |of: TopDocument| {
        view! {
            <li class="ui-link-row">
                <span class="ui-break">
                    <Link href=routes::knowledge(of.chatbot_id) quiet=true>{of.title}</Link>
                </span>
                <span class="ui-muted ui-nowrap">{answers(of.answers)}</span>
            </li>
        }
    };
    view! { <ul class="ui-list">{documents.into_iter().map(row).collect_view()}</ul> }.into_any()
}

fn times(count: i64) -> Localized {
    if count == 1 { texts::ONCE.into() } else { texts::TIMES.with_localized([format::number(count)]) }
}

fn answers(count: i64) -> Localized {
    if count == 1 { texts::ONE_ANSWER.into() } else { texts::ANSWERS.with_localized([format::number(count)]) }
}

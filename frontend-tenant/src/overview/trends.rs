//! The conversations over 7, 30 or 90 days, compared with the same number of days before; the most frequent questions,
//! and the documents that answered them. The range is in the URL.

use app::{
    api,
    backend::{TenantTrends, TopDocument, TopQuestion, TrendSums},
    comparison::{compared, percent_change, texts as compare},
    format,
    i18n::{Localized, Text, plural},
    list_url::ListUrl,
    resource::{Loaded, Resource},
    server_fns::tenant::fetch_tenant_trends,
    ui::{
        Badge, Card, DayKind, DayMood, DayPlot, DayRange, DayValues, IconName, Link, RangeSwitch, SkeletonCards,
        SkeletonPlots, StatCard, Tone,
    },
};
use leptos::prelude::*;

use crate::{
    paths,
    texts::{conversations, overview as texts},
};

#[component]
pub(super) fn Trends() -> impl IntoView {
    let range = DayRange::new(ListUrl::new("", 0));
    let trends = Resource::new(move || {
        let days = range.days();
        async move { api::function(|| fetch_tenant_trends(Some(days))).await }
    });
    let skeleton = || view! { <SkeletonCards count=3 /> <SkeletonPlots titles=vec![texts::BY_DAY] /> };
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
fn Content(trends: TenantTrends) -> impl IntoView {
    let TenantTrends { days: daily, days_before, now, before, questions, documents } = trends;
    let kind = |label: Text, mood| DayKind { label: label.into(), mood };
    let kinds = vec![kind(conversations::ANSWERED, DayMood::Good), kind(conversations::UNANSWERED, DayMood::Bad)];
    let values = |day: &contract::conversations::ConversationDay| DayValues {
        day: day.date.to_string(),
        counts: vec![day.answered, day.unanswered],
    };
    let plotted = daily.iter().map(values).collect();
    let plotted_before = days_before.iter().map(values).collect();
    view! {
        <Sums length=format::count(daily.len()) now before />
        <Card title=texts::BY_DAY>
            <DayPlot title=texts::BY_DAY kinds days=plotted before=plotted_before />
        </Card>
        <div class="ui-grid ui-grid--two">
            <Card title=texts::TOP_QUESTIONS>{top_questions(questions)}</Card>
            <Card title=texts::TOP_DOCUMENTS>{top_documents(documents)}</Card>
        </div>
    }
}

#[component]
fn Sums(
    /// The number of summed days.
    length: Localized,
    now: TrendSums,
    before: TrendSums,
) -> impl IntoView {
    let share = |sums: TrendSums| format::percent(sums.answered, sums.questions);
    let points = share(now).zip(share(before)).map(|(now, before)| now - before);
    let points_text = plural(points.map_or(0, i64::abs), compare::BEFORE_POINT, compare::BEFORE_POINTS);
    let counted = |label: Text, icon: IconName, of: fn(&TrendSums) -> i64| {
        let change = percent_change(of(&now), of(&before));
        let hint = compared(compare::BEFORE_CHANGE, change, &length);
        view! { <StatCard label value=format::number(of(&now)) icon href=paths::CONVERSATIONS hint /> }
    };
    view! {
        <div class="ui-grid ui-grid--cards">
            {counted(texts::CONVERSATIONS, IconName::Inbox, |sums| sums.conversations)}
            {counted(texts::QUESTIONS, IconName::Question, |sums| sums.questions)}
            <StatCard
                label=conversations::ANSWERED
                value=format::share(now.answered, now.questions)
                icon=IconName::Check
                tone=Tone::Success
                hint=compared(points_text, points.map(format::change), &length)
            />
        </div>
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
                    <Link href=paths::conversation(of.session_id, None) quiet=true>{of.question}</Link>
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
                    <Link href=paths::document(of.chatbot_id, of.document_id) quiet=true>{of.title}</Link>
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

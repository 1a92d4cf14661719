//! The number of conversations, and the share of answered questions, compared with the same number of days before.

mod totals;

use app::{
    api,
    problem::Problem,
    ui::{Card, DayKind, DayMood, DayPlot, DayValues, SkeletonCards, SkeletonPlots},
};
use contract::{
    conversations::{ConversationDay, ConversationFilter, ConversationStats, GetConversationStats},
    page::TotalIs,
};
use leptos::prelude::*;

use self::totals::Totals;
use crate::texts::conversations as texts;

/// The figures of some days, and the same number of days before them.
#[derive(Debug, Clone)]
pub(super) struct Compared {
    stats: ConversationStats,
    /// Empty when a search did not look at all conversations.
    before: Vec<ConversationDay>,
}

/// The figures that a filter leaves.
pub(super) async fn load(filter: ConversationFilter) -> Result<Compared, Problem> {
    let stats = api::call::<GetConversationStats>(&(), &filter, &()).await?;
    let before = match days_before(&stats.daily) {
        Some((first, last)) if stats.total_is == TotalIs::Exact => {
            let earlier = ConversationFilter { date_from: Some(first), date_to: Some(last), ..filter };
            api::call::<GetConversationStats>(&(), &earlier, &()).await?.daily
        }
        _ => Vec::new(),
    };
    Ok(Compared { stats, before })
}

/// The first and the last of the same number of days before these.
fn days_before(days: &[ConversationDay]) -> Option<(String, String)> {
    let first = days.first()?.date;
    let earlier = |by: usize| first.iter_days().rev().nth(by);
    Some((earlier(days.len())?.to_string(), earlier(1)?.to_string()))
}

/// The placeholder of the first load.
pub(super) fn skeleton() -> impl IntoView {
    view! {
        <SkeletonCards count=4 />
        <SkeletonPlots titles=vec![texts::PLOT, texts::PLOT_QUESTIONS] />
    }
}

/// The figures of the days that are counted, and two plots.
#[component]
pub(super) fn Figures(
    figures: Compared,
    /// Whether the user chose the days; the default is the last 30.
    chosen: bool,
) -> impl IntoView {
    let Compared { stats, before } = figures;
    let days = |counts: fn(&ConversationDay) -> Vec<i64>| -> [Vec<DayValues>; 2] {
        let values = |day: &ConversationDay| DayValues { day: day.date.to_string(), counts: counts(day) };
        [&stats.daily, &before].map(|days| days.iter().map(values).collect())
    };
    let kind = |label: app::i18n::Text, mood| DayKind { label: label.into(), mood };
    let [conversations_by_day, conversations_before] = days(|day| vec![day.conversations]);
    let [questions_by_day, questions_before] = days(|day| vec![day.answered, day.unanswered]);
    let conversation_kinds = vec![kind(texts::COUNT, DayMood::Plain)];
    let question_kinds = vec![kind(texts::ANSWERED, DayMood::Good), kind(texts::UNANSWERED, DayMood::Bad)];
    view! {
        <Totals stats chosen />
        <div class="ui-grid ui-grid--two">
            <Card title=texts::PLOT>
                <DayPlot
                    title=texts::PLOT
                    kinds=conversation_kinds
                    days=conversations_by_day
                    before=conversations_before
                />
            </Card>
            <Card title=texts::PLOT_QUESTIONS>
                <DayPlot
                    title=texts::PLOT_QUESTIONS
                    kinds=question_kinds
                    days=questions_by_day
                    before=questions_before
                />
            </Card>
        </div>
    }
}

//! The totals of the days that are counted: conversations, answered and unanswered questions, and small talk.

use app::{
    format,
    i18n::plural,
    ui::{IconName, StatCard, Tone},
};
use contract::{conversations::ConversationStats, page::TotalIs};
use leptos::prelude::*;

use crate::texts::conversations as texts;

/// One card for each total.
#[component]
pub(super) fn Totals(
    stats: ConversationStats,
    /// Whether the user chose the days; the default is the last 30.
    chosen: bool,
) -> impl IntoView {
    let questions = stats.answered + stats.unanswered;
    let share = format::share(stats.answered, questions);
    let at_least = |count: i64| match stats.total_is {
        TotalIs::Exact => format::number(count),
        TotalIs::AtLeast => texts::AT_LEAST.with_localized([format::number(count)]),
    };
    let without = [stats.low, stats.unanswered - stats.low].map(format::number);
    let unanswered_hint = texts::UNANSWERED_HINT.with_localized(without);
    let hint = plural(questions, texts::ANSWERED_HINT_ONE, texts::ANSWERED_HINT);
    let hint = hint.with_localized([stats.answered, questions].map(format::number));
    view! {
        <div class="ui-grid ui-grid--cards">
            <StatCard
                label=texts::COUNT
                value=at_least(stats.conversations)
                icon=IconName::Inbox
                hint=if chosen { texts::COUNT_CHOSEN } else { texts::COUNT_HINT }
            />
            <StatCard label=texts::ANSWERED value=share icon=IconName::Check tone=Tone::Success hint />
            <StatCard
                label=texts::UNANSWERED
                value=at_least(stats.unanswered)
                icon=IconName::Alert
                tone=Tone::Warning
                hint=unanswered_hint
            />
            <StatCard
                label=texts::SMALL_TALK
                value=at_least(stats.small_talk)
                icon=IconName::Chatbot
                hint=texts::SMALL_TALK_HINT
            />
        </div>
    }
}

//! Feedback statistics: figures, days, and categories.

use app::{
    format,
    i18n::{Localized, plural},
    list_url::ListUrl,
    ui::{
        Button, ButtonKind, Card, DayKind, DayMood, DayPlot, DayRange, DayValues, IconName, RangeSwitch, SkeletonCards,
        SkeletonPlots, StatCard, Tone,
    },
};
use contract::feedback::{FeedbackCategory, FeedbackDay, FeedbackStats, Rating};
use leptos::prelude::*;

use super::CATEGORY;
use crate::{feedback_labels as labels, texts::feedback as texts};

/// The placeholder of the first load.
pub(super) fn skeleton() -> impl IntoView {
    view! {
        <SkeletonCards count=3 />
        <SkeletonPlots titles=vec![texts::PLOT, texts::CATEGORIES] />
    }
}

/// The figures of a chatbot's feedback.
#[component]
pub(super) fn Statistics(
    stats: FeedbackStats,
    /// The list that a category links to.
    url: ListUrl,
    /// The days of the plot.
    range: DayRange,
) -> impl IntoView {
    let values = |day: &FeedbackDay| DayValues { day: day.date.to_string(), counts: vec![day.up, day.down] };
    let days = stats.daily.iter().map(values).collect();
    let before = stats.daily_before.iter().map(values).collect();
    let switch = move || view! { <RangeSwitch range /> };
    let kind = |label: app::i18n::Text, mood| DayKind { label: label.into(), mood };
    let kinds = vec![kind(texts::UP, DayMood::Good), kind(texts::DOWN, DayMood::Bad)];
    view! {
        <Figures stats=stats.clone() />
        <div class="ui-grid ui-grid--main-side">
            <Card title=texts::PLOT actions=switch>
                <DayPlot title=texts::PLOT kinds days before nothing=texts::PLOT_EMPTY />
            </Card>
            <Card title=texts::CATEGORIES><Categories stats url /></Card>
        </div>
    }
}

#[component]
fn Figures(stats: FeedbackStats) -> impl IntoView {
    let up = stats.by_rating.get(&Rating::Up).copied().unwrap_or_default();
    let share = format::share(up, stats.total);
    let helpful = plural(stats.total, texts::HELPFUL_HINT_ONE, texts::HELPFUL_HINT);
    let top_tone = if stats.top_negative_category.is_some() { Tone::Warning } else { Tone::Neutral };
    let (top, top_hint) = match stats.top_negative_category {
        None => (texts::TOP_NONE, Localized::default()),
        Some(category) => {
            let count = stats.by_category.get(&category).copied().unwrap_or_default();
            let hint = if count == 1 {
                texts::TOP_ONCE.into()
            } else {
                texts::TOP_HINT.with_localized([format::number(count)])
            };
            (labels::category(category), hint)
        }
    };
    view! {
        <div class="ui-grid ui-grid--cards">
            <StatCard
                label=texts::TOTAL
                value=format::number(stats.total)
                icon=IconName::Inbox
                hint=texts::TOTAL_HINT
            />
            <StatCard
                label=texts::HELPFUL
                value=share
                icon=IconName::ThumbUp
                tone=Tone::Success
                hint=helpful.with_localized([up, stats.total].map(format::number))
            />
            <StatCard label=texts::TOP value=top icon=IconName::Alert tone=top_tone hint=top_hint />
        </div>
    }
}

/// The categories with their counts, most frequent first; each links to its feedback.
#[component]
fn Categories(stats: FeedbackStats, url: ListUrl) -> impl IntoView {
    let mut counts: Vec<(FeedbackCategory, i64)> =
        stats.by_category.into_iter().filter(|(_, count)| *count > 0).collect();
    if counts.is_empty() {
        return view! { <p class="ui-muted">{texts::CATEGORIES_NONE.t()}</p> }.into_any();
    }
    counts.sort_by_key(|(category, count)| (-count, *category));
    let rows = counts
        .into_iter()
        .map(|(category, count)| {
            let name = labels::category(category);
            let show = Callback::new(move |()| url.filter(CATEGORY, category.as_str()));
            view! {
                <li class="ui-link-row">
                    <Button kind=ButtonKind::Ghost small=true on_click=show>
                        <span class="ui-visually-hidden">{texts::CATEGORY_SHOW.with_localized([name.into()])}</span>
                        <span aria-hidden="true">{name.t()}</span>
                    </Button>
                    <span class="ui-muted">{format::number(count)}</span>
                </li>
            }
        })
        .collect_view();
    view! { <ul>{rows}</ul> }.into_any()
}

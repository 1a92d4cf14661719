//! A column chart of numbers by day, of one kind or several stacked, with an axis, the days before as a line, the
//! numbers of the hovered day, and the same numbers as a table.

mod stage;
mod table;

use leptos::prelude::*;

use self::{stage::Stage, table::DayTable};
use super::Card;
use crate::{
    format,
    i18n::{Localized, Text, plural, texts},
};

/// A counted kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayKind {
    /// Its name.
    pub label: Localized,
    /// Its meaning.
    pub mood: DayMood,
}

/// The meaning of a number in a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayMood {
    /// Neither good nor bad.
    Plain,
    /// More is better.
    Good,
    /// More is worse.
    Bad,
}

impl DayMood {
    const fn class(self) -> &'static str {
        match self {
            Self::Plain => "ui-plot__main",
            Self::Good => "ui-plot__up",
            Self::Bad => "ui-plot__down",
        }
    }

    const fn key_class(self) -> &'static str {
        match self {
            Self::Plain => "ui-plot__key ui-plot__key--main",
            Self::Good => "ui-plot__key",
            Self::Bad => "ui-plot__key ui-plot__key--down",
        }
    }
}

/// The numbers of one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayValues {
    /// The day, `YYYY-MM-DD`.
    pub day: String,
    /// A number, 0 or more, for each kind.
    pub counts: Vec<i64>,
}

impl DayValues {
    fn sum(&self) -> i64 {
        self.counts.iter().sum()
    }
}

/// Numbers by day.
#[component]
pub fn DayPlot(
    /// Names the plot and its table.
    #[prop(into)]
    title: Localized,
    /// The kinds, from the foot of a column to its top.
    kinds: Vec<DayKind>,
    /// The days, oldest first.
    days: Vec<DayValues>,
    /// The same number of days before, oldest first; their sums are a line over the columns.
    #[prop(optional)]
    before: Vec<DayValues>,
    /// Shown when all numbers are 0.
    #[prop(default = texts::PLOT_EMPTY)]
    nothing: Text,
    /// The number format, if they are not counts.
    #[prop(optional)]
    number: Option<fn(i64) -> Localized>,
    /// The numbers are levels at each day. They have no sum: without a chosen day the last one is shown.
    #[prop(optional)]
    level: bool,
) -> impl IntoView {
    let number = number.unwrap_or(format::number);
    let before: Vec<i64> = before.iter().map(DayValues::sum).take(days.len()).collect();
    let most = days.iter().map(DayValues::sum).chain(before.iter().copied()).max().unwrap_or_default();
    if most == 0 {
        return view! { <p class="ui-plot ui-plot--empty ui-muted">{nothing.t()}</p> }.into_any();
    }
    let top = axis_top(most);
    let ends = [days.first(), days.last()].map(|day| day.map(|day| format::day(&day.day)));
    let marks = [Some(top), (top % 2 == 0).then_some(top / 2), Some(0)];
    let marks =
        marks.into_iter().map(|mark| view! { <span>{mark.map(number).unwrap_or_default()}</span> }).collect_view();
    let chosen = RwSignal::new(None);
    let resting = if level { days.len().checked_sub(1) } else { None };
    let value_text = value_text(kinds.clone(), days.clone(), before.clone(), (chosen, resting), number);
    view! {
        <div class="ui-plot">
            <p class="ui-plot__value ui-small" aria-hidden="true">{value_text.clone()}</p>
            <div class="ui-plot__frame">
                <div class="ui-plot__axis ui-muted ui-small" aria-hidden="true">{marks}</div>
                <Stage
                    title=title.clone()
                    kinds=kinds.clone()
                    days=days.clone()
                    before=before.clone()
                    top
                    value_text
                    chosen
                />
                <div class="ui-plot__ends ui-muted ui-small" aria-hidden="true">
                    {ends.into_iter().flatten().map(|end| view! { <span>{end}</span> }).collect_view()}
                </div>
            </div>
            {(kinds.len() > 1 || !before.is_empty()).then(|| legend(&kinds, !before.is_empty()))}
            <DayTable title kinds days before number />
        </div>
    }
    .into_any()
}

/// A plot that is loading, as high as the plot will be.
#[component]
pub fn SkeletonPlot() -> impl IntoView {
    view! { <div class="ui-plot ui-skeleton__line" aria-hidden="true"></div> }
}

/// The cards of plots that are loading, as high as the plots will be.
#[component]
pub fn SkeletonPlots(
    /// The titles of the cards.
    titles: Vec<Text>,
) -> impl IntoView {
    let card = |title| view! { <Card title=title><SkeletonPlot /></Card> };
    view! { <div class="ui-grid ui-grid--two">{titles.into_iter().map(card).collect_view()}</div> }
}

/// The number at the top of the axis: the next one of 1, 2, 4, 6, 8, 10, 20, 40 and so on.
fn axis_top(most: i64) -> i64 {
    let mut unit = 1;
    while most > 10 * unit {
        unit *= 10;
    }
    [1, 2, 4, 6, 8].into_iter().map(|step| step * unit).find(|top| *top >= most).unwrap_or(10 * unit)
}

/// The numbers of the chosen day, else those of the default day, else the sums of all days.
fn value_text(
    kinds: Vec<DayKind>,
    days: Vec<DayValues>,
    before: Vec<i64>,
    (chosen, resting): (RwSignal<Option<usize>>, Option<usize>),
    number: fn(i64) -> Localized,
) -> Localized {
    let length = i64::try_from(days.len()).unwrap_or_default();
    let sum = |place: usize| days.iter().filter_map(|day| day.counts.get(place)).sum();
    let sums: Vec<i64> = (0..kinds.len()).map(sum).collect();
    let sum_before: i64 = before.iter().sum();
    let all = plural(length, texts::PLOT_DAY, texts::PLOT_DAYS).with_localized([format::number(length)]);
    Localized::new(move || {
        let place = chosen.get().or(resting);
        let day = place.and_then(|place| days.get(place));
        let when = day.map_or_else(|| all.get(), |day| format::day(&day.day).get());
        let counts = day.map_or(&sums, |day| &day.counts);
        let counts =
            kinds.iter().zip(counts).map(|(kind, count)| format!("{} {}", kind.label.get(), number(*count).get()));
        let earlier = (!before.is_empty()).then(|| {
            let count = place.map_or(sum_before, |place| before.get(place).copied().unwrap_or_default());
            format!("{} {}", before_label(&kinds).get(), number(count).get())
        });
        format!("{when}: {}", counts.chain(earlier).collect::<Vec<_>>().join(", "))
    })
}

/// The label of the sums of the days before.
fn before_label(kinds: &[DayKind]) -> Text {
    if kinds.len() > 1 { texts::PLOT_BEFORE_SUM } else { texts::PLOT_BEFORE }
}

fn legend(kinds: &[DayKind], has_before: bool) -> impl IntoView + use<> {
    let keys = kinds.iter().map(|kind| view! { <span class=kind.mood.key_class()>{kind.label.clone()}</span> });
    let before = has_before.then(|| {
        view! { <span class="ui-plot__key ui-plot__key--before">{before_label(kinds).t()}</span> }
    });
    view! { <p class="ui-row ui-row--wrap ui-small" aria-hidden="true">{keys.collect_view()}{before}</p> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_ends_at_a_round_number() {
        for (most, top) in
            [(1, 1), (2, 2), (3, 4), (5, 6), (9, 10), (10, 10), (11, 20), (34, 40), (99, 100), (101, 200)]
        {
            assert_eq!(axis_top(most), top, "{most}");
        }
    }
}

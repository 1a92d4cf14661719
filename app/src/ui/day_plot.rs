//! Numbers by day as columns, of one kind or of several upon each other, with an axis, the numbers of the day that is pointed
//! at, and the same numbers as a table.

use leptos::{ev, prelude::*};

use super::Card;
use crate::{
    format,
    i18n::{Localized, Text, texts},
};

/// The drawing's height in its own units.
const HEIGHT: i64 = 100;
/// A day's width in the drawing's own units.
const DAY: i64 = 20;
/// A column's width in them.
const COLUMN: i64 = 14;

/// What is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayKind {
    /// Its name.
    pub label: Localized,
    /// What it means.
    pub mood: DayMood,
}

/// What a number in a plot means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayMood {
    /// Neither good nor bad.
    Plain,
    /// Good.
    Good,
    /// Bad.
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
    /// What is counted.
    #[prop(into)]
    title: Localized,
    /// The kinds, from the foot of a column to its top.
    kinds: Vec<DayKind>,
    /// The days, oldest first.
    days: Vec<DayValues>,
    /// What stands there when nothing was counted.
    #[prop(default = texts::PLOT_EMPTY)]
    nothing: Text,
) -> impl IntoView {
    let most = days.iter().map(DayValues::sum).max().unwrap_or_default();
    if most == 0 {
        return view! { <p class="ui-plot ui-plot--empty ui-muted">{nothing.t()}</p> }.into_any();
    }
    let top = axis_top(most);
    let ends = [days.first(), days.last()].map(|day| day.map(|day| format::day(&day.day)));
    let marks = [Some(top), (top % 2 == 0).then_some(top / 2), Some(0)];
    let marks = marks
        .into_iter()
        .map(|mark| view! { <span>{mark.map(format::number).unwrap_or_default()}</span> })
        .collect_view();
    let chosen = RwSignal::new(None);
    let told = told(kinds.clone(), days.clone(), chosen);
    view! {
        <div class="ui-plot">
            <p class="ui-plot__told ui-small" aria-hidden="true">{told.clone()}</p>
            <div class="ui-plot__frame">
                <div class="ui-plot__axis ui-muted ui-small" aria-hidden="true">{marks}</div>
                <Stage title=title.clone() kinds=kinds.clone() days=days.clone() top told chosen />
                <div class="ui-plot__ends ui-muted ui-small" aria-hidden="true">
                    {ends.into_iter().flatten().map(|end| view! { <span>{end}</span> }).collect_view()}
                </div>
            </div>
            {(kinds.len() > 1).then(|| legend(&kinds))}
            <DayTable title kinds days />
        </div>
    }
    .into_any()
}

/// The cards of plots that are loading, as high as the plots will be.
#[component]
pub fn SkeletonPlots(
    /// The titles of the cards.
    titles: Vec<Text>,
) -> impl IntoView {
    let card =
        |title| view! { <Card title=title><div class="ui-plot ui-skeleton__line" aria-hidden="true"></div></Card> };
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

/// The columns. The pointer and the arrow keys choose a day.
#[component]
fn Stage(
    title: Localized,
    kinds: Vec<DayKind>,
    days: Vec<DayValues>,
    top: i64,
    told: Localized,
    chosen: RwSignal<Option<usize>>,
) -> impl IntoView {
    let count = days.len();
    let width = i64::try_from(count).unwrap_or_default() * DAY;
    let columns = days.iter().zip(0_i64..).map(|(day, index)| column(day, &kinds, index, top)).collect_view();
    let mark = move || {
        chosen.get().and_then(|day| i64::try_from(day).ok()).map(|day| {
            view! { <rect class="ui-plot__chosen" x=day * DAY y="0" width=DAY height=HEIGHT /> }
        })
    };
    let point = move |event: ev::PointerEvent| {
        let stage = event_target::<web_sys::Element>(&event);
        chosen.set(day_at(event.offset_x(), stage.client_width(), count));
    };
    let walk = move |event: ev::KeyboardEvent| {
        if let Some(day) = day_by_key(&event.key(), chosen.get_untracked(), count) {
            event.prevent_default();
            chosen.set(Some(day));
        }
    };
    view! {
        <div
            class="ui-plot__stage"
            role="slider"
            tabindex="0"
            aria-readonly="true"
            aria-label=title
            aria-valuemin="1"
            aria-valuemax=count
            aria-valuenow=move || chosen.get().map_or(count, |day| day + 1)
            aria-valuetext=told
            on:pointermove=point
            on:pointerdown=point
            on:pointerleave=move |_| chosen.set(None)
            on:keydown=walk
            on:blur=move |_| chosen.set(None)
        >
            <svg class="ui-plot__drawing" viewBox=format!("0 0 {width} {HEIGHT}") preserveAspectRatio="none" aria-hidden="true">
                <line class="ui-plot__line" x1="0" x2=width y1="0" y2="0" />
                <line class="ui-plot__line" x1="0" x2=width y1=HEIGHT / 2 y2=HEIGHT / 2 />
                {mark}
                {columns}
                <line class="ui-plot__foot" x1="0" x2=width y1=HEIGHT y2=HEIGHT />
            </svg>
        </div>
    }
}

/// The day at `x` pixels of a stage that is `width` pixels wide.
fn day_at(x: i32, width: i32, count: usize) -> Option<usize> {
    let (x, width) = (usize::try_from(x).ok()?, usize::try_from(width).ok()?);
    Some((x * count).checked_div(width)?.min(count.checked_sub(1)?))
}

/// The day that a key leads to; without a day yet, the arrows begin at the latest one.
fn day_by_key(key: &str, chosen: Option<usize>, count: usize) -> Option<usize> {
    let last = count.checked_sub(1)?;
    match key {
        "ArrowLeft" | "ArrowDown" => Some(chosen.map_or(last, |day| day.saturating_sub(1))),
        "ArrowRight" | "ArrowUp" => Some(chosen.map_or(last, |day| (day + 1).min(last))),
        "Home" => Some(0),
        "End" => Some(last),
        _ => None,
    }
}

/// The numbers of the chosen day, else the sums of all days.
fn told(kinds: Vec<DayKind>, days: Vec<DayValues>, chosen: RwSignal<Option<usize>>) -> Localized {
    let length = i64::try_from(days.len()).unwrap_or_default();
    let sum = |place: usize| days.iter().filter_map(|day| day.counts.get(place)).sum();
    let sums: Vec<i64> = (0..kinds.len()).map(sum).collect();
    let all = texts::PLOT_DAYS.with_localized([format::number(length)]);
    Localized::new(move || {
        let day = chosen.get().and_then(|day| days.get(day));
        let when = day.map_or_else(|| all.get(), |day| format::day(&day.day).get());
        let counts = day.map_or(&sums, |day| &day.counts);
        let counts = kinds
            .iter()
            .zip(counts)
            .map(|(kind, count)| format!("{} {}", kind.label.get(), format::number(*count).get()));
        format!("{when}: {}", counts.collect::<Vec<_>>().join(", "))
    })
}

fn column(day: &DayValues, kinds: &[DayKind], index: i64, top: i64) -> impl IntoView + use<> {
    let x = index * DAY + (DAY - COLUMN) / 2;
    let mut foot = HEIGHT;
    let parts = kinds.iter().zip(&day.counts).map(|(kind, count)| {
        // What was counted is seen, however small it is beside the others.
        let height = (count * HEIGHT / top).max(count.signum() * 2);
        foot -= height;
        view! { <rect class=kind.mood.class() x=x y=foot width=COLUMN height=height /> }
    });
    parts.collect_view()
}

fn legend(kinds: &[DayKind]) -> impl IntoView + use<> {
    let keys = kinds.iter().map(|kind| view! { <span class=kind.mood.key_class()>{kind.label.clone()}</span> });
    view! { <p class="ui-row ui-row--wrap ui-small" aria-hidden="true">{keys.collect_view()}</p> }
}

/// The days that counted something.
#[component]
fn DayTable(title: Localized, kinds: Vec<DayKind>, days: Vec<DayValues>) -> impl IntoView {
    let row = |day: DayValues| {
        let counts = day.counts.iter().map(|count| {
            view! { <td class="ui-table__cell ui-table__cell--number">{format::number(*count)}</td> }
        });
        view! {
            <tr class="ui-table__row">
                <th class="ui-table__cell" scope="row">{format::day(&day.day)}</th>
                {counts.collect_view()}
            </tr>
        }
    };
    let rows = days.into_iter().filter(|day| day.sum() > 0).map(row).collect_view();
    let heads = kinds.into_iter().map(|kind| {
        view! { <th class="ui-table__head ui-table__head--number" scope="col">{kind.label}</th> }
    });
    view! {
        <details class="ui-details">
            <summary class="ui-details__summary">{texts::PLOT_TABLE.t()}</summary>
            <table class="ui-table">
                <caption class="ui-visually-hidden">{title}</caption>
                <thead>
                    <tr>
                        <th class="ui-table__head" scope="col">{texts::DAY.t()}</th>
                        {heads.collect_view()}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </details>
    }
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

    #[test]
    fn a_place_on_the_stage_is_a_day() {
        assert_eq!(day_at(0, 300, 30), Some(0));
        assert_eq!(day_at(299, 300, 30), Some(29));
        assert_eq!(day_at(300, 300, 30), Some(29));
        assert_eq!(day_at(-1, 300, 30), None);
        assert_eq!(day_at(5, 0, 30), None);
    }

    #[test]
    fn arrows_walk_from_the_latest_day() {
        assert_eq!(day_by_key("ArrowLeft", None, 30), Some(29));
        assert_eq!(day_by_key("ArrowLeft", Some(29), 30), Some(28));
        assert_eq!(day_by_key("ArrowLeft", Some(0), 30), Some(0));
        assert_eq!(day_by_key("ArrowRight", Some(29), 30), Some(29));
        assert_eq!(day_by_key("Home", Some(29), 30), Some(0));
        assert_eq!(day_by_key("Tab", Some(29), 30), None);
    }
}

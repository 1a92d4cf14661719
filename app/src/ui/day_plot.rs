//! Numbers by day as columns, of one kind or of several upon each other, with the same numbers as a table.

use leptos::prelude::*;

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
        return view! { <p class="ui-muted">{nothing.t()}</p> }.into_any();
    }
    let length = i64::try_from(days.len()).unwrap_or_default();
    let numbers = [length, days.iter().map(DayValues::sum).sum(), most].map(format::number);
    let label = label(title.clone(), texts::PLOT_LABEL.with_localized(numbers), sums(&kinds, &days));
    let ends = [days.first(), days.last()].map(|day| day.map(|day| format::day(&day.day)));
    let columns = days.iter().zip(0_i64..).map(|(day, index)| column(day, &kinds, index, most)).collect_view();
    view! {
        <figure class="ui-plot">
            <svg class="ui-plot__drawing" viewBox=format!("0 0 {} {HEIGHT}", length * DAY) role="img" aria-label=label>
                <line class="ui-plot__foot" x1="0" x2=length * DAY y1=HEIGHT y2=HEIGHT />
                {columns}
            </svg>
            <div class="ui-plot__ends ui-muted ui-small" aria-hidden="true">
                {ends.into_iter().flatten().map(|end| view! { <span>{end}</span> }).collect_view()}
            </div>
            {(kinds.len() > 1).then(|| legend(&kinds))}
        </figure>
        <DayTable title kinds days />
    }
    .into_any()
}

/// What the drawing says to screen readers.
fn label(title: Localized, numbers: Localized, sums: Vec<(Localized, Localized)>) -> Localized {
    Localized::new(move || {
        let sums = sums.iter().map(|(kind, sum)| format!("; {} {}", kind.get(), sum.get()));
        format!("{}: {}{}", title.get(), numbers.get(), sums.collect::<String>())
    })
}

/// How much there is of each kind, when there are several.
fn sums(kinds: &[DayKind], days: &[DayValues]) -> Vec<(Localized, Localized)> {
    let sum = |place: usize| days.iter().filter_map(|day| day.counts.get(place)).sum();
    let sums = kinds.iter().enumerate().map(|(place, kind)| (kind.label.clone(), format::number(sum(place))));
    if kinds.len() > 1 { sums.collect() } else { Vec::new() }
}

fn column(day: &DayValues, kinds: &[DayKind], index: i64, most: i64) -> impl IntoView + use<> {
    let x = index * DAY + (DAY - COLUMN) / 2;
    let mut foot = HEIGHT;
    let parts = kinds.iter().zip(&day.counts).map(|(kind, count)| {
        // What was counted is seen, however small it is beside the others.
        let height = (count * (HEIGHT - 4) / most).max(count.signum() * 2);
        foot -= height;
        view! { <rect class=kind.mood.class() x=x y=foot width=COLUMN height=height /> }
    });
    let parts = parts.collect_view();
    let name = |kind: &DayKind| if kinds.len() > 1 { Some(kind.label.clone()) } else { None };
    let counts: Vec<_> =
        kinds.iter().zip(&day.counts).map(|(kind, count)| (name(kind), format::number(*count))).collect();
    let day = format::day(&day.day);
    let title = move || {
        let counts = counts.iter().map(|(kind, count)| match kind {
            Some(kind) => format!("{} {}", kind.get(), count.get()),
            None => count.get(),
        });
        format!("{}: {}", day.get(), counts.collect::<Vec<_>>().join(", "))
    };
    view! { <g><title>{title}</title>{parts}</g> }
}

fn legend(kinds: &[DayKind]) -> impl IntoView + use<> {
    let keys = kinds.iter().map(|kind| view! { <span class=kind.mood.key_class()>{kind.label.clone()}</span> });
    view! { <figcaption class="ui-row ui-row--wrap ui-small">{keys.collect_view()}</figcaption> }
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

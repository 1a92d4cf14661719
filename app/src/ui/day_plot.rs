//! One number a day as columns, with the same numbers as a table.

use leptos::prelude::*;

use crate::{format, i18n::texts};

/// The drawing's height in its own units.
const HEIGHT: i64 = 100;
/// A day's width in the drawing's own units.
const DAY: i64 = 20;
/// A column's width in them.
const COLUMN: i64 = 14;

/// The number of one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayValue {
    /// The day, `YYYY-MM-DD`.
    pub day: String,
    /// The number, 0 or more.
    pub count: i64,
}

/// One number a day.
#[component]
pub fn DayPlot(
    /// What is counted.
    #[prop(into)]
    title: String,
    /// The days, oldest first.
    days: Vec<DayValue>,
    /// It counts something unwanted.
    #[prop(optional)]
    warning: bool,
) -> impl IntoView {
    let most = days.iter().map(|day| day.count).max().unwrap_or_default();
    if most == 0 {
        return view! { <p class="ui-muted">{texts::PLOT_EMPTY.t()}</p> }.into_any();
    }
    let length = i64::try_from(days.len()).unwrap_or_default();
    let numbers = [length, days.iter().map(|day| day.count).sum(), most].map(format::number);
    let label = format!("{title}: {}", texts::PLOT_LABEL.with(&numbers.each_ref().map(String::as_str)));
    let ends = [days.first(), days.last()].map(|day| day.map(|day| day.day.clone()).unwrap_or_default());
    let class = if warning { "ui-plot__down" } else { "ui-plot__main" };
    let columns = days
        .iter()
        .zip(0_i64..)
        .map(|(day, index)| {
            let height = day.count * (HEIGHT - 4) / most;
            // A day that counted something is seen, however small it is beside the others.
            let height = height.max(day.count.signum() * 2);
            let x = index * DAY + (DAY - COLUMN) / 2;
            let told = format!("{}: {}", day.day, format::number(day.count));
            view! { <rect class=class x=x y=HEIGHT - height width=COLUMN height=height><title>{told}</title></rect> }
        })
        .collect_view();
    view! {
        <figure class="ui-plot">
            <svg class="ui-plot__drawing" viewBox=format!("0 0 {} {HEIGHT}", length * DAY) role="img" aria-label=label>
                <line class="ui-plot__foot" x1="0" x2=length * DAY y1=HEIGHT y2=HEIGHT />
                {columns}
            </svg>
            <div class="ui-plot__ends ui-muted ui-small" aria-hidden="true">
                <span>{ends[0].clone()}</span>
                <span>{ends[1].clone()}</span>
            </div>
        </figure>
        <DayTable title days />
    }
    .into_any()
}

/// The days that counted something.
#[component]
fn DayTable(title: String, days: Vec<DayValue>) -> impl IntoView {
    let rows = days
        .into_iter()
        .filter(|day| day.count > 0)
        .map(|day| {
            view! {
                <tr class="ui-table__row">
                    <th class="ui-table__cell" scope="row">{day.day}</th>
                    <td class="ui-table__cell ui-table__cell--number">{format::number(day.count)}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <details class="ui-details">
            <summary class="ui-details__summary">{texts::PLOT_TABLE.t()}</summary>
            <table class="ui-table">
                <caption class="ui-visually-hidden">{title}</caption>
                <thead>
                    <tr>
                        <th class="ui-table__head" scope="col">{texts::DAY.t()}</th>
                        <th class="ui-table__head ui-table__head--number" scope="col">{texts::COUNT.t()}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </details>
    }
}

//! The feedback of each day as columns: helpful below, not helpful on top. The same numbers stand in a table.

use app::format;
use contract::feedback::FeedbackDay;
use leptos::prelude::*;

use crate::texts::feedback as texts;

/// The drawing's height in its own units, of which the columns use all but a line at the foot.
const HEIGHT: i64 = 120;
/// A day's width in the drawing's own units.
const DAY: i64 = 20;
/// A column's width in them.
const COLUMN: i64 = 14;

/// The columns, and the table behind them.
#[component]
pub(super) fn Plot(
    /// The days, oldest first.
    days: Vec<FeedbackDay>,
) -> impl IntoView {
    let most = days.iter().map(|day| day.up + day.down).max().unwrap_or_default();
    if most == 0 {
        return view! { <p class="ui-muted">{texts::PLOT_EMPTY.t()}</p> }.into_any();
    }
    let (up, down) = days.iter().fold((0, 0), |(up, down), day| (up + day.up, down + day.down));
    let label = texts::PLOT_LABEL.with(&[&format::number(up), &format::number(down), &format::number(most)]);
    let width = i64::try_from(days.len()).unwrap_or_default() * DAY;
    let ends = [days.first(), days.last()].map(|day| day.map(|day| day.date.to_string()).unwrap_or_default());
    let columns = days.iter().zip(0_i64..).map(|(day, index)| column(*day, index, most)).collect_view();
    view! {
        <figure class="ui-plot">
            <svg class="ui-plot__drawing" viewBox=format!("0 0 {width} {HEIGHT}") role="img" aria-label=label>
                <line class="ui-plot__foot" x1="0" x2=width y1=HEIGHT y2=HEIGHT />
                {columns}
            </svg>
            <div class="ui-plot__ends ui-muted ui-small" aria-hidden="true">
                <span>{ends[0].clone()}</span>
                <span>{ends[1].clone()}</span>
            </div>
            <figcaption class="ui-row ui-row--wrap ui-small">
                <span class="ui-plot__key ui-plot__key--up">{texts::UP.t()}</span>
                <span class="ui-plot__key ui-plot__key--down">{texts::DOWN.t()}</span>
            </figcaption>
        </figure>
        <DayTable days />
    }
    .into_any()
}

fn column(day: FeedbackDay, index: i64, most: i64) -> impl IntoView {
    let scaled = |count: i64| count * (HEIGHT - 4) / most;
    let (up, down) = (scaled(day.up), scaled(day.down));
    let x = index * DAY + (DAY - COLUMN) / 2;
    let title = format!("{}: {} {}, {} {}", day.date, texts::UP.t(), day.up, texts::DOWN.t(), day.down);
    view! {
        <g>
            <title>{title}</title>
            <rect class="ui-plot__up" x=x y=HEIGHT - up width=COLUMN height=up />
            <rect class="ui-plot__down" x=x y=HEIGHT - up - down width=COLUMN height=down />
        </g>
    }
}

/// The days that have feedback.
#[component]
fn DayTable(days: Vec<FeedbackDay>) -> impl IntoView {
    let rows = days
        .into_iter()
        .filter(|day| day.up + day.down > 0)
        .map(|day| {
            view! {
                <tr class="ui-table__row">
                    <th class="ui-table__cell" scope="row">{day.date.to_string()}</th>
                    <td class="ui-table__cell ui-table__cell--number">{format::number(day.up)}</td>
                    <td class="ui-table__cell ui-table__cell--number">{format::number(day.down)}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <details class="ui-details">
            <summary class="ui-details__summary">{texts::PLOT_TABLE.t()}</summary>
            <table class="ui-table">
                <caption class="ui-visually-hidden">{texts::PLOT.t()}</caption>
                <thead>
                    <tr>
                        <th class="ui-table__head" scope="col">{texts::DAY.t()}</th>
                        <th class="ui-table__head ui-table__head--number" scope="col">{texts::UP.t()}</th>
                        <th class="ui-table__head ui-table__head--number" scope="col">{texts::DOWN.t()}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </details>
    }
}

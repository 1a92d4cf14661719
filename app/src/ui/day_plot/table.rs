//! The numbers of a chart as a table.

use std::iter;

use leptos::prelude::*;

use super::{DayKind, DayValues, before_label};
use crate::{
    format,
    i18n::{Localized, texts},
};

/// The days that counted something, or before which something was counted.
#[component]
pub(super) fn DayTable(
    title: Localized,
    kinds: Vec<DayKind>,
    days: Vec<DayValues>,
    /// The sums of the days before.
    before: Vec<i64>,
    /// The number format.
    number: fn(i64) -> Localized,
) -> impl IntoView {
    let has_before = !before.is_empty();
    let head = |label: Localized| {
        view! { <th class="ui-table__head ui-table__head--number" scope="col">{label}</th> }
    };
    let row = |(day, sum): (DayValues, i64)| {
        let counts = day.counts.into_iter().chain(has_before.then_some(sum)).map(|count| {
            view! { <td class="ui-table__cell ui-table__cell--number">{number(count)}</td> }
        });
        view! {
            <tr class="ui-table__row">
                <th class="ui-table__cell" scope="row">{format::day(&day.day)}</th>
                {counts.collect_view()}
            </tr>
        }
    };
    let before_head = has_before.then(|| head(before_label(&kinds).into()));
    let heads = kinds.into_iter().map(|kind| head(kind.label)).collect_view();
    let sums = before.into_iter().chain(iter::repeat(0));
    let rows = days.into_iter().zip(sums).filter(|(day, sum)| day.sum() + sum > 0).map(row).collect_view();
    let label = title.clone();
    view! {
        <details class="ui-details">
            <summary class="ui-details__summary">{texts::PLOT_TABLE.t()}</summary>
            <div class="ui-table-wrap" role="group" tabindex="0" aria-label=label>
                <table class="ui-table">
                    <caption class="ui-visually-hidden">{title}</caption>
                    <thead>
                        <tr>
                            <th class="ui-table__head" scope="col">{texts::DAY.t()}</th>
                            {heads}
                            {before_head}
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </details>
    }
}

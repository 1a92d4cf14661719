//! The requests of a website day by day.

use app::{
    format,
    i18n::Localized,
    ui::{Column, Table},
};
use contract::embed::EmbedDay;
use leptos::prelude::*;

use super::labels;
use crate::texts::doctor as texts;

/// A table of the days, folded.
#[component]
pub(super) fn Days(
    /// The website's name.
    name: Localized,
    /// The days, newest first.
    days: Vec<EmbedDay>,
) -> impl IntoView {
    let columns = vec![Column::new(texts::DAY), Column::new(texts::OUTCOME), Column::new(texts::NUMBER).number()];
    let rows = days
        .into_iter()
        .map(|day| {
            view! {
                <tr class="ui-table__row">
                    <td class="ui-table__cell ui-nowrap">{format::day(&day.date.to_string())}</td>
                    <td class="ui-table__cell">{labels::outcome(day.outcome).t()}</td>
                    <td class="ui-table__cell ui-table__cell--number">{format::number(day.requests)}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <details class="ui-details">
            <summary class="ui-details__summary">{texts::DAYS.t()}</summary>
            <Table caption=name columns>{rows}</Table>
        </details>
    }
}

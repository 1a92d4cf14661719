//! A table with columns that can be sorted and hidden. It scrolls sideways, by keyboard too; the up and down arrow keys
//! move between rows.

use leptos::{either::Either, ev, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::{ColumnChoice, Icon, IconName};
use crate::i18n::Localized;

const NUMBER: &str = "ui-table__head ui-table__head--number";

/// How a column is headed, sorted and aligned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    label: Localized,
    sort_key: Option<&'static str>,
    class: &'static str,
    hide_label: bool,
    optional_key: Option<&'static str>,
}

impl Column {
    /// A column with this head.
    pub fn new(label: impl Into<Localized>) -> Self {
        Self { label: label.into(), sort_key: None, class: "ui-table__head", hide_label: false, optional_key: None }
    }

    /// The list can be sorted by this field of the API.
    #[must_use]
    pub fn sorted_by(mut self, key: &'static str) -> Self {
        self.sort_key = Some(key);
        self
    }

    /// Hidden on narrow screens, called after [`Self::number`] when it is both, with cells of `ui-table__cell--wide-only`.
    #[must_use]
    pub fn wide_only(mut self) -> Self {
        self.class = match self.class {
            NUMBER => "ui-table__head ui-table__head--number ui-table__head--wide-only",
            _ => "ui-table__head ui-table__head--wide-only",
        };
        self
    }

    /// Aligns numbers; its cells need the class `ui-table__cell--number`.
    #[must_use]
    pub fn number(mut self) -> Self {
        self.class = NUMBER;
        self
    }

    /// Users may hide it; `key` identifies it in the stored choice.
    #[must_use]
    pub fn optional(mut self, key: &'static str) -> Self {
        self.optional_key = Some(key);
        self
    }

    /// The column's key in the stored choice, if it may be hidden.
    pub(super) fn optional_key(&self) -> Option<&'static str> {
        self.optional_key
    }

    /// Its head.
    pub(super) fn label(&self) -> Localized {
        self.label.clone()
    }

    /// Its head is for screen readers only, as over row actions.
    #[must_use]
    pub fn without_head(mut self) -> Self {
        self.hide_label = true;
        self
    }
}

/// A table. Children are its rows: `tr.ui-table__row` of `td.ui-table__cell`.
#[component]
pub fn Table(
    /// A description of the table for screen readers.
    #[prop(into)]
    caption: Localized,
    /// The heads, in the order of the cells.
    columns: Vec<Column>,
    /// The field it is sorted by, with a leading `-` for descending order.
    #[prop(optional, into)]
    sort: Signal<String>,
    /// Called with the field to sort by.
    #[prop(optional, into)]
    on_sort: Option<Callback<String>>,
    /// The hidden optional columns; only the first nine columns can be optional.
    #[prop(optional, into)]
    choice: Option<ColumnChoice>,
    /// Its rows.
    children: Children,
) -> impl IntoView {
    let label = caption.clone();
    let optional: Vec<_> =
        columns.iter().zip(1..).filter_map(|(column, place)| Some((place, column.optional_key?))).collect();
    let class = move || {
        let left_out = optional.iter().filter(|(_, key)| choice.is_some_and(|choice| !choice.shows(key)));
        left_out.fold("ui-table".to_owned(), |class, (place, _)| format!("{class} ui-table--without-{place}"))
    };
    let heads: Vec<_> = columns.into_iter().map(|column| head(column, sort, on_sort)).collect();
    view! {
        <div class="ui-table-wrap" role="group" tabindex="0" aria-label=label>
            <table class=class>
                <caption class="ui-visually-hidden">{caption}</caption>
                <thead>
                    <tr>{heads}</tr>
                </thead>
                <tbody on:keydown=step>{children()}</tbody>
            </table>
        </div>
    }
}

fn head(column: Column, sort: Signal<String>, on_sort: Option<Callback<String>>) -> impl IntoView {
    let Column { label, sort_key, class, hide_label, .. } = column;
    let Some((key, on_sort)) = sort_key.zip(on_sort) else {
        let label_class = if hide_label { "ui-visually-hidden" } else { "" };
        return Either::Left(view! { <th class=class scope="col"><span class=label_class>{label}</span></th> });
    };
    let order = move || {
        sort.with(|sort| match sort.strip_prefix('-') {
            Some(field) if field == key => Some("descending"),
            None if sort == key => Some("ascending"),
            _ => None,
        })
    };
    let icon = move || match order() {
        Some("ascending") => IconName::ArrowUp,
        Some(_) => IconName::ArrowDown,
        None => IconName::ArrowsVertical,
    };
    let click = move |_| {
        let next = if order() == Some("ascending") { format!("-{key}") } else { key.to_owned() };
        on_sort.run(next);
    };
    Either::Right(view! {
        <th class=class scope="col" aria-sort=order>
            <button class="ui-table__sort" type="button" on:click=click>
                {label}
                {move || view! { <Icon name=icon() /> }}
            </button>
        </th>
    })
}

/// Moves the focus to the same column of the row above or below.
fn step(event: ev::KeyboardEvent) {
    let is_down = match event.key().as_str() {
        "ArrowDown" => true,
        "ArrowUp" => false,
        _ => return,
    };
    let focused = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    if let Some(next) = focused.and_then(|focused| neighbour(&focused, is_down)) {
        event.prevent_default();
        let _ = next.focus();
    }
}

/// The focusable element in the same cell of the next row that has one. Text fields and selects keep their arrow keys.
fn neighbour(focused: &Element, is_down: bool) -> Option<HtmlElement> {
    const FOCUSABLE: &str = "a[href], button:not(:disabled), input[type=checkbox]:not(:disabled)";
    if !focused.matches(FOCUSABLE).ok()? {
        return None;
    }
    let cell = focused.closest("td, th").ok()??;
    let place = std::iter::successors(cell.previous_element_sibling(), Element::previous_element_sibling).count();
    let row = cell.parent_element()?;
    let next = |row: &Element| if is_down { row.next_element_sibling() } else { row.previous_element_sibling() };
    std::iter::successors(next(&row), next).find_map(|row| {
        let cell = row.children().item(u32::try_from(place).ok()?)?;
        cell.query_selector(FOCUSABLE).ok()??.dyn_into().ok()
    })
}

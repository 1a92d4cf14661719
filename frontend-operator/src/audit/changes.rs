//! The changes of an audit row: before and after, field by field, and its other details.

use app::{
    audit_log, format,
    i18n::Localized,
    json_diff::{self, FieldDiff},
    ui::{Card, Column, DefinitionItem, DefinitionList, Table},
};
use leptos::{either::Either, prelude::*};
use serde_json::Value;

use super::actions::is_german;
use crate::texts;

/// The cards of a row's details.
#[component]
pub(super) fn Changes(details: Value) -> impl IntoView {
    let side = |name: &str| details.get(name).cloned().unwrap_or(Value::Null);
    let mut rows = json_diff::fields(&side("before"), &side("after"));
    rows.retain(|row| row.before.as_ref().is_some_and(is_filled) || row.after.as_ref().is_some_and(is_filled));
    let rest: Vec<_> = match &details {
        Value::Object(map) => map.iter().filter(|(key, _)| *key != "before" && *key != "after").collect(),
        _ => Vec::new(),
    };
    let rest = (!rest.is_empty()).then(|| {
        let items: Vec<_> = rest
            .into_iter()
            .map(|(key, value)| {
                let text = text(value.clone());
                view! { <DefinitionItem term=field(key)><span class="ui-diff__text">{text}</span></DefinitionItem> }
            })
            .collect();
        view! { <Card title=texts::AUDIT_MORE><DefinitionList>{items}</DefinitionList></Card> }
    });
    view! {
        <Card title=texts::AUDIT_CHANGES><Diff rows /></Card>
        {rest}
    }
}

fn is_filled(value: &Value) -> bool {
    !audit_log::is_empty(value)
}

/// A table with the existing sides: something new has no values before, something deleted none after.
#[component]
fn Diff(rows: Vec<FieldDiff>) -> impl IntoView {
    if rows.is_empty() {
        return Either::Left(view! { <p class="ui-muted">{texts::AUDIT_NO_CHANGES.t()}</p> });
    }
    let has_before = rows.iter().any(|row| row.before.is_some());
    let has_after = rows.iter().any(|row| row.after.is_some());
    let mut columns = vec![Column::new(texts::AUDIT_FIELD)];
    columns.extend(has_before.then(|| Column::new(texts::AUDIT_BEFORE)));
    columns.extend(has_after.then(|| Column::new(texts::AUDIT_AFTER)));
    let is_change = has_before && has_after;
    let rows: Vec<_> = rows
        .into_iter()
        .map(|FieldDiff { path, before, after }| {
            let is_changed = is_change && before != after;
            let before = has_before.then(|| cell(before, is_changed.then_some("ui-diff__text--before")));
            let after = has_after.then(|| cell(after, is_changed.then_some("ui-diff__text--after")));
            view! {
                <tr class="ui-table__row">
                    <th class="ui-table__cell ui-diff__field" scope="row">{field(&path)}</th>
                    {before}
                    {after}
                </tr>
            }
        })
        .collect();
    Either::Right(view! { <Table caption=texts::AUDIT_CHANGES columns>{rows}</Table> })
}

fn cell(value: Option<Value>, mark: Option<&'static str>) -> impl IntoView {
    let value = match value.filter(is_filled) {
        None => Either::Left(view! { <span class="ui-muted">"—"</span> }),
        Some(value) => {
            let class = format!("ui-diff__text {}", mark.unwrap_or_default());
            Either::Right(view! { <span class=class>{text(value)}</span> })
        }
    };
    view! { <td class="ui-table__cell ui-diff__cell">{value}</td> }
}

/// The name of a changed field by its dotted path.
pub(crate) fn field(path: &str) -> Localized {
    let path = path.to_owned();
    Localized::new(move || audit_log::field(&path, is_german()))
}

fn text(value: Value) -> Localized {
    // A time is written as those of the rows are.
    if value.is_string()
        && let Ok(time) = serde_json::from_value(value.clone())
    {
        return format::date_time_exact(time);
    }
    Localized::new(move || audit_log::value(&value, is_german()))
}

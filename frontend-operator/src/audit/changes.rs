//! What an audit row changed: before and after, field by field, and whatever else its details say.

use app::{
    json_diff::{self, FieldDiff},
    ui::{Card, CodeBlock, Column, DefinitionItem, DefinitionList, Table},
};
use leptos::{either::Either, prelude::*};
use serde_json::Value;

use crate::texts;

/// The cards of a row's details.
#[component]
pub(super) fn Changes(details: Value) -> impl IntoView {
    let side = |name: &str| details.get(name).cloned().unwrap_or(Value::Null);
    let rows = json_diff::fields(&side("before"), &side("after"));
    let rest: Vec<_> = match &details {
        Value::Object(map) => map.iter().filter(|(key, _)| *key != "before" && *key != "after").collect(),
        _ => Vec::new(),
    };
    let rest = (!rest.is_empty()).then(|| {
        let items: Vec<_> = rest
            .into_iter()
            .map(|(key, value)| {
                let text = json_diff::text(value);
                view! { <DefinitionItem term=key.clone()><span class="ui-diff__text">{text}</span></DefinitionItem> }
            })
            .collect();
        view! { <Card title=texts::AUDIT_MORE><DefinitionList>{items}</DefinitionList></Card> }
    });
    let raw = serde_json::to_string_pretty(&details).unwrap_or_default();
    view! {
        <Card title=texts::AUDIT_CHANGES><Diff rows /></Card>
        {rest}
        <Card subtle=true>
            <details class="ui-details ui-details--bare">
                <summary class="ui-details__summary">{texts::AUDIT_RAW.t()}</summary>
                <CodeBlock label=texts::AUDIT_RAW code=raw />
            </details>
        </Card>
    }
}

#[component]
fn Diff(rows: Vec<FieldDiff>) -> impl IntoView {
    if rows.is_empty() {
        return Either::Left(view! { <p class="ui-muted">{texts::AUDIT_NO_CHANGES.t()}</p> });
    }
    let columns =
        vec![Column::new(texts::AUDIT_FIELD), Column::new(texts::AUDIT_BEFORE), Column::new(texts::AUDIT_AFTER)];
    let rows: Vec<_> = rows.into_iter().map(row).collect();
    Either::Right(view! { <Table caption=texts::AUDIT_CHANGES columns>{rows}</Table> })
}

fn row(row: FieldDiff) -> impl IntoView {
    let (before, after) = match row.is_changed() {
        true => ("ui-diff__text ui-diff__text--before", "ui-diff__text ui-diff__text--after"),
        false => ("ui-diff__text", "ui-diff__text"),
    };
    view! {
        <tr class="ui-table__row">
            <th class="ui-table__cell ui-diff__field" scope="row">{row.path}</th>
            <td class="ui-table__cell ui-diff__cell">{value(row.before, before)}</td>
            <td class="ui-table__cell ui-diff__cell">{value(row.after, after)}</td>
        </tr>
    }
}

fn value(value: Option<Value>, class: &'static str) -> impl IntoView {
    match value {
        None => Either::Left(view! { <span class="ui-muted">"—"</span> }),
        Some(value) => Either::Right(view! { <span class=class>{json_diff::text(&value)}</span> }),
    }
}

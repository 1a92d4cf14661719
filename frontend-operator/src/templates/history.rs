//! The versions of a template from the audit log: author, time and changed fields.

use app::{i18n::Localized, json_diff, ui::Badge};
use contract::{
    TemplateId,
    audit::{AuditFilter, AuditRow},
};
use leptos::prelude::*;
use serde_json::Value;

use crate::{
    audit::{LatestAuditCard, field},
    paths,
    texts::templates as texts,
};

/// Rows that are shown.
const PAGE_SIZE: i64 = 20;
const ENTITY: &str = "template";
/// Fields that every version changes.
const ALWAYS_CHANGED: [&str; 2] = ["version", "updated_at"];

/// The versions of a template, newest first.
#[component]
pub(super) fn HistoryCard(
    id: TemplateId,
    /// The version it has now: another one loads the history again.
    #[prop(into)]
    version: Signal<i32>,
) -> impl IntoView {
    let all = paths::audit_of(&[("entity_type", ENTITY), ("entity_id", id.as_str())]);
    let filter =
        AuditFilter { entity_type: Some(ENTITY.to_owned()), entity_id: Some(id.to_string()), ..AuditFilter::default() };
    view! {
        <LatestAuditCard
            title=texts::HISTORY
            filter
            all
            all_label=texts::HISTORY_ALL
            nothing=texts::HISTORY_EMPTY
            limit=PAGE_SIZE
            row_parts=row_parts
            again=version
        />
    }
}

/// The version that a row created, and its changed fields.
fn row_parts(row: &AuditRow) -> (AnyView, AnyView) {
    let version = row.details.pointer("/after/version").and_then(Value::as_i64);
    let version = version.map(|version| {
        view! { <Badge>{texts::HISTORY_VERSION.with(&[&version.to_string()])}</Badge> " " }
    });
    let fields = changed_fields(&row.details);
    let fields = (!fields.is_empty()).then(|| {
        let fields = Localized::joined(fields, ", ");
        view! { <br /> <span class="ui-muted ui-small">{texts::HISTORY_FIELDS.with_localized([fields])}</span> }
    });
    (version.into_any(), fields.into_any())
}

/// The names of the fields that a change has on both sides; none for a creation.
fn changed_fields(details: &Value) -> Vec<Localized> {
    let side = |name: &str| details.get(name).cloned().unwrap_or(Value::Null);
    let (before, after) = (side("before"), side("after"));
    if before.is_null() {
        return Vec::new();
    }
    json_diff::fields(&before, &after)
        .into_iter()
        .filter(json_diff::FieldDiff::is_changed)
        .filter(|changed| !ALWAYS_CHANGED.contains(&changed.path.as_str()))
        .map(|changed| field(&changed.path))
        .collect()
}

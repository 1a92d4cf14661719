//! The versions of a template, out of the audit log: who made each, when, and which fields it changed.

use app::{
    api, format, json_diff,
    resource::{Loaded, Resource},
    ui::{Badge, ButtonKind, ButtonLink, Card, Skeleton},
};
use contract::{
    TemplateId,
    audit::{AuditFilter, AuditListQuery, AuditRow, ListAudit},
};
use leptos::{either::Either, prelude::*};
use serde_json::Value;

use crate::{paths, texts::templates as texts};

/// Rows that are shown.
const LIMIT: i64 = 20;
const ENTITY: &str = "template";
/// Fields that every version changes.
const UNTOLD: [&str; 2] = ["version", "updated_at"];

/// The versions of a template, newest first.
#[component]
pub(super) fn HistoryCard(
    /// The template.
    id: TemplateId,
    /// The version it has now: another one loads the history again.
    #[prop(into)]
    version: Signal<i32>,
) -> impl IntoView {
    let all = paths::audit_of(&[("entity_type", ENTITY), ("entity_id", id.as_str())]);
    let rows = Resource::new(move || {
        version.track();
        let filter = AuditFilter {
            entity_type: Some(ENTITY.to_owned()),
            entity_id: Some(id.to_string()),
            ..AuditFilter::default()
        };
        let query = AuditListQuery { filter, limit: LIMIT, cursor: None };
        async move { api::call::<ListAudit>(&(), &query, &()).await }
    });
    let actions = move || {
        view! { <ButtonLink href=all kind=ButtonKind::Ghost small=true>{texts::HISTORY_ALL.t()}</ButtonLink> }
    };
    view! {
        <Card title=texts::HISTORY actions=actions>
            <Loaded resource=rows skeleton=|| view! { <Skeleton lines=4 /> } let:page>
                <Rows rows=page.items />
            </Loaded>
        </Card>
    }
}

#[component]
fn Rows(rows: Vec<AuditRow>) -> impl IntoView {
    if rows.is_empty() {
        return Either::Left(view! { <p class="ui-muted">{texts::HISTORY_EMPTY.t()}</p> });
    }
    let rows: Vec<_> = rows.into_iter().map(row).collect();
    Either::Right(view! { <ol class="ui-list">{rows}</ol> })
}

fn row(row: AuditRow) -> impl IntoView {
    let version = row.details.pointer("/after/version").and_then(Value::as_i64);
    let version = version.map(|version| {
        view! { <Badge>{texts::HISTORY_VERSION.with(&[&version.to_string()])}</Badge> " " }
    });
    let fields = changed_fields(&row.details);
    let fields = (!fields.is_empty()).then(|| {
        view! { <br /> <span class="ui-muted ui-small">{texts::HISTORY_FIELDS.with(&[&fields.join(", ")])}</span> }
    });
    let time = format::date_time_exact(row.occurred_at);
    view! {
        <li class="ui-link-row ui-row--wrap">
            <span>
                {version}
                <a class="ui-link ui-link--quiet ui-mono" href=paths::audit_row(row.id)>{row.action}</a>
                " " <span class="ui-muted">{row.actor_user}</span>
                {fields}
            </span>
            <time class="ui-muted ui-nowrap" datetime=format::machine(row.occurred_at) title=time>
                {format::ago(row.occurred_at)}
            </time>
        </li>
    }
}

/// The fields that a change names on both sides; none for a creation.
fn changed_fields(details: &Value) -> Vec<String> {
    let side = |name: &str| details.get(name).cloned().unwrap_or(Value::Null);
    let (before, after) = (side("before"), side("after"));
    if before.is_null() {
        return Vec::new();
    }
    let is_told = |path: &String| !UNTOLD.contains(&path.as_str());
    json_diff::fields(&before, &after)
        .into_iter()
        .filter(json_diff::FieldDiff::is_changed)
        .map(|field| field.path)
        .filter(is_told)
        .collect()
}

//! A card with the latest audit rows of a filter, and a link to all of them.

use app::{
    api,
    audit_log::Sentence,
    format,
    i18n::Text,
    resource::{Loaded, Resource},
    ui::{Badge, ButtonKind, ButtonLink, Card, Skeleton},
};
use contract::audit::{AuditFilter, AuditListQuery, AuditRow, ListAudit};
use leptos::{either::Either, prelude::*};

use super::{
    actions::{role, sentence},
    links,
};
use crate::{paths, texts::tenants as texts};

/// The parts of a row around its sentence: before it and below it.
pub(crate) type RowParts = fn(&AuditRow) -> (AnyView, AnyView);

/// The latest audit rows that match a filter.
#[component]
pub(crate) fn LatestAuditCard(
    #[prop(default = texts::LATEST_CHANGES)] title: Text,
    filter: AuditFilter,
    /// The audit log with the same filter.
    #[prop(into)]
    all: String,
    /// The label of the link to all rows.
    #[prop(default = texts::ALL_CHANGES)]
    all_label: Text,
    /// Shown without rows.
    #[prop(default = texts::NO_CHANGES)]
    nothing: Text,
    /// Maximum rows, 1 to 200.
    #[prop(default = 8)]
    limit: i64,
    /// The parts of a row around its sentence; by default its tenant and the actor's role.
    #[prop(optional)]
    row_parts: Option<RowParts>,
    /// When it changes, the rows are loaded again.
    #[prop(optional, into)]
    again: Signal<i32>,
) -> impl IntoView {
    // Rows of a single tenant need not name it.
    let with_tenant = filter.tenant_id.is_none();
    let rows = Resource::new(move || {
        again.track();
        let query = AuditListQuery { filter: filter.clone(), limit, cursor: None };
        async move { api::call::<ListAudit>(&(), &query, &()).await }
    });
    let actions = move || view! { <ButtonLink href=all kind=ButtonKind::Ghost small=true>{all_label.t()}</ButtonLink> };
    view! {
        <Card title actions=actions>
            <Loaded resource=rows skeleton=|| view! { <Skeleton lines=4 /> } let:page>
                <Rows rows=page.items nothing row_parts with_tenant />
            </Loaded>
        </Card>
    }
}

#[component]
fn Rows(rows: Vec<AuditRow>, nothing: Text, row_parts: Option<RowParts>, with_tenant: bool) -> impl IntoView {
    if rows.is_empty() {
        return Either::Left(view! { <p class="ui-muted">{nothing.t()}</p> });
    }
    let rows: Vec<_> = rows.into_iter().map(|one| row(&one, row_parts, with_tenant)).collect();
    Either::Right(view! { <ol class="ui-list">{rows}</ol> })
}

fn row(row: &AuditRow, row_parts: Option<RowParts>, with_tenant: bool) -> impl IntoView + use<> {
    let time = format::date_time_exact(row.occurred_at);
    let sentence_text = sentence(row);
    let (before, below) = match row_parts {
        Some(row_parts) => row_parts(row),
        None => {
            // A sentence about the tenant itself names it already, and a deleted tenant has no name to show.
            let is_shown = with_tenant && row.tenant_name.is_some() && Sentence::of(row).name != row.tenant_name;
            let (tenant, role) = (is_shown.then(|| links::tenant(row)).flatten(), role(&row.actor_role));
            let tenant = tenant.map(|tenant| view! { <span class="ui-muted">"· " {tenant}</span> " " });
            (().into_any(), view! { {tenant} <Badge>{role}</Badge> }.into_any())
        }
    };
    view! {
        <li class="ui-link-row ui-row--wrap">
            <span>
                {before} <a class="ui-link ui-link--quiet" href=paths::audit_row(row.id)>{sentence_text}</a> " " {below}
            </span>
            <time class="ui-muted ui-nowrap" datetime=format::machine(row.occurred_at) title=time>
                {format::ago(row.occurred_at)}
            </time>
        </li>
    }
}

//! The latest audit rows of something, as a card with the way to all of them.

use app::{
    api, format,
    resource::{Loaded, Resource},
    ui::{Badge, ButtonKind, ButtonLink, Card, Skeleton},
};
use contract::audit::{AuditFilter, AuditListQuery, AuditRow, ListAudit};
use leptos::{either::Either, prelude::*};

use crate::{paths, texts::tenants as texts};

/// The latest audit rows that a filter lets through.
#[component]
pub(crate) fn LatestAuditCard(
    /// What they are.
    #[prop(default = texts::LATEST_CHANGES)]
    title: app::i18n::Text,
    /// Which rows.
    filter: AuditFilter,
    /// The audit log with the same filter.
    #[prop(into)]
    all: String,
    /// Rows at most, 1 to 200.
    #[prop(default = 8)]
    limit: i64,
) -> impl IntoView {
    let rows = Resource::new(move || {
        let query = AuditListQuery { filter: filter.clone(), limit, cursor: None };
        async move { api::call::<ListAudit>(&(), &query, &()).await }
    });
    let actions = move || {
        view! { <ButtonLink href=all kind=ButtonKind::Ghost small=true>{texts::ALL_CHANGES.t()}</ButtonLink> }
    };
    view! {
        <Card title actions=actions>
            <Loaded resource=rows skeleton=|| view! { <Skeleton lines=4 /> } let:page>
                <Rows rows=page.items />
            </Loaded>
        </Card>
    }
}

#[component]
fn Rows(rows: Vec<AuditRow>) -> impl IntoView {
    if rows.is_empty() {
        return Either::Left(view! { <p class="ui-muted">{texts::NO_CHANGES.t()}</p> });
    }
    let rows: Vec<_> = rows.into_iter().map(row).collect();
    Either::Right(view! { <ul class="ui-list">{rows}</ul> })
}

fn row(row: AuditRow) -> impl IntoView {
    let time = format::date_time_exact(row.occurred_at);
    view! {
        <li class="ui-link-row ui-row--wrap">
            <span>
                <a class="ui-link ui-link--quiet ui-mono" href=paths::audit_row(row.id)>{row.action}</a>
                " " <span class="ui-muted">{row.actor_user}</span> " " <Badge>{row.actor_role}</Badge>
            </span>
            <time class="ui-muted ui-nowrap" datetime=format::machine(row.occurred_at) title=time>
                {format::ago(row.occurred_at)}
            </time>
        </li>
    }
}

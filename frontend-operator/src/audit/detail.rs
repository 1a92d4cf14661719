//! One row of the audit log, by the id in the address.

use app::{
    api, format,
    list_url::ListUrl,
    problem::Problem,
    resource::{Loaded, Resource},
    ui::{
        Badge, ButtonKind, ButtonLink, Card, CopyButton, Crumb, DefinitionItem, DefinitionList, IconName, Neighbours,
        PageHeader, Skeleton, StepButtons, Steps,
    },
};
use contract::{
    AuditId, ErrorCode,
    audit::{AuditRow, GetAuditNeighbours, GetAuditRow},
};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use super::{actions::sentence, changes::Changes, filter};
use crate::{paths, texts};

/// One row of the audit log.
#[component]
pub(crate) fn AuditRowPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get_str("id").and_then(|id| id.parse::<AuditId>().ok())));
    let list = ListUrl::new("", 1);
    let steps = Steps::new(move || {
        let (id, filter) = (id.get(), filter::from_address(list));
        let address = move |id: AuditId| format!("{}{}", paths::audit_row(id), untrack(|| filter::query(list)));
        async move {
            let id = id.ok_or_else(|| Problem::from(ErrorCode::AuditEntryNotFound))?;
            let beside = api::call::<GetAuditNeighbours>(&id, &filter?, &()).await?;
            Ok(Neighbours { newer: beside.newer.map(address), older: beside.older.map(address) })
        }
    });
    let row = Resource::new(move || {
        let id = id.get();
        async move {
            let id = id.ok_or_else(|| Problem::from(ErrorCode::AuditEntryNotFound))?;
            api::call::<GetAuditRow>(&id, &(), &()).await
        }
    });
    view! {
        <Loaded resource=row skeleton=|| view! { <Skeleton lines=10 /> } let:row>
            <Content row list steps />
        </Loaded>
    }
}

#[component]
fn Content(row: AuditRow, list: ListUrl, steps: Steps) -> impl IntoView {
    let log = format!("{}{}", paths::AUDIT, untrack(|| filter::query(list)));
    let crumbs = vec![Crumb::link(texts::AUDIT, log), Crumb::here(sentence(&row))];
    let same = paths::audit_of(&[("entity_type", &row.entity_type), ("entity_id", &row.entity_id)]);
    let details = row.details.clone();
    view! {
        <PageHeader title=sentence(&row) subtitle=format::ago(row.occurred_at) crumbs>
            <StepButtons steps label=texts::AUDIT_NEIGHBOURS newer=texts::NEWER older=texts::OLDER />
            <ButtonLink href=same kind=ButtonKind::Secondary icon=IconName::Clock>{texts::AUDIT_SAME.t()}</ButtonLink>
        </PageHeader>
        <Card title=texts::DETAILS><Facts row /></Card>
        <Changes details />
    }
}

#[component]
fn Facts(row: AuditRow) -> impl IntoView {
    let tenant = row.tenant_id.map(|id| {
        let text = id.to_string();
        let link = view! { <a class="ui-link ui-mono" href=paths::tenant(id)>{text.clone()}</a> };
        view! { <DefinitionItem term=texts::TENANT>{copied(link, text)}</DefinitionItem> }
    });
    let optional = [
        (texts::AUDIT_CHATBOT, row.chatbot_id.map(|id| id.to_string())),
        (texts::AUDIT_ADDRESS, row.ip_address),
        (texts::AUDIT_SESSION, row.session_id),
    ]
    .into_iter()
    .filter_map(|(term, value)| value.map(|value| view! { <DefinitionItem term=term>{id(value)}</DefinitionItem> }))
    .collect_view();
    view! {
        <DefinitionList>
            <DefinitionItem term=texts::AUDIT_TIME>
                <time datetime=format::machine(row.occurred_at)>{format::date_time_exact(row.occurred_at)}</time>
            </DefinitionItem>
            <DefinitionItem term=texts::AUDIT_ACTION><span class="ui-mono">{row.action}</span></DefinitionItem>
            <DefinitionItem term=texts::AUDIT_ACTOR>{row.actor_user} " " <Badge>{row.actor_role}</Badge></DefinitionItem>
            <DefinitionItem term=texts::AUDIT_ENTITY>{row.entity_type}</DefinitionItem>
            <DefinitionItem term=texts::AUDIT_ENTITY_ID>{id(row.entity_id)}</DefinitionItem>
            {tenant}
            {optional}
            <DefinitionItem term=texts::AUDIT_ID>{id(row.id.to_string())}</DefinitionItem>
        </DefinitionList>
    }
}

/// An id that can be copied.
fn id(text: String) -> impl IntoView {
    copied(view! { <span class="ui-mono">{text.clone()}</span> }, text)
}

fn copied(shown: impl IntoView, text: String) -> impl IntoView {
    view! { <span class="ui-row ui-row--wrap">{shown} <CopyButton value=text /></span> }
}

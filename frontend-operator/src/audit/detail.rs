//! One row of the audit log, by the id in the URL.

use app::{
    api, format,
    list_url::ListUrl,
    problem::Problem,
    resource::{Loaded, Resource},
    ui::{
        Badge, ButtonKind, ButtonLink, Card, CodeBlock, CopyButton, Crumb, DefinitionItem, DefinitionList, IconName,
        Neighbours, PageHeader, Skeleton, StepButtons, Steps,
    },
};
use contract::{
    AuditId, ErrorCode,
    audit::{AuditRow, GetAuditNeighbours, GetAuditRow},
};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use super::{
    actions::{kind, role, sentence},
    changes::Changes,
    filter, links,
};
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
            let neighbours = api::call::<GetAuditNeighbours>(&id, &filter?, &()).await?;
            Ok(Neighbours { newer: neighbours.newer.map(address), older: neighbours.older.map(address) })
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
    let (details, facts) = (row.details.clone(), row.clone());
    view! {
        <PageHeader title=sentence(&row) subtitle=format::ago(row.occurred_at) crumbs>
            <StepButtons steps label=texts::AUDIT_NEIGHBOURS newer=texts::NEWER older=texts::OLDER />
            <ButtonLink href=same kind=ButtonKind::Secondary icon=IconName::Clock>{texts::AUDIT_SAME.t()}</ButtonLink>
        </PageHeader>
        <Card title=texts::DETAILS><Facts row=facts /></Card>
        <Changes details />
        <Technical row />
    }
}

/// Actor, time and subject.
#[component]
fn Facts(row: AuditRow) -> impl IntoView {
    // A tenant and a chatbot are things themselves.
    let is_thing = |id: Option<String>| id.is_some_and(|id| id == row.entity_id);
    let chatbot = (!is_thing(row.chatbot_id.map(|id| id.to_string()))).then(|| links::chatbot(&row)).flatten();
    let tenant = (!is_thing(row.tenant_id.map(|id| id.to_string()))).then(|| links::tenant(&row)).flatten();
    let chatbot = chatbot.map(|link| view! { <DefinitionItem term=texts::AUDIT_ONE_CHATBOT>{link}</DefinitionItem> });
    let tenant = tenant.map(|link| view! { <DefinitionItem term=texts::TENANT>{link}</DefinitionItem> });
    let (entity, kind, role) = (links::entity(&row), kind(&row.entity_type), role(&row.actor_role));
    let address = row.ip_address.map(|address| {
        view! { <DefinitionItem term=texts::AUDIT_ADDRESS><span class="ui-mono">{address}</span></DefinitionItem> }
    });
    view! {
        <DefinitionList>
            <DefinitionItem term=texts::AUDIT_TIME>
                <time datetime=format::machine(row.occurred_at)>{format::date_time_exact(row.occurred_at)}</time>
            </DefinitionItem>
            <DefinitionItem term=texts::AUDIT_ACTOR>{row.actor_user} " " <Badge>{role}</Badge></DefinitionItem>
            <DefinitionItem term=kind>{entity}</DefinitionItem>
            {chatbot}
            {tenant}
            {address}
        </DefinitionList>
    }
}

/// Codes, ids and the details as they are stored, folded.
#[component]
fn Technical(row: AuditRow) -> impl IntoView {
    let raw = serde_json::to_string_pretty(&row.details).unwrap_or_default();
    let items = [
        (texts::AUDIT_CODE, Some(row.action)),
        (texts::AUDIT_ID, Some(row.id.to_string())),
        (texts::AUDIT_ENTITY_TYPE, Some(row.entity_type)),
        (texts::AUDIT_ENTITY_ID, Some(row.entity_id)),
        (texts::TENANT_ID, row.tenant_id.map(|id| id.to_string())),
        (texts::AUDIT_CHATBOT, row.chatbot_id.map(|id| id.to_string())),
        (texts::AUDIT_SESSION, row.session_id),
    ]
    .into_iter()
    .filter_map(|(term, value)| value.map(|value| view! { <DefinitionItem term=term>{id(value)}</DefinitionItem> }))
    .collect_view();
    view! {
        <Card subtle=true>
            <details class="ui-details ui-details--bare">
                <summary class="ui-details__summary">{texts::AUDIT_TECHNICAL.t()}</summary>
                <div class="ui-stack">
                    <DefinitionList>{items}</DefinitionList>
                    <CodeBlock label=texts::AUDIT_RAW code=raw />
                </div>
            </details>
        </Card>
    }
}

/// A code or an id that can be copied.
fn id(text: String) -> impl IntoView {
    let visible = text.clone();
    view! { <span class="ui-row ui-row--wrap"><span class="ui-mono">{visible}</span> <CopyButton value=text /></span> }
}

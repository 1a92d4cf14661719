//! The list of audit rows, newest first; filters and place in the address.

use app::{
    api, format,
    i18n::texts as common,
    list_url::ListUrl,
    resource::{Loaded, Resource},
    ui::{Badge, Button, Column, EmptyState, IconName, PageHeader, SearchField, SkeletonTable, Table},
};
use contract::audit::{AuditListQuery, AuditPage as Page, AuditRow, ListAudit};
use leptos::{either::Either, prelude::*};

use super::{
    export::ExportButton,
    filter::{self, Filters},
    tail::LiveTail,
};
use crate::{paths, texts};

/// Rows of a page.
const LIMIT: i64 = 50;

/// The audit log.
#[component]
pub(crate) fn AuditPage() -> impl IntoView {
    let list = ListUrl::new("", LIMIT);
    let rows = Resource::new(move || {
        let query = filter::from_address(list).map(|filter| AuditListQuery {
            filter,
            limit: LIMIT,
            cursor: Some(list.value("cursor")).filter(|cursor| !cursor.is_empty()),
        });
        async move { api::call::<ListAudit>(&(), &query?, &()).await }
    });
    let search = move |text: String| list.set(&[("json_search", text.trim()), ("cursor", "")]);
    view! {
        <PageHeader title=texts::AUDIT subtitle=texts::AUDIT_SUBTITLE><ExportButton list /></PageHeader>
        <div class="ui-toolbar">
            <div class="ui-toolbar__main">
                <SearchField label=texts::AUDIT_SEARCH value=list.signal("json_search") on_search=search />
            </div>
            <div class="ui-toolbar__end">
                <LiveTail list rows />
                <Button icon=IconName::Refresh on_click=move |()| rows.reload()>{texts::RELOAD.t()}</Button>
            </div>
        </div>
        <Filters list />
        <Loaded resource=rows skeleton=|| view! { <SkeletonTable rows=10 columns=5 /> } let:page>
            <Rows page list />
        </Loaded>
    }
}

#[component]
fn Rows(page: Page, list: ListUrl) -> impl IntoView {
    let Page { items, next_cursor } = page;
    if items.is_empty() {
        return Either::Left(view! { <Nothing list /> });
    }
    let columns = vec![
        Column::new(texts::AUDIT_TIME),
        Column::new(texts::AUDIT_ACTION),
        Column::new(texts::AUDIT_ACTOR),
        Column::new(texts::AUDIT_ENTITY).wide_only(),
        Column::new(texts::TENANT).wide_only(),
    ];
    let rows: Vec<_> = items.into_iter().map(row).collect();
    Either::Right(view! {
        <Table caption=texts::AUDIT columns>{rows}</Table>
        <Steps next_cursor list />
    })
}

/// The way to older rows and back to the newest. The pages between are the browser's own history.
#[component]
fn Steps(next_cursor: Option<String>, list: ListUrl) -> impl IntoView {
    let is_newest = untrack(|| list.value("cursor").is_empty());
    let is_end = next_cursor.is_none();
    let older = move |()| {
        if let Some(cursor) = &next_cursor {
            list.set(&[("cursor", cursor)]);
        }
    };
    view! {
        <nav class="ui-pagination" aria-label=common::PAGINATION.t()>
            <p class="ui-pagination__status" role="status">
                {is_end.then(|| texts::AUDIT_END.t())}
            </p>
            <Button small=true disabled=is_newest on_click=move |()| list.set(&[("cursor", "")])>
                {texts::AUDIT_NEWEST.t()}
            </Button>
            <Button small=true disabled=is_end on_click=older>{texts::AUDIT_OLDER.t()}</Button>
        </nav>
    }
}

fn row(row: AuditRow) -> impl IntoView {
    let tenant = row.tenant_id.map(|id| {
        let text = id.to_string();
        view! {
            <a class="ui-link ui-link--quiet ui-mono" href=paths::tenant(id) title=text.clone()>{short(&text)}</a>
        }
    });
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-nowrap">
                <time datetime=format::machine(row.occurred_at)>
                    {format::ago(row.occurred_at)} <br />
                    <span class="ui-muted ui-small">{format::date_time_exact(row.occurred_at)}</span>
                </time>
            </td>
            <td class="ui-table__cell ui-table__cell--main">
                <a class="ui-link ui-link--quiet ui-mono" href=paths::audit_row(row.id)>{row.action}</a>
            </td>
            <td class="ui-table__cell">{row.actor_user} " " <Badge>{row.actor_role}</Badge></td>
            <td class="ui-table__cell ui-table__cell--wide-only">
                {row.entity_type} <br />
                <span class="ui-muted ui-mono" title=row.entity_id.clone()>{short(&row.entity_id)}</span>
            </td>
            <td class="ui-table__cell ui-table__cell--wide-only">{tenant}</td>
        </tr>
    }
}

/// The beginning of a UUID; other ids whole.
fn short(id: &str) -> String {
    match id.get(..8) {
        Some(start) if id.len() == 36 => format!("{start}…"),
        _ => id.to_owned(),
    }
}

/// What stands there instead of rows: nothing matches, the log ends here, or nothing was ever changed.
#[component]
fn Nothing(list: ListUrl) -> impl IntoView {
    let is_narrowed = untrack(|| filter::KEYS.iter().chain(&["cursor"]).any(|key| !list.value(key).is_empty()));
    if is_narrowed {
        return Either::Left(view! {
            <EmptyState icon=IconName::Search title=texts::NO_MATCH_TITLE text=texts::AUDIT_NO_MATCH_TEXT>
                <Button on_click=move |()| filter::clear(list)>{common::CLEAR_FILTERS.t()}</Button>
            </EmptyState>
        });
    }
    Either::Right(
        view! { <EmptyState icon=IconName::Audit title=texts::AUDIT_EMPTY_TITLE text=texts::AUDIT_EMPTY_TEXT /> },
    )
}

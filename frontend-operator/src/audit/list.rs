//! The list of audit rows, newest first; filters and position are in the URL.

use app::{
    api,
    i18n::texts as common,
    list_url::ListUrl,
    resource::{Loaded, Resource},
    ui::{
        Badge, Button, Column, ColumnChoice, ColumnMenu, EmptyState, IconName, PageHeader, SearchField, SkeletonTable,
        Table,
    },
};
use contract::audit::{AuditListQuery, AuditPage as Page, AuditRow, ListAudit};
use leptos::{either::Either, prelude::*};

use super::{
    actions::{kind, role, sentence},
    chips::Chips,
    export::ExportButton,
    filter::{self, Filters},
    links,
    tail::LiveTail,
};
use crate::{cells::time, cursor_steps::CursorSteps, paths, texts};

/// Rows of a page.
const PAGE_SIZE: i64 = 50;

#[component]
pub(crate) fn AuditPage() -> impl IntoView {
    let list = ListUrl::new("", PAGE_SIZE);
    let rows = Resource::new(move || {
        let query = filter::from_address(list).map(|filter| AuditListQuery {
            filter,
            limit: PAGE_SIZE,
            cursor: Some(list.value("cursor")).filter(|cursor| !cursor.is_empty()),
        });
        async move { api::call::<ListAudit>(&(), &query?, &()).await }
    });
    let search = move |text: String| list.replace(&[("json_search", text.trim()), ("cursor", "")]);
    let choice = ColumnChoice::without("audit", "actor,code");
    view! {
        <PageHeader title=texts::AUDIT subtitle=texts::AUDIT_SUBTITLE><ExportButton list /></PageHeader>
        <div class="ui-toolbar">
            <div class="ui-toolbar__main">
                <SearchField label=texts::AUDIT_SEARCH value=list.signal("json_search") on_search=search />
            </div>
            <div class="ui-toolbar__end">
                <LiveTail list rows />
                <ColumnMenu choice columns=columns() />
                <Button icon=IconName::Refresh on_click=move |()| rows.reload()>{texts::RELOAD.t()}</Button>
            </div>
        </div>
        <Filters list />
        <Chips list />
        <Loaded resource=rows skeleton=|| view! { <SkeletonTable rows=10 columns=5 /> } let:page>
            <Rows page list choice />
        </Loaded>
    }
}

#[component]
fn Rows(page: Page, list: ListUrl, choice: ColumnChoice) -> impl IntoView {
    let Page { items, next_cursor, previous_cursor } = page;
    if items.is_empty() {
        return Either::Left(view! { <Nothing list /> });
    }
    let filters = untrack(|| filter::query(list));
    let rows: Vec<_> = items.into_iter().map(|one| row(one, &filters)).collect();
    Either::Right(view! {
        <Table caption=texts::AUDIT columns=columns() choice>{rows}</Table>
        <CursorSteps list next_cursor previous_cursor end=texts::AUDIT_END />
    })
}

fn columns() -> Vec<Column> {
    vec![
        Column::new(texts::AUDIT_TIME),
        Column::new(texts::AUDIT_HAPPENED),
        Column::new(texts::AUDIT_ACTOR).optional("actor"),
        Column::new(texts::AUDIT_ENTITY).wide_only().optional("entity"),
        Column::new(texts::TENANT).wide_only().optional("tenant"),
        Column::new(texts::AUDIT_CODE).wide_only().optional("code"),
    ]
}

/// A row. Its link carries the filters, for the navigation to adjacent rows.
fn row(row: AuditRow, filters: &str) -> impl IntoView + use<> {
    let (entity, tenant) = (links::entity(&row), links::tenant(&row));
    let (sentence_text, role, kind) = (sentence(&row), role(&row.actor_role), kind(&row.entity_type));
    let href = format!("{}{filters}", paths::audit_row(row.id));
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-nowrap">{time(row.occurred_at)}</td>
            <td class="ui-table__cell ui-table__cell--main">
                <a class="ui-link ui-link--quiet" href=href>{sentence_text}</a> " " <Badge>{role}</Badge>
            </td>
            <td class="ui-table__cell">{row.actor_user}</td>
            <td class="ui-table__cell ui-table__cell--wide-only">
                <span class="ui-muted ui-small">{kind}</span> <br /> {entity}
            </td>
            <td class="ui-table__cell ui-table__cell--wide-only">{tenant}</td>
            <td class="ui-table__cell ui-table__cell--wide-only ui-table__cell--mono">{row.action}</td>
        </tr>
    }
}

/// Shown without rows: nothing matches, the log ends here, or it is empty.
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

//! The audit log for operators and vendors.

pub mod archive;

use axum::body::Body;
use chrono::{DateTime, Utc};
use contract::{
    AuditId, ErrorCode,
    audit::{AuditCsvQuery, AuditFilter, AuditListQuery, AuditNeighbours, AuditPage, AuditRow},
};
use store::{Cursor, CursorList, ExportTx, ReadTx, Side, audit, export::CopyQuery};

use crate::{
    caller::Caller,
    error::ApiResult,
    export::{self, Client, Column, Export, Kind, RowSource},
    service::cursor_page::{self, CursorPage},
    state::App,
};

const COLUMNS: [Column; 13] = [
    Column { name: "id", kind: Kind::Id },
    Column { name: "occurred_at", kind: Kind::Moment },
    Column { name: "actor_role", kind: Kind::Text },
    Column { name: "actor_user", kind: Kind::Text },
    Column { name: "actor_idp_id", kind: Kind::Text },
    Column { name: "tenant_id", kind: Kind::Id },
    Column { name: "chatbot_id", kind: Kind::Id },
    Column { name: "action", kind: Kind::Text },
    Column { name: "entity_type", kind: Kind::Text },
    Column { name: "entity_id", kind: Kind::Text },
    Column { name: "ip_address", kind: Kind::Text },
    Column { name: "session_id", kind: Kind::Text },
    Column { name: "details", kind: Kind::Text },
];

/// A page of the log, newest first.
///
/// # Errors
/// `date_from_after_date_to`, and a validation error for an invalid cursor.
pub async fn list(app: &App, caller: &Caller, query: &AuditListQuery) -> ApiResult<AuditPage> {
    query.filter.check_codes()?;
    let cursor = cursor_page::cursor(CursorList::Audit, query.cursor.as_deref())?;
    let mut tx = app.db.read(&caller.scope()?).await?;
    let rows = audit::read::list(&mut tx, &query.filter, cursor, query.limit + 1).await?;
    let page = CursorPage::from_rows(CursorList::Audit, rows, query.limit, cursor, |row| (row.occurred_at, row.id.0));
    Ok(AuditPage { items: page.items, next_cursor: page.next_cursor, previous_cursor: page.previous_cursor })
}

/// A row of the live log.
///
/// # Errors
/// `audit_entry_not_found`, also for a row that has moved to the archive.
pub async fn get(app: &App, caller: &Caller, id: AuditId) -> ApiResult<AuditRow> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let row = audit::read::find(&mut tx, id).await?;
    row.ok_or_else(|| ErrorCode::AuditEntryNotFound.into())
}

/// The neighbours of a row among the rows that match the filter; the row itself need not match. Archived rows are not
/// found.
///
/// # Errors
/// `audit_entry_not_found`, `date_from_after_date_to`.
pub async fn neighbours(app: &App, caller: &Caller, id: AuditId, filter: &AuditFilter) -> ApiResult<AuditNeighbours> {
    filter.check_codes()?;
    let mut tx = app.db.read(&caller.scope()?).await?;
    let row = audit::read::find(&mut tx, id).await?.ok_or(ErrorCode::AuditEntryNotFound)?;
    let newer = neighbour(&mut tx, filter, &row, Side::Newer).await?;
    let older = neighbour(&mut tx, filter, &row, Side::Older).await?;
    Ok(AuditNeighbours { newer, older })
}

async fn neighbour(tx: &mut ReadTx, filter: &AuditFilter, row: &AuditRow, side: Side) -> ApiResult<Option<AuditId>> {
    let cursor = Cursor { at: row.occurred_at, id: row.id.0, side };
    let rows = audit::read::list(tx, filter, Some(cursor), 1).await?;
    Ok(rows.first().map(|row| row.id))
}

struct Log(AuditCsvQuery);

impl RowSource for Log {
    async fn check(&self, _: &App, _: &Caller) -> ApiResult<()> {
        Ok(())
    }

    async fn query(&self, tx: &mut ExportTx) -> store::Result<CopyQuery> {
        audit::read::copy_query(tx, &self.0.filter, self.0.include_details).await
    }
}

/// Starts the CSV of the log. It leaves no row in the log.
///
/// # Errors
/// `date_from_after_date_to`; `rate_limited` when the caller runs as many exports as one may; `service_unavailable` when too
/// many run in all.
pub async fn export(app: &App, caller: &Caller, query: AuditCsvQuery, client: Client) -> ApiResult<Body> {
    query.filter.check_codes()?;
    let columns = if query.include_details { &COLUMNS[..] } else { &COLUMNS[..COLUMNS.len() - 1] };
    let export =
        Export { columns: columns.to_vec(), source: Log(query), max_rows: None, for_spreadsheets: false, audit: None };
    export::start(app, caller, export, client).await
}

/// Names the CSV by the time of the export.
pub fn file_name(now: DateTime<Utc>) -> String {
    export::file_name("audit", None, now)
}

//! The audit log as operators and vendors read it.

use axum::body::Body;
use chrono::{DateTime, Utc};
use contract::{
    AuditId, ErrorCode,
    audit::{AuditCsvQuery, AuditListQuery, AuditPage, AuditRow},
};
use store::{
    ExportTx,
    audit_log::{self, Cursor},
    export::CopyQuery,
};

use crate::{
    app_state::App,
    export::{self, Column, Export, Kind, Source},
    http::{
        caller::Caller,
        error::{ApiError, ApiResult},
    },
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
/// `date_from_after_date_to`, and a validation error for a cursor that this endpoint did not give out.
pub async fn list(app: &App, caller: &Caller, query: &AuditListQuery) -> ApiResult<AuditPage> {
    query.filter.check_codes()?;
    let cursor = query.cursor.as_deref().map(|text| Cursor::decode(text).ok_or_else(bad_cursor)).transpose()?;
    let mut tx = app.db.read(&caller.scope()?).await?;
    // One row more than the page shows whether there is a next one.
    let mut items = audit_log::list(&mut tx, &query.filter, cursor, query.limit + 1).await?;
    tx.end().await?;
    let wanted = usize::try_from(query.limit).unwrap_or(usize::MAX);
    let has_next = items.len() > wanted;
    items.truncate(wanted);
    let next_cursor = items.last().filter(|_| has_next).map(|last| Cursor::from(last).encode());
    Ok(AuditPage { items, next_cursor })
}

fn bad_cursor() -> ApiError {
    ApiError::field(&["query", "cursor"], "is the next_cursor of a page before", "cursor")
}

/// A row of the live log.
///
/// # Errors
/// `audit_entry_not_found`, also for a row that has moved to the archive.
pub async fn get(app: &App, caller: &Caller, id: AuditId) -> ApiResult<AuditRow> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let row = audit_log::find(&mut tx, id).await?;
    tx.end().await?;
    row.ok_or_else(|| ErrorCode::AuditEntryNotFound.into())
}

struct Log(AuditCsvQuery);

impl Source for Log {
    async fn check(&self, _: &App) -> ApiResult<()> {
        Ok(())
    }

    async fn query(&self, tx: &mut ExportTx) -> store::Result<CopyQuery> {
        audit_log::copy_query(tx, &self.0.filter, self.0.include_details).await
    }
}

/// Starts the CSV of the log. It leaves no row in the log.
///
/// # Errors
/// `date_from_after_date_to`; `service_unavailable` when too many exports run.
pub async fn export(app: &App, caller: &Caller, query: AuditCsvQuery) -> ApiResult<Body> {
    query.filter.check_codes()?;
    let columns = if query.include_details { &COLUMNS[..] } else { &COLUMNS[..COLUMNS.len() - 1] };
    let columns = columns.to_vec();
    let export = Export { columns, scope: caller.scope()?, source: Log(query), max_rows: None, ledger: None };
    export::start(app, export).await
}

/// The name of the file.
pub fn file_name(now: DateTime<Utc>) -> String {
    format!("svc-audit-{}.csv", now.format("%Y%m%d-%H%M%S"))
}

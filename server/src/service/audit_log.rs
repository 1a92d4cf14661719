//! The audit log as operators and vendors read it.

use contract::{
    AuditId, ErrorCode,
    audit::{AuditListQuery, AuditPage, AuditRow},
};
use store::audit_log::{self, Cursor};

use crate::{
    app_state::App,
    http::{
        caller::Caller,
        error::{ApiError, ApiResult},
    },
};

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

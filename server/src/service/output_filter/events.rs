//! The events of the output filter for operators and vendors, without texts, and their counts.

use contract::{
    ErrorCode, TenantId,
    output_filter::events::{OutputFilterEvents, OutputFilterEventsQuery, OutputFilterSelection, OutputFilterSummary},
};
use store::{
    ReadTx,
    output_filter::events::{self, COUNTED_ROWS},
};

use crate::{
    caller::Caller,
    error::ApiResult,
    service::cursor_page::{self, CursorPage},
    state::App,
};

/// A page of the events of tenants that are not soft-deleted, newest first.
///
/// # Errors
/// `date_must_be_timezone_aware`, `date_from_after_date_to`, `tenant_not_found`, and a validation error for an invalid
/// cursor.
pub async fn list(app: &App, caller: &Caller, query: &OutputFilterEventsQuery) -> ApiResult<OutputFilterEvents> {
    query.selection.check_codes()?;
    let cursor = cursor_page::cursor(query.cursor.as_deref())?;
    let mut tx = app.db.read(&caller.scope()?).await?;
    check_tenant(&mut tx, query.selection.tenant).await?;
    let category = query.category.as_deref();
    let rows = events::list(&mut tx, &query.selection, category, cursor, query.limit + 1).await?;
    let page = CursorPage::from_rows(rows, query.limit, cursor, |event| (event.created_at, event.id.0));
    Ok(OutputFilterEvents { items: page.items, next_cursor: page.next_cursor, previous_cursor: page.previous_cursor })
}

/// The number of events per category.
///
/// # Errors
/// `date_must_be_timezone_aware`, `date_from_after_date_to`, `tenant_not_found`.
pub async fn summarise(
    app: &App,
    caller: &Caller,
    selection: &OutputFilterSelection,
) -> ApiResult<OutputFilterSummary> {
    selection.check_codes()?;
    let mut tx = app.db.read(&caller.scope()?).await?;
    check_tenant(&mut tx, selection.tenant).await?;
    let categories = events::count(&mut tx, selection).await?;
    let watched = events::count_watched(&mut tx, selection).await?;
    let total = categories.iter().map(|category| category.count).sum();
    Ok(OutputFilterSummary { total, is_complete: total < COUNTED_ROWS, categories, watched })
}

async fn check_tenant(tx: &mut ReadTx, tenant: Option<TenantId>) -> ApiResult<()> {
    match tenant {
        Some(tenant) if !store::tenants::is_active(tx, tenant).await? => Err(ErrorCode::TenantNotFound.into()),
        _ => Ok(()),
    }
}

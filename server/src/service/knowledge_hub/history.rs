//! Searches of the caller, and queries of a tenant's users without useful results. A user's own searches write no audit
//! rows.

use std::time::Duration;

use contract::{
    ErrorCode, Page, TenantId,
    id::{DocumentVersionId, SearchId},
    knowledge_hub::{Insights, NewRecordedSearch, NotedSearch, RecordListQuery, RecordedSearch},
};
use store::{
    Exemption, WriteTx,
    knowledge_hub::{
        documents,
        history::{self, Click, Recording},
        usage::{self, Used},
    },
};

use super::{begin_read, begin_write};
use crate::{
    caller::Caller,
    error::{ApiError, ApiResult},
    state::App,
};

/// A page of the caller's searches, newest first.
///
/// # Errors
/// `module_not_enabled`.
pub async fn list(app: &App, caller: &Caller, query: &RecordListQuery) -> ApiResult<Page<RecordedSearch>> {
    let (mut tx, tenant) = begin_read(app, caller).await?;
    Ok(history::list(&mut tx, tenant, query).await?)
}

/// Removes all searches of the caller.
///
/// # Errors
/// `module_not_enabled`.
pub async fn clear(app: &App, caller: &Caller) -> ApiResult<()> {
    let (mut tx, tenant) = begin_write(app, caller).await?;
    history::clear(&mut tx, tenant).await?;
    tx.commit_exempt(Exemption::SearchHistory).await?;
    Ok(())
}

/// Adds a search of the caller to the history; one that is there stays as it is.
///
/// # Errors
/// `module_not_enabled`, `search_not_found` when the caller has no such search with these words, `rate_limited` after ten
/// within ten seconds.
pub async fn record_search(app: &App, caller: &Caller, search: &NewRecordedSearch) -> ApiResult<NotedSearch> {
    match add_to_history(app, caller, search.search_id, search.q.trim()).await? {
        Recording::Recorded { .. } | Recording::Known => Ok(NotedSearch { search_id: search.search_id }),
        Recording::NoSearch => Err(ErrorCode::SearchNotFound.into()),
        Recording::TooMany => Err(ApiError::rate_limited(Duration::from_secs(u64::from(history::BURST_SECONDS)))),
    }
}

/// Keeps a search of the caller, and adds it to the history if that is wanted and the caller may add more now.
pub(super) async fn keep(
    app: &App,
    caller: &Caller,
    query: &str,
    results: i64,
    is_recorded: bool,
) -> ApiResult<SearchId> {
    let (mut tx, tenant) = begin_write(app, caller).await?;
    let id = history::insert_pending(&mut tx, tenant, query, results).await?;
    if is_recorded {
        record(&mut tx, tenant, id, query).await?;
    }
    tx.commit_exempt(Exemption::SearchHistory).await?;
    Ok(id)
}

async fn add_to_history(app: &App, caller: &Caller, search: SearchId, query: &str) -> ApiResult<Recording> {
    let (mut tx, tenant) = begin_write(app, caller).await?;
    let recording = record(&mut tx, tenant, search, query).await?;
    tx.commit_exempt(Exemption::SearchHistory).await?;
    Ok(recording)
}

async fn record(tx: &mut WriteTx, tenant: TenantId, search: SearchId, query: &str) -> store::Result<Recording> {
    let recording = history::record(tx, tenant, search, query).await?;
    if let Recording::Recorded { found } = recording {
        usage::add(tx, tenant, Used::Search { found }).await?;
    }
    Ok(recording)
}

/// Records that the caller opened a document from the results of a search.
///
/// # Errors
/// `module_not_enabled`, `document_not_found`, `search_not_found`.
pub async fn click(app: &App, caller: &Caller, search: SearchId, document: DocumentVersionId) -> ApiResult<()> {
    let (mut tx, tenant) = begin_write(app, caller).await?;
    if !documents::version_exists(&mut tx, tenant, document).await? {
        return Err(ErrorCode::DocumentNotFound.into());
    }
    match history::record_click(&mut tx, tenant, search, document).await? {
        Click::Recorded => usage::add(&mut tx, tenant, Used::Opened).await?,
        Click::Known => {}
        Click::NoSearch => return Err(ErrorCode::SearchNotFound.into()),
    }
    tx.commit_exempt(Exemption::SearchHistory).await?;
    Ok(())
}

/// Queries of at least five users of the tenant without useful results in the last four complete weeks.
///
/// # Errors
/// `module_not_enabled`.
pub async fn insights(app: &App, caller: &Caller) -> ApiResult<Insights> {
    let (mut tx, _) = begin_read(app, caller).await?;
    Ok(history::unmet(&mut tx).await?)
}

//! Searches of the caller, and queries of a tenant's users without useful results. A user's own searches write no audit
//! rows.

use contract::{
    ErrorCode, Page,
    id::{DocumentVersionId, SearchId},
    knowledge_hub::{Insights, NewRecordedSearch, NotedSearch, RecordListQuery, RecordedSearch},
};
use store::{
    Exemption,
    knowledge_hub::{
        documents,
        history::{self, Click},
        usage::{self, Used},
    },
};

use super::{begin_read, begin_write};
use crate::{caller::Caller, error::ApiResult, state::App};

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
    let exempt = tx.exempt(Exemption::SearchHistory);
    tx.commit(exempt).await?;
    Ok(())
}

/// Records a search of the caller that was run without being recorded.
///
/// # Errors
/// `module_not_enabled`.
pub async fn record_search(app: &App, caller: &Caller, search: &NewRecordedSearch) -> ApiResult<NotedSearch> {
    Ok(NotedSearch { search_id: record(app, caller, search.q.trim(), search.total).await? })
}

/// Records a search of the caller.
pub(super) async fn record(app: &App, caller: &Caller, query: &str, results: i64) -> ApiResult<SearchId> {
    let (mut tx, tenant) = begin_write(app, caller).await?;
    let id = history::insert(&mut tx, tenant, query, results).await?;
    usage::add(&mut tx, tenant, Used::Search { found: results > 0 }).await?;
    let exempt = tx.exempt(Exemption::SearchHistory);
    tx.commit(exempt).await?;
    Ok(id)
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
    let exempt = tx.exempt(Exemption::SearchHistory);
    tx.commit(exempt).await?;
    Ok(())
}

/// Queries of at least three users of the tenant without useful results within the last `days` days.
///
/// # Errors
/// `module_not_enabled`.
pub async fn insights(app: &App, caller: &Caller, days: i64) -> ApiResult<Insights> {
    let (mut tx, _) = begin_read(app, caller).await?;
    Ok(Insights { items: history::unmet(&mut tx, days).await? })
}

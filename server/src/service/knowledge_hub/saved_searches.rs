//! Saved searches of the caller.

use contract::{
    ErrorCode, Page,
    audit::actions,
    id::SavedSearchId,
    knowledge_hub::{NewSavedSearch, NewSearchResults, RecordListQuery, SavedSearch, SearchQuery},
};
use serde_json::{Value, json};
use store::{
    AuditEntry,
    knowledge_hub::{lock_records, reach::Filters, saved_searches},
};

use super::{
    begin_read, begin_write,
    search::{self, Request},
    sha256,
};
use crate::{
    caller::Caller,
    error::{ApiError, ApiResult},
    state::App,
};

/// Maximum saved searches of one user.
const MAX_SAVED_SEARCHES: i64 = 200;

/// A page of the caller's saved searches, newest first.
///
/// # Errors
/// `module_not_enabled`.
pub async fn list(app: &App, caller: &Caller, query: &RecordListQuery) -> ApiResult<Page<SavedSearch>> {
    let (mut tx, tenant) = begin_read(app, caller).await?;
    Ok(saved_searches::list(&mut tx, tenant, query).await?)
}

/// Saves a search for the caller.
///
/// # Errors
/// `module_not_enabled`, `date_from_after_date_to`, `quota_saved_searches`.
pub async fn create(app: &App, caller: &Caller, new: &NewSavedSearch) -> ApiResult<SavedSearch> {
    new.filters.check_codes()?;
    let (mut tx, tenant) = begin_write(app, caller).await?;
    lock_records(&mut tx, tenant).await?;
    let used = saved_searches::count(&mut tx, tenant).await?;
    if used >= MAX_SAVED_SEARCHES {
        return Err(ApiError::quota(ErrorCode::QuotaSavedSearches, MAX_SAVED_SEARCHES, used));
    }
    let saved = saved_searches::insert(&mut tx, tenant, new).await?;
    let details = json!({ "before": null, "after": measures(&saved) });
    let entry = entry(caller, actions::KNOWLEDGE_SAVED_SEARCH_CREATED, saved.id, details)?;
    tx.commit_audited(&entry).await?;
    Ok(saved)
}

/// Removes a saved search of the caller.
///
/// # Errors
/// `module_not_enabled`, `saved_search_not_found`.
pub async fn delete(app: &App, caller: &Caller, id: SavedSearchId) -> ApiResult<()> {
    let (mut tx, tenant) = begin_write(app, caller).await?;
    let saved = saved_searches::find(&mut tx, tenant, id).await?.ok_or(ErrorCode::SavedSearchNotFound)?;
    if !saved_searches::delete(&mut tx, tenant, id).await? {
        return Err(ErrorCode::SavedSearchNotFound.into());
    }
    let details = json!({ "before": measures(&saved), "after": null });
    tx.commit_audited(&entry(caller, actions::KNOWLEDGE_SAVED_SEARCH_DELETED, id, details)?).await?;
    Ok(())
}

/// New results of a saved search since the caller last ran it, or saved it.
///
/// # Errors
/// `module_not_enabled`, `saved_search_not_found`.
pub async fn new_results(app: &App, caller: &Caller, id: SavedSearchId) -> ApiResult<NewSearchResults> {
    let (mut tx, tenant) = begin_read(app, caller).await?;
    let saved = saved_searches::find(&mut tx, tenant, id).await?.ok_or(ErrorCode::SavedSearchNotFound)?;
    let last_seen = saved_searches::last_seen(&mut tx, tenant, id).await?;
    drop(tx);
    let since = last_seen.unwrap_or(saved.created_at);
    let query = SearchQuery { q: saved.query, filters: saved.filters, ..SearchQuery::default() };
    let filters = Filters::of(&query.filters).since(since);
    let results = search::run(app, caller, &Request { filters, ..Request::of(&query) }).await?;
    Ok(NewSearchResults { since, results: results.results, total: results.total })
}

/// The audit log's description of a saved search, without its name and its query.
fn measures(saved: &SavedSearch) -> Value {
    let filters = serde_json::to_string(&saved.filters).unwrap_or_default();
    json!({
        "name_characters": saved.name.chars().count(),
        "name_sha256": sha256(&saved.name),
        "query_characters": saved.query.chars().count(),
        "query_sha256": sha256(&saved.query),
        "filters_sha256": sha256(&filters),
    })
}

fn entry(caller: &Caller, action: &'static str, id: SavedSearchId, details: Value) -> ApiResult<AuditEntry> {
    super::entry(caller, action, ("knowledge_saved_search", id.to_string()), details)
}

//! Runs of saved searches: results that come after the last one are new.

use contract::{Timestamp, id::SavedSearchId};
use store::{
    Exemption,
    knowledge_hub::{reach::Filters, saved_searches},
};

use super::{
    super::{begin_read, begin_write},
    Request,
};
use crate::{caller::Caller, error::ApiResult, state::App};

/// A run of a saved search of the caller.
pub(super) struct Run {
    saved_search: SavedSearchId,
    /// Documents since then may be missing from its results.
    complete_until: Timestamp,
}

/// The run of this saved search if the request asks for its first page with its words and filters.
pub(super) async fn begin(
    app: &App,
    caller: &Caller,
    saved_search: SavedSearchId,
    request: &Request<'_>,
) -> ApiResult<Option<Run>> {
    let (mut tx, tenant) = begin_read(app, caller).await?;
    let Some(saved) = saved_searches::find(&mut tx, tenant, saved_search).await? else { return Ok(None) };
    if request.offset > 0 || saved.query != request.q || Filters::of(&saved.filters) != request.filters {
        return Ok(None);
    }
    Ok(Some(Run { saved_search, complete_until: saved_searches::complete_until(&mut tx, tenant).await? }))
}

/// Records that the caller has the results of a run.
pub(super) async fn record(app: &App, caller: &Caller, run: Run) -> ApiResult<()> {
    let (mut tx, tenant) = begin_write(app, caller).await?;
    saved_searches::record_seen(&mut tx, tenant, run.saved_search, run.complete_until).await?;
    tx.commit_exempt(Exemption::SearchHistory).await?;
    Ok(())
}

//! The search: embeds the query with each embedding model, searches all collections by vector and by words, merges the
//! results, lets a reranker order them if there is one, and reads the page. Nothing is generated.

mod browse;
mod collections;
mod page;
mod rerank;
mod seen;

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use contract::{
    TenantId,
    knowledge_hub::{Degradation, DegradationCode, Facets, SearchQuery, SearchResults, SearchSort, SearchTimes},
    page::TotalIs,
};
use rag::retrieve::Calibration;
use store::{
    Scope,
    knowledge_hub::{
        hits,
        reach::{self, Filters},
    },
};
use uuid::Uuid;

use self::collections::Collections;
use super::{
    begin_read_as, history,
    ranking::{self, Ranked, Ranking},
};
use crate::{admission::visitors_first::YieldBudget, caller::Caller, error::ApiResult, metrics, state::App};

/// How long a search yields to visitors' questions in total.
const MAX_YIELD: Duration = Duration::from_millis(150);

/// The parameters of a search.
#[derive(Debug, Clone)]
pub(super) struct Request<'a> {
    pub(super) q: &'a str,
    pub(super) filters: Filters,
    pub(super) sort: SearchSort,
    pub(super) explain: bool,
    pub(super) limit: i64,
    pub(super) offset: i64,
}

impl<'a> Request<'a> {
    pub(super) fn of(query: &'a SearchQuery) -> Self {
        Self {
            q: query.q.trim(),
            filters: Filters::of(&query.filters),
            sort: query.sort.unwrap_or(SearchSort::Relevance),
            explain: query.explain,
            limit: query.limit,
            offset: query.offset,
        }
    }

    /// The part of a list that the page shows.
    fn range(&self, of: usize) -> std::ops::Range<usize> {
        let start = usize::try_from(self.offset).unwrap_or_default().min(of);
        start..(start + usize::try_from(self.limit).unwrap_or_default()).min(of)
    }
}

/// The scopes of a search. Its connections count for a separate share.
struct Searcher {
    tenant: TenantId,
    /// Reads the passages that the caller may read.
    scope: Scope,
    /// Ranks passages by words.
    system: Scope,
}

/// Searches for the caller. The first page is added to the caller's history, if that is wanted.
///
/// # Errors
/// `module_not_enabled`, `date_from_after_date_to`, `rate_limited` when too many searches run.
pub async fn search(app: &App, caller: &Caller, query: &SearchQuery) -> ApiResult<SearchResults> {
    query.filters.check_codes()?;
    let request = Request::of(query);
    let run_of = match query.saved_search {
        Some(id) => seen::begin(app, caller, id, &request).await?,
        None => None,
    };
    let mut results = run(app, caller, &request).await?;
    // Results that could not be found were not seen.
    let is_whole = results.degraded.iter().all(|of| of.code == DegradationCode::RerankerUnavailable);
    if let Some(run_of) = run_of.filter(|_| is_whole) {
        seen::record(app, caller, run_of).await?;
    }
    if request.offset == 0 && !request.q.is_empty() {
        results.search_id = Some(history::keep(app, caller, request.q, results.total, query.record).await?);
    }
    Ok(results)
}

/// Searches for the caller. Dropping the future stops the search.
pub(super) async fn run(app: &App, caller: &Caller, request: &Request<'_>) -> ApiResult<SearchResults> {
    let tenant = caller.tenant()?;
    let searcher = Searcher {
        tenant,
        scope: caller.scope()?.searching_for(tenant),
        system: Scope::system().searching_for(tenant),
    };
    // Before the queue, where a tenant without the module has no place. Nobody waits there with a connection.
    drop(begin_read_as(app, tenant, &searcher.scope).await?);
    let _permit = app.searches().acquire(tenant).await?;
    let started = Instant::now();
    let mut tx = app.db.read(&searcher.scope).await?;
    if request.q.is_empty() {
        let facets = reach::facets(&mut tx, tenant, &request.filters).await?;
        let mut results = browse::newest(&mut tx, tenant, request, facets).await?;
        results.took_ms.total = milliseconds(started.elapsed());
        return Ok(results);
    }
    let chatbots = reach::chatbots(&mut tx, tenant, &request.filters).await?;
    let chosen = match request.filters.choose_documents() {
        true => Some(reach::matching(&mut tx, tenant, &request.filters).await?),
        false => None,
    };
    drop(tx);
    let mut budget = app.visitor_searches().yield_budget(MAX_YIELD);
    budget.yield_to_visitors().await;
    let collections = Collections::prepare(app, &searcher, request.q, chatbots, chosen).await?;
    let mut progress = Found::default();
    progress.search(app, &searcher, request, &collections, &mut budget).await?;
    budget.yield_to_visitors().await;
    progress.count(app, &searcher, &request.filters).await?;
    budget.yield_to_visitors().await;
    let mut results = progress.finish(app, &searcher, request, &collections).await?;
    results.took_ms.total = milliseconds(started.elapsed());
    metrics::knowledge_searched(results.total > 0, started.elapsed());
    Ok(results)
}

/// The results so far.
#[derive(Default)]
struct Found {
    facets: Facets,
    times: SearchTimes,
    degraded: Vec<Degradation>,
    ranking: Ranking,
}

impl Found {
    /// Searches the collections and merges their results.
    async fn search(
        &mut self,
        app: &App,
        searcher: &Searcher,
        request: &Request<'_>,
        collections: &Collections,
        budget: &mut YieldBudget<'_>,
    ) -> ApiResult<()> {
        let started = Instant::now();
        // Sequentially: concurrent statements would take two processors of the database from visitors' questions.
        let nearest = collections.nearest(app, searcher, budget).await?;
        let by_words = collections.matching(app, searcher, budget).await?;
        self.degraded.extend(collections.degraded());
        let by_vector = nearest.unwrap_or_else(|degraded| {
            self.degraded.push(degraded);
            Vec::new()
        });
        let threshold = app.settings.relevance_threshold;
        let calibrations: HashMap<Uuid, Calibration> =
            collections.models().map(|(chatbot, model)| (chatbot, Calibration::of(model, threshold))).collect();
        let unknown = Calibration::of("", threshold);
        self.ranking = ranking::merge(&by_vector, &by_words, |chatbot| calibrations.get(&chatbot).unwrap_or(&unknown));
        (self.times.embed, self.times.words) = collections.times();
        self.times.search = milliseconds(started.elapsed());
        if request.sort == SearchSort::Newest {
            self.newest_first(app, searcher).await?;
        } else {
            let started = Instant::now();
            rerank::order(app, searcher, request, self).await?;
            self.times.rerank = milliseconds(started.elapsed());
        }
        Ok(())
    }

    async fn newest_first(&mut self, app: &App, searcher: &Searcher) -> ApiResult<()> {
        let documents: Vec<Uuid> = self.ranking.relevant.iter().map(|ranked| ranked.passage.document_id).collect();
        let mut tx = app.db.read(&searcher.scope).await?;
        let locations = hits::locations(&mut tx, searcher.tenant, &documents).await?;
        let dates: HashMap<Uuid, _> =
            locations.into_iter().map(|location| (location.document, location.updated_at)).collect();
        self.ranking.relevant.sort_by_key(|ranked| std::cmp::Reverse(dates.get(&ranked.passage.document_id).copied()));
        Ok(())
    }

    async fn count(&mut self, app: &App, searcher: &Searcher, filters: &Filters) -> ApiResult<()> {
        let started = Instant::now();
        let mut tx = app.db.read(&searcher.scope).await?;
        self.facets = reach::facets(&mut tx, searcher.tenant, filters).await?;
        self.times.facets = milliseconds(started.elapsed());
        Ok(())
    }

    async fn finish(
        mut self,
        app: &App,
        searcher: &Searcher,
        request: &Request<'_>,
        collections: &Collections,
    ) -> ApiResult<SearchResults> {
        let started = Instant::now();
        let page: &[Ranked] = &self.ranking.relevant[request.range(self.ranking.relevant.len())];
        let results = page::read(app, searcher, request, collections, page).await?;
        let mut results = SearchResults { results, ..SearchResults::default() };
        if self.ranking.relevant.is_empty() {
            let nearly = &self.ranking.nearly;
            results.suggestion = page::suggestion(app, searcher, request.q, collections, nearly).await?;
            results.nearest = page::read(app, searcher, request, collections, &ranking::nearest(nearly)).await?;
        }
        self.times.read = milliseconds(started.elapsed());
        Ok(self.reply(request, results))
    }

    fn reply(self, request: &Request<'_>, results: SearchResults) -> SearchResults {
        SearchResults {
            facets: self.facets,
            total: i64::try_from(self.ranking.relevant.len()).unwrap_or(i64::MAX),
            total_is: if self.ranking.is_cut { TotalIs::AtLeast } else { TotalIs::Exact },
            limit: request.limit,
            offset: request.offset,
            took_ms: self.times,
            degraded: self.degraded,
            ..results
        }
    }
}

fn milliseconds(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX)
}

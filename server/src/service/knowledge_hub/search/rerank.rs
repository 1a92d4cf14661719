//! Lets a reranker order the best results before the page is cut. If it does not respond in time, the order stays.

use std::{collections::HashMap, time::Duration};

use contract::knowledge_hub::{Degradation, DegradationCode};
use rag::chunk::innermost;
use store::knowledge_hub::hits;
use uuid::Uuid;

use super::{
    super::{ranking::Ranked, snippets::unmarked},
    Found, Request, Searcher, page,
};
use crate::{error::ApiResult, state::App};

/// Results that the reranker reads.
const MAX_CANDIDATES: usize = 50;
/// Timeout of the reranker: a search must take less than a second.
const TIMEOUT: Duration = Duration::from_millis(600);

/// Orders the best results by the reranker, when one is configured.
pub(super) async fn order(app: &App, searcher: &Searcher, request: &Request<'_>, search: &mut Found) -> ApiResult<()> {
    let relevant = &mut search.ranking.relevant;
    let Some(reranking) = app.settings.reranking.as_ref().filter(|_| relevant.len() > 1) else { return Ok(()) };
    let best = relevant.len().min(MAX_CANDIDATES);
    let texts = texts(app, searcher, &relevant[..best]).await?;
    let deadline = TIMEOUT.min(reranking.timeout);
    let scores = rag::with_low_priority(reranking.reranker.scores(request.q.to_owned(), texts));
    match tokio::time::timeout(deadline, scores).await {
        Ok(Ok(scores)) if scores.len() == best && scores.iter().all(|score| !score.is_nan()) => {
            for (ranked, score) in relevant.iter_mut().zip(scores) {
                ranked.rerank = Some(f64::from(score));
            }
            relevant[..best].sort_by(|left, right| {
                let score = |ranked: &Ranked| ranked.rerank.unwrap_or(f64::NEG_INFINITY);
                score(right).total_cmp(&score(left))
            });
            return Ok(());
        }
        Ok(Ok(_)) => tracing::warn!(error = "no number for each passage", "rerank.failed"),
        Ok(Err(error)) => tracing::warn!(%error, "rerank.failed"),
        Err(_) => tracing::warn!(error = "no answer in time", "rerank.failed"),
    }
    search.degraded.push(Degradation { code: DegradationCode::RerankerUnavailable, chatbots: Vec::new() });
    Ok(())
}

/// The text of each result for the reranker; empty for one that was deleted.
async fn texts(app: &App, searcher: &Searcher, best: &[Ranked]) -> ApiResult<Vec<String>> {
    let ids: Vec<_> = best.iter().map(|ranked| page::id(&ranked.passage)).collect();
    let mut tx = app.db.read(&searcher.scope).await?;
    let read = hits::passages(&mut tx, searcher.tenant, &ids, &[]).await?;
    let texts: HashMap<Uuid, String> = read
        .into_iter()
        .filter_map(|passage| {
            let heading = innermost(&passage.heading);
            Some((passage.id?, format!("{heading}\n{}", unmarked(&passage.marked))))
        })
        .collect();
    Ok(best.iter().map(|ranked| texts.get(&ranked.passage.id).cloned().unwrap_or_default()).collect())
}

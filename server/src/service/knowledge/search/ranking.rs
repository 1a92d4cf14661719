//! Decides between the results of several models and determines the confidence.

use std::sync::Arc;

use rag::{
    follow_up::Search,
    query_words,
    retrieve::{self, Candidate, Confidence, DEPTH},
};

use super::{SearchOptions, SearchOutcome, Timings, models::ModelResults, retrieval::TextResults};
use crate::{metrics, state::App};

/// The passages that one model found for a question, best first.
pub(super) fn fuse(search: &Search, results: &ModelResults) -> Vec<Candidate> {
    let rank = |text: &TextResults| retrieve::rank(&text.nearest, &text.matching, &results.calibration);
    fuse_by(search, results, rank)
}

/// Like the ranking of a visitor's question, but with another `rank` of the results for one text.
pub fn fuse_by(
    search: &Search,
    results: &ModelResults,
    rank: impl Fn(&TextResults) -> Vec<Candidate>,
) -> Vec<Candidate> {
    let ranked = search.texts().iter().zip(&results.texts).map(|(_, text)| rank(text)).collect();
    search.fuse(ranked, results.has_unfamiliar_words(), &results.calibration, DEPTH)
}

/// Whether the passage lacks a number, a code or a name of the question: it may be about another one.
fn lacks_specific_word(results: &ModelResults, search: &Search, passage: &Candidate) -> bool {
    let text = format!("{} {} {}", passage.title, passage.heading, passage.content);
    let is_same_language = results.calibration.same_language;
    query_words::lacks_specific_word(results.answer_query(search), &text, &results.language, is_same_language)
}

/// Chooses the ranking with the most evidence and determines its confidence. Only then does the reranker, if there is one,
/// order the first passages: its scores do not affect the confidence. `None` when no model searched.
pub async fn decide(
    app: &App,
    search: &Search,
    ranked: Vec<(&ModelResults, Vec<Candidate>)>,
    options: &SearchOptions<'_>,
) -> Option<SearchOutcome> {
    let mut best = None;
    for (results, passages) in ranked {
        let certainty = results.calibration.certainty(&passages);
        if best.as_ref().is_none_or(|(best_certainty, _, _)| certainty > *best_certainty) {
            best = Some((certainty, results, passages));
        }
    }
    let (certainty, results, mut passages) = best?;
    let shifted = results.calibration.shifted(options.evidence_shift);
    let mut confidence = shifted.confidence(&passages);
    let top_k = app.settings.top_k;
    let reranking = options.reranking.filter(|_| confidence != Confidence::None && passages.len() > 1);
    let rerank_error = match reranking {
        Some(reranking) => {
            let others = passages.split_off(passages.len().min(reranking.depth.max(top_k)));
            let ordered = reranking.order(search.combined_query(), &mut passages).await;
            metrics::reranked(ordered.is_ok());
            passages.extend(others);
            ordered.err()
        }
        None => None,
    };
    if passages.first().is_some_and(|first| lacks_specific_word(results, search, first)) {
        confidence = confidence.min(Confidence::Low);
    }
    Some(SearchOutcome {
        question: results.answer_query(search).to_owned(),
        written: search.answer_query().to_owned(),
        vector: search.vector(&results.vectors[..search.texts().len().min(results.vectors.len())]),
        embedder: Arc::clone(&results.embedder),
        relevant: if confidence == Confidence::None { 0 } else { passages.len().min(top_k) },
        passages,
        confidence,
        certainty,
        rerank_error,
        timings: Timings::default(),
    })
}

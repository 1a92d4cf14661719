//! Decides between the results of several models and determines the confidence, for a visitor's answer and for `server eval`
//! alike.

use rag::{
    follow_up::Search,
    query_words,
    rerank::{RerankError, Reranking},
    retrieve::{Candidate, Confidence},
};

use super::question_search::Finding;
use crate::{metrics, state::App};

/// The results of the model with the most evidence.
pub struct Ranking<'a, I> {
    /// What the model found.
    pub finding: &'a Finding,
    /// All passages that were found, best first.
    pub candidates: Vec<Candidate<I>>,
    /// The evidence that the first one answers the question, relative to the limit of a sure answer.
    pub certainty: f32,
    /// The confidence that the first one answers the question.
    pub confidence: Confidence,
    /// Why the reranker left the order as it was.
    pub rerank_error: Option<RerankError>,
}

/// Whether the passage lacks a number, a code or a name of the question: it may be about another one.
fn lacks_specific_word<I>(finding: &Finding, search: &Search, passage: &Candidate<I>) -> bool {
    let text = format!("{} {} {}", passage.title, passage.heading, passage.content);
    let is_same_language = finding.calibration.same_language;
    query_words::lacks_specific_word(finding.answer_query(search), &text, &finding.language, is_same_language)
}

/// Chooses the ranking with the most evidence and determines its confidence. `evidence_shift` is added to the evidence. Only then
/// does the reranker, if there is one, order the first passages: its scores do not affect the confidence. `None` when no
/// model searched.
pub async fn decide<'a, I>(
    app: &App,
    search: &Search,
    found: Vec<(&'a Finding, Vec<Candidate<I>>)>,
    evidence_shift: f32,
    reranking: Option<&Reranking>,
) -> Option<Ranking<'a, I>> {
    let mut best = None;
    for (finding, candidates) in found {
        let certainty = finding.calibration.certainty(&candidates);
        if best.as_ref().is_none_or(|(known, _, _)| certainty > *known) {
            best = Some((certainty, finding, candidates));
        }
    }
    let (certainty, finding, mut candidates) = best?;
    let Finding { calibration, .. } = finding;
    let shifted = calibration.shifted(evidence_shift);
    let mut confidence = shifted.confidence(&candidates);
    let reranking = reranking.filter(|_| confidence != Confidence::None && candidates.len() > 1);
    let rerank_error = match reranking {
        Some(reranking) => {
            let others = candidates.split_off(candidates.len().min(reranking.depth.max(app.settings.top_k)));
            let ordered = reranking.order(search.combined_query(), &mut candidates).await;
            metrics::reranked(ordered.is_ok());
            candidates.extend(others);
            ordered.err()
        }
        None => None,
    };
    if candidates.first().is_some_and(|first| lacks_specific_word(finding, search, first)) {
        confidence = confidence.min(Confidence::Low);
    }
    Some(Ranking { finding, candidates, certainty, confidence, rerank_error })
}

//! Decides between the results of several models and determines the confidence, for a visitor's answer and for `server eval`
//! alike.

use rag::{
    follow_up::Search,
    rerank::{RerankError, Reranking},
    retrieve::{Calibration, Candidate, Confidence},
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
    let shifted = Calibration { offset: calibration.offset + evidence_shift, ..*calibration };
    let confidence = shifted.confidence(&candidates);
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
    Some(Ranking { finding, candidates, certainty, confidence, rerank_error })
}

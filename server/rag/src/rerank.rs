//! Reranking: a model that reads question and passage together orders the search results again.
//!
//! It is optional: when it fails or takes too long, the order stays as it was.

use std::{fmt, sync::Arc, time::Duration};

use futures::future::BoxFuture;

use crate::{chunk::innermost, embed::EmbedError, retrieve::Candidate};

mod endpoint;
mod local;

pub use endpoint::{EndpointReranker, EndpointSettings, Protocol};
pub use local::LocalReranker;

/// Why reranking failed. No variant contains text of question or passage.
#[derive(Debug, thiserror::Error)]
pub enum RerankError {
    /// The model in this process failed, or its folder is unusable.
    #[error(transparent)]
    Local(#[from] EmbedError),
    /// The client could not be created, the endpoint is unreachable, or the connection broke.
    #[error("the rerank endpoint cannot be reached: {0}")]
    Unreachable(#[source] reqwest::Error),
    /// The endpoint returned an error status, for example 429 or 500.
    #[error("the rerank endpoint answered with status {0}")]
    Status(u16),
    /// The response was not one score per passage.
    #[error("the reranker gave {0}")]
    Malformed(&'static str),
    /// The request timed out.
    #[error("the reranker took longer than {0:?}")]
    Timeout(Duration),
}

/// Scores how well each of several texts answers a question.
pub trait Reranker: Send + Sync {
    fn model(&self) -> &str;

    /// Returns one score per text, in the order of the texts. Higher is better; only scores of the same call are
    /// comparable.
    fn scores(&self, question: String, texts: Vec<String>) -> BoxFuture<'_, Result<Vec<f32>, RerankError>>;
}

/// A reranker with its limits.
#[derive(Clone)]
pub struct Reranking {
    pub reranker: Arc<dyn Reranker>,
    /// Passages to rerank for one question, from each search.
    pub depth: usize,
    pub timeout: Duration,
}

impl fmt::Debug for Reranking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reranker, depth, timeout } = self;
        let mut output = f.debug_struct("Reranking");
        output.field("model", &reranker.model()).field("depth", depth).field("timeout", timeout).finish()
    }
}

impl Reranking {
    /// Orders candidates by the model's scores, best first; equal ones keep their order. On an error the order is
    /// unchanged. A single candidate is not sent.
    ///
    /// # Errors
    /// See [`RerankError`]; also when a score is not a number.
    pub async fn order(&self, question: &str, candidates: &mut Vec<Candidate>) -> Result<(), RerankError> {
        if candidates.len() < 2 {
            return Ok(());
        }
        let texts: Vec<String> = candidates.iter().map(text).collect();
        let scores = self.reranker.scores(question.to_owned(), texts);
        let scores = tokio::time::timeout(self.timeout, scores).await;
        let scores = scores.map_err(|_| RerankError::Timeout(self.timeout))??;
        if scores.len() != candidates.len() || scores.iter().any(|score| score.is_nan()) {
            return Err(RerankError::Malformed("no number for each passage"));
        }
        let mut scored: Vec<_> = scores.into_iter().zip(std::mem::take(candidates)).collect();
        scored.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        candidates.extend(scored.into_iter().map(|(_, candidate)| candidate));
        Ok(())
    }
}

/// The text of a passage for the model: its innermost heading and its content.
fn text(candidate: &Candidate) -> String {
    match innermost(&candidate.heading) {
        "" => candidate.content.clone(),
        heading => format!("{heading}\n{}", candidate.content),
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    struct Fixed(Vec<f32>);

    impl Reranker for Fixed {
        fn model(&self) -> &str {
            "fixed"
        }

        fn scores(&self, _: String, _: Vec<String>) -> BoxFuture<'_, Result<Vec<f32>, RerankError>> {
            Box::pin(async { Ok(self.0.clone()) })
        }
    }

    struct Silent;

    impl Reranker for Silent {
        fn model(&self) -> &str {
            "silent"
        }

        fn scores(&self, _: String, _: Vec<String>) -> BoxFuture<'_, Result<Vec<f32>, RerankError>> {
            Box::pin(std::future::pending())
        }
    }

    fn candidates(count: u128) -> Vec<Candidate> {
        let candidate = |id| Candidate { cosine: 0.5, ..Candidate::new(id, "", "Shop > Returns", "Text.") };
        (1..=count).map(Uuid::from_u128).map(candidate).collect()
    }

    async fn ordered(reranker: impl Reranker + 'static, count: u128) -> (Vec<u128>, Result<(), RerankError>) {
        let reranking = Reranking { reranker: Arc::new(reranker), depth: 20, timeout: Duration::from_millis(20) };
        let mut candidates = candidates(count);
        let result = reranking.order("Which?", &mut candidates).await;
        (candidates.iter().map(|candidate| candidate.id.as_u128()).collect(), result)
    }

    #[tokio::test]
    async fn the_best_score_comes_first_and_equal_ones_keep_their_order() {
        let (ids, result) = ordered(Fixed(vec![0.1, 3.0, -2.0, 3.0]), 4).await;
        assert_eq!(ids, [2, 4, 1, 3]);
        assert!(result.is_ok());
    }

    #[tokio::test]
    async fn the_order_stays_when_scores_are_missing_no_numbers_or_late() {
        for scores in [vec![1.0], vec![1.0, f32::NAN, 2.0], vec![]] {
            let (ids, result) = ordered(Fixed(scores), 3).await;
            assert_eq!(ids, [1, 2, 3]);
            assert!(matches!(result, Err(RerankError::Malformed(_))), "{result:?}");
        }
        let (ids, result) = ordered(Silent, 3).await;
        assert_eq!(ids, [1, 2, 3]);
        assert!(matches!(result, Err(RerankError::Timeout(_))), "{result:?}");
    }

    #[tokio::test]
    async fn one_candidate_alone_is_not_asked_about() {
        assert!(ordered(Silent, 1).await.1.is_ok());
    }

    #[test]
    fn a_passage_is_read_with_its_innermost_heading() {
        assert_eq!(text(&candidates(1)[0]), "Returns\nText.");
    }
}

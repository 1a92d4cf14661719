//! Compares the best passages of a question token by token, with the vectors from the first layer of the model's
//! network.

use std::collections::{HashMap, HashSet};

use rag::{
    chunk::embedding_text,
    embed::{EmbedError, Embedder},
    retrieve::{Calibration, Candidate},
};
use uuid::Uuid;

use super::retrieval::TextResults;

/// Passages that are compared with a text: this bounds the time.
const COMPARED: usize = 20;

/// Sets the token similarity of the best passages of each text; the others get the lowest similarity among them.
/// Skipped when it would not change the order, or when the model does not support it.
///
/// # Errors
/// When the model fails.
pub(super) async fn compare(
    embedder: &dyn Embedder,
    calibration: &Calibration,
    results: &mut [TextResults],
) -> Result<(), EmbedError> {
    if calibration.likeness <= 0.0 {
        return Ok(());
    }
    for results in results {
        let (ids, passages): (Vec<Uuid>, Vec<String>) = best(calibration, results).into_iter().unzip();
        let Some(likeness) = embedder.likeness(results.text.clone(), passages).await? else { return Ok(()) };
        let least = likeness.iter().copied().fold(1.0, f32::min);
        let by_passage: HashMap<Uuid, f32> = ids.into_iter().zip(likeness).collect();
        for passage in results.nearest.iter_mut().chain(&mut results.matching) {
            passage.likeness = by_passage.get(&passage.id).copied().unwrap_or(least);
        }
    }
    Ok(())
}

/// The best passages, each with what is embedded of it.
fn best(calibration: &Calibration, results: &TextResults) -> Vec<(Uuid, String)> {
    let mut passage_ids = HashSet::new();
    let once = results.nearest.iter().chain(&results.matching).filter(|passage| passage_ids.insert(passage.id));
    let score = |passage: &Candidate| calibration.first_score(passage.cosine, passage.words);
    let mut all: Vec<(f32, &Candidate)> = once.map(|passage| (score(passage), passage)).collect();
    all.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let text = |passage: &Candidate| embedding_text(&passage.heading, &passage.title, &passage.content);
    all.into_iter().take(COMPARED).map(|(_, passage)| (passage.id, text(passage))).collect()
}

//! Compares the best passages of a question token by token, with the vectors from the first layer of the model's
//! network.

use std::collections::{HashMap, HashSet};

use rag::{
    chunk::embedding_text,
    embed::{EmbedError, Embedder},
    retrieve::Calibration,
};
use uuid::Uuid;

use super::retrieval::{FoundPassage, Hits};

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
    hits: &mut [Hits],
) -> Result<(), EmbedError> {
    if calibration.likeness <= 0.0 {
        return Ok(());
    }
    for hits in hits {
        let (ids, passages): (Vec<Uuid>, Vec<String>) = best(calibration, hits).into_iter().unzip();
        let Some(found) = embedder.likeness(hits.text.clone(), passages).await? else { return Ok(()) };
        let least = found.iter().copied().fold(1.0, f32::min);
        let known: HashMap<Uuid, f32> = ids.into_iter().zip(found).collect();
        for passage in hits.nearest.iter_mut().chain(&mut hits.matching) {
            passage.likeness = known.get(&passage.hit.id).copied().unwrap_or(least);
        }
    }
    Ok(())
}

/// The best passages, each with what is embedded of it.
fn best(calibration: &Calibration, hits: &Hits) -> Vec<(Uuid, String)> {
    let mut known = HashSet::new();
    let once = hits.nearest.iter().chain(&hits.matching).filter(|found| known.insert(found.hit.id));
    #[allow(clippy::cast_possible_truncation, reason = "a cosine needs no more than 24 bits")]
    let score = |found: &FoundPassage| calibration.first_score(found.hit.cosine as f32, found.words);
    let mut all: Vec<(f32, &FoundPassage)> = once.map(|found| (score(found), found)).collect();
    all.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let text = |found: &FoundPassage| embedding_text(&found.hit.heading, &found.hit.title, &found.hit.content);
    all.into_iter().take(COMPARED).map(|(_, found)| (found.hit.id, text(found))).collect()
}

//! From two rankings to one: vector hits and keyword hits of a chatbot's passages, fused by reciprocal rank.

use std::{collections::HashMap, hash::Hash};

/// The cosine below which a passage is not an answer. Measured with all-MiniLM-L6-v2 (`docs/answers.md`).
pub const RELEVANCE_THRESHOLD: f32 = 0.45;

/// Ranks count as `1 / (RANK_OFFSET + rank)`: a first place in one list does not drown two good places.
const RANK_OFFSET: f32 = 60.0;

/// A passage that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit<I> {
    /// The passage's id in the store.
    pub id: I,
    /// The cosine of question and passage, -1 to 1; none when the search did not compute it.
    pub cosine: Option<f32>,
    /// The document's title.
    pub document_title: String,
    /// The headings above the passage as `A > B`; may be empty.
    pub heading: String,
    /// The fragment that leads to the passage.
    pub anchor: Option<String>,
    /// The passage.
    pub content: String,
}

impl<I> Hit<I> {
    /// What a reader sees as the source: the document and the innermost heading.
    pub fn source_title(&self) -> String {
        match self.heading.rsplit(" > ").next().filter(|heading| !heading.is_empty()) {
            Some(heading) if heading != self.document_title => format!("{} – {heading}", self.document_title),
            _ => self.document_title.clone(),
        }
    }
}

/// The best `k` of both lists, each of which is best first. A passage in both lists is one hit and keeps the cosine
/// that either list knows. Equal sums are ordered by cosine, then by the vector list.
pub fn fuse<I: Eq + Hash + Clone>(vector: &[Hit<I>], keyword: &[Hit<I>], k: usize) -> Vec<Hit<I>> {
    let mut fused: Vec<(f32, Hit<I>)> = Vec::new();
    let mut place: HashMap<I, usize> = HashMap::new();
    for list in [vector, keyword] {
        for (rank, hit) in list.iter().enumerate() {
            let points = 1.0 / (RANK_OFFSET + rank as f32 + 1.0);
            let at = *place.entry(hit.id.clone()).or_insert(fused.len());
            match fused.get_mut(at) {
                Some((sum, known)) => {
                    *sum += points;
                    known.cosine = known.cosine.or(hit.cosine);
                }
                None => fused.push((points, hit.clone())),
            }
        }
    }
    fused.sort_by(|(a, left), (b, right)| b.total_cmp(a).then(cosine_of(right).total_cmp(&cosine_of(left))));
    fused.into_iter().take(k).map(|(_, hit)| hit).collect()
}

/// The best cosine among `hits`; none when there is no hit with a cosine.
pub fn best_cosine<I>(hits: &[Hit<I>]) -> Option<f32> {
    hits.iter().filter_map(|hit| hit.cosine).max_by(f32::total_cmp)
}

fn cosine_of<I>(hit: &Hit<I>) -> f32 {
    hit.cosine.unwrap_or(-1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(id: u32, cosine: Option<f32>) -> Hit<u32> {
        let text = String::new;
        Hit { id, cosine, document_title: "Guide".into(), heading: text(), anchor: None, content: text() }
    }

    #[test]
    fn a_passage_that_both_lists_know_comes_first() {
        let vector = [hit(1, Some(0.7)), hit(2, Some(0.6)), hit(3, Some(0.5))];
        let keyword = [hit(4, None), hit(3, None)];
        let ids: Vec<_> = fuse(&vector, &keyword, 3).into_iter().map(|hit| (hit.id, hit.cosine)).collect();
        assert_eq!(ids, [(3, Some(0.5)), (1, Some(0.7)), (4, None)]);
    }

    #[test]
    fn equal_sums_are_ordered_by_cosine_and_a_missing_cosine_is_filled_in() {
        let fused = fuse(&[hit(1, None), hit(2, Some(0.4))], &[hit(2, None), hit(1, Some(0.9))], 9);
        assert_eq!(fused.iter().map(|hit| hit.id).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(best_cosine(&fused), Some(0.9));
    }

    #[test]
    fn nothing_found_gives_nothing() {
        assert_eq!(best_cosine(&fuse::<u32>(&[], &[], 5)), None);
    }

    #[test]
    fn a_source_is_named_by_document_and_innermost_heading() {
        let mut found = hit(1, None);
        assert_eq!(found.source_title(), "Guide");
        found.heading = "Set-up > First steps".into();
        assert_eq!(found.source_title(), "Guide – First steps");
    }
}

//! From two rankings to one: vector hits and keyword hits of a chatbot's passages, fused by reciprocal rank.

use std::{collections::HashMap, hash::Hash};

use crate::{block::sentences, terms::terms, weights::Weights};

/// The cosine below which a passage is not an answer. Measured with all-MiniLM-L6-v2 (`docs/answers.md`).
pub const RELEVANCE_THRESHOLD: f32 = 0.45;

/// How far below the threshold a passage may lie with a sentence that has all the question's words.
const WORDS_MARGIN: f32 = 0.08;

/// Ranks count as `1 / (RANK_OFFSET + rank)`: a first place in one list does not drown two good places.
const RANK_OFFSET: f32 = 60.0;

/// What a rank by words counts for beside one by vector. Measured (`docs/answers.md`): a question in other words than the
/// document's shares words with many passages that do not answer it.
const WORDS_WEIGHT: f32 = 0.5;

/// A passage that a search found. `I` is the store's id of a passage.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate<I> {
    /// The passage's id in the store.
    pub id: I,
    /// The document's title.
    pub title: String,
    /// The headings above the passage as `A > B`; may be empty.
    pub heading: String,
    /// The passage.
    pub content: String,
    /// The cosine of question and passage, -1 to 1.
    pub cosine: f32,
}

/// The best `k` of both lists, each of which is best first, without candidates whose cosine is below `threshold`;
/// one with a sentence that has all words of `question` may lie 0.08 lower. A passage in both lists is one candidate. Equal sums are ordered by cosine, then by the vector list.
pub fn fuse<I: Eq + Hash + Clone>(
    question: &str,
    vector: &[Candidate<I>],
    keyword: &[Candidate<I>],
    k: usize,
    threshold: f32,
) -> Vec<Candidate<I>> {
    merge(question, [(vector, 1.0), (keyword, WORDS_WEIGHT)], k, threshold)
}

/// The same for any two lists, each with its weight.
pub(crate) fn merge<I: Eq + Hash + Clone>(
    question: &str,
    lists: [(&[Candidate<I>], f32); 2],
    k: usize,
    threshold: f32,
) -> Vec<Candidate<I>> {
    let mut fused: Vec<(f32, &Candidate<I>)> = Vec::new();
    let mut place: HashMap<&I, usize> = HashMap::new();
    for (list, weight) in lists {
        for (rank, candidate) in list.iter().enumerate() {
            let points = weight / (RANK_OFFSET + rank as f32 + 1.0);
            let at = *place.entry(&candidate.id).or_insert(fused.len());
            match fused.get_mut(at) {
                Some((sum, _)) => *sum += points,
                None => fused.push((points, candidate)),
            }
        }
    }
    let wanted = Weights::new(terms(question), fused.iter().map(|(_, candidate)| candidate.content.as_str()));
    fused.retain(|(_, candidate)| {
        let mut parts = candidate.content.lines().flat_map(sentences);
        let near = candidate.cosine >= threshold - WORDS_MARGIN;
        candidate.cosine >= threshold || (near && parts.any(|part| wanted.all_in(part)))
    });
    fused.sort_by(|(a, left), (b, right)| b.total_cmp(a).then(right.cosine.total_cmp(&left.cosine)));
    fused.into_iter().take(k).map(|(_, candidate)| candidate.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(id: u32, cosine: f32) -> Candidate<u32> {
        Candidate { id, title: "Guide".into(), heading: String::new(), content: "Text.".into(), cosine }
    }

    #[test]
    fn a_passage_that_both_lists_know_comes_first() {
        let vector = [candidate(1, 0.7), candidate(2, 0.6), candidate(3, 0.5)];
        let keyword = [candidate(4, 0.5), candidate(3, 0.5)];
        let ids: Vec<_> = fuse("", &vector, &keyword, 3, 0.45).into_iter().map(|candidate| candidate.id).collect();
        assert_eq!(ids, [3, 1, 2], "a place among the words counts for half");
    }

    #[test]
    fn equal_sums_are_ordered_by_cosine() {
        let lists = [[candidate(1, 0.5), candidate(2, 0.9)], [candidate(2, 0.9), candidate(1, 0.5)]];
        let fused = merge("", [(&lists[0], 1.0), (&lists[1], 1.0)], 9, 0.45);
        assert_eq!(fused.iter().map(|candidate| candidate.id).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn what_is_below_the_threshold_is_no_candidate_however_well_its_words_fit() {
        let fused = fuse("Which text?", &[candidate(1, 0.44)], &[candidate(1, 0.44), candidate(2, 0.1)], 5, 0.45);
        assert_eq!(fused, []);
    }

    #[test]
    fn a_passage_with_all_words_of_the_question_in_a_sentence_may_lie_a_little_lower() {
        let reset =
            |cosine| Candidate { content: "Reset the demo world with one command.".into(), ..candidate(1, cosine) };
        let found = |question, cosine| fuse(question, &[reset(cosine)], &[], 5, 0.45).len();
        assert_eq!(found("How do I reset the demo world?", 0.38), 1);
        assert_eq!(found("How do I reset my password?", 0.38), 0);
        assert_eq!(found("How do I reset the demo world?", 0.36), 0);
    }
}

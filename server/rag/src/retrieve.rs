//! From two rankings to one: vector hits and keyword hits of a chatbot's passages, ordered by nearness and shared words.

use std::{collections::HashMap, hash::Hash};

use crate::{block::sentences, terms::terms, weights::Weights};

/// The cosine below which a passage is not an answer. Measured with all-MiniLM-L6-v2 (`docs/answers.md`).
pub const RELEVANCE_THRESHOLD: f32 = 0.45;

/// How far below the threshold a passage may lie with a sentence that has all the question's words.
const WORDS_MARGIN: f32 = 0.08;

/// What all of the question's words in a passage add to its cosine. This and the next two were measured (`docs/answers.md`): a rank
/// among the words says little by itself, as a question in other words than the document's shares words with many passages.
const WORDS: f32 = 0.15;

/// What all of them in its heading add on top.
const HEADING: f32 = 0.1;

/// What the first place of the search by words adds; the second one half of it, and so on.
const FIRST: f32 = 0.03;

/// Ranks of two searches count as `1 / (RANK_OFFSET + rank)`: a first place in one list does not drown two good places.
const RANK_OFFSET: f32 = 60.0;

/// A passage that a search found. `I` is the store's id of a passage.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate<I> {
    /// The passage's id in the store.
    pub id: I,
    pub title: String,
    /// The headings above the passage as `A > B`; may be empty.
    pub heading: String,
    pub content: String,
    /// Whether it is an answer that somebody wrote to the question in `heading`: it is quoted as a whole.
    pub prepared: bool,
    /// The cosine of question and passage, -1 to 1.
    pub cosine: f32,
}

/// The best `k` of both lists, each of which is best first, without candidates whose cosine is below `threshold`;
/// one with a sentence that has all words of `question` may lie 0.08 lower. A passage in both lists is one candidate. Candidates are
/// ordered by their cosine and by how much of the question's words they have, rare ones before common ones.
pub fn fuse<I: Eq + Hash + Clone>(
    question: &str,
    vector: &[Candidate<I>],
    keyword: &[Candidate<I>],
    k: usize,
    threshold: f32,
) -> Vec<Candidate<I>> {
    let mut scored: Vec<(f32, &Candidate<I>)> = Vec::new();
    let mut place: HashMap<&I, usize> = HashMap::new();
    for candidate in vector {
        place.entry(&candidate.id).or_insert(scored.len());
        scored.push((candidate.cosine, candidate));
    }
    for (rank, candidate) in keyword.iter().enumerate() {
        let at = *place.entry(&candidate.id).or_insert(scored.len());
        if at == scored.len() {
            scored.push((candidate.cosine, candidate));
        }
        scored[at].0 += FIRST / (rank as f32 + 1.0);
    }
    let wanted = Weights::new(terms(question), scored.iter().map(|(_, candidate)| candidate.content.as_str()));
    scored.retain(|(_, candidate)| is_relevant(candidate, &wanted, threshold));
    for (score, Candidate { heading, content, .. }) in &mut scored {
        *score += WORDS * wanted.share_in(&format!("{heading}\n{content}")) + HEADING * wanted.share_in(heading);
    }
    best(scored, k)
}

/// The best `k` of two searches by rank. A passage in both is one candidate; equal sums are ordered by cosine, then by the first one.
pub(crate) fn merge<I: Eq + Hash + Clone>(
    first: &[Candidate<I>],
    second: &[Candidate<I>],
    k: usize,
) -> Vec<Candidate<I>> {
    let mut fused: Vec<(f32, &Candidate<I>)> = Vec::new();
    let mut place: HashMap<&I, usize> = HashMap::new();
    for list in [first, second] {
        for (rank, candidate) in list.iter().enumerate() {
            let points = 1.0 / (RANK_OFFSET + rank as f32 + 1.0);
            let at = *place.entry(&candidate.id).or_insert(fused.len());
            match fused.get_mut(at) {
                Some((sum, _)) => *sum += points,
                None => fused.push((points, candidate)),
            }
        }
    }
    best(fused, k)
}

fn is_relevant<I>(candidate: &Candidate<I>, wanted: &Weights, threshold: f32) -> bool {
    let mut parts = candidate.content.lines().flat_map(sentences);
    let near = candidate.cosine >= threshold - WORDS_MARGIN;
    candidate.cosine >= threshold || (near && parts.any(|part| wanted.all_in(part)))
}

fn best<I: Clone>(mut scored: Vec<(f32, &Candidate<I>)>, k: usize) -> Vec<Candidate<I>> {
    scored.sort_by(|(a, left), (b, right)| b.total_cmp(a).then(right.cosine.total_cmp(&left.cosine)));
    scored.into_iter().take(k).map(|(_, candidate)| candidate.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(id: u32, cosine: f32) -> Candidate<u32> {
        Candidate {
            id,
            title: "Guide".into(),
            heading: String::new(),
            content: "Text.".into(),
            prepared: false,
            cosine,
        }
    }

    fn ids(found: &[Candidate<u32>]) -> Vec<u32> {
        found.iter().map(|candidate| candidate.id).collect()
    }

    #[test]
    fn of_passages_that_are_equally_near_the_one_with_the_questions_words_comes_first() {
        let says = |id, heading: &str, content: &str| Candidate {
            heading: heading.into(),
            content: content.into(),
            ..candidate(id, 0.6)
        };
        let vector = [
            says(1, "", "Packages are installed."),
            says(2, "", "Purge a package."),
            says(3, "Purge a package", "Call it so."),
        ];
        assert_eq!(ids(&fuse("How do I purge a package?", &vector, &[], 9, 0.45)), [3, 2, 1]);
        let far = [says(2, "", "Purge a package."), candidate(4, 0.9)];
        assert_eq!(
            ids(&fuse("How do I purge a package?", &far, &far[..1], 9, 0.45)),
            [4, 2],
            "words do not drown nearness"
        );
    }

    #[test]
    fn a_place_among_the_words_decides_between_equals_and_a_passage_in_both_lists_is_one() {
        let (vector, keyword) = ([candidate(1, 0.6), candidate(2, 0.6)], [candidate(2, 0.6), candidate(3, 0.5)]);
        assert_eq!(ids(&fuse("", &vector, &keyword, 9, 0.45)), [2, 1, 3]);
        assert_eq!(ids(&fuse("", &vector, &keyword, 2, 0.45)), [2, 1]);
    }

    #[test]
    fn of_two_searches_the_passage_that_both_found_comes_first_and_equal_sums_are_ordered_by_cosine() {
        let (first, second) = ([candidate(1, 0.7), candidate(2, 0.6)], [candidate(3, 0.5), candidate(2, 0.6)]);
        assert_eq!(ids(&merge(&first, &second, 9)), [2, 1, 3]);
        let (first, second) = ([candidate(1, 0.5), candidate(2, 0.9)], [candidate(2, 0.9), candidate(1, 0.5)]);
        assert_eq!(ids(&merge(&first, &second, 9)), [2, 1]);
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

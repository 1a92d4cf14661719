//! Ranks passages of many collections together. Cosines of different models are calibrated to odds before they are
//! compared, and the same text in several places is one result.

use std::collections::{HashMap, HashSet};

use rag::retrieve::Calibration;
use store::knowledge_hub::search::{FoundPassage, PER_COLLECTION};
use uuid::Uuid;

/// Minimum log-odds of a result. A search shows more passages than an answer would use.
const MIN_LOG_ODDS: f32 = -2.5;

/// Passages that are shown when there are no results.
const MAX_NEAREST: usize = 3;

/// A result with the other places of its text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ranked {
    pub(super) passage: FoundPassage,
    pub(super) relevance: f32,
    /// Other documents with the same text.
    pub(super) also_in: Vec<Uuid>,
    /// The reranker's score.
    pub(super) rerank: Option<f64>,
}

/// The results of the collections in one order.
#[derive(Debug, Default)]
pub(super) struct Ranking {
    pub(super) relevant: Vec<Ranked>,
    /// The nearest of the other passages.
    pub(super) nearly: Vec<FoundPassage>,
    /// Whether a collection may have more results than it brought.
    pub(super) is_cut: bool,
}

/// Merges what was found by vector and by words; `calibration` is that of a chatbot's model.
pub(super) fn merge<'a>(
    by_vector: &[FoundPassage],
    by_words: &[FoundPassage],
    calibration: impl Fn(Uuid) -> &'a Calibration,
) -> Ranking {
    let mut seen_ids = HashSet::new();
    let mut ranking = Ranking { is_cut: false, ..Ranking::default() };
    let mut full: HashMap<(Uuid, bool), usize> = HashMap::new();
    let mut all = Vec::new();
    for (passage, is_by_words) in
        by_vector.iter().map(|passage| (passage, false)).chain(by_words.iter().map(|passage| (passage, true)))
    {
        #[allow(clippy::cast_possible_truncation, reason = "a cosine and a share need no more than 24 bits")]
        let relevance = calibration(passage.chatbot_id).relevance(passage.cosine as f32, passage.words as f32);
        if relevance >= MIN_LOG_ODDS {
            let count = full.entry((passage.chatbot_id, is_by_words)).or_default();
            *count += 1;
            ranking.is_cut |= *count >= PER_COLLECTION;
        }
        if seen_ids.insert((passage.chatbot_id, passage.id)) {
            all.push((relevance, passage));
        }
    }
    all.sort_by(|(a, left), (b, right)| b.total_cmp(a).then_with(|| left.id.cmp(&right.id)));
    let relevant = all.iter().take_while(|(relevance, _)| *relevance >= MIN_LOG_ODDS).count();
    ranking.nearly = all[relevant..].iter().take(PER_COLLECTION).map(|(_, passage)| (*passage).clone()).collect();
    ranking.relevant = collapse(&all[..relevant]);
    ranking
}

/// The nearest of the passages that are not results, each text once.
pub(super) fn nearest(nearly: &[FoundPassage]) -> Vec<Ranked> {
    let all: Vec<(f32, &FoundPassage)> = nearly.iter().map(|passage| (f32::NEG_INFINITY, passage)).collect();
    let mut nearest = collapse(&all);
    nearest.truncate(MAX_NEAREST);
    nearest
}

/// The first of several passages with the same text represents all of them.
fn collapse(all: &[(f32, &FoundPassage)]) -> Vec<Ranked> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut collapsed: Vec<Ranked> = Vec::new();
    for (relevance, passage) in all {
        if let Some(place) = places.get(passage.content_hash.as_str()) {
            let first = &mut collapsed[*place];
            if passage.document_id != first.passage.document_id && !first.also_in.contains(&passage.document_id) {
                first.also_in.push(passage.document_id);
            }
            continue;
        }
        places.insert(&passage.content_hash, collapsed.len());
        collapsed.push(Ranked {
            passage: (*passage).clone(),
            relevance: *relevance,
            also_in: Vec::new(),
            rerank: None,
        });
    }
    collapsed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found_passage(chatbot: u128, id: u128, cosine: f64, words: f64, text: &str) -> FoundPassage {
        FoundPassage {
            chatbot_id: Uuid::from_u128(chatbot),
            id: Uuid::from_u128(id),
            document_id: Uuid::from_u128(id + 1000),
            cosine,
            words,
            in_heading: false,
            content_hash: text.to_owned(),
        }
    }

    fn merged(by_vector: &[FoundPassage], by_words: &[FoundPassage]) -> Ranking {
        let small = Calibration::of("all-minilm-l6-v2", 0.45);
        let large = Calibration::of("multilingual-e5-small", 0.45);
        let calibrations = [small, large];
        merge(by_vector, by_words, |chatbot| &calibrations[usize::from(chatbot == Uuid::from_u128(2))])
    }

    fn ids(ranking: &Ranking) -> Vec<u128> {
        ranking.relevant.iter().map(|ranked| ranked.passage.id.as_u128()).collect()
    }

    #[test]
    fn the_answers_of_two_models_stand_before_the_rest_of_both() {
        // A cosine of 0.84 is nothing special for the larger model.
        let by_vector = [
            found_passage(1, 1, 0.70, 0.8, "a"),
            found_passage(1, 2, 0.45, 0.0, "b"),
            found_passage(2, 3, 0.90, 0.8, "c"),
            found_passage(2, 4, 0.84, 0.0, "d"),
        ];
        let ranking = merged(&by_vector, &[]);
        let first: HashSet<u128> = ids(&ranking)[..2].iter().copied().collect();
        assert_eq!(first, HashSet::from([1, 3]));
    }

    #[test]
    fn equal_texts_are_one_result_that_names_the_other_places() {
        let ranking = merged(
            &[found_passage(1, 1, 0.7, 0.5, "a"), found_passage(1, 2, 0.6, 0.5, "a")],
            &[found_passage(1, 1, 0.7, 0.5, "a")],
        );
        assert_eq!(ids(&ranking), [1]);
        assert_eq!(ranking.relevant[0].also_in, [Uuid::from_u128(1002)]);
    }

    #[test]
    fn what_has_neither_nearness_nor_words_is_no_result() {
        let ranking = merged(&[found_passage(1, 1, 0.1, 0.0, "a"), found_passage(2, 2, 0.7, 0.0, "b")], &[]);
        assert!(ranking.relevant.is_empty());
        assert_eq!(ranking.nearly.len(), 2);
        assert!(!ranking.is_cut);
    }
}

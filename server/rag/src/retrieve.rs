//! Merges the results of two searches into one ranking, and derives from it how confident a chatbot can be.

mod calibration;

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use uuid::Uuid;

pub use calibration::Calibration;

/// Passages that each search returns.
pub const DEPTH: usize = 30;

/// Weight of the score for the whole conversation, where that of its last question alone has 1.
const WHOLE: f32 = 2.0;

/// A passage that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The passage's id in the store.
    pub id: Uuid,
    /// The title of its document.
    pub title: String,
    /// The path of its document; may be empty.
    pub path: String,
    /// The headings above the passage as `A > B`; may be empty.
    pub heading: String,
    pub content: String,
    /// The address of its page, or of its place on the page.
    pub url: Option<String>,
    /// Whether it is a prepared answer to the question in `heading`, which is quoted as a whole.
    pub prepared: bool,
    /// When the content of its document last changed, if that is known.
    pub as_of: Option<DateTime<Utc>>,
    /// Whether another passage of its document follows.
    pub has_next: bool,
    /// The cosine of question and passage, -1 to 1.
    pub cosine: f32,
    /// The share of the question's words that it has, weighted by rarity and number, 0 to 1 (see
    /// [`crate::query_words`]).
    pub words: f32,
    /// Like `words`, but all occurrences count the same: 1 when it has all words.
    pub coverage: f32,
    /// The similarity of its tokens and those of the question, at most 1 (see [`crate::embed::Embedder::likeness`]); 0
    /// when they were not compared.
    pub likeness: f32,
    /// Whether it has no words of a follow-up question, only those of the questions before, and hardly any passage has one of
    /// these words: the question may be about another topic.
    pub lacks_own_words: bool,
}

impl Candidate {
    /// A passage that nothing was compared with yet: all scores are 0.
    pub fn new(id: Uuid, title: impl Into<String>, heading: impl Into<String>, content: impl Into<String>) -> Self {
        Self {
            id,
            title: title.into(),
            path: String::new(),
            heading: heading.into(),
            content: content.into(),
            url: None,
            prepared: false,
            as_of: None,
            has_next: false,
            cosine: 0.0,
            words: 0.0,
            coverage: 0.0,
            likeness: 0.0,
            lacks_own_words: false,
        }
    }
}

/// How confident a chatbot is that a passage answers the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// No passage may answer it.
    None,
    /// The best passages are related to the question but may not answer it.
    Low,
    /// The best passage answers it.
    High,
}

/// The passages of both lists, best first, by cosine and share of the question's words. A passage in both lists is one
/// candidate.
///
/// With a bonus of 0.45 for words, a cosine of 0.6 with 0.8 of the words (0.6 + 0.45 * 0.8 = 0.96) is ahead of a cosine
/// of 0.9 without any, and that of 0.6 with 0.4 of the words (0.78) is behind both.
pub fn rank(nearest: &[Candidate], matching: &[Candidate], calibration: &Calibration) -> Vec<Candidate> {
    let mut ids = HashSet::new();
    let once = nearest.iter().chain(matching).filter(|candidate| ids.insert(candidate.id));
    let scored = once.map(|candidate| (calibration.score(candidate), candidate.clone()));
    sorted(scored.collect())
}

/// The first `k` candidates in their order, each prepared answer once, because every phrasing of its question is its own
/// passage.
pub(crate) fn distinct_answers(ranked: Vec<Candidate>, k: usize) -> Vec<Candidate> {
    let mut answers = HashSet::new();
    let is_new = |candidate: &Candidate| !candidate.prepared || answers.insert(candidate.content.clone());
    ranked.into_iter().filter(is_new).take(k).collect()
}

/// The content words of a follow-up question itself, without those of the questions before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnWords {
    /// It has none: "Why?".
    None,
    /// The chatbot's passages have all of them: "Does that go faster?".
    Familiar,
    /// Hardly any passage has one of them. It may be about a topic that the chatbot does not know: "And who painted it?".
    Unfamiliar,
}

/// The passages of two searches by the sum of both scores; the score of `whole` counts twice. A passage that one search
/// did not find gets there the score of that search's last one. It has the cosine of the whole conversation. If the last
/// question has content words, half of its coverage is that of the last question alone, so that a new topic is not a follow-up.
///
/// If `alone` has the scores 0.7 (passage 1) and 0.6 (2), and `whole` has 0.65 (2) and 0.5 (3), the order is 2, 1, 3:
/// passage 2 gets 2 * 0.65 + 0.6 = 1.9, passage 1 gets 2 * 0.5 + 0.7 = 1.7, and passage 3 gets 2 * 0.5 + 0.6 = 1.6.
pub(crate) fn merge(
    alone: &[Candidate],
    whole: &[Candidate],
    own_words: OwnWords,
    calibration: &Calibration,
) -> Vec<Candidate> {
    let score = |candidate: &Candidate| calibration.score(candidate);
    let last = |list: &[Candidate]| list.last().map_or(0.0, score);
    let (last_alone, last_whole) = (last(alone), last(whole));
    let by_id: HashMap<Uuid, &Candidate> = alone.iter().map(|candidate| (candidate.id, candidate)).collect();
    let whole_ids: HashSet<Uuid> = whole.iter().map(|candidate| candidate.id).collect();
    let both = whole.iter().map(|candidate| {
        let other = by_id.get(&candidate.id);
        let own = other.map_or(0.0, |other| other.coverage);
        let coverage = match own_words {
            OwnWords::None => candidate.coverage,
            OwnWords::Familiar | OwnWords::Unfamiliar => f32::midpoint(candidate.coverage, own),
        };
        let lacks_own_words = own_words == OwnWords::Unfamiliar && own <= 0.0 && calibration.same_language;
        let other = other.map_or(last_alone, |other| score(other));
        (WHOLE * score(candidate) + other, Candidate { coverage, lacks_own_words, ..candidate.clone() })
    });
    let only_alone = alone.iter().filter(|candidate| !whole_ids.contains(&candidate.id));
    let only_alone = only_alone.map(|candidate| (WHOLE * last_whole + score(candidate), candidate.clone()));
    sorted(both.chain(only_alone).collect())
}

fn sorted(mut scored: Vec<(f32, Candidate)>) -> Vec<Candidate> {
    scored.sort_by(|(a, left), (b, right)| b.total_cmp(a).then(right.cosine.total_cmp(&left.cosine)));
    scored.into_iter().map(|(_, candidate)| candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::{
        calibration::{E5_ACROSS, MINILM},
        *,
    };

    fn candidate(id: u128, cosine: f32, words: f32) -> Candidate {
        Candidate { cosine, words, coverage: words, ..Candidate::new(Uuid::from_u128(id), "Guide", "", "Text.") }
    }

    fn ids(candidates: &[Candidate]) -> Vec<u128> {
        candidates.iter().map(|candidate| candidate.id.as_u128()).collect()
    }

    #[test]
    fn words_of_the_question_order_equally_near_passages() {
        let nearest = [candidate(1, 0.6, 0.0), candidate(2, 0.6, 0.4), candidate(3, 0.6, 0.8)];
        assert_eq!(ids(&rank(&nearest, &[], &MINILM)), [3, 2, 1]);
        let far = [candidate(2, 0.6, 0.4), candidate(4, 0.9, 0.0)];
        assert_eq!(ids(&rank(&far, &far[..1], &MINILM)), [4, 2], "words do not drown nearness");
    }

    #[test]
    fn a_passage_in_both_lists_is_one() {
        let (nearest, matching) = ([candidate(1, 0.6, 0.0), candidate(2, 0.5, 0.0)], [candidate(2, 0.5, 0.0)]);
        assert_eq!(ids(&rank(&nearest, &matching, &MINILM)), [1, 2]);
    }

    #[test]
    fn an_answer_that_several_phrasings_lead_to_stands_once() {
        let answer = |id, text: &str| Candidate { prepared: true, content: text.into(), ..candidate(id, 0.6, 0.0) };
        let ranked = vec![answer(1, "At nine."), answer(3, "At nine."), candidate(2, 0.6, 0.0), answer(4, "At ten.")];
        assert_eq!(ids(&distinct_answers(ranked.clone(), 9)), [1, 2, 4]);
        assert_eq!(ids(&distinct_answers(ranked, 2)), [1, 2], "a phrasing takes no place of another answer");
        let passages = vec![candidate(1, 0.6, 0.0), candidate(2, 0.6, 0.0)];
        assert_eq!(ids(&distinct_answers(passages, 9)), [1, 2], "passages of documents may say the same");
    }

    #[test]
    fn both_searches_count_and_the_whole_conversation_twice() {
        let of = |id, cosine| candidate(id, cosine, 0.0);
        let merged = merge(&[of(1, 0.7), of(2, 0.6)], &[of(2, 0.65), of(3, 0.5)], OwnWords::Unfamiliar, &MINILM);
        let scores: Vec<(u128, f32)> =
            merged.iter().map(|candidate| (candidate.id.as_u128(), candidate.cosine)).collect();
        assert_eq!(scores, [(2, 0.65), (1, 0.7), (3, 0.5)]);
        let whole = [candidate(1, 0.6, 1.0)];
        let lacks =
            |calibration: &Calibration, own_words| merge(&[], &whole, own_words, calibration)[0].lacks_own_words;
        assert!(lacks(&MINILM, OwnWords::Unfamiliar) && !lacks(&E5_ACROSS, OwnWords::Unfamiliar));
        assert!(!lacks(&MINILM, OwnWords::Familiar) && !lacks(&MINILM, OwnWords::None));
        assert!(!merge(&whole, &whole, OwnWords::Unfamiliar, &MINILM)[0].lacks_own_words);
        let coverage = |alone: &[Candidate], own_words| merge(alone, &whole, own_words, &MINILM)[0].coverage;
        assert_eq!(
            [OwnWords::Unfamiliar, OwnWords::Familiar, OwnWords::None].map(|own| coverage(&[], own)),
            [0.5, 0.5, 1.0]
        );
        assert!((coverage(&whole, OwnWords::Familiar) - 1.0).abs() < f32::EPSILON);
    }
}

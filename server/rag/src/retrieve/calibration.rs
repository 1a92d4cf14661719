//! How sure a chatbot can be, from the scores of an embedding model.

use super::{Candidate, Confidence, DEPTH};

/// Passages after the first one whose mean score the first one is compared with.
const FOLLOWERS: usize = 9;

/// Weights of a passage's scores in log-odds.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Weights {
    offset: f32,
    cosine: f32,
    coverage: f32,
}

impl Weights {
    fn sum(&self, cosine: f32, coverage: f32) -> f32 {
        self.offset + self.cosine * cosine + self.coverage * coverage
    }
}

/// The interpretation of an embedding model's scores. Measured on the development sets (`docs/answers.md`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    /// Bonus on the cosine for all of the question's words.
    words: f32,
    /// Bonus on the cosine for tokens that match the question's.
    pub likeness: f32,
    /// Weights of a passage alone: see [`Calibration::relevance`].
    alone: Weights,
    /// Weights of the best passage among others: see [`Calibration::evidence`].
    best: Weights,
    alike: f32,
    margin: f32,
    /// Passages after the first one from which on its margin counts in full: being ahead of a few unrelated ones says
    /// little.
    crowd: usize,
    /// The margin of a passage that is the only one. The fewer others there are, the more it counts.
    only: f32,
    /// Minimum evidence of [`Confidence::High`].
    high: f32,
    /// Minimum evidence of [`Confidence::Low`].
    low: f32,
    /// Whether questions and passages are in the same language and share words.
    pub same_language: bool,
}

impl Calibration {
    /// The calibration of a built-in model by its name, or of another model for which passages with a cosine below
    /// `threshold` are not an answer.
    pub fn of(model: &str, threshold: f32) -> Self {
        match model {
            "all-minilm-l6-v2" => MINILM,
            "multilingual-e5-small" => E5,
            _ => OTHER.shifted(OTHER.best.cosine * (NEUTRAL - threshold)),
        }
    }

    /// The calibration of a built-in model for questions in another language than the passages, which share few words
    /// with them.
    pub fn across_languages(model: &str, threshold: f32) -> Self {
        match model {
            "multilingual-e5-small" => E5_ACROSS,
            _ => Self::of(model, threshold),
        }
    }

    /// The same calibration with `shift` added to all evidence.
    #[must_use]
    pub fn shifted(self, shift: f32) -> Self {
        let by = |weights: Weights| Weights { offset: weights.offset + shift, ..weights };
        Self { alone: by(self.alone), best: by(self.best), ..self }
    }

    /// The ranking score: the cosine with the bonuses for the question's words and tokens.
    pub(super) fn score(&self, candidate: &Candidate) -> f32 {
        self.first_score(candidate.cosine, candidate.words) + self.likeness * candidate.likeness
    }

    /// The score before tokens are compared, which selects the passages to compare.
    pub fn first_score(&self, cosine: f32, words: f32) -> f32 {
        cosine + self.words * words
    }

    /// The log-odds that the first of `ranked` answers the question, from its cosine, its share of the question's rare
    /// words, the similarity of its tokens, and its margin over the next nine, as far as there are enough others.
    pub fn evidence(&self, ranked: &[Candidate]) -> f32 {
        let Some(first) = ranked.first() else { return f32::NEG_INFINITY };
        let next: Vec<f32> = ranked.iter().skip(1).take(FOLLOWERS).map(|candidate| self.score(candidate)).collect();
        let mean = if next.is_empty() { 0.0 } else { next.iter().sum::<f32>() / next.len() as f32 };
        let share = ((ranked.len() - 1) as f32 / self.crowd as f32).min(1.0);
        let margin = self.only * (1.0 - share) + (self.score(first) - mean) * share;
        self.best.sum(first.cosine, first.coverage) + self.alike * (first.likeness - TYPICAL) + self.margin * margin
    }

    /// The evidence relative to the limit of [`Confidence::High`], comparable across models.
    pub fn certainty(&self, ranked: &[Candidate]) -> f32 {
        self.evidence(ranked) - self.high
    }

    /// The log-odds that one passage answers the question, independent of other passages and comparable across models.
    pub fn relevance(&self, cosine: f32, coverage: f32) -> f32 {
        self.alone.sum(cosine, coverage)
    }

    /// The confidence that the first of `ranked` answers the question. Never high for a passage that lacks the words of a
    /// follow-up question ([`Candidate::lacks_own_words`]): "What about the capital of Mongolia?" is not about the topic before.
    pub fn confidence(&self, ranked: &[Candidate]) -> Confidence {
        let may_be_high = ranked.first().is_some_and(|first| !first.lacks_own_words);
        match self.evidence(ranked) {
            evidence if evidence >= self.high && may_be_high => Confidence::High,
            evidence if evidence >= self.low => Confidence::Low,
            _ => Confidence::None,
        }
    }
}

/// The token similarity that is neutral evidence.
const TYPICAL: f32 = 0.5;

/// The cosine that the calibration of an unknown model treats as its threshold.
const NEUTRAL: f32 = 0.45;

/// Ranking: token similarity and words have the same weight; both models rank best that way. Evidence: a logistic fit (whether the
/// first passage is right) on half `a` of the everyday sets and of the chatbots of one folder, and on questions about
/// encyclopaedia paragraphs; doubled, so that it is comparable with that of the other model. Where tokens are compared, the share
/// of the question's words said nothing more. The threshold is the best on half `a` when a wrong sure answer costs four unsure ones.
pub(super) const MINILM: Calibration = Calibration {
    words: 0.45,
    likeness: 0.5,
    alone: Weights { offset: -5.0, cosine: 6.0, coverage: 4.0 },
    best: Weights { offset: -4.32, cosine: 8.82, coverage: 0.0 },
    alike: 6.12,
    margin: 3.08,
    crowd: FOLLOWERS,
    only: 0.12,
    high: 0.5,
    low: -2.65,
    same_language: true,
};

/// A model of an endpoint, which compares no tokens.
const OTHER: Calibration = Calibration {
    best: Weights { offset: -5.0, cosine: 6.0, coverage: 4.0 },
    alike: 0.0,
    margin: 8.0,
    high: 1.7,
    low: -0.8,
    ..MINILM
};

/// The evidence is fitted like that of [`MINILM`], not doubled.
const E5: Calibration = Calibration {
    words: 0.1,
    likeness: 0.1,
    alone: Weights { offset: -30.0, cosine: 33.0, coverage: 4.0 },
    best: Weights { offset: -33.475, cosine: 37.04, coverage: 2.82 },
    alike: 1.83,
    margin: 21.46,
    crowd: FOLLOWERS,
    only: 0.0,
    high: 0.9,
    low: -3.1,
    same_language: true,
};

/// Chosen on half of the set of German questions about English documents: the margin of the first passage says more
/// than its cosine. Tokens of two languages are not compared. The crowd was chosen on small collections
/// (`docs/answers.md`).
pub(super) const E5_ACROSS: Calibration = Calibration {
    words: 0.1,
    likeness: 0.0,
    alone: Weights { offset: -17.3, cosine: 20.0, coverage: 1.0 },
    best: Weights { offset: -17.3, cosine: 20.0, coverage: 1.0 },
    alike: 0.0,
    margin: 60.0,
    crowd: DEPTH - 1,
    only: 0.0,
    high: 0.75,
    low: -0.8,
    same_language: false,
};

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn candidate(id: u128, cosine: f32, words: f32) -> Candidate {
        Candidate { cosine, words, coverage: words, ..Candidate::new(Uuid::from_u128(id), "Guide", "", "Text.") }
    }

    #[test]
    fn more_evidence_gives_more_confidence() {
        for model in ["all-minilm-l6-v2", "multilingual-e5-small"] {
            let calibration = Calibration::of(model, 0.45);
            let near = if model == "multilingual-e5-small" { [0.78, 0.84, 0.92] } else { [0.1, 0.45, 0.9] };
            let of = |cosine, words| calibration.confidence(&[candidate(1, cosine, words)]);
            assert_eq!(of(near[0], 0.0), Confidence::None, "{model}");
            assert_eq!(of(near[2], 1.0), Confidence::High, "{model}");
            assert!(of(near[1], 0.1) <= of(near[1], 0.9), "{model}");
        }
        assert_eq!(MINILM.confidence(&[]), Confidence::None);
    }

    #[test]
    fn being_ahead_of_few_passages_is_weaker_evidence_than_of_many() {
        let ahead_of = |others: u128| {
            let others = (2..2 + others).map(|id| candidate(id, 0.5, 0.0));
            std::iter::once(candidate(1, 0.8, 0.0)).chain(others).collect::<Vec<_>>()
        };
        for calibration in [MINILM, E5, E5_ACROSS] {
            let of = |others| calibration.evidence(&ahead_of(others));
            let full = u128::try_from(calibration.crowd).unwrap();
            assert!(of(4) < of(full));
            assert!((of(full) - of(full + 1)).abs() < 1e-5);
        }
    }

    #[test]
    fn a_passage_without_words_of_the_follow_up_is_never_sure() {
        let passage = candidate(1, 0.9, 1.0);
        assert_eq!(MINILM.confidence(std::slice::from_ref(&passage)), Confidence::High);
        assert_eq!(MINILM.confidence(&[Candidate { lacks_own_words: true, ..passage }]), Confidence::Low);
    }

    #[test]
    fn the_threshold_of_an_unknown_model_shifts_its_evidence() {
        let ranked = [candidate(1, 0.6, 0.5)];
        let of = |threshold| Calibration::of("another", threshold).evidence(&ranked);
        assert!((of(0.45) - OTHER.evidence(&ranked)).abs() < 1e-5);
        assert!(of(0.7) < of(0.3));
    }
}

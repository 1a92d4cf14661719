//! Weighs the words of a question: a word that every found passage has distinguishes none.

use std::collections::HashSet;

use super::language::Language;
use crate::terms::terms;

/// Minimum letters of a part of a compound.
const MIN_PART_LETTERS: usize = 4;

/// Words of a question, each with a weight.
pub(super) struct Weights {
    terms: Vec<(String, f32)>,
    total: f32,
    /// The language of the passages; `None` when their words do not clearly identify one.
    language: Option<&'static Language>,
}

impl Weights {
    /// Weighs the words of `question` that carry meaning by how few of `passages`, best first, contain each.
    pub(super) fn new<'a>(question: &str, passages: impl Iterator<Item = &'a str> + Clone) -> Self {
        let language = passages.clone().next().and_then(Language::of_text);
        let passages: Vec<HashSet<String>> = passages.map(|passage| terms(passage).into_iter().collect()).collect();
        let weigh = |term: String| {
            let having = passages.iter().filter(|passage| passage.contains(&term)).count();
            let weight = (1.0 + (1 + passages.len()) as f32 / (1 + having) as f32).ln();
            (term, weight)
        };
        let terms: Vec<_> = content_words(question, language).into_iter().map(weigh).collect();
        let total = terms.iter().map(|(_, weight)| weight).sum();
        Self { terms, total, language }
    }

    /// The weighted share of the question's words that `text` has, from 0 to 1.
    pub(super) fn share_in(&self, text: &str) -> f32 {
        if self.total <= 0.0 {
            return 0.0;
        }
        let present: HashSet<String> = terms(text).into_iter().collect();
        self.terms.iter().filter(|(term, _)| present.contains(term)).map(|(_, weight)| weight).sum::<f32>() / self.total
    }

    /// Like [`Self::share_in`], but a word also counts in a compound that begins or ends with it, and a compound if one of
    /// its ends is there: "Reise" in "Reiseversicherung".
    pub(super) fn share_with_compounds(&self, text: &str) -> f32 {
        let present = terms(text);
        let joins = |short: &str, long: &str| {
            short.chars().count() >= MIN_PART_LETTERS && (long.starts_with(short) || long.ends_with(short))
        };
        let has = |term: &str| present.iter().any(|word| word == term || joins(word, term) || joins(term, word));
        self.terms.iter().filter(|(term, _)| has(term)).map(|(_, weight)| weight).sum::<f32>() / self.total.max(1e-6)
    }

    /// Whether the question has no words that carry meaning.
    pub(super) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether `text` has words and all of them are words of the question.
    pub(super) fn include_all_of(&self, text: &str) -> bool {
        let words = content_words(text, self.language);
        !words.is_empty() && words.iter().all(|word| self.terms.iter().any(|(term, _)| term == word))
    }
}

fn content_words(text: &str, language: Option<&Language>) -> Vec<String> {
    language.map_or_else(|| terms(text), |language| language.content_words(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rare_word_weighs_more_than_one_that_every_passage_has() {
        let weights = Weights::new("purge a package", ["a package", "the package", "packages"].into_iter());
        assert!(weights.share_in("Purge it.") > weights.share_in("A package."));
        assert!((weights.share_in("Purge the package.") - 1.0).abs() < 1e-6);
        assert_eq!(Weights::new("what is it", std::iter::empty()).share_in("it is"), 0.0);
    }

    #[test]
    fn a_text_without_other_words_is_included() {
        let weights = Weights::new("How do I purge a package?", std::iter::empty());
        assert!(weights.include_all_of("Purging") && weights.include_all_of("How to purge packages"));
        assert!(!weights.include_all_of("Purging a cache") && !weights.include_all_of("What is it?"));
    }

    #[test]
    fn function_words_of_the_passages_language_weigh_nothing() {
        let passages = ["Los lunes el museo está cerrado, y los domingos la entrada es gratuita para todos."];
        let weights = Weights::new("¿Cuánto cuesta la entrada general?", passages.into_iter());
        assert_eq!(weights.share_in("La sala de los lunes"), 0.0);
        assert!(weights.include_all_of("De la entrada general"));
    }
}

//! Words that a model takes from the question: what a passage says of one thing, it says of the visitor's thing.

use super::{evidence::Evidence, judge::Judge};
use crate::generate::language::{Language, words};

impl Judge {
    /// Whether the passages have the first noun of a sentence if it is one of the question: "the park is open from 9 to 5" says of
    /// the visitor's park what a passage says of a shop.
    pub(super) fn has_subject(&self, sentence: &str, cited: &[&Evidence]) -> bool {
        let Language { words: language_words, .. } = self.language;
        let mut words = words(sentence).skip_while(|word| self.language.is_yes_no(word)).peekable();
        words.next_if(|word| language_words.articles.contains(word));
        let subject = words.next().filter(|word| !self.language.is_function_word(word));
        // A code behind it tells which one is meant.
        let is_code = words.next().is_some_and(|word| word.contains(|mark: char| mark.is_ascii_digit()));
        let stems = subject.filter(|_| !is_code).map(|subject| self.language.stems(&subject)).unwrap_or_default();
        let has = |stem: &String| self.own.has_stem(stem) || cited.iter().any(|passage| passage.has_stem(stem));
        stems.iter().all(|stem| !self.question.has_stem(stem) || has(stem))
    }

    /// Whether only the question has a word. A sentence with it that is similar to a passage may say of the visitor's topic what
    /// the passage says of another one: "ferrets are vaccinated" of kittens.
    pub(super) fn is_only_asked(&self, stem: &str) -> bool {
        self.question.has_stem(stem)
            && !self.own.has_stem(stem)
            && !self.passages.iter().any(|passage| passage.has_stem(stem))
    }
}

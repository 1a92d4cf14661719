//! Questions about a condition, about what goes without something else, and about what is not so. "Within 30 days with the receipt"
//! does not say what happens without the receipt, however similar the words are.

use super::{
    BEHIND, has_name,
    words::{self, Words, phrase_in, plain},
};
use crate::{generate::language::Language, terms::terms};

/// Maximum words at the beginning of a question among which its question word is: "What", "On which".
const MAX_BEGINNING_WORDS: usize = 2;

/// Whether `said`, a quotation with its headings, decides what `asked` (both as they were written) demands of it.
pub(super) fn are_decided(question: &str, answer: &str, language: &Language) -> bool {
    let words = Words::of(language.code);
    // A condition has other words in another language.
    let is_foreign = Language::of_text(answer).is_some_and(|detected| detected.code != language.code);
    goes_without(&plain(question), answer, words)
        && (is_foreign || names_condition(question, &plain(answer), language, words))
        && denies(question, &plain(answer), words)
}

/// Whether a sentence about what `asked` goes without denies or demands it.
fn goes_without(question: &str, answer: &str, words: &Words) -> bool {
    words.without.iter().filter_map(|without| question.split_once(&format!(" {without} "))).all(|(_, behind)| {
        let missing = terms(&behind.split(' ').take(BEHIND).collect::<Vec<_>>().join(" "));
        let mut sentences = answer.split(['.', '!', '?', ';', '\n']).map(plain);
        missing.is_empty()
            || sentences.any(|sentence| {
                missing.iter().any(|name| has_name(&sentence, name))
                    && words.decides_without.iter().any(|phrase| phrase_in(&sentence, phrase))
            })
    })
}

/// Whether the text mentions the condition of a question: a word of the clause behind "if".
fn names_condition(question: &str, answer: &str, language: &Language, words: &Words) -> bool {
    clauses(question).filter_map(|clause| condition(&clause, words).map(str::to_owned)).all(|condition| {
        let content = language.content_words(&condition);
        content.is_empty() || content.iter().any(|name| has_name(answer, plain(name).trim()))
    })
}

/// Whether the text of a question about what is not so says that something is not, or that only something else is.
fn denies(question: &str, answer: &str, words: &Words) -> bool {
    let is_question_word = |word: &str| words.denied_asks.split(' ').any(|question_word| question_word == word);
    let mut clauses = clauses(question).take_while(|clause| condition(clause, words).is_none());
    let is_denied = clauses.any(|clause| {
        clause.split_whitespace().take(MAX_BEGINNING_WORDS).any(is_question_word)
            && words.denials.iter().any(|phrase| phrase_in(&clause, phrase))
    });
    let mut decisive = words::all().flat_map(|words| words.denials.iter().chain(&words.excludes));
    !is_denied || decisive.any(|phrase| phrase_in(answer, phrase))
}

/// The clauses of a question as plain texts.
fn clauses(question: &str) -> impl Iterator<Item = String> {
    question.split([',', '?', '!', ';']).map(plain)
}

/// What is behind "if" in a plain clause.
fn condition<'a>(clause: &'a str, words: &Words) -> Option<&'a str> {
    words.conditions.iter().find_map(|phrase| clause.split_once(&format!(" {phrase} "))).map(|(_, behind)| behind)
}

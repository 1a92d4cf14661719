//! What a question names must be in its answer: numbers, codes, names, places, holidays, days and months. A question for another
//! part number or another day has another answer, however similar the words are. Questions that count, compare, ask for the
//! first in an order, under a condition or for what is not so are answered only by a text that does so too.

mod conditions;
mod days;
mod named;
mod split;
mod words;

pub use split::{Message, split};

pub(super) use self::named::Named;
use self::{
    named::has_name,
    words::{Words, phrase_in, plain},
};
use super::{
    Answer,
    language::{Language, number_word},
    numbers::numbers,
};
use crate::{
    accents,
    block::sentences,
    letter_case::capitalised,
    retrieve::Candidate,
    terms::{overlap, terms},
};

/// Share of the question's words in a sentence that is about what it counts, in whatever words.
const ABOUT_IT: f32 = 0.5;
/// Words behind a number that may be what it counts: "14 full working days".
const BEHIND: usize = 3;

/// Whether a quotation has what the question names, and decides what the question counts, compares or orders.
/// `passages` are those that were found. `language` is as in [`Named::of`].
pub fn is_decided(question: &str, language: &str, answer: &Answer, passages: &[Candidate]) -> bool {
    let cited = answer.citations.iter().filter_map(|citation| answer.sources.get(citation.source_index));
    let headings: Vec<String> = cited.map(|source| format!("{} {}", source.title, source.heading)).collect();
    let headings = headings.join("\n");
    let answer_text = format!("{headings}\n{}", without_markers(answer));
    let contents = passages.iter().map(|passage| passage.content.as_str());
    Named::of(question, language).is_in(&answer_text, contents) && has_decision(question, language, answer, &headings)
}

/// Whether a text has what the question names; see [`is_decided`].
pub(super) fn has_names(question: &str, language: &str, text: &str, passages: &[Candidate]) -> bool {
    Named::of(question, language).is_in(text, passages.iter().map(|passage| passage.content.as_str()))
}

/// A question without what the price is for a unit of, such as "per four weeks": another price may have the same unit.
pub(super) fn without_rate(question: &str, language: &str) -> String {
    let words_of_language = Words::of(language);
    let (mut kept, mut words) = (Vec::new(), question.split_whitespace().peekable());
    while let Some(word) = words.next() {
        if !words_of_language.is_rate(&word.to_lowercase()) {
            kept.push(word);
            continue;
        }
        let is_number =
            |word: &&str| word.starts_with(|mark: char| mark.is_ascii_digit()) || number_word(word).is_some();
        words.next_if(is_number);
        words.next();
    }
    kept.join(" ")
}

/// The words of an answer without its markers, which are no numbers of the text.
fn without_markers(answer: &Answer) -> String {
    answer.citations.iter().fold(answer.text.clone(), |text, citation| text.replace(&citation.marker, ""))
}

fn has_decision(question: &str, language: &str, answer: &Answer, headings: &str) -> bool {
    let language = Language::of_question(question, language);
    let words = Words::of(language.code);
    let plain_question = plain(question);
    let written = format!("{headings}\n{}", without_markers(answer));
    let plain_answer = plain(&written);
    let is_compared = |phrases: &[String]| {
        phrases
            .iter()
            .filter(|phrase| phrase_in(&plain_question, phrase))
            .all(|phrase| phrase_in(&plain_answer, phrase))
    };
    let superlatives = words.superlatives_of(&plain_question);
    let lists_all = words.all.iter().any(|phrase| phrase_in(&plain_question, phrase));
    conditions::are_decided(question, &written, language)
        && is_compared(&words.comparisons)
        && is_compared(&words.superlative_phrases)
        && superlatives.iter().all(|beginning| plain_answer.contains(&format!(" {beginning}")))
        && !(lists_all && answer.left_out > 0)
        && words
            .counts
            .iter()
            .filter_map(|phrase| counted(&plain_question, phrase))
            .all(|noun| has_count(question, answer, headings, &words.counts, &noun))
}

/// What a plain question counts: the words behind "how many".
fn counted(question: &str, phrase: &str) -> Option<String> {
    let (_, after) = question.split_once(&format!(" {phrase} "))?;
    Some(after.split(' ').take(BEHIND).collect::<Vec<_>>().join(" "))
}

/// Whether a quotation says how many there are: its heading asks the same, a number stands before what is counted, or in prose
/// in a sentence with it or with half of the question's words, or alone. The rows of a list are no count.
fn has_count(question: &str, answer: &Answer, headings: &str, phrases: &[String], noun: &str) -> bool {
    if answer.left_out > 0 {
        return false;
    }
    let headings = plain(headings);
    let text = without_markers(answer);
    let has_number = |text: &str| {
        !numbers(text).is_empty()
            || text.to_lowercase().split(|mark: char| !mark.is_alphabetic()).any(|word| number_word(word).is_some())
    };
    if phrases.iter().any(|phrase| phrase_in(&headings, phrase)) {
        return has_number(&text);
    }
    let is_listed = text.lines().any(|line| line.starts_with("- "));
    let noun_terms = terms(noun).into_iter().take(1).collect::<Vec<_>>();
    if !is_listed {
        let all = terms(question);
        let is_lone = |sentence: &str| sentence.split_whitespace().count() <= BEHIND;
        let counts = |sentence: &&str| {
            noun_terms.is_empty()
                || is_lone(sentence)
                || overlap(&noun_terms, sentence) > 0.0
                || overlap(&all, sentence) >= ABOUT_IT
        };
        return text.lines().flat_map(sentences).filter(counts).any(has_number);
    }
    text.lines().any(|line| {
        let words = line.split(|mark: char| !mark.is_alphanumeric()).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.collect();
        words.iter().enumerate().any(|(at, word)| {
            let is_number = word.starts_with(|mark: char| mark.is_ascii_digit());
            let is_number = is_number || number_word(&word.to_lowercase()).is_some();
            is_number && overlap(&noun_terms, &words[at + 1..words.len().min(at + 1 + BEHIND)].join(" ")) > 0.0
        })
    })
}

/// Whether a word in lower case without accents is a day of the week in this language.
pub(super) fn is_weekday(word: &str, language: &str) -> bool {
    Words::of(language).weekdays.iter().any(|names| names.split(' ').any(|name| name == word))
}

/// Says how many rows or items are not quoted, in the language of the question.
pub(super) fn more(question: &str, language: &str, count: usize) -> String {
    Words::of(Language::of_question(question, language).code).more.replace("{}", &count.to_string())
}

/// Names questions that were not answered, in the language of a message.
pub fn open(message: &str, language: &str, questions: &[String]) -> String {
    Words::of(Language::of_question(message, language).code).open.replace("{}", &questions.join(" "))
}

/// Which of the offered sections a message chooses, from 0: "the second one" and "yes".
pub fn choice(message: &str, language: &str) -> Option<usize> {
    let text = plain(message);
    let own = Words::of(Language::of(language).code).choice(&text);
    own.or_else(|| words::all().find_map(|words| words.choice(&text)))
}

/// Asks whether a corrected word was meant, in the language of the question.
pub fn did_you_mean(question: &str, language: &str, (wrong, meant): &(String, String)) -> String {
    let text = &Words::of(Language::of_question(question, language).code).corrected;
    text.replacen("{}", wrong, 1).replacen("{}", meant, 1)
}

/// A word of a question that was searched for in another spelling, if it may be another word: a name such as "Prednison", for
/// which "Prednisolon" was found. Typical typing errors in ordinary words are none. `language` is as in [`is_decided`].
pub fn doubtful_correction(question: &str, language: &str, searched: &str) -> Option<(String, String)> {
    let has_noun_capitals = Language::of_question(question, language).code == "de";
    let pairs = question.split_whitespace().zip(searched.split_whitespace());
    let bare = |word: &str| word.trim_matches(|mark: char| !mark.is_alphanumeric()).to_owned();
    let pairs = pairs.map(|(typed, corrected)| (bare(typed), bare(corrected)));
    let is_shouted = !question.contains(char::is_lowercase);
    let mut doubtful = pairs.filter(|(typed, corrected)| {
        let (left, right) = (accents::without(&typed.to_lowercase()), accents::without(&corrected.to_lowercase()));
        let is_name = typed.starts_with(char::is_uppercase) && !is_shouted && !has_noun_capitals;
        left != right && (is_name && !question.starts_with(typed.as_str()) || !is_slip(&left, &right))
    });
    doubtful.next().map(|(typed, corrected)| {
        let corrected = if typed.starts_with(char::is_uppercase) { capitalised(&corrected) } else { corrected };
        (typed, corrected)
    })
}

/// Minimum letters that two forms of one word share, and maximum letters of their endings.
const STEM_LETTERS: usize = 4;
const ENDING_LETTERS: usize = 2;

/// Whether two words differ by a typical typing error: two letters swapped, or one letter inside missing or twice; or by their
/// endings only, like two forms of one word.
fn is_slip(left: &str, right: &str) -> bool {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let (short, long) = if left.len() <= right.len() { (&left, &right) } else { (&right, &left) };
    let start = short.iter().zip(long.iter()).take_while(|(a, b)| a == b).count();
    let end = short.iter().rev().zip(long.iter().rev()).take_while(|(a, b)| a == b).count();
    if start >= STEM_LETTERS && start + ENDING_LETTERS >= long.len() {
        return true;
    }
    match long.len() - short.len() {
        0 => {
            start + 2 + end >= long.len()
                && left.get(start) == right.get(start + 1)
                && left.get(start + 1) == right.get(start)
        }
        1 => start > 0 && start + end >= short.len(),
        _ => false,
    }
}

#[cfg(test)]
mod tests;

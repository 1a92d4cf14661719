//! What a question names must be in its answer: numbers, codes, names, places, days and months. A question for another
//! part number or another day has another answer, however similar the words are. Questions that count, compare or ask
//! for the first in an order are answered only by a text that does so too.

mod conditions;
mod days;
mod split;
mod words;

pub use split::{Message, split};

use self::{
    days::{Days, Span},
    words::{PLACES, Words, phrase_in, plain},
};
use super::{
    Answer,
    language::{Language, number_word},
    verify::numbers::numbers,
};
use crate::{
    accents,
    retrieve::Candidate,
    terms::{overlap, terms},
};

/// Minimum letters of a name that may be a part of a longer word.
const PART: usize = 5;
/// Minimum capitalised words of a question that is written like a title.
const TITLE: usize = 3;
/// Words behind a number that may be what it counts: "14 full working days".
const BEHIND: usize = 3;

/// What a question names.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Named {
    /// Numbers, each in its comparable forms.
    numbers: Vec<Vec<String>>,
    /// Codes such as `QX-7604`, as runs of letters and of digits.
    codes: Vec<Vec<String>>,
    /// Single letters behind a word: the C of "class C".
    letters: Vec<String>,
    /// Names in lower case without accents.
    names: Vec<String>,
    /// Countries, as places in the list of names.
    places: Vec<usize>,
    weekdays: Vec<Span>,
    months: Vec<Span>,
}

impl Named {
    /// What `question` names. `language` is the chatbot's code, which counts when the question's words do not identify
    /// another one.
    pub(super) fn of(question: &str, language: &str) -> Self {
        let language = Language::of_question(question, language);
        let words = Words::of(language.code);
        let forms = |number: super::verify::numbers::Number| [number.form].into_iter().chain(number.also).collect();
        let (days, places) = (Days::of(question, language, true), places(question));
        Self {
            numbers: numbers(question).into_iter().map(forms).collect(),
            codes: question.split_whitespace().filter_map(code).collect(),
            letters: letters(question),
            names: names(question, language.code, words),
            places,
            weekdays: days.weekdays,
            months: days.months,
        }
    }

    /// Whether a row or a sentence can be chosen by a number or code of the question.
    pub(super) fn has_labels(&self) -> bool {
        !self.numbers.is_empty() || !self.codes.is_empty()
    }

    /// The share of the question's numbers and codes that `text` has, from 0 to 1.
    pub(super) fn labels_in(&self, text: &str) -> f32 {
        let all = self.numbers.len() + self.codes.len();
        let text = Text::of(text);
        let known = self.numbers.iter().filter(|number| text.has_number(number)).count()
            + self.codes.iter().filter(|code| text.has_code(code)).count();
        if all == 0 { 0.0 } else { known as f32 / all as f32 }
    }

    /// Whether `text` has all that the question names. A name that is in most of `passages` is the topic of all of them and
    /// need not be in each sentence.
    fn is_in<'a>(&self, text: &str, passages: impl Iterator<Item = &'a str> + Clone) -> bool {
        let known = Text::of(text);
        let is_topic = |name: &str| {
            let having = passages.clone().filter(|passage| has_name(&plain(passage), name)).count();
            having >= 2 && 2 * having > passages.clone().count()
        };
        self.numbers.iter().all(|number| known.has_number(number))
            && self.codes.iter().all(|code| known.has_code(code))
            && self.letters.iter().all(|letter| words_of(text).any(|word| word == letter))
            && self
                .names
                .iter()
                .all(|name| known.atoms.contains(name) || has_name(&known.plain, name) || is_topic(name))
            && self.places.iter().all(|place| PLACES[*place].iter().any(|name| phrase_in(&known.plain, name)))
            && self.has_days(text, &known)
    }

    fn has_days(&self, text: &str, known: &Text) -> bool {
        if self.weekdays.is_empty() && self.months.is_empty() {
            return true;
        }
        let language = Language::of_text(text).unwrap_or_else(|| Language::of("en"));
        let days = Days::of(text, language, false);
        let has_month = |span: &Span| {
            days.has_month(span)
                || known.numbers.iter().any(|number| span.places().any(|at| *number == (at + 1).to_string()))
        };
        self.weekdays.iter().all(|span| days.has_weekday(span)) && self.months.iter().all(has_month)
    }
}

/// A text that an answer quotes.
struct Text {
    /// Its words in lower case without accents, between single spaces.
    plain: String,
    /// Its numbers in all forms.
    numbers: Vec<String>,
    atoms: Vec<String>,
}

impl Text {
    fn of(text: &str) -> Self {
        let mut known: Vec<String> =
            numbers(text).into_iter().flat_map(|number| [number.form].into_iter().chain(number.also)).collect();
        let lower = text.to_lowercase();
        known.extend(
            lower.split(|mark: char| !mark.is_alphanumeric()).filter_map(number_word).map(|number| number.to_string()),
        );
        // Digits within a word, such as the 7608 of `QX7608`.
        let atoms = atoms(text);
        known.extend(
            atoms.iter().filter(|atom| atom.len() > 1 && atom.starts_with(|mark: char| mark.is_ascii_digit())).cloned(),
        );
        Self { plain: plain(text), numbers: known, atoms }
    }

    fn has_number(&self, forms: &[String]) -> bool {
        forms.iter().any(|form| self.numbers.contains(form))
    }

    fn has_code(&self, code: &[String]) -> bool {
        self.atoms.windows(code.len()).any(|part| part == code)
    }
}

/// The runs of letters and of digits of a text in lower case: `qx`, `7604`, `ni` of `QX-7604NI`.
fn atoms(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut before = ' ';
    for mark in text.chars().flat_map(char::to_lowercase) {
        if mark.is_alphanumeric() {
            let goes_on = before.is_alphanumeric() && before.is_ascii_digit() == mark.is_ascii_digit();
            match found.last_mut().filter(|_| goes_on) {
                Some(last) => last.push(mark),
                None => found.push(mark.to_string()),
            }
        }
        before = mark;
    }
    found
}

/// A word that begins with a letter and has digits, such as a part number; `None` for any other word.
fn code(word: &str) -> Option<Vec<String>> {
    let word = word.trim_matches(|mark: char| !mark.is_alphanumeric());
    let is_code = word.starts_with(char::is_alphabetic) && word.contains(|mark: char| mark.is_ascii_digit());
    is_code.then(|| atoms(word))
}

/// The single capital letters behind a word, which tell a class, a zone or a size from another. None in a question in capitals, no
/// initials, no units behind a number, and no article of a title ("Return A Lamp").
fn letters(question: &str) -> Vec<String> {
    let raw: Vec<&str> = question.split_whitespace().collect();
    let is_word = |word: &str| word.len() > 1 && word.chars().all(char::is_alphabetic);
    let is_letter = |at: &usize| {
        let word = raw[*at].trim_end_matches(['?', '!', ',', ':']);
        let is_title = raw.get(at + 1).is_some_and(|next| next.starts_with(char::is_uppercase));
        word.len() == 1 && word.starts_with(char::is_uppercase) && word != "I" && !is_title && is_word(raw[at - 1])
    };
    let is_shouted = !question.contains(char::is_lowercase);
    let found = (1..raw.len()).filter(is_letter).filter(|_| !is_shouted);
    found.map(|at| raw[at][..1].to_owned()).collect()
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|mark: char| !mark.is_alphanumeric())
}

/// The names of a question: words with a capital letter, or in German, where all nouns have one, those behind a title
/// and abbreviations in capitals.
fn names(question: &str, language: &str, words: &Words) -> Vec<String> {
    let is_shouted = !question.contains(|mark: char| mark.is_lowercase() && mark != 'ß');
    let (mut found, mut seen, mut others) = (Vec::new(), 0, 0);
    let (mut is_first, mut after_title, mut was_joined) = (true, false, false);
    for raw in question.split_whitespace().flat_map(|raw| raw.split_inclusive(['-', '/'])) {
        let is_joined = raw.ends_with(['-', '/']);
        let word = raw.trim_matches(|mark: char| !mark.is_alphanumeric());
        let word = word.rsplit(['\'', '\u{2019}']).find(|part| part.chars().count() > 1).unwrap_or(word);
        let letters = word.chars().filter(|mark| mark.is_alphabetic()).count();
        let capitals = word.chars().filter(|mark| mark.is_uppercase()).count();
        let is_capital = word.starts_with(char::is_uppercase) && letters > 1;
        let is_abbreviation = capitals > 1 && capitals == letters;
        let is_plain = letters == word.chars().count();
        if is_capital && is_plain && !is_first {
            seen += 1;
        } else if letters > 3 && !is_first {
            others += 1;
        }
        let is_name = is_abbreviation
            || is_capital && !is_first && !is_joined && !was_joined && (language != "de" || after_title);
        let lower = accents::without(&word.to_lowercase());
        let is_other = words.is_ignored(&lower) || days::is_day(word, &lower) || is_place(&lower);
        if is_name && is_plain && !is_other {
            found.push((lower.clone(), is_abbreviation));
        }
        (after_title, was_joined) = (words.is_title(&lower), is_joined);
        is_first = raw.ends_with(['.', '?', '!', ':', '"', '¿', '¡']) && !after_title;
    }
    // In a question that is written like a title, capitals say nothing.
    let is_title = language != "de" && seen >= TITLE && seen > others;
    found.retain(|(_, is_abbreviation)| !is_shouted && (*is_abbreviation || !is_title));
    found.into_iter().map(|(name, _)| name).collect()
}

/// Whether a plain text has a name, perhaps with an ending or as a part of a word.
fn has_name(text: &str, name: &str) -> bool {
    let root = name.strip_suffix("s").filter(|root| root.len() >= PART).unwrap_or(name);
    text.split(' ').any(|word| match root.len() >= PART {
        true => word.contains(root),
        false => word.starts_with(root) && word.len() <= root.len() + 2,
    })
}

/// The countries of a question, as places in the list.
fn places(question: &str) -> Vec<usize> {
    let text = plain(question);
    let is_named = |names: &&Vec<String>| names.iter().any(|name| phrase_in(&text, name));
    let all = PLACES.iter().enumerate().filter(|(_, names)| is_named(names));
    // Names of two countries may be alike: "Britain" is a part of "Great Britain".
    all.map(|(at, _)| at).collect()
}

fn is_place(word: &str) -> bool {
    PLACES.iter().any(|names| names.iter().any(|name| name.split(' ').any(|part| part == word)))
}

/// Whether a quotation has what the question names, and decides what the question counts, compares or orders.
/// `passages` are those that were found. `language` is as in [`Named::of`].
pub fn is_decided(question: &str, language: &str, answer: &Answer, passages: &[Candidate]) -> bool {
    let cited = answer.citations.iter().filter_map(|citation| answer.sources.get(citation.source_index));
    let headings: Vec<String> = cited.map(|source| format!("{} {}", source.title, source.heading)).collect();
    let headings = headings.join("\n");
    let said = format!("{headings}\n{}", without_markers(answer));
    let found = passages.iter().map(|passage| passage.content.as_str());
    Named::of(question, language).is_in(&said, found) && has_decision(question, language, answer, &headings)
}

/// The words of an answer without its markers, which are no numbers of the text.
fn without_markers(answer: &Answer) -> String {
    answer.citations.iter().fold(answer.text.clone(), |text, citation| text.replace(&citation.marker, ""))
}

fn has_decision(question: &str, language: &str, answer: &Answer, headings: &str) -> bool {
    let language = Language::of_question(question, language);
    let words = Words::of(language.code);
    let asked = plain(question);
    let written = format!("{headings}\n{}", without_markers(answer));
    let said = plain(&written);
    let is_compared = |phrases: &[String]| {
        phrases.iter().filter(|phrase| phrase_in(&asked, phrase)).all(|phrase| phrase_in(&said, phrase))
    };
    let superlatives = words.superlatives_of(&asked);
    let lists_all = words.all.iter().any(|phrase| phrase_in(&asked, phrase));
    conditions::are_decided(question, &written, words)
        && is_compared(&words.comparisons)
        && is_compared(&words.superlative_phrases)
        && superlatives.iter().all(|beginning| said.contains(&format!(" {beginning}")))
        && !(lists_all && answer.left_out > 0)
        && words
            .counts
            .iter()
            .filter_map(|phrase| counted(&asked, phrase))
            .all(|noun| has_count(answer, headings, &words.counts, &noun))
}

/// What a plain question counts: the words behind "how many".
fn counted(asked: &str, phrase: &str) -> Option<String> {
    let (_, after) = asked.split_once(&format!(" {phrase} "))?;
    Some(after.split(' ').take(BEHIND).collect::<Vec<_>>().join(" "))
}

/// Whether a quotation says how many there are: its heading asks the same, a number stands before what is counted, or it is
/// prose with a number. The rows of a list are no count.
fn has_count(answer: &Answer, headings: &str, phrases: &[String], noun: &str) -> bool {
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
    if !is_listed {
        return has_number(&text);
    }
    let wanted = terms(noun).into_iter().take(1).collect::<Vec<_>>();
    text.lines().any(|line| {
        let words = line.split(|mark: char| !mark.is_alphanumeric()).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.collect();
        words.iter().enumerate().any(|(at, word)| {
            let is_number = word.starts_with(|mark: char| mark.is_ascii_digit());
            let is_number = is_number || number_word(&word.to_lowercase()).is_some();
            is_number && overlap(&wanted, &words[at + 1..words.len().min(at + 1 + BEHIND)].join(" ")) > 0.0
        })
    })
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
    let pairs = pairs.map(|(asked, found)| (bare(asked), bare(found)));
    let is_shouted = !question.contains(char::is_lowercase);
    let mut doubtful = pairs.filter(|(asked, found)| {
        let (left, right) = (accents::without(&asked.to_lowercase()), accents::without(&found.to_lowercase()));
        let is_name = asked.starts_with(char::is_uppercase) && !is_shouted && !has_noun_capitals;
        left != right && (is_name && !question.starts_with(asked.as_str()) || !is_slip(&left, &right))
    });
    doubtful.next().map(|(asked, found)| {
        let is_name = asked.starts_with(char::is_uppercase);
        let first =
            found.chars().next().map(|first| if is_name { first.to_uppercase().collect() } else { first.to_string() });
        let rest = found.chars().skip(1).collect::<String>();
        (asked, first.unwrap_or_default() + &rest)
    })
}

/// Whether two words differ by a typical typing error: two letters swapped, or one letter inside missing or twice.
fn is_slip(left: &str, right: &str) -> bool {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let (short, long) = if left.len() <= right.len() { (&left, &right) } else { (&right, &left) };
    let start = short.iter().zip(long.iter()).take_while(|(a, b)| a == b).count();
    let end = short.iter().rev().zip(long.iter().rev()).take_while(|(a, b)| a == b).count();
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

//! What a question names: numbers, codes, letters of classes, names, places, holidays, days and months.

use super::{
    days::{self, Days, Span},
    words::{HOLIDAYS, PLACES, Words, phrase_in, plain},
};
use crate::{
    accents,
    generate::{
        language::{Language, number_word, ordinal, words},
        numbers::{Number, numbers},
    },
};

/// Minimum letters of a name that may be a part of a longer word.
const MIN_PART_LETTERS: usize = 5;
/// Minimum capitalised words of a question that is written like a title.
const MIN_TITLE_WORDS: usize = 3;

/// German words before the name of a town; a noun that is none has an article there.
const BEFORE_PLACES: [&str; 3] = ["in", "nach", "aus"];
/// The place of the names of all holidays in the list.
const EVERY_HOLIDAY: usize = 0;

/// What a question names.
#[derive(Debug, Default, PartialEq)]
pub(in crate::generate) struct Named {
    /// Numbers, each in its comparable forms.
    numbers: Vec<Vec<String>>,
    /// Ordinal numbers, which tell one of several from the others: the 4 of "fourth floor".
    ordinals: Vec<String>,
    /// Codes such as `QX-7604`, as runs of letters and of digits.
    codes: Vec<Vec<String>>,
    /// Single letters behind a word: the C of "class C".
    letters: Vec<String>,
    /// Names in lower case without accents.
    names: Vec<String>,
    /// German towns, in lower case without accents.
    towns: Vec<String>,
    /// Countries, as places in the list of names.
    places: Vec<usize>,
    /// Holidays, as places in the list of names.
    holidays: Vec<usize>,
    weekdays: Vec<Span>,
    months: Vec<Span>,
}

impl Named {
    /// What `question` names. `language` is the chatbot's code, which counts when the question's words do not identify
    /// another one.
    pub(in crate::generate) fn of(question: &str, language: &str) -> Self {
        let language = Language::of_question(question, language);
        let of_language = Words::of(language.code);
        let forms = |number: Number| [number.form].into_iter().chain(number.also).collect();
        let (days, places) = (Days::of(question, language, true), places(question));
        Self {
            numbers: numbers(question).into_iter().map(forms).collect(),
            ordinals: words(question).filter_map(|word| ordinal(&word)).map(|at| at.to_string()).collect(),
            codes: question.split_whitespace().filter_map(code).collect(),
            letters: letters(question),
            names: names(question, language.code, of_language),
            towns: if language.code == "de" { towns(question, of_language) } else { Vec::new() },
            places,
            holidays: holidays(&plain(question)),
            weekdays: days.weekdays,
            months: days.months,
        }
    }

    /// Whether a row or a sentence can be chosen by a number or code of the question.
    pub(in crate::generate) fn has_labels(&self) -> bool {
        self.labels() > 0
    }

    fn labels(&self) -> usize {
        self.numbers.len() + self.ordinals.len() + self.codes.len()
    }

    /// The share of the question's numbers and codes that `text` has, from 0 to 1.
    pub(in crate::generate) fn labels_in(&self, text: &str) -> f32 {
        let all = self.labels();
        let text = Text::of(text);
        let labels = self.numbers.iter().filter(|number| text.has_number(number)).count()
            + self.ordinals.iter().filter(|ordinal| text.numbers.contains(ordinal)).count()
            + self.codes.iter().filter(|code| text.has_code(code)).count();
        if all == 0 { 0.0 } else { labels as f32 / all as f32 }
    }

    /// Whether `text` has all that the question names. A name that is in most of `passages` is the topic of all of them and
    /// need not be in each sentence.
    pub(super) fn is_in<'a>(&self, text: &str, passages: impl Iterator<Item = &'a str> + Clone) -> bool {
        let parsed = Text::of(text);
        let is_topic = |name: &str| {
            let having = passages.clone().filter(|passage| has_name(&plain(passage), name)).count();
            having >= 2 && 2 * having > passages.clone().count()
        };
        // Towns have other names in other languages.
        let is_foreign = Language::of_text(text).is_some_and(|language| language.code != "de");
        self.numbers.iter().all(|number| parsed.has_number(number))
            && self.ordinals.iter().all(|ordinal| parsed.numbers.contains(ordinal))
            && self.codes.iter().all(|code| parsed.has_code(code))
            && self.letters.iter().all(|letter| words_of(text).any(|word| word == letter))
            && self
                .names
                .iter()
                .all(|name| parsed.atoms.contains(name) || has_name(&parsed.plain, name) || is_topic(name))
            && self.places.iter().all(|place| PLACES[*place].iter().any(|name| phrase_in(&parsed.plain, name)))
            && (is_foreign || self.towns.iter().all(|town| has_name(&parsed.plain, town) || is_topic(town)))
            && self.has_holidays(&parsed.plain)
            && self.has_days(text, &parsed)
    }

    /// Whether a plain text names each holiday, or holidays as such; for these, one holiday is enough.
    fn has_holidays(&self, text: &str) -> bool {
        let text_holidays = holidays(text);
        self.holidays.iter().all(|holiday| {
            text_holidays.contains(holiday)
                || text_holidays.contains(&EVERY_HOLIDAY)
                || *holiday == EVERY_HOLIDAY && !text_holidays.is_empty()
        })
    }

    fn has_days(&self, text: &str, parsed: &Text) -> bool {
        if self.weekdays.is_empty() && self.months.is_empty() {
            return true;
        }
        let language = Language::of_text(text).unwrap_or_else(|| Language::of("en"));
        let days = Days::of(text, language, false);
        let has_month = |span: &Span| {
            days.has_month(span)
                || parsed.numbers.iter().any(|number| span.places().any(|at| *number == (at + 1).to_string()))
        };
        self.weekdays.iter().all(|span| days.has_weekday(span)) && self.months.iter().all(has_month)
    }
}

/// A text that an answer quotes.
struct Text {
    /// Its words in lower case without accents, between single spaces.
    plain: String,
    /// Its numbers in all forms, and its ordinal numbers.
    numbers: Vec<String>,
    /// Its other number words: the "four" of "four weeks" is no fourth floor.
    counts: Vec<String>,
    atoms: Vec<String>,
}

impl Text {
    fn of(text: &str) -> Self {
        let mut numbers: Vec<String> =
            numbers(text).into_iter().flat_map(|number| [number.form].into_iter().chain(number.also)).collect();
        let mut counts = Vec::new();
        for word in words(text) {
            match ordinal(&word) {
                Some(number) => numbers.push(number.to_string()),
                None => counts.extend(number_word(&word).map(|number| number.to_string())),
            }
        }
        // Digits within a word, such as the 7608 of `QX7608`.
        let atoms = atoms(text);
        numbers.extend(
            atoms.iter().filter(|atom| atom.len() > 1 && atom.starts_with(|mark: char| mark.is_ascii_digit())).cloned(),
        );
        Self { plain: plain(text), numbers, counts, atoms }
    }

    fn has_number(&self, forms: &[String]) -> bool {
        forms.iter().any(|form| self.numbers.contains(form) || self.counts.contains(form))
    }

    fn has_code(&self, code: &[String]) -> bool {
        self.atoms.windows(code.len()).any(|part| part == code)
    }
}

/// The runs of letters and of digits of a text in lower case: `qx`, `7604`, `ni` of `QX-7604NI`.
fn atoms(text: &str) -> Vec<String> {
    let mut atoms: Vec<String> = Vec::new();
    let mut before = ' ';
    for mark in text.chars().flat_map(char::to_lowercase) {
        if mark.is_alphanumeric() {
            let goes_on = before.is_alphanumeric() && before.is_ascii_digit() == mark.is_ascii_digit();
            match atoms.last_mut().filter(|_| goes_on) {
                Some(last) => last.push(mark),
                None => atoms.push(mark.to_string()),
            }
        }
        before = mark;
    }
    atoms
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
    let positions = (1..raw.len()).filter(is_letter).filter(|_| !is_shouted);
    positions.map(|at| raw[at][..1].to_owned()).collect()
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|mark: char| !mark.is_alphanumeric())
}

/// The names of a question: words with a capital letter, or in German, where all nouns have one, those behind a title or
/// another noun ("Stufe Platin") and abbreviations in capitals.
fn names(question: &str, language: &str, words: &Words) -> Vec<String> {
    let is_shouted = !question.contains(|mark: char| mark.is_lowercase() && mark != 'ß');
    let (mut names, mut capitals_inside, mut others) = (Vec::new(), 0, 0);
    let (mut is_first, mut after_title, mut was_joined) = (true, false, false);
    // A noun behind a number is a unit, and one that ends with a mark has nothing behind it.
    let (mut after_noun, mut after_number) = (false, false);
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
            capitals_inside += 1;
        } else if letters > 3 && !is_first {
            others += 1;
        }
        let is_name = is_abbreviation
            || is_capital && !is_first && !is_joined && !was_joined && (language != "de" || after_title || after_noun);
        let lower = accents::without(&word.to_lowercase());
        let is_other = words.is_ignored(&lower) || days::is_day(word, &lower) || is_place(&lower) || is_holiday(&lower);
        if is_name && is_plain && !is_other {
            names.push((lower.clone(), is_abbreviation));
        }
        after_noun = is_capital && is_plain && !is_first && !after_number && !is_other && raw.ends_with(word);
        after_number = word.starts_with(|mark: char| mark.is_ascii_digit());
        (after_title, was_joined) = (words.is_title(&lower), is_joined);
        is_first = raw.ends_with(['.', '?', '!', ':', '"', '¿', '¡']) && !after_title;
    }
    // In a question that is written like a title, capitals say nothing.
    let is_title = language != "de" && capitals_inside >= MIN_TITLE_WORDS && capitals_inside > others;
    names.retain(|(_, is_abbreviation)| !is_shouted && (*is_abbreviation || !is_title));
    names.into_iter().map(|(name, _)| name).collect()
}

/// The nouns of a German question behind "in", "nach" or "aus" without an article.
fn towns(question: &str, words: &Words) -> Vec<String> {
    let raw = question.split_whitespace();
    let all: Vec<&str> = raw.map(|word| word.trim_matches(|mark: char| !mark.is_alphanumeric())).collect();
    let is_town = |pair: &&[&str]| {
        BEFORE_PLACES.contains(&pair[0])
            && pair[1].starts_with(char::is_uppercase)
            && pair[1].chars().all(char::is_alphabetic)
            && !days::is_day(pair[1], &accents::without(&pair[1].to_lowercase()))
    };
    let names = all.windows(2).filter(is_town).map(|pair| accents::without(&pair[1].to_lowercase()));
    names.filter(|name| !words.is_ignored(name) && !is_place(name) && !is_holiday(name)).collect()
}

/// Whether a plain text has a name, perhaps with an ending or as a part of a word.
pub(super) fn has_name(text: &str, name: &str) -> bool {
    let root = name.strip_suffix("s").filter(|root| root.len() >= MIN_PART_LETTERS).unwrap_or(name);
    text.split(' ').any(|word| match root.len() >= MIN_PART_LETTERS {
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

/// The holidays that a plain text names, as places in the list.
fn holidays(text: &str) -> Vec<usize> {
    (0..HOLIDAYS.len()).filter(|at| HOLIDAYS[*at].iter().any(|name| phrase_in(text, name))).collect()
}

fn is_holiday(word: &str) -> bool {
    HOLIDAYS.iter().any(|names| names.iter().any(|name| name == word))
}

fn is_place(word: &str) -> bool {
    PLACES.iter().any(|names| names.iter().any(|name| name.split(' ').any(|part| part == word)))
}

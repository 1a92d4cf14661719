//! The words of each language by which questions are read. Each language has its file in `asked/`.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::accents;

/// Words of one language, without accents except in `more`.
#[derive(Debug, Deserialize)]
pub(super) struct Words {
    pub(super) counts: Vec<String>,
    pub(super) all: Vec<String>,
    superlatives: String,
    pub(super) superlative_phrases: Vec<String>,
    pub(super) comparisons: Vec<String>,
    pub(super) without: Vec<String>,
    pub(super) decides_without: Vec<String>,
    pub(super) conditions: Vec<String>,
    pub(super) denied_asks: String,
    pub(super) denials: Vec<String>,
    pub(super) excludes: Vec<String>,
    pub(super) weekdays: Vec<String>,
    pub(super) daily: Vec<String>,
    pub(super) workdays: Vec<String>,
    pub(super) weekend: Vec<String>,
    to: String,
    titles: String,
    rates: String,
    joins: String,
    asks: String,
    verbs: String,
    subjects: String,
    hello: String,
    pub(super) more: String,
    yes: String,
    choices: Vec<String>,
    beside: String,
    pub(super) open: String,
    pub(super) corrected: String,
}

/// Abbreviations that name nothing.
const IGNORED: [&str; 6] = ["ok", "faq", "pls", "asap", "ps", "id"];

/// Maximum words of a message that chooses a section.
const CHOICE: usize = 7;

/// English is first, because it is the fallback.
const FILES: [(&str, &str); 7] = [
    ("en", include_str!("../../../asked/en.toml")),
    ("de", include_str!("../../../asked/de.toml")),
    ("es", include_str!("../../../asked/es.toml")),
    ("fr", include_str!("../../../asked/fr.toml")),
    ("it", include_str!("../../../asked/it.toml")),
    ("nl", include_str!("../../../asked/nl.toml")),
    ("pt", include_str!("../../../asked/pt.toml")),
];

static WORDS: LazyLock<Vec<(&str, Words)>> =
    LazyLock::new(|| FILES.iter().map(|(code, text)| (*code, read(text))).collect());

/// The names of each country in all languages.
pub(super) static PLACES: LazyLock<Vec<Vec<String>>> =
    LazyLock::new(|| names(include_str!("../../../asked/places.txt")));

/// The names of each holiday in all languages; first those of holidays as such.
pub(super) static HOLIDAYS: LazyLock<Vec<Vec<String>>> =
    LazyLock::new(|| names(include_str!("../../../asked/holidays.txt")));

fn names(list: &str) -> Vec<Vec<String>> {
    let lines = list.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let name = |name: &str| plain(&name.replace('_', " ")).trim().to_owned();
    lines.map(|line| line.split(' ').map(name).collect()).collect()
}

fn read(text: &str) -> Words {
    let mut words: Words = toml::from_str(text).expect("the files of words are part of the program");
    let lists = [
        &mut words.counts,
        &mut words.all,
        &mut words.superlative_phrases,
        &mut words.comparisons,
        &mut words.without,
        &mut words.decides_without,
        &mut words.conditions,
        &mut words.denials,
        &mut words.excludes,
        &mut words.daily,
        &mut words.workdays,
        &mut words.weekend,
    ];
    for list in lists {
        list.iter_mut().for_each(|phrase| *phrase = plain(phrase).trim().to_owned());
    }
    words.weekdays.iter_mut().chain(&mut words.choices).for_each(|names| *names = without_accents(names));
    let single = [
        &mut words.superlatives,
        &mut words.denied_asks,
        &mut words.to,
        &mut words.titles,
        &mut words.rates,
        &mut words.joins,
        &mut words.asks,
        &mut words.verbs,
        &mut words.subjects,
        &mut words.hello,
        &mut words.yes,
        &mut words.beside,
    ];
    for list in single {
        *list = without_accents(list);
    }
    words
}

fn without_accents(text: &str) -> String {
    accents::without(&text.to_lowercase())
}

/// The words of all languages.
pub(super) fn all() -> impl Iterator<Item = &'static Words> {
    WORDS.iter().map(|(_, words)| words)
}

impl Words {
    /// Those of a language by its code; English for languages without a file.
    pub(super) fn of(code: &str) -> &'static Self {
        let language_words = WORDS.iter().find(|(own_code, _)| *own_code == code);
        &language_words.unwrap_or(&WORDS[0]).1
    }

    /// The beginnings of the superlatives in a plain text.
    pub(super) fn superlatives_of(&self, text: &str) -> Vec<&str> {
        self.superlatives.split_whitespace().filter(|beginning| text.contains(&format!(" {beginning}"))).collect()
    }

    pub(super) fn is_title(&self, word: &str) -> bool {
        has(&self.titles, word)
    }

    pub(super) fn is_rate(&self, word: &str) -> bool {
        has(&self.rates, word)
    }

    pub(super) fn is_ignored(&self, word: &str) -> bool {
        IGNORED.contains(&word) || has(&self.asks, word) || has(&self.verbs, word) || self.is_title(word)
    }

    pub(super) fn is_join(&self, word: &str) -> bool {
        has(&self.joins, word)
    }

    /// Whether two words begin a question: "where ..." or "can I".
    pub(super) fn is_opening(&self, word: &str, next: &str) -> bool {
        has(&self.asks, word) || has(&self.verbs, word) && has(&self.subjects, next)
    }

    /// Whether a word greets even without punctuation behind it.
    pub(super) fn is_hello(&self, word: &str) -> bool {
        has(&self.hello, word)
    }

    /// Which of the offered sections plain words choose, from 0: "yes" and "the first one" are the first.
    pub(super) fn choice(&self, text: &str) -> Option<usize> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let place = |word: &str| self.choices.iter().position(|names| has(names, word));
        let is_yes = |word: &str| has(&self.yes, word);
        let is_known = |word: &&str| place(word).is_some() || is_yes(word) || has(&self.beside, word);
        if words.is_empty() || words.len() > CHOICE || !words.iter().all(is_known) {
            return None;
        }
        let chosen: Vec<usize> = words.iter().filter_map(|word| place(word)).collect();
        match chosen.as_slice() {
            [place] => Some(*place),
            [] if words.iter().any(|word| is_yes(word)) => Some(0),
            _ => None,
        }
    }

    pub(super) fn is_to(&self, word: &str) -> bool {
        has(&self.to, word)
    }
}

fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|entry| entry == word)
}

/// The words of a text in lower case without accents, each between two single spaces.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::from(" ");
    for mark in text.chars().flat_map(char::to_lowercase) {
        if mark.is_alphanumeric() {
            accents::push(&mut plain, mark);
        } else if !plain.ends_with(' ') {
            plain.push(' ');
        }
    }
    if !plain.ends_with(' ') {
        plain.push(' ');
    }
    plain
}

/// Whether a plain text has the words of a phrase in their order.
pub(super) fn phrase_in(text: &str, phrase: &str) -> bool {
    text.contains(&format!(" {phrase} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_its_words() {
        for (code, words) in WORDS.iter() {
            assert_eq!(words.weekdays.len(), 7, "{code}");
            assert!(words.more.contains("{}") && words.open.contains("{}"), "{code}");
            assert_eq!((words.choices.len(), words.corrected.matches("{}").count()), (3, 2), "{code}");
            assert!(!words.superlatives.is_empty() || !words.superlative_phrases.is_empty(), "{code}");
            let lists = [&words.counts, &words.all, &words.comparisons, &words.daily, &words.workdays, &words.weekend];
            for list in lists.into_iter().chain([&words.conditions, &words.denials, &words.excludes]) {
                assert!(!list.is_empty(), "{code}");
            }
        }
        assert!(PLACES.iter().all(|names| !names.is_empty()) && PLACES.len() > 40 && HOLIDAYS.len() > 5);
    }
}

//! The words of a text as comparable stems. German words have more forms than other stems tell: umlauts, endings of
//! verbs, participles, compounds, and verbs whose prefix is at the end of the clause.

use std::collections::HashSet;

use crate::{
    generate::{
        asked,
        language::{Language, words},
    },
    query_words::GERMAN_PREFIXES,
    terms::terms,
};

/// Minimum common letters of two forms of one word, and minimum letters of the last part of a compound.
const COMMON: usize = 5;
/// Minimum letters of a German verb without its ending.
const VERB: usize = 4;
/// Letters of a German noun that is too short for other stems.
const NOUN: usize = 3;
/// Minimum letters that a compound has before its last part.
const FIRST_PART: usize = 3;
/// The first part of a compound that means the opposite of its last part.
const NEGATION: &str = "nicht";
/// Prefixes of words that mean the opposite of the rest, and the minimum letters of the rest.
const OPPOSITES: [(&str, usize); 6] = [(NEGATION, 4), ("non", 4), ("un", 4), ("in", 5), ("im", 5), ("on", 5)];
/// Maximum letters of an ending that stems still have.
const ENDING: usize = 3;
/// The stems of a text.
#[derive(Debug)]
pub(super) struct Stems {
    stems: HashSet<String>,
    is_german: bool,
}

impl Stems {
    pub(super) fn of(text: &str, language: &Language) -> Self {
        let is_german = language.code == "de";
        let joined = separated(text, language).into_iter().map(|(verb, prefix)| stem(&format!("{prefix}{verb}")));
        let mut stems: HashSet<String> = words(text).map(|word| stem(&word)).chain(joined).collect();
        if is_german {
            stems = stems.iter().map(|stem| plain(stem)).flat_map(|stem| [root(&stem), stem]).collect();
        }
        Self { stems, is_german }
    }

    /// Whether it has a form of the word: the same stem, or a long common prefix (`deliver`, `delivery`).
    pub(super) fn has(&self, stem: &str) -> bool {
        if !self.is_german {
            return self.has_form(stem);
        }
        let stem = plain(stem);
        let is_compound = |own: &String| {
            let first = own.strip_suffix(stem.as_str());
            first.is_some_and(|first| first.len() >= FIRST_PART && first != NEGATION)
        };
        // `Karfreitag` is no Friday.
        let may_be_last = stem.chars().count() >= COMMON && !asked::is_weekday(&stem, "de");
        self.has_form(&stem) || self.stems.contains(&root(&stem)) || may_be_last && self.stems.iter().any(is_compound)
    }

    /// Whether it has a word that means the opposite: `ungültig` for `gültig`, or the other way round.
    pub(super) fn has_opposite(&self, stem: &str) -> bool {
        let stem = if self.is_german { plain(stem) } else { stem.to_owned() };
        self.stems.iter().any(|own| is_negated(own, &stem) || is_negated(&stem, own))
    }

    fn has_form(&self, stem: &str) -> bool {
        if self.stems.contains(stem) {
            return true;
        }
        let length = stem.chars().count();
        if length < COMMON || stem.contains(|mark: char| mark.is_ascii_digit()) {
            return false;
        }
        self.stems.iter().any(|other| {
            let shorter = length.min(other.chars().count());
            let common = stem.chars().zip(other.chars()).take_while(|(left, right)| left == right).count();
            shorter >= COMMON && common >= COMMON && common * 10 >= shorter * 8
        })
    }
}

/// Whether a stem is the other one, perhaps with another ending, behind a prefix that makes it the opposite.
fn is_negated(stem: &str, other: &str) -> bool {
    OPPOSITES.iter().any(|(prefix, least)| {
        let Some(rest) = stem.strip_prefix(*prefix).filter(|rest| rest.len().min(other.len()) >= *least) else {
            return false;
        };
        (rest.starts_with(other) || other.starts_with(rest)) && rest.len().abs_diff(other.len()) <= ENDING
    })
}

/// The stem of a word in lower case; a function word stays.
pub(super) fn stem(word: &str) -> String {
    terms(word).pop().unwrap_or_else(|| word.to_owned())
}

/// The words that may be the verb of a German clause with a prefix at its end, and the prefix: `melden` and `an` in
/// "Melden Sie sich an".
pub(super) fn separated(text: &str, language: &Language) -> Vec<(String, &'static str)> {
    let mut separated = Vec::new();
    if language.code != "de" {
        return separated;
    }
    for clause in text.split(['.', ',', ';', ':', '!', '?', '(', ')', '–', '\n']) {
        let mut before: Vec<&str> = Vec::new();
        let written: Vec<&str> =
            clause.split(|mark: char| !mark.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        for (at, word) in written.iter().enumerate() {
            let ends_clause = written.get(at + 1).is_none_or(|next| ["und", "oder", "sowie"].contains(next));
            if let Some(prefix) = GERMAN_PREFIXES.into_iter().find(|prefix| ends_clause && prefix == word) {
                // Nouns have a capital letter.
                let verbs =
                    before.iter().enumerate().filter(|(at, word)| *at == 0 || word.starts_with(char::is_lowercase));
                let verbs = verbs.map(|(_, word)| word.to_lowercase()).filter(|word| !language.is_function_word(word));
                separated.extend(verbs.map(|verb| (verb, prefix)));
            }
            match *word {
                "und" | "oder" | "sowie" => before.clear(),
                word => before.push(word),
            }
        }
    }
    separated
}

/// A German stem without umlauts: `Bücher` and `Buch` meet.
fn plain(stem: &str) -> String {
    stem.replace('ä', "a").replace('ö', "o").replace('ü', "u").replace('ß', "ss")
}

/// A German verb without its ending and without the mark of a participle: `kauf` for `gekauft`, `abhol` for `abgeholt`.
/// A short noun without its ending: `tag` for `tagen`.
fn root(stem: &str) -> String {
    if let Some(noun) = ["en", "e"].into_iter().find_map(|end| stem.strip_suffix(end)).filter(|noun| noun.len() == NOUN)
    {
        return noun.to_owned();
    }
    let ended = ["et", "t"].into_iter().filter_map(|end| stem.strip_suffix(end)).find(|rest| rest.len() >= VERB);
    let form = ended.unwrap_or(stem);
    let participle = std::iter::once("").chain(GERMAN_PREFIXES).find_map(|prefix| {
        let rest = form.strip_prefix(prefix)?.strip_prefix("ge")?;
        (prefix.len() + rest.len() >= VERB).then(|| format!("{prefix}{rest}"))
    });
    participle.unwrap_or_else(|| form.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(text: &str, word: &str) -> bool {
        let german = Language::of("de");
        Stems::of(text, german).has(&stem(&word.to_lowercase()))
    }

    #[test]
    fn forms_of_german_words_meet() {
        for (text, word) in [
            ("Drei Bücher", "Buch"),
            ("Nach 3 Tagen", "Tage"),
            ("Die Kosten betragen 5 Euro", "kostet"),
            ("Kinder zahlen nichts", "zahlt"),
            ("Der Laden öffnet um neun", "geöffnet"),
            ("Sie kaufen die Karte", "gekauft"),
            ("Die Karte wird abgeholt", "abholen"),
            ("Die Rückgabefrist beträgt 30 Tage", "Frist"),
            ("Melden Sie sich mit der Nummer an.", "anmelden"),
            ("Melden Sie sich an und geben Sie die Nummer ein.", "anmelden"),
            ("Melden Sie sich an und geben Sie die Nummer ein.", "eingeben"),
        ] {
            assert!(has(text, word), "{word}: {text}");
        }
    }

    #[test]
    fn other_german_words_do_not() {
        for (text, word) in [
            ("Melden Sie sich mit der Nummer an.", "abmelden"),
            ("Der Versand ist frei.", "Strand"),
            ("Die Frist beträgt 30 Tage", "Rückgabe"),
            ("Das Konto ist gesperrt.", "öffnen"),
            ("Nichtmitglieder zahlen 10 Euro.", "Mitglieder"),
            ("Am Karfreitag ist geschlossen.", "Freitag"),
        ] {
            assert!(!has(text, word), "{word}: {text}");
        }
        assert!(!Stems::of("The market opens", Language::of("en")).has("mark"));
    }

    #[test]
    fn prefixes_make_opposites() {
        let opposite = |text: &str, word: &str, code: &str| {
            Stems::of(text, Language::of(code)).has_opposite(&stem(&word.to_lowercase()))
        };
        for (text, word, code) in [
            ("Nichtmitglieder zahlen.", "Mitgliedern", "de"),
            ("Mitglieder zahlen.", "Nichtmitglied", "de"),
            ("Die Karte ist ungültig.", "gültige", "de"),
            ("The ticket is invalid.", "valid", "en"),
            ("Het kaartje is ongeldig.", "geldig", "nl"),
        ] {
            assert!(opposite(text, word, code), "{word}: {text}");
        }
        for (text, word, code) in [
            ("Das geht nicht.", "Mitglieder", "de"),
            ("Im Unternehmen", "nehmen", "de"),
            ("Fill in the form.", "inform", "en"),
        ] {
            assert!(!opposite(text, word, code), "{word}: {text}");
        }
    }
}

//! Words that carry meaning, in a comparable form: lower case, without function words and common endings.

use std::{collections::HashSet, sync::LazyLock};

/// English and German words that say nothing about a topic.
const FUNCTION_WORDS: &str = "a about all also am an and any are as at be been being but by can could did do does \
doing for from get had has have having he her here hers him his how i if in into is it its itself just like may me \
might must my no nor not of on or our out own shall she should so some such than that the their them then there these \
they this those to too up us very was we were what when where which while who whom why will with would yes you your \
yours please tell explain aber als am an auch auf aus bei bin bist das dass dein dem den der des die dir du ein eine \
einem einen einer er es für gibt hat haben ich ihr im in ist kann kein können man mein mit muss nach nicht noch oder \
sein sich sie sind über um und uns vom von vor wann war warum was wenn wer werden wie wird wo zu zum zur";

static IGNORED: LazyLock<HashSet<&str>> = LazyLock::new(|| FUNCTION_WORDS.split_whitespace().collect());

/// The meaningful words of `text`, each once, in order.
pub fn terms(text: &str) -> Vec<String> {
    let mut stems = HashSet::new();
    words(text)
        .filter(|word| !IGNORED.contains(word.as_str()))
        .map(|word| stem(&word).to_owned())
        .filter(|word| stems.insert(word.clone()))
        .collect()
}

/// The share of `wanted` that occurs in `text`, from 0 to 1; 0 when `wanted` is empty.
pub fn overlap(terms: &[String], text: &str) -> f32 {
    if terms.is_empty() {
        return 0.0;
    }
    let present: HashSet<String> = words(text).map(|word| stem(&word).to_owned()).collect();
    terms.iter().filter(|term| present.contains(*term)).count() as f32 / terms.len() as f32
}

/// The positions in `text` of words whose stem is in `wanted`: byte offsets, ascending.
pub(crate) fn positions(terms: &[String], text: &str) -> Vec<usize> {
    let mut positions = Vec::new();
    let mut start = None;
    for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
        match (character.is_alphanumeric(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                let word = text[from..at].to_lowercase();
                if terms.iter().any(|term| term == stem(&word)) {
                    positions.push(from);
                }
                start = None;
            }
            _ => {}
        }
    }
    positions
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Endings of English and German words, apart from a lone `s`.
const ENDINGS: [&str; 14] =
    ["ations", "ation", "ings", "ing", "ies", "ied", "ie", "ers", "er", "ed", "es", "en", "e", "y"];

/// Removes a common English or German ending of a word and keeps at least four bytes. Then removes an `s`, which is the
/// plural of a short word ("fees") or belongs to a word that another form has with an ending ("Preis", "Preise"). Does not
/// make a function word of another word ("Wasser", "was").
fn stem(word: &str) -> &str {
    let mut rests = ENDINGS.iter().filter_map(|ending| word.strip_suffix(*ending));
    let rest = rests.find(|rest| rest.len() >= 4).unwrap_or(word);
    let is_stem = |short: &&str| short.len() >= 4 || short.len() == 3 && !short.ends_with('s');
    let short = rest.strip_suffix('s').filter(is_stem);
    short.filter(|short| !IGNORED.contains(*short)).unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn function_words_are_dropped_and_forms_of_one_word_meet() {
        assert_eq!(terms("How do I install the packages?"), ["install", "packag"]);
        assert_eq!(overlap(&terms("installing a package"), "Packages are installed with apt."), 1.0);
        assert_eq!(overlap(&terms("Wie installiere ich Pakete?"), "apt installiert ein Paket"), 0.5);
    }

    #[test]
    fn forms_with_s_meet() {
        for (left, right) in [
            ("fee", "fees"),
            ("DVD", "DVDs"),
            ("address", "addresses"),
            ("process", "processes"),
            ("pass", "passes"),
            ("Preis", "Preise"),
            ("Ausweis", "Ausweise"),
            ("Kurs", "Kurse"),
            ("Haus", "Hauses"),
        ] {
            assert_eq!(terms(left), terms(right), "{left} {right}");
        }
        for (word, other) in [("Wasser", "was"), ("Wiese", "wie"), ("pass", "pas")] {
            assert!(overlap(&terms(word), other) < 0.5, "{word} {other}");
        }
    }

    #[test]
    fn positions_point_at_the_words() {
        assert_eq!(positions(&terms("cookies"), "The cookie, and cookies"), [4, 16]);
    }
}

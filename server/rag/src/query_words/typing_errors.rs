//! Corrects typing errors and missing accents of a question by the words of the passages that were found.

use std::collections::{HashMap, HashSet};

use super::{without_elision, words};
use crate::accents;

/// Minimum letters of an unknown word that may be a typing error.
const CORRECTED_LETTERS: usize = 5;
/// Minimum letters of an unknown word that may lack its accents.
const ACCENTED_LETTERS: usize = 3;
/// Minimum letters of a word that may have two errors.
const LONG_LETTERS: usize = 8;

/// Corrects typing errors: replaces each `unknown` word, given by its position, by the word of `texts` with nearly the
/// same spelling. Words without one stay, and of words that `is_word` knows only missing accents are corrected.
pub fn corrected<'a>(
    question: &str,
    unknown: &HashSet<usize>,
    texts: impl Iterator<Item = &'a str>,
    is_word: impl Fn(&str) -> bool,
) -> String {
    let words = words(question);
    let unknown = words.iter().enumerate().filter(|(word, _)| unknown.contains(word));
    let unknown = unknown.map(|(word, unknown_word)| Unknown::new(&unknown_word.text, word, &is_word));
    let corrections = corrections(&unknown.flatten().collect::<Vec<_>>(), texts);
    let mut place = 0;
    let correct = |raw: &str| {
        if raw.trim_matches(|mark: char| !mark.is_alphanumeric()).is_empty() {
            return raw.to_owned();
        }
        let correction = corrections.get(&place);
        place += 1;
        let replace = |meant: &String| raw.to_lowercase().replace(without_elision(&words[place - 1].text), meant);
        correction.map_or_else(|| raw.to_owned(), replace)
    };
    if corrections.is_empty() {
        return question.to_owned();
    }
    question.split_whitespace().map(correct).collect::<Vec<_>>().join(" ")
}

/// A word of a question that no passage has.
struct Unknown {
    word: usize,
    letters: Vec<char>,
    most_errors: usize,
}

impl Unknown {
    fn new(text: &str, word: usize, is_word: impl Fn(&str) -> bool) -> Option<Self> {
        let text = without_elision(text);
        let letters: Vec<char> = accents::without(text).chars().collect();
        let may_be_misspelt = text.chars().all(char::is_alphabetic) && text.chars().count() >= ACCENTED_LETTERS;
        let most_errors = if is_word(text) { 0 } else { most_errors(letters.len()) };
        may_be_misspelt.then_some(Self { word, letters, most_errors })
    }
}

/// The corrections, by the position of each unknown word. A missing accent is no error, so that the word with its accents
/// is found first: `receção` for `rececao`. The first letter is never an error: those are rare, and "night" is not "eight".
fn corrections<'a>(unknown: &[Unknown], texts: impl Iterator<Item = &'a str>) -> HashMap<usize, String> {
    let mut best: HashMap<usize, (usize, String)> = HashMap::new();
    let mut words_so_far = HashSet::new();
    for text in texts.filter(|_| !unknown.is_empty()) {
        for raw in text.split(|mark: char| !mark.is_alphabetic()).filter(|raw| raw.len() >= ACCENTED_LETTERS) {
            let text_word = raw.to_lowercase();
            if !words_so_far.insert(text_word.clone()) {
                continue;
            }
            let letters: Vec<char> = accents::without(&text_word).chars().collect();
            for Unknown { word, letters: wrong, most_errors } in unknown {
                let least = best.get(word).map(|(distance, _)| *distance);
                let most = least.map_or(*most_errors, |least| least.saturating_sub(1));
                let nearer = match () {
                    () if *wrong == letters => (least != Some(0)).then_some(0),
                    () if wrong.first() != letters.first() => None,
                    () => distance(wrong, &letters, most),
                };
                if let Some(distance) = nearer {
                    best.insert(*word, (distance, text_word.clone()));
                }
            }
        }
    }
    best.into_iter().map(|(word, (_, text))| (word, text)).collect()
}

/// Whether two texts have the same words in the same order, apart from typing errors.
pub(crate) fn have_same_words(left: &str, right: &str) -> bool {
    let (left, right) = (words(left), words(right));
    left.len() == right.len() && left.iter().zip(&right).all(|(left, right)| is_same(&left.text, &right.text))
}

/// Whether two words are the same, apart from typing errors. Two numbers are not, and neither are words with different
/// first letters, which may be opposites: `einen` and `keinen`, `available` and `unavailable`.
fn is_same(left: &str, right: &str) -> bool {
    if left == right {
        return true;
    }
    let [left, right] = [left, right].map(|word| word.chars().collect::<Vec<char>>());
    let shorter = left.len().min(right.len());
    let may_be_misspelt = shorter >= CORRECTED_LETTERS
        && left.first() == right.first()
        && left.iter().chain(&right).all(|letter| letter.is_alphabetic());
    may_be_misspelt && distance(&left, &right, most_errors(shorter)).is_some()
}

/// Maximum typing errors of a word with this many letters.
fn most_errors(letters: usize) -> usize {
    match letters {
        0..CORRECTED_LETTERS => 0,
        CORRECTED_LETTERS..LONG_LETTERS => 1,
        _ => 2,
    }
}

/// The edit distance (optimal string alignment): letters missing, added, wrong or swapped with their neighbour; `None`
/// when it is above `most`.
fn distance(left: &[char], right: &[char], most: usize) -> Option<usize> {
    if left.len().abs_diff(right.len()) > most || most == 0 {
        return None;
    }
    let mut rows = [vec![0; right.len() + 1], (0..=right.len()).collect(), vec![0; right.len() + 1]];
    for (i, letter) in left.iter().enumerate() {
        let [before, last, row] = &mut rows;
        row[0] = i + 1;
        for (j, other) in right.iter().enumerate() {
            let changed = last[j] + usize::from(letter != other);
            row[j + 1] = changed.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *letter == right[j - 1] && left[i - 1] == *other {
                row[j + 1] = row[j + 1].min(before[j - 1] + 1);
            }
        }
        if row.iter().min().is_some_and(|least| *least > most) {
            return None;
        }
        rows.rotate_left(1);
    }
    Some(rows[1][right.len()]).filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_typing_errors_have_the_same_words() {
        assert!(have_same_words("qouta für benuzer ändern", "Quota für Benutzer ändern."));
        assert!(!have_same_words("Is the library open?", "The library is open."));
        assert!(!have_same_words("quota ändern", "quota ändern mit edquota"));
        assert!(!have_same_words("Is it 12?", "Is it 13?") && !have_same_words("port 50000", "port 50001"));
        assert!(!have_same_words("parking available?", "Parking unavailable."));
        assert!(!have_same_words("Man darf einen Hund mitbringen?", "Man darf keinen Hund mitbringen."));
    }

    #[test]
    fn a_typing_error_finds_the_word_that_was_meant() {
        let texts = ["The library is open. A password, a member, the brewery."];
        let of = |question: &str, unknown: &[usize]| {
            corrected(question, &unknown.iter().copied().collect(), texts.into_iter(), |_| false)
        };
        assert_eq!(
            of("Wich pasword has the Libary, memeber?", &[0, 1, 4, 5]),
            "Wich password has the library, member?"
        );
        assert_eq!(of("Is the  libary - ope?", &[2, 3]), "Is the library - ope?");
        assert_eq!(of("Is the  zzzzz open?", &[2]), "Is the  zzzzz open?");
        assert_eq!(of("Is the libary open?", &[]), "Is the libary open?");
        assert_eq!(of("Is an assword an amember?", &[2, 4]), "Is an assword an amember?", "the first letter is right");
        let texts = ["Open within the hour."];
        let of = |is_word: bool| corrected("Withon an hour", &HashSet::from([0]), texts.into_iter(), |_| is_word);
        assert_eq!([of(false), of(true)], ["within an hour", "Withon an hour"]);
    }

    #[test]
    fn letters_that_changed_places_are_one_error() {
        let distance = |left: &str, right: &str, most| {
            super::distance(&left.chars().collect::<Vec<_>>(), &right.chars().collect::<Vec<_>>(), most)
        };
        assert_eq!(distance("wihtout", "without", 2), Some(1));
        assert_eq!(distance("borow", "borrow", 1), Some(1));
        assert_eq!(distance("certian", "certain", 1), Some(1));
        assert_eq!(distance("plain", "plane", 1), None);
        assert_eq!(distance("same", "same", 0), None);
    }

    #[test]
    fn a_word_without_its_accents_is_the_one_with_them() {
        let texts = ["La réservation du prêt. L'abonnement, la receção, el año, die Größe."];
        for (question, word, expected) in [
            ("fecha a rececao?", 2, "fecha a receção?"),
            ("prolonger un pret", 2, "prolonger un prêt"),
            ("cada ano", 1, "cada año"),
            ("welche Grosse?", 1, "welche größe?"),
            ("la reservatoin", 1, "la réservation"),
            ("l'abonement ?", 0, "l'abonnement ?"),
            ("prix de l\u{2019}abonement", 2, "prix de l\u{2019}abonnement"),
            ("un pre", 1, "un pre"),
            ("en mai", 1, "en mai"),
        ] {
            assert_eq!(
                corrected(question, &HashSet::from([word]), texts.into_iter(), |word| word == "grosse"),
                expected,
                "{question}"
            );
        }
    }
}

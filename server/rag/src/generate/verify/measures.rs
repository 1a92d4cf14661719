//! Numbers with their units: where a passage says "30 days", "30 weeks" is invented, and so is "5 dollars" for "5 euros".

use std::{ops::Range, sync::LazyLock};

use crate::generate::language::Language;
use crate::generate::numbers::numbers;

static TIMES: LazyLock<Vec<&str>> = LazyLock::new(|| units(include_str!("../../../asked/times.txt")));
static CURRENCIES: LazyLock<Vec<&str>> = LazyLock::new(|| units(include_str!("../../../asked/currencies.txt")));
/// Minimum letters of a unit that may be the last part of a word: `Werktage`.
const LAST_PART: usize = 4;
/// Words behind a time of day.
const CLOCK: [&str; 3] = ["am", "pm", "uhr"];
/// Maximum letters of a currency before its number: `EUR 5`.
const BEFORE: usize = 3;
/// Words behind a number that may be its unit: "5 working days".
const BEHIND: usize = 2;

/// A number of a text.
#[derive(Debug)]
pub(super) struct Measure {
    form: String,
    /// Its unit of time and its currency, as places in the lists.
    time: Option<usize>,
    currency: Option<usize>,
}

impl Measure {
    /// Whether its units are those of the same number among `known`, as far as that has any. A number that is not among
    /// them has no other unit.
    pub(super) fn stands(&self, measures: &[&Self]) -> bool {
        let others: Vec<&Self> = measures.iter().copied().filter(|other| other.form == self.form).collect();
        others.is_empty()
            || others.iter().any(|other| agree(self.time, other.time))
                && others.iter().any(|other| agree(self.currency, other.currency))
    }
}

fn agree(own: Option<usize>, other: Option<usize>) -> bool {
    own.is_none() || other.is_none() || own == other
}

/// The units of a list, each as the words for it.
fn units(list: &'static str) -> Vec<&'static str> {
    list.lines().filter(|line| !line.starts_with('#')).collect()
}

/// Whether a number of a text in lower case is an amount of time or money, or a time of day.
pub(super) fn is_amount(text: &str, at: &Range<usize>) -> bool {
    let Measure { time, currency, .. } = measure(text, at, String::new());
    let next = text[at.end..].split_whitespace().next().unwrap_or_default();
    let is_clock = text[at.clone()].contains(':') || CLOCK.contains(&next.trim_end_matches(['?', '.', ',']));
    time.is_some() || currency.is_some() || is_clock
}

/// The numbers of a text, which is as [`super::evidence::plain`] returns it.
pub(super) fn measures(text: &str, language: &Language) -> Vec<Measure> {
    let digits = numbers(text).into_iter().map(|number| (number.at, number.form));
    let spelled = words_at(text).filter_map(|(at, word)| Some((at, language.number(word)?.to_string())));
    digits.chain(spelled).map(|(at, form)| measure(text, &at, form)).collect()
}

fn measure(text: &str, at: &Range<usize>, form: String) -> Measure {
    let has_digit = |word: &str| word.contains(|mark: char| mark.is_ascii_digit());
    let clause = text[at.end..].split([',', ';', ':', '.', '!', '?', '(', ')', '|', '"']).next().unwrap_or_default();
    let behind = clause.split([' ', '-']).filter(|word| !word.is_empty()).take_while(|word| !has_digit(word));
    let behind: Vec<&str> = behind.take(BEHIND).collect();
    let before = text[..at.start].trim_end().rsplit([' ', '(', '-']).next();
    let before = before.filter(|word| word.chars().count() <= BEFORE);
    Measure {
        form,
        time: unit(&TIMES, behind.iter().copied()),
        currency: unit(&CURRENCIES, before.into_iter().chain(behind.iter().copied())),
    }
}

/// The place of the first unit among these words.
fn unit<'a>(units: &[&str], mut words: impl Iterator<Item = &'a str>) -> Option<usize> {
    let is_form = |word: &str, form: &str| word == form || form.chars().count() >= LAST_PART && word.ends_with(form);
    words.find_map(|word| units.iter().position(|forms| forms.split(' ').any(|form| is_form(word, form))))
}

/// The words of a text with their byte ranges.
fn words_at(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut start = 0;
    text.split(|mark: char| !mark.is_alphanumeric()).map(move |word| {
        let at = start..start + word.len();
        start = at.end + text[at.end..].chars().next().map_or(0, char::len_utf8);
        (at, word)
    })
}

#[cfg(test)]
mod tests {
    use super::{super::evidence::plain, *};

    /// Whether the passage supports each number of a sentence.
    fn stands(sentence: &str, passage: &str, code: &str) -> bool {
        let of = |text: &str| measures(&plain(text), Language::of(code));
        let passage_measures = of(passage);
        let passage_measures: Vec<&Measure> = passage_measures.iter().collect();
        of(sentence).iter().all(|measure| measure.stands(&passage_measures))
    }

    #[test]
    fn a_number_with_another_unit_is_invented() {
        for (sentence, passage, code) in [
            ("Within 30 weeks.", "Within 30 days.", "en"),
            ("It takes three months.", "It takes 3 days.", "en"),
            ("A 12-day warranty.", "A 12-month warranty.", "en"),
            ("It costs 4.90 dollars.", "It costs 4,90 euros.", "en"),
            ("It costs $5.", "It costs €5.", "en"),
            ("Das dauert 5 Wochen.", "Das dauert 5 Werktage.", "de"),
            ("Das kostet 5 Cent.", "Das kostet EUR 5.", "de"),
            ("Il faut 3 semaines.", "Il faut 3 jours ouvrables.", "fr"),
        ] {
            assert!(!stands(sentence, passage, code), "{sentence}");
            assert!(stands(passage, passage, code), "{passage}");
        }
    }

    #[test]
    fn the_same_unit_in_another_form_is_known() {
        for (sentence, passage, code) in [
            ("It takes 5 days.", "It takes five working days.", "en"),
            ("£48 for a chain.", "A chain is 48 pounds.", "en"),
            ("Nach 3 Tagen.", "Der Versand dauert drei Tage.", "de"),
            ("5 € pro Stunde", "5 Euro in der Stunde", "de"),
            ("Children under 6 years.", "Children under 6.", "en"),
            ("The price is 249 euros.", "| Aurelia | 249 |", "en"),
            ("Rent is due 3 days later.", "Loans last 2 weeks. Pay within 3 days.", "en"),
            ("Wait 2 hours or 30 minutes.", "Wait 2 hours, or for 30 minutes.", "en"),
            ("Bus 4 stops here.", "4 euros", "en"),
        ] {
            assert!(stands(sentence, passage, code), "{sentence}");
        }
    }
}

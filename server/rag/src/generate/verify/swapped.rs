//! Detects sentences that give a number of the passage to another word: "80 for HTTPS and 443 for HTTP" where the passage
//! says the reverse.

use crate::generate::language::{Language, words};

/// A word that carries meaning, or a number.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Word {
    text: String,
    is_number: bool,
}

/// Whether a sentence has the numbers of `original` at other words; `None` when it has fewer than two numbers or other words
/// than `original`. Counts only words that both have once, and only if both have words and numbers in the same order,
/// because in another order a number may belong to the word on its other side.
pub(super) fn is_swapped(sentence: &str, original: &str, language: &Language) -> Option<bool> {
    let sentence_words = read(sentence, language);
    if sentence_words.iter().filter(|word| word.is_number).count() < 2 {
        return None;
    }
    let original_words = read(original, language);
    if !sentence_words.iter().all(|word| original_words.contains(word)) {
        return None;
    }
    let count = |words: &[Word], word: &Word| words.iter().filter(|other| *other == word).count();
    let is_single = |word: &&Word| count(&sentence_words, word) == 1 && count(&original_words, word) == 1;
    let single = |words: &[Word]| words.iter().filter(is_single).cloned().collect::<Vec<Word>>();
    let (sentence_words, original_words) = (single(&sentence_words), single(&original_words));
    let is_alike =
        sentence_words.iter().map(|word| word.is_number).eq(original_words.iter().map(|word| word.is_number));
    let mut numbers = sentence_words.iter().filter(|word| word.is_number);
    Some(is_alike && numbers.any(|number| is_moved(around(&sentence_words, number), around(&original_words, number))))
}

/// Whether no word next to a number is next to it in the original, although both have one on the same side.
fn is_moved(sentence_sides: [&[Word]; 2], original_sides: [&[Word]; 2]) -> bool {
    let sides = || sentence_sides.into_iter().zip(original_sides);
    let keeps_word = sides().any(|(own, other)| own.iter().any(|word| other.contains(word)));
    !keeps_word && sides().any(|(own, other)| !own.is_empty() && !other.is_empty())
}

/// The words before and after a number, up to the next numbers.
fn around<'a>(words: &'a [Word], number: &Word) -> [&'a [Word]; 2] {
    let at = words.iter().position(|word| word == number).unwrap_or_default();
    let before = words[..at].iter().rposition(|word| word.is_number).map_or(0, |other| other + 1);
    let behind = &words[at + 1..];
    let after = behind.iter().position(|word| word.is_number).unwrap_or(behind.len());
    [&words[before..at], &behind[..after]]
}

/// Words are compared as they are written: HTTP and HTTPS have the same stem.
fn read(text: &str, language: &Language) -> Vec<Word> {
    let word = |text: String| {
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit()) || language.number(&text).is_some();
        (is_number || !language.is_function_word(&text)).then_some(Word { text, is_number })
    };
    words(text).filter_map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PORTS: &str = "The server listens on port 80 for HTTP and on port 443 for HTTPS.";
    const PRICES: &str = "Adults pay 5 euros and children 3 euros.";
    const LOANS: &str = "Magazines are lent for one week, books for three weeks, films for two weeks.";

    fn swapped(sentence: &str, original: &str) -> Option<bool> {
        is_swapped(sentence, original, Language::of("en"))
    }

    #[test]
    fn a_number_at_another_word_is_swapped() {
        for (original, sentence) in [
            (PORTS, "Port 80 is for HTTPS and 443 for HTTP."),
            (PORTS, "Port 443 is for HTTP and port 80 for HTTPS."),
            (PRICES, "Adults pay 3 euros and children 5 euros."),
            (PRICES, "Children pay 5 euros, adults 3."),
            (LOANS, "Books are lent for two weeks, films for three weeks."),
        ] {
            assert_eq!(swapped(sentence, original), Some(true), "{sentence}");
        }
    }

    #[test]
    fn the_same_values_in_another_order_are_not_swapped() {
        for (original, sentence) in [
            (PORTS, "443 is for HTTPS, port 80 for HTTP."),
            (PORTS, "HTTP: 80, HTTPS: 443."),
            (PRICES, "Children pay 3 euros, adults 5."),
            (PRICES, "5 euros for adults, 3 for children."),
            (LOANS, "Films are lent for two weeks, books for three weeks."),
            ("Closed on 24.12.2026.", "Closed on 2026-12-24."),
        ] {
            assert_eq!(swapped(sentence, original), Some(false), "{sentence}");
        }
    }

    #[test]
    fn other_words_and_single_numbers_are_not_compared() {
        assert_eq!(swapped("Adults in the sauna pay 3 euros, children 5.", PRICES), None);
        assert_eq!(swapped("Adults pay 3 euros.", PRICES), None);
    }
}

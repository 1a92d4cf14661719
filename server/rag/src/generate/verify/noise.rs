//! Removes what models write around their sentences: references, repeated headings, invisible characters.

use super::evidence::plain;
use crate::{
    chunk::innermost,
    generate::language::{Language, all, words},
    letter_case::capitalised,
    retrieve::Candidate,
};

/// The text without "According to [1]," and "Passage 1:" at its beginning.
pub(super) fn without_reference(text: &str, language: &Language) -> String {
    let lower = text.to_lowercase();
    for reference_language in [language, &all()[0]] {
        for according in &reference_language.words.according {
            let Some(rest) = lower.strip_prefix(according.as_str()) else { continue };
            let Some((reference, _)) = rest.split_once(',') else { continue };
            let mut others = words(reference).filter(|word| word.parse::<u8>().is_err());
            let is_reference = others.all(|word| is_reference_word(&word, reference_language));
            let at = according.len() + reference.len() + 1;
            if let Some(rest) = text.get(at..).filter(|_| is_reference && lower.len() == text.len()) {
                return capitalised(rest.trim_start());
            }
        }
    }
    let label = text.split_once(':').filter(|(label, rest)| {
        let mut parts = words(label);
        let is_label = parts.next().is_some_and(|word| language.words.passage.contains(&word));
        is_label && parts.all(|word| word.parse::<u8>().is_ok()) && !rest.trim().is_empty()
    });
    label.map_or_else(|| text.to_owned(), |(_, rest)| rest.trim_start().to_owned())
}

/// The headings of a passage in the forms that a model may repeat.
pub(super) fn headings(passage: &Candidate) -> Vec<String> {
    let innermost = innermost(&passage.heading);
    let both = format!("{} - {innermost}", passage.title);
    let all = [passage.title.as_str(), passage.heading.as_str(), innermost, both.as_str()].into_iter();
    let inner = passage.content.lines().filter(|line| line.starts_with('#'));
    let all = all.chain(inner.map(|line| line.trim_start_matches('#')));
    all.map(|heading| plain(heading.trim_matches(|mark: char| !mark.is_alphanumeric())))
        .filter(|heading| !heading.is_empty())
        .collect()
}

fn is_reference_word(word: &str, language: &Language) -> bool {
    language.words.passage.iter().any(|label| label == word) || language.stems(word).is_empty()
}

/// Removes invisible characters, which can hide or reverse words.
pub(super) fn visible(text: &str) -> String {
    let is_hidden = |mark: char| {
        matches!(mark, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}')
            || mark.is_control() && !mark.is_whitespace()
    };
    text.chars().filter(|mark| !is_hidden(*mark)).collect()
}

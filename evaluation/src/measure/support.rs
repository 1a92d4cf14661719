//! Measures whether sources support the sentences of an answer, and whether its citations are right, by shared words
//! and numbers only and independently of the platform's own verification.

use rag::block::parts;

use server::service::answers::Measured;

/// Minimum share of a sentence's words in a passage that supports it.
const SUPPORT: f32 = 0.5;
/// How much less than the best passage a cited one may have.
const TIE: f32 = 0.1;
/// Letters of a word's beginning that are compared.
const STEM: usize = 5;
/// Letters of the shortest word that counts.
const SHORTEST: usize = 4;

/// The sentences of an answer, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Sentences {
    /// Sentences with a statement.
    pub count: usize,
    /// Sentences that a source supports.
    pub supported: usize,
    /// Sentences with a citation.
    pub cited: usize,
    /// Sentences whose citation refers to a passage that supports them as well as any.
    pub rightly: usize,
}

impl Sentences {
    /// Counts the sentences of an answer.
    pub(super) fn of(answer: &Measured) -> Self {
        let sources: Vec<Vec<String>> = answer.sources.iter().map(|source| words(source)).collect();
        let mut counted = Self::default();
        for part in statements(&answer.text) {
            let part = part.as_str();
            let cited: Vec<usize> = answer
                .citations
                .iter()
                .filter(|citation| part.contains(&citation.marker))
                .map(|citation| citation.source_index)
                .collect();
            let mut text = part.to_owned();
            for citation in &answer.citations {
                text = text.replace(&citation.marker, " ");
            }
            let sentence = words(&text);
            // Headings, announcements and the like make no statement.
            if sentence.len() < 2 || part.trim_start().starts_with('#') || text.trim_end().ends_with(':') {
                continue;
            }
            let shares: Vec<f32> = sources.iter().map(|source| share(&sentence, source)).collect();
            let best = shares.iter().copied().fold(0.0, f32::max);
            let is_right =
                |at: &usize| shares.get(*at).is_some_and(|share| *share >= SUPPORT.min(best) && *share >= best - TIE);
            counted.count += 1;
            counted.supported += usize::from(best >= SUPPORT);
            counted.cited += usize::from(!cited.is_empty());
            counted.rightly += usize::from(!cited.is_empty() && best >= SUPPORT && cited.iter().any(is_right));
        }
        counted
    }

    /// Adds those of another answer.
    pub(super) fn add(&mut self, other: Self) {
        self.count += other.count;
        self.supported += other.supported;
        self.cited += other.cited;
        self.rightly += other.rightly;
    }
}

/// The sentences, items and blocks of a text, without code. Markers behind the end of a sentence belong to it.
fn statements(text: &str) -> Vec<String> {
    let mut statements: Vec<String> = Vec::new();
    for part in parts(text) {
        let trimmed = part.trim_start();
        if trimmed.starts_with("```") {
            continue;
        }
        let markers = markers_length(trimmed);
        if let Some(before) = statements.last_mut() {
            before.push_str(&trimmed[..markers]);
        }
        let from = if statements.is_empty() { 0 } else { markers };
        statements.push(trimmed[from..].to_owned());
    }
    statements
}

/// The length of the markers that a text begins with.
fn markers_length(text: &str) -> usize {
    let mut length = 0;
    loop {
        let rest = text[length..].trim_start_matches(' ');
        let digits = rest.strip_prefix('[').map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
        if digits == 0 || !rest[1 + digits..].starts_with(']') {
            return length;
        }
        length = text.len() - rest.len() + digits + 2;
    }
}

/// The beginnings of the words that carry meaning, and the numbers.
fn words(text: &str) -> Vec<String> {
    text.split(|mark: char| !mark.is_alphanumeric())
        .filter(|word| word.chars().count() >= SHORTEST || word.contains(|mark: char| mark.is_ascii_digit()))
        .map(|word| word.to_lowercase().chars().take(STEM).collect())
        .collect()
}

/// The part of a sentence's words that a passage has; none when a number of the sentence is not in it.
fn share(sentence: &[String], source: &[String]) -> f32 {
    let is_number = |word: &&String| word.bytes().all(|byte| byte.is_ascii_digit());
    if sentence.iter().filter(is_number).any(|number| !source.contains(number)) {
        return 0.0;
    }
    let in_source = sentence.iter().filter(|word| source.contains(word)).count();
    in_source as f32 / sentence.len().max(1) as f32
}

#[cfg(test)]
mod tests {
    use contract::widget::{Citation, Confidence};

    use super::*;

    fn counted(text: &str) -> Sentences {
        let cite = |marker: &str, source_index| Citation { marker: marker.to_owned(), source_index };
        Sentences::of(&Measured {
            text: text.to_owned(),
            confidence: Confidence::High,
            answered_by: None,
            sources: vec!["On Mondays the library opens at nine.".into(), "A card costs 5 euros a year.".into()],
            citations: vec![cite("[1]", 0), cite("[2]", 1)],
            usage: None,
            is_refused: false,
        })
    }

    #[test]
    fn sentences_are_held_against_what_they_cite() {
        let text = "The library opens at nine on Mondays [1]. A card costs 5 euros a year [1]. Whales sing in the deep ocean. It \
                    costs 9 euros a year for children [2].";
        assert_eq!(counted(text), Sentences { count: 4, supported: 2, cited: 3, rightly: 1 });
    }

    #[test]
    fn a_marker_behind_a_sentence_belongs_to_it() {
        let text = "The library opens at nine on Mondays. [1] A card costs 5 euros a year. [2]";
        assert_eq!(counted(text), Sentences { count: 2, supported: 2, cited: 2, rightly: 2 });
    }

    #[test]
    fn code_is_no_sentence_and_its_marker_none() {
        let text = "The library opens at nine on Mondays [1].\n\n```\nlibrary --open nine\n```\n\n[1]";
        assert_eq!(counted(text), Sentences { count: 1, supported: 1, cited: 1, rightly: 1 });
    }
}

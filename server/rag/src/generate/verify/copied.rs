//! Detects what a model copies or repeats instead of answering: headings, labels of the prompt, lists of sources, its
//! own sentences.

use super::{
    Verification,
    evidence::plain,
    segments::{Kind, Segment},
};
use crate::{
    generate::language::{all, words},
    query_words::have_same_words,
};

/// Repeated sentences after which the model is stopped.
const REPETITIONS: usize = 2;
/// Sentences that are remembered to detect repetitions.
const REMEMBERED: usize = 50;

impl Verification<'_> {
    /// Whether a segment is not a sentence: a repeated heading, a label of the prompt, a list of sources.
    pub(super) fn is_no_sentence(&mut self, segment: &Segment, text: &str, indices: &[usize]) -> bool {
        let words = text.trim_matches(|mark: char| !mark.is_alphanumeric());
        if words.is_empty() {
            return segment.kind != Kind::Row;
        }
        let lower = plain(words);
        let is_line = segment.is_line && segment.kind != Kind::Row;
        if is_line && self.headings.contains(&lower) {
            self.note_heading(words);
            return true;
        }
        let question = self.input.language.prompt.question.trim_end_matches([':', ' ']).to_lowercase();
        if lower.starts_with(&format!("{question}:"))
            || lower.starts_with("question:")
            || have_same_words(words, self.input.question)
        {
            // The model repeats the question, or goes on with one of its own.
            self.stopped |= self.answer.is_started;
            return true;
        }
        let label = lower.split(':').next().unwrap_or(&lower).trim();
        let is_list = all().iter().any(|language| language.words.lists.iter().any(|list| list == label));
        if is_list && (lower.contains(':') || segment.is_line || !indices.is_empty()) && !self.is_quoted(text) {
            // A list of titles follows such a label.
            self.stopped |= self.answer.is_started && segment.is_line;
            return true;
        }
        false
    }

    /// Counts the headings that the model repeats.
    pub(super) fn note_heading(&mut self, heading: &str) {
        let is_known = self.headings.contains(&plain(heading.trim_matches(|mark: char| !mark.is_alphanumeric())));
        self.repeated_headings += usize::from(is_known);
        // A model that copies a second passage copies all of them.
        self.stopped |= self.repeated_headings > 1 && self.answer.is_started;
    }

    /// Whether the sentence was said before, or repeats the same words over and over.
    pub(super) fn is_repeated(&mut self, text: &str) -> bool {
        let words: Vec<String> = words(text).collect();
        let joined = words.join(" ");
        let is_loop = (0..words.len().saturating_sub(2)).any(|at| {
            let row = &words[at..at + 3];
            words.windows(3).filter(|window| *window == row).count() > 3
        });
        let is_known = words.len() > 2 && self.answer.sentences.contains(&joined);
        if is_loop || is_known {
            self.repetitions += 1;
            self.stopped |= is_loop || self.repetitions > REPETITIONS;
            return true;
        }
        if self.answer.sentences.len() == REMEMBERED {
            self.answer.sentences.remove(0);
        }
        self.answer.sentences.push(joined);
        false
    }
}

//! Combines the verified sentences of an answer with their markers.

use super::segments::{Kind, Segment};
use crate::citation::Citation;

/// The answer as far as it was accepted.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// Words that are released with the next verified sentence: announcements and phrases without content.
    pub(super) waiting: Vec<(String, String)>,
    /// White space since the last verified sentence.
    gap: String,
    pub(super) is_started: bool,
    pub(super) citations: Vec<Citation>,
    /// The verified sentence, while there is only one.
    pub(super) only: Option<String>,
    /// The sentences so far, to detect loops.
    pub(super) sentences: Vec<String>,
}

impl Draft {
    /// Stores the white space before the next segment.
    pub(super) fn follow(&mut self, lead: &str) {
        let blank: String = lead.chars().take_while(|mark| mark.is_whitespace()).collect();
        let lines = |text: &str| text.matches('\n').count();
        if lines(&blank) > lines(&self.gap) || self.gap.is_empty() {
            self.gap = blank;
        }
    }

    /// The text of a verified segment, preceded by the waiting words.
    pub(super) fn accept(&mut self, segment: &Segment, text: &str, cited: &[usize]) -> String {
        let mut whole = String::new();
        let is_words = matches!(segment.kind, Kind::Sentence | Kind::Item);
        self.only = (is_words && !self.is_started).then(|| text.to_owned());
        let mut text = with_markers(text, cited, segment.kind);
        let mut waiting = std::mem::take(&mut self.waiting);
        if segment.kind == Kind::Code && !cited.is_empty() {
            // A block has no room for a marker; its announcement or the line below it has.
            match waiting.last_mut().filter(|(_, text)| text.ends_with(':')) {
                Some((_, announcement)) => {
                    announcement.pop();
                    announcement.push_str(&format!(" {}:", markers(cited)));
                }
                None => text.push_str(&format!("\n\n{}", markers(cited))),
            }
        }
        for (gap, waiting) in waiting {
            self.join(&mut whole, &gap, &waiting);
        }
        let gap = std::mem::take(&mut self.gap);
        let marker = segment.lead.trim_start();
        let text = format!("{marker}{text}");
        self.join(&mut whole, &gap, &text);
        for index in cited {
            let marker = format!("[{}]", index + 1);
            if !self.citations.iter().any(|citation| citation.marker == marker) {
                self.citations.push(Citation { marker, source_index: *index });
            }
        }
        whole
    }

    /// Adds a block as it is, before the words that wait. The next words begin a paragraph.
    pub(super) fn quote(&mut self, block: &str) -> String {
        let mut whole = String::new();
        self.join(&mut whole, "\n\n", block);
        let gap = self.waiting.first_mut().map_or(&mut self.gap, |(gap, _)| gap);
        "\n\n".clone_into(gap);
        whole
    }

    /// Holds words back until a sentence after them is verified.
    pub(super) fn wait(&mut self, segment: &Segment, text: String) {
        let gap = std::mem::take(&mut self.gap);
        self.waiting.push((gap, format!("{}{text}", segment.lead.trim_start())));
    }

    fn join(&mut self, whole: &mut String, gap: &str, text: &str) {
        if self.is_started {
            let gap = gap.replace('\r', "");
            match gap.matches('\n').count() {
                0 => whole.push(' '),
                1 => whole.push_str(&gap[gap.find('\n').unwrap_or(0)..]),
                _ => whole.push_str("\n\n"),
            }
        }
        self.is_started = true;
        whole.push_str(text);
    }
}

/// A sentence with the markers of its passages before its final punctuation.
fn with_markers(text: &str, cited: &[usize], kind: Kind) -> String {
    if cited.is_empty() || kind == Kind::Code {
        return text.to_owned();
    }
    let markers = markers(cited);
    let words = text.trim_end_matches(['.', '!', '?']);
    match words.ends_with(|mark: char| mark.is_alphanumeric() || matches!(mark, '`' | '%' | '€' | '$' | ')')) {
        true => format!("{words} {markers}{}", &text[words.len()..]),
        false => format!("{text} {markers}"),
    }
}

fn markers(cited: &[usize]) -> String {
    cited.iter().map(|index| format!("[{}]", index + 1)).collect()
}

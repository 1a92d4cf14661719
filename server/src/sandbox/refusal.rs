//! Reasons why a document could not be read.

use std::{io, time::Duration};

use contract::documents::DocumentProblem;
use rag::document::Unreadable;

use serde::{Deserialize, Serialize};

use super::{MAX_TEXT, MIN_CONFIDENCE};

/// Maximum characters of a reason.
const MAX_DETAIL: usize = 500;

/// The reason why there is no document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The reason in one word.
    pub problem: DocumentProblem,
    /// The details, in English.
    pub detail: String,
}

/// Why reading did not complete.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The document can never be read.
    #[error("{}", .0.detail)]
    Refused(Refusal),
    /// There was no process to read it: another attempt may work.
    #[error("no process could read a document: {0}")]
    Unavailable(io::Error),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Unreadable> for Refusal {
    fn from(reason: Unreadable) -> Self {
        let problem = reason.code().parse().unwrap_or(DocumentProblem::ReadError);
        Self { problem, detail: reason.to_string() }.tidy()
    }
}

impl Refusal {
    pub(super) fn timed_out(timeout: Duration) -> Self {
        let detail = format!("reading took longer than {} s", timeout.as_secs());
        Self { problem: DocumentProblem::TimedOut, detail }
    }

    pub(super) fn out_of_memory(bytes: u64) -> Self {
        let detail = format!("reading took more than {} MB of memory", bytes / 1_000_000);
        Self { problem: DocumentProblem::OutOfMemory, detail }
    }

    pub(super) fn too_much_text() -> Self {
        let detail = format!("the document has more than {} MB of text", MAX_TEXT / 1_000_000);
        Self { problem: DocumentProblem::TooLarge, detail }
    }

    pub(super) fn crashed() -> Self {
        Self { problem: DocumentProblem::Crashed, detail: "the file broke the program that reads it".to_owned() }
    }

    pub(super) fn low_confidence(confidence: f32) -> Self {
        let detail = format!("text recognition is {confidence:.0} % sure, and {MIN_CONFIDENCE:.0} % are needed");
        Self { problem: DocumentProblem::LowConfidence, detail }
    }

    /// `of` has the page limit: a document or an archive.
    pub(super) fn page_limit(pages: usize, of: &str) -> Self {
        let detail = format!("text is recognised on {pages} pages of {of}");
        Self { problem: DocumentProblem::PageLimit, detail }
    }

    pub(super) fn scanned() -> Self {
        Unreadable::Scanned(1).into()
    }

    /// The same as a short sentence without control characters, because the text may be untrusted.
    pub(super) fn tidy(mut self) -> Self {
        self.detail = self.detail.chars().filter(|c| !c.is_control()).take(MAX_DETAIL).collect();
        self
    }
}

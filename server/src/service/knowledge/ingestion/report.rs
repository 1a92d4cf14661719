//! The report of an ingestion.

use std::fmt;

use contract::documents::DocumentProblem;
use serde::{Deserialize, Serialize};

use crate::sandbox::Refusal;

/// The result of an ingestion; its text is a readable summary.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Documents that were new.
    pub added: usize,
    /// Documents that had changed.
    pub replaced: usize,
    /// Documents that had not changed.
    pub unchanged: usize,
    /// Documents that were removed because their file was deleted, or now duplicates another one.
    pub pruned: usize,
    /// Passages that were written.
    pub passages: usize,
    /// Blocks of HTML pages that repeat on other pages, and were left out.
    #[serde(default)]
    pub repeated: usize,
    /// Files with the same content as one before them, each with that one.
    pub duplicates: Vec<(String, String)>,
    /// Files that gave no document, each with its reason.
    pub skipped: Vec<(String, String)>,
    /// How many of the skipped files could not be read. The others have no text, or are of a kind that is not read.
    #[serde(default)]
    pub unread: usize,
    /// Sources that had a relative path for a name, each with its absolute one.
    pub renamed: Vec<(String, String)>,
    /// Documents of the chatbot that an older version of the reader created and that were not read now.
    pub outdated: i64,
    /// The duration.
    pub seconds: f64,
}

impl Report {
    /// Adds a file that gave no document.
    pub(super) fn skip(&mut self, path: String, refusal: Refusal) {
        let has_nothing_to_read = matches!(refusal.problem, DocumentProblem::UnsupportedType | DocumentProblem::NoText);
        self.unread += usize::from(!has_nothing_to_read);
        self.skipped.push((path, refusal.detail));
    }

    /// The report without characters that the database does not store: paths in archives may have some.
    pub(super) fn storable(mut self) -> Self {
        for (one, other) in self.duplicates.iter_mut().chain(&mut self.skipped).chain(&mut self.renamed) {
            for text in [one, other] {
                text.retain(|character| character != '\0');
            }
        }
        self
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            added,
            replaced,
            unchanged,
            pruned,
            passages,
            repeated,
            duplicates,
            skipped,
            unread,
            renamed,
            outdated,
            seconds,
        } = self;
        let documents = counted(*added, "document");
        write!(f, "{documents} added, {replaced} replaced, {unchanged} unchanged, {pruned} removed; ")?;
        write!(f, "{} written in {seconds:.1} s", counted(*passages, "passage"))?;
        if *passages > 0 && *seconds > 0.0 {
            #[allow(clippy::cast_precision_loss, reason = "a rate for people")]
            let rate = *passages as f64 / seconds;
            write!(f, " ({rate:.1} a second)")?;
        }
        if *repeated > 0 {
            write!(f, "\n{repeated} paragraphs and lists that repeat on other pages left out")?;
        }
        if !duplicates.is_empty() {
            write!(f, "\n{} files repeat another one:", duplicates.len())?;
        }
        for (path, first) in duplicates {
            write!(f, "\n  {path}: the same as {first}")?;
        }
        if !skipped.is_empty() {
            let unread = if *unread > 0 { format!(" ({unread} could not be read)") } else { String::new() };
            write!(f, "\n{} skipped{unread}:", counted(skipped.len(), "file"))?;
        }
        for (path, reason) in skipped {
            write!(f, "\n  {path}: {reason}")?;
        }
        for (former, name) in renamed {
            write!(f, "\nthe source {former} is {name} from now on; --prune counts for it from the next time on")?;
        }
        if *outdated > 0 {
            write!(
                f,
                "\n{outdated} other documents of the chatbot were read by an earlier version: ingest their files again"
            )?;
        }
        Ok(())
    }
}

/// A number with its noun.
fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_anything_to_read_is_not_unread() {
        let mut report = Report::default();
        for problem in [DocumentProblem::UnsupportedType, DocumentProblem::NoText, DocumentProblem::Malformed] {
            report.skip(problem.as_str().to_owned(), Refusal { problem, detail: "why".to_owned() });
        }
        assert_eq!((report.skipped.len(), report.unread), (3, 1));
        assert!(
            report.to_string().contains("\n3 files skipped (1 could not be read):\n  unsupported_type: why"),
            "{report}"
        );
    }

    #[test]
    fn one_is_not_several() {
        let skipped = vec![("a.md".to_owned(), "empty".to_owned())];
        let text = Report { added: 1, passages: 1, skipped, ..Report::default() }.to_string();
        assert!(text.starts_with("1 document added, 0 replaced"), "{text}");
        assert!(text.contains("; 1 passage written") && text.ends_with("\n1 file skipped:\n  a.md: empty"), "{text}");
        assert!(Report { added: 2, ..Report::default() }.to_string().starts_with("2 documents added"));
        assert!(Report::default().to_string().contains("; 0 passages written"));
    }
}

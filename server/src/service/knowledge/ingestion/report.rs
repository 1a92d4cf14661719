//! The report of an ingestion.

use std::fmt;

use serde::{Deserialize, Serialize};

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
    /// Sources that had a relative path for a name, each with its absolute one.
    pub renamed: Vec<(String, String)>,
    /// Documents of the chatbot that an older version of the reader created and that were not read now.
    pub outdated: i64,
    /// The duration.
    pub seconds: f64,
}

impl Report {
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
            renamed,
            outdated,
            seconds,
        } = self;
        write!(f, "{added} documents added, {replaced} replaced, {unchanged} unchanged, {pruned} removed; ")?;
        write!(f, "{passages} passages written in {seconds:.1} s")?;
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
            let files = if skipped.len() == 1 { "file" } else { "files" };
            write!(f, "\n{} {files} skipped:", skipped.len())?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_skipped_file_is_not_several() {
        let skipped = |paths: &[&str]| {
            let skipped = paths.iter().map(|path| ((*path).to_owned(), "empty".to_owned())).collect();
            Report { skipped, ..Report::default() }.to_string()
        };
        assert!(skipped(&["a.md"]).contains("\n1 file skipped:\n  a.md: empty"));
        assert!(skipped(&["a.md", "b.md"]).contains("\n2 files skipped:"));
    }
}

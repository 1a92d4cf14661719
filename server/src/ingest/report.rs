//! What an ingestion did.

use std::fmt;

/// What an ingestion did; its text is the summary for a person.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Documents that were new.
    pub added: usize,
    /// Documents that had changed.
    pub replaced: usize,
    /// Documents that had not changed.
    pub unchanged: usize,
    /// Passages that were written.
    pub passages: usize,
    /// Files that gave no document, each with its reason.
    pub skipped: Vec<(String, String)>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { added, replaced, unchanged, passages, skipped } = self;
        write!(f, "{added} documents added, {replaced} replaced, {unchanged} unchanged; {passages} passages written")?;
        if !skipped.is_empty() {
            write!(f, "; {} files skipped:", skipped.len())?;
        }
        for (path, reason) in skipped {
            write!(f, "\n  {path}: {reason}")?;
        }
        Ok(())
    }
}

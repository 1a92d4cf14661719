//! Own questions and answers from a CSV file.

use serde::{Deserialize, Serialize};

use crate::{error::FieldError, page, text_enum::text_enum, validate::Validate};

/// Maximum bytes of a file.
pub const MAX_FAQ_CSV_BYTES: usize = 4 * 1024 * 1024;
/// Maximum broken rules that one answer lists.
pub const MAX_FAQ_IMPORT_ERRORS: usize = 100;

text_enum! {
    /// What an import does with a row.
    pub enum FaqImportOutcome {
        /// The chatbot has no entry with this question: it gets one.
        Added = "added",
        /// The entry with this question gets another answer or other variants, or its question is spelled otherwise.
        Changed = "changed",
    }
}

/// Whether an imported file changes anything.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FaqImportQuery {
    /// Whether the file is only checked; `false` when absent.
    #[serde(default, deserialize_with = "page::switch")]
    pub dry_run: bool,
}

impl Validate for FaqImportQuery {}

/// A row that adds or changes an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FaqImportEntry {
    /// The line of the file on which the row begins, from 1.
    pub line: i64,
    pub question: String,
    pub outcome: FaqImportOutcome,
}

/// A row that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FaqImportError {
    /// The line of the file on which the row begins, from 1.
    pub line: i64,
    /// `question`, `variants` or `answer`; `null` when the whole row is meant.
    pub field: Option<String>,
    /// The kind of rule, machine-readable: `too_short`, `too_long`, `control_character`, `duplicate`, `too_many_columns` or
    /// `too_many`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The rule, as a sentence that follows the field's name.
    pub msg: String,
}

impl FaqImportError {
    /// This error as an error of the body, with the line as the first part of the place.
    pub fn located(self) -> FieldError {
        let line = self.line.to_string();
        let place = ["body", line.as_str()].into_iter().chain(self.field.as_deref());
        FieldError::new(place, self.msg, self.kind)
    }
}

/// What an import did, or would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FaqImport {
    /// Whether the file was only checked: nothing was changed.
    pub dry_run: bool,
    /// Entries that are new.
    pub added: i64,
    /// Entries that are changed.
    pub changed: i64,
    /// Rows that the chatbot has already, word for word.
    pub unchanged: i64,
    /// Rows that break a rule. With one of them nothing is imported.
    pub refused: i64,
    /// The rows that add or change an entry, in the order of the file.
    pub entries: Vec<FaqImportEntry>,
    /// What is wrong with rows, at most 100 errors in the order of the file.
    pub errors: Vec<FaqImportError>,
}

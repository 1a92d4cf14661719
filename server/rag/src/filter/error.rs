//! Errors in a file of rules.

/// Why the output filter's rules cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FilterError {
    #[error("output filter: {path} cannot be read: {error}")]
    Read { path: String, error: std::io::Error },
    /// The file is not valid TOML of the expected form.
    #[error("output filter: {0}")]
    File(String),
    #[error("output filter, rule `{id}`: {reason}")]
    Rule {
        /// The rule's id, or its position in the file when it has none.
        id: String,
        /// What is wrong, as part of a sentence.
        reason: String,
    },
}

impl FilterError {
    pub(super) fn rule(id: &str, reason: impl Into<String>) -> Self {
        Self::Rule { id: id.to_owned(), reason: reason.into() }
    }
}

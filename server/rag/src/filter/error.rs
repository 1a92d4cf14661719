//! Why a file of rules is refused.

/// Why the output filter's rules cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FilterError {
    #[error("output filter: {path} cannot be read: {error}")]
    Read { path: String, error: std::io::Error },
    /// The file is not the TOML that is expected.
    #[error("output filter: {0}")]
    File(String),
    #[error("output filter, rule `{id}`: {reason}")]
    Rule {
        /// The rule, or its place in the file when it has no id.
        id: String,
        /// What is wrong, as a part of a sentence.
        reason: String,
    },
}

impl FilterError {
    pub(super) fn rule(id: &str, reason: impl Into<String>) -> Self {
        Self::Rule { id: id.to_owned(), reason: reason.into() }
    }
}

//! Errors of embedding models, in this process or behind an endpoint.

/// Why texts could not be embedded.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// A file of the model folder is missing or cannot be read.
    #[error("the model's file {file} cannot be read: {reason}")]
    File {
        /// The file, with its folder.
        file: String,
        /// The message of the system or the parser.
        reason: String,
    },
    /// A fetched file differs from the pinned one.
    #[error("the model's file {file} is damaged: its sha256 is {actual}, expected is {expected}")]
    Checksum {
        /// The file, with its folder.
        file: String,
        expected: &'static str,
        actual: String,
    },
    /// The encoder rejected its input, or its computation failed.
    #[error("the model failed: {0}")]
    Encoder(#[from] encoder::Error),
    /// The endpoint is unreachable, or the connection broke.
    #[error("the embedding endpoint cannot be reached: {0}")]
    Unreachable(#[source] reqwest::Error),
    /// The endpoint returned an error status, for example 429 or 500.
    #[error("the embedding endpoint answered with status {0}")]
    Status(u16),
    /// The response was not one vector per text.
    #[error("the embedding endpoint sent {0}")]
    Malformed(&'static str),
    /// The endpoint returned a vector of norm 0 or with invalid numbers.
    #[error("the embedding endpoint sent a vector without a direction")]
    NoDirection,
    #[error("the embedding endpoint took too long")]
    Timeout,
    /// The work was interrupted, which happens only while the process ends.
    #[error("the model was interrupted")]
    Interrupted,
}

impl EmbedError {
    /// Whether the texts caused the error, so that others may succeed.
    pub fn is_of_the_texts(&self) -> bool {
        matches!(self, Self::NoDirection | Self::Status(400 | 413 | 422))
    }
}

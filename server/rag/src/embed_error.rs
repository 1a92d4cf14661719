//! Why a model in process, or its endpoint, failed.

/// Why texts could not be embedded.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// A file of the model folder is missing or cannot be read.
    #[error("the model's file {file} cannot be read: {reason}")]
    File {
        /// The file, with its folder.
        file: String,
        /// What the system or the parser said.
        reason: String,
    },
    /// A fetched file is not the one that was pinned.
    #[error("the model's file {file} is damaged: its sha256 is {found}, expected is {expected}")]
    Checksum {
        /// The file, with its folder.
        file: String,
        expected: &'static str,
        found: String,
    },
    /// The tokenizer refused a text.
    #[error("a text could not be split into tokens: {0}")]
    Tokens(String),
    /// The model's arithmetic failed.
    #[error("the model failed: {0}")]
    Model(#[from] candle_core::Error),
    /// The encoder refused its input, or its arithmetic failed.
    #[error("the model failed: {0}")]
    Encoder(#[from] encoder::Error),
    /// The endpoint cannot be reached, or the connection broke.
    #[error("the embedding endpoint cannot be reached: {0}")]
    Unreachable(#[source] reqwest::Error),
    /// The endpoint refused, for example with 429 or 500.
    #[error("the embedding endpoint answered with status {0}")]
    Status(u16),
    /// The endpoint answered with something else than one vector for each text.
    #[error("the embedding endpoint sent {0}")]
    Malformed(&'static str),
    /// The endpoint gave a text a vector of norm 0, or one that is no vector of numbers.
    #[error("the embedding endpoint sent a vector without a direction")]
    NoDirection,
    /// The endpoint took too long.
    #[error("the embedding endpoint took too long")]
    Timeout,
    /// The work was cut off, which happens only while the process ends.
    #[error("the model was interrupted")]
    Interrupted,
}

impl EmbedError {
    /// Whether the texts are to blame: others may well be embedded.
    pub fn is_of_the_texts(&self) -> bool {
        matches!(self, Self::Tokens(_) | Self::NoDirection | Self::Status(400 | 413 | 422))
    }
}

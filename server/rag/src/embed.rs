//! Texts to vectors. One trait, because a model endpoint can stand in for the model in process.

use futures::future::BoxFuture;

mod caching;
mod endpoint;
mod fetched;
mod lazy;
mod local;

pub use caching::CachingEmbedder;
pub use endpoint::{EndpointEmbedder, EndpointSettings};
pub use fetched::{ENGLISH_MODEL, MULTILINGUAL_MODEL, verify};
pub use lazy::LazyEmbedder;
pub use local::LocalEmbedder;

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

/// What a text is embedded for: some models treat questions and documents differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// A question that documents are looked for with.
    Query,
    /// A passage that is found by questions, or a sentence of one.
    Document,
}

/// What texts begin with before a model reads them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prefixes {
    pub query: String,
    pub document: String,
}

impl Prefixes {
    fn apply(&self, text: &str, purpose: Purpose) -> String {
        let prefix = match purpose {
            Purpose::Query => &self.query,
            Purpose::Document => &self.document,
        };
        format!("{prefix}{text}")
    }
}

/// Something that turns texts into vectors of one fixed length and of norm 1.
pub trait Embedder: Send + Sync {
    /// The model's name; vectors of two names must never be compared.
    fn model(&self) -> &str;

    /// How many numbers a vector has.
    fn dimensions(&self) -> usize;

    /// One vector for each text, in the order of the texts. An empty list gives an empty list.
    fn embed(&self, texts: Vec<String>, purpose: Purpose) -> BoxFuture<'_, Result<Vec<Vec<f32>>, EmbedError>>;

    /// How alike the question and each passage are token by token, in the order of the passages (see [`encoder::Encoder::likeness`]);
    /// none when the model does not tell.
    fn likeness(&self, _question: String, _passages: Vec<String>) -> Likeness<'_> {
        Box::pin(async { Ok(None) })
    }
}

/// What [`Embedder::likeness`] gives.
pub type Likeness<'a> = BoxFuture<'a, Result<Option<Vec<f32>>, EmbedError>>;

/// The cosine of two vectors of norm 1, from -1 to 1; 0 when their lengths differ.
pub fn cosine(left: &[f32], right: &[f32]) -> f32 {
    if left.len() != right.len() {
        return 0.0;
    }
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

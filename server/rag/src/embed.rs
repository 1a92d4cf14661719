//! Embeds texts as vectors. A trait, because the model may run in this process or behind an endpoint.

use futures::future::BoxFuture;

mod caching;
mod endpoint;
mod fetched;
mod lazy;
mod local;

pub use crate::embed_error::EmbedError;
pub use caching::CachingEmbedder;
pub use endpoint::{EndpointEmbedder, EndpointSettings};
pub use fetched::{ENGLISH_MODEL, MULTILINGUAL_MODEL, verify};
pub use lazy::LazyEmbedder;
pub use local::LocalEmbedder;

/// The purpose of an embedding. Some models treat questions and documents differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// A question to search documents with.
    Query,
    /// A passage that questions can find, or a sentence of one.
    Document,
}

/// Prefixes that a model expects before texts.
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

/// Turns texts into vectors of a fixed length and of norm 1.
pub trait Embedder: Send + Sync {
    /// The model's name. Vectors of different models must never be compared.
    fn model(&self) -> &str;

    /// How many numbers a vector has.
    fn dimensions(&self) -> usize;

    /// Returns one vector per text, in the order of the texts. An empty list gives an empty list.
    fn embed(&self, texts: Vec<String>, purpose: Purpose) -> BoxFuture<'_, Result<Vec<Vec<f32>>, EmbedError>>;

    /// The token-level similarity of the question and each passage, in the order of the passages (see
    /// [`encoder::Encoder::likeness`]); `None` when the model does not support it.
    fn likeness(&self, _question: String, _passages: Vec<String>) -> Likeness<'_> {
        Box::pin(async { Ok(None) })
    }

    /// The closeness of the question and each short text, in the order of the texts (see
    /// [`encoder::Encoder::closeness`]); `None` when the model does not support it.
    fn closeness(&self, _question: String, _texts: Vec<String>) -> Likeness<'_> {
        Box::pin(async { Ok(None) })
    }

    /// Whether the model's vocabulary has a word whole, which is then no typing error; false when the model does not support it, or
    /// is not loaded.
    fn has_word(&self, _word: &str) -> bool {
        false
    }
}

/// The result of [`Embedder::likeness`] and [`Embedder::closeness`].
pub type Likeness<'a> = BoxFuture<'a, Result<Option<Vec<f32>>, EmbedError>>;

/// The cosine of two vectors of norm 1, from -1 to 1; 0 when their lengths differ.
pub fn cosine(left: &[f32], right: &[f32]) -> f32 {
    if left.len() != right.len() {
        return 0.0;
    }
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

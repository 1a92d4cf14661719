//! Models of the BERT and XLM-RoBERTa families on the CPU: a text to its vector, or a question and a passage to a score.
//!
//! This is a separate crate because its inner loops are always compiled with full optimisation, unlike the other
//! crates. It reads two formats: weights as safetensors with `tokenizer.json` (WordPiece or Unigram), and the compact
//! file of `multilingual-e5-small`, which also contains its tokenizer. It handles neither folders nor threads.
#![allow(missing_docs, reason = "fields and variants whose names say what they are have no comment")]

mod arithmetic;
mod attention;
mod charsmap;
mod closeness;
mod compact_file;
mod cross_encoder;
mod encoder;
mod likeness;
mod matrix;
mod network;
mod table;
mod tensors;
mod tokenizer;
mod unigram;
mod word_piece;

pub use closeness::TokenStates;
pub use compact_file::CompactFile;
pub use cross_encoder::CrossEncoder;
pub use encoder::{Encoder, Pooling};
pub use network::{Activation, Family, Input, Shape};
pub use tensors::{Safetensors, Tensors};
pub use tokenizer::Tokenizer;

/// Why a model cannot be read or used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file is truncated or inconsistent.
    #[error("{0}")]
    Format(String),
    #[error(transparent)]
    Arithmetic(#[from] rten_gemm::GemmError),
}

impl Error {
    fn format(reason: impl Into<String>) -> Self {
        Self::Format(reason.into())
    }
}

pub type Result<T> = std::result::Result<T, Error>;

//! Sentence encoders of the BERT family on the CPU: token ids in, one vector per text out.
//!
//! This is a separate crate because its inner loops are always compiled with full optimisation, unlike the other
//! crates. It reads two formats: BERT weights as safetensors, and the compact file of `multilingual-e5-small`, which
//! also contains its tokenizer. It handles neither folders nor threads.
#![allow(missing_docs, reason = "fields and variants whose names say what they are have no comment")]

mod arithmetic;
mod attention;
mod compact_file;
mod likeness;
mod network;
mod table;
mod tensors;
mod unigram;

pub use compact_file::CompactFile;
pub use network::{Encoder, Shape};
pub use tensors::{Safetensors, Tensors};
pub use unigram::Unigram;

/// Why a model cannot be read or used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file is truncated or inconsistent.
    #[error("{0}")]
    Format(String),
    #[error(transparent)]
    Arithmetic(#[from] candle_core::Error),
}

impl Error {
    fn format(reason: impl Into<String>) -> Self {
        Self::Format(reason.into())
    }
}

pub type Result<T> = std::result::Result<T, Error>;

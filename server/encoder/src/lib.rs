//! Sentence encoders of the BERT family on the CPU: token ids in, one vector for each text out.
//!
//! A crate of its own because its inner loops are always compiled with full optimisation, which the crates around it are
//! not. It reads two formats: BERT weights as safetensors, and the compact file of `multilingual-e5-small`, which holds
//! its tokenizer, too. It knows neither folders nor threads.
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
    /// The file ends too early, or its parts contradict each other.
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

//! Documents to passages, embeddings in process, retrieval and answers.
//!
//! Everything that decides what a chatbot knows and says, without a database and without HTTP: the caller
//! stores the passages, searches them and brings the hits back. [`document`], [`discover`] and [`chunk`]
//! serve ingestion; [`embed`] serves both sides; [`retrieve`], [`rerank`], [`generate`], [`snippet`] and [`citation`]
//! turn hits into an answer, which [`filter`] lets through, masks or blocks.
#![allow(missing_docs, reason = "fields and variants whose names say what they are have no comment")]

pub mod block;
pub mod chunk;
pub mod citation;
pub mod discover;
pub mod document;
pub mod embed;
mod embed_error;
pub mod filter;
pub mod follow_up;
pub mod generate;
mod local_model;
mod model_threads;
pub mod price;
pub mod query_words;
pub mod rerank;
pub mod retrieve;
pub mod small_talk;
pub mod snippet;
pub mod terms;
mod weights;

pub use model_threads::{lower_priority, with_low_priority};

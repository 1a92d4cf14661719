//! Splits documents into passages, embeds them, ranks search results and generates answers.
//!
//! This crate needs no database and no HTTP server: the caller stores the passages, searches them and passes the hits
//! in. [`document`], [`discover`], [`repeated`] and [`chunk`] are for ingestion; [`embed`] is for both sides;
//! [`retrieve`], [`rerank`], [`generate`], [`snippet`] and [`citation`] turn hits into an answer, which [`filter`]
//! passes, masks or blocks.
#![allow(missing_docs, reason = "fields and variants whose names say what they are have no comment")]

mod accents;
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
mod letter_case;
mod local_model;
mod model_threads;
mod months;
pub mod price;
pub mod query_words;
pub mod repeated;
pub mod rerank;
pub mod retrieve;
pub mod small_talk;
pub mod snippet;
pub mod source_title;
pub mod terms;
pub mod trace;

pub use model_threads::{lower_priority, with_low_priority};

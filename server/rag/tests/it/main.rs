//! Documents, models, rerankers, generators and the output filter from outside of the crate.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by panicking and explains itself by its name")]

mod embedding_endpoint;
mod endpoint;
mod fidelity;
mod filter;
mod formats;
mod generator;
mod golden;
mod model;
mod multilingual_model;
mod pdf;
mod reading;
mod rerank;
mod tables;

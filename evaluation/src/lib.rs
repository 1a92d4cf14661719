//! Measures the platform: searches, answers and a language model, on sets of questions about many corpora.

pub mod command;
pub mod measure;

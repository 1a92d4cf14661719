//! The embedding models of chatbots, and the move to another one.

use serde::{Deserialize, Serialize};

use crate::text_enum::text_enum;

text_enum! {
    /// The languages that an embedding model understands.
    pub enum ModelLanguages {
        /// Only English.
        English = "english",
        /// Every language that a chatbot can have.
        All = "all",
    }
}

/// An embedding model of the platform.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EmbeddingModel {
    /// Its name, as in a chatbot's `embedding_model`.
    pub name: String,
    pub languages: ModelLanguages,
}

/// The embedding models that a chatbot can have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EmbeddingModels {
    pub items: Vec<EmbeddingModel>,
}

/// A move to another embedding model. The former vectors answer until all new ones are made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reindexing {
    /// The model that the chatbot moves to.
    pub embedding_model: String,
    /// Passages with a vector of that model.
    pub done: i32,
    /// All passages of the chatbot.
    pub total: i32,
}

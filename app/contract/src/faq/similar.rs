//! Entries with nearly the same question as one that is being typed.

use serde::{Deserialize, Serialize};

use super::MAX_FAQ_QUESTION;
use crate::{
    FaqId,
    error::FieldError,
    validate::{Checker, Validate},
};

/// Maximum similar entries that are returned.
pub const MAX_SIMILAR_FAQ: usize = 3;

/// The query of a search for similar entries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SimilarFaqQuery {
    /// The question, 1 to 500 characters.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 500)))]
    pub question: String,
}

impl Validate for SimilarFaqQuery {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::query();
        check.text("question", &self.question, 1, MAX_FAQ_QUESTION);
        check.finish()
    }
}

/// An entry that asks nearly the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SimilarFaqEntry {
    pub id: FaqId,
    pub question: String,
    /// The nearest of its phrasings.
    pub phrasing: String,
    /// The cosine of both questions, 0 to 1. What counts as similar depends on the embedding model.
    pub similarity: f64,
}

/// Entries that ask nearly the same as a question.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SimilarFaq {
    /// At most three, nearest first.
    pub items: Vec<SimilarFaqEntry>,
}

//! Tells text that a language model wrote from text that is quoted from documents.

use serde::{Deserialize, Serialize};

use crate::text_enum::text_enum;

text_enum! {
    /// How an answer was made.
    pub enum AnsweredBy {
        /// From sentences of the documents, word for word.
        Quoted = "quoted",
        /// In a language model's own words.
        Generated = "generated",
    }
}

text_enum! {
    /// Whose words an answer is.
    pub enum GeneratedByKind {
        /// A language model's.
        Model = "model",
        /// Those of the documents or of an own answer, word for word.
        Quoted = "quoted",
    }
}

/// Who made an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeneratedBy {
    pub kind: GeneratedByKind,
    /// The language model, by its name at the endpoint; `null` for quoted answers, and for answers before version 2.1.
    pub model: Option<String>,
}

impl GeneratedBy {
    /// Who made an answer that was made like this, by this model if by one.
    pub fn new(answered_by: AnsweredBy, model: Option<String>) -> Self {
        match answered_by {
            AnsweredBy::Quoted => Self { kind: GeneratedByKind::Quoted, model: None },
            AnsweredBy::Generated => Self { kind: GeneratedByKind::Model, model },
        }
    }
}

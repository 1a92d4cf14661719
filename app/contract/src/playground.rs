//! Trying a chatbot out: its answer as a visitor would get it, with what it rests on. Nothing is stored.

use serde::{Deserialize, Serialize};

use crate::{
    ChatbotId,
    endpoint::{Audit, endpoints},
    error::FieldError,
    validate::{Checker, Validate},
    widget::{Citation, Confidence, MAX_QUESTION, ReplyKind, WidgetSource},
};

/// A question to try.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlaygroundQuestion {
    /// 1 to 4000 characters.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 4000)))]
    pub question: String,
}

impl Validate for PlaygroundQuestion {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        check.text("question", &self.question, 1, MAX_QUESTION);
        check.finish()
    }
}

/// A passage that was found for a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlaygroundPassage {
    /// The document and heading.
    pub source_title: String,
    /// The whole passage, as it was indexed.
    pub content: String,
    /// Relevance, 0 to 1.
    pub score: f64,
    /// Whether it is relevant enough to answer from.
    pub relevant: bool,
}

/// A rule of the output filter that matched the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlaygroundFinding {
    /// The rule's id.
    pub rule: String,
    /// What the rule protects against.
    pub category: String,
    /// Whether the rule only watches and changed nothing.
    pub monitor_only: bool,
}

/// How long the parts of the work took, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlaygroundTimes {
    /// Finding passages: the question's vector, and the search by meaning and by words.
    pub search_ms: i64,
    /// Wording the answer, and filtering it.
    pub answer_ms: i64,
}

/// An answer with what it rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlaygroundReply {
    /// The answer, in a small subset of Markdown.
    pub answer: String,
    /// Whether the documents had an answer; `false` for the fallback message, and where the chatbot is not sure.
    pub answered: bool,
    /// How sure the answer is.
    pub confidence: Confidence,
    /// Whether it is an answer, the fallback message or small talk.
    #[serde(default)]
    pub kind: ReplyKind,
    /// Whether the output filter changed the answer.
    pub filtered: bool,
    /// What a visitor sees of the passages that the answer rests on.
    pub sources: Vec<WidgetSource>,
    /// The markers in the answer.
    pub citations: Vec<Citation>,
    /// The passages that were found, best first, those that are not relevant enough included.
    pub passages: Vec<PlaygroundPassage>,
    /// The setting `rag.relevance_threshold`, 0 to 1; it counts for embedding models of an endpoint alone.
    pub relevance_threshold: f64,
    /// What the output filter found.
    pub findings: Vec<PlaygroundFinding>,
    /// How long it took.
    pub times: PlaygroundTimes,
}

endpoints! {
    /// Answers a question as a visitor would get it, with the passages and their scores; nothing is stored.
    AskPlayground: Post "/api/v1/tenants/me/chatbots/{chatbot_id}/playground", Tenant,
        Audit::Exempt("a question that is tried changes nothing"), 200,
        (ChatbotId) ? (), PlaygroundQuestion => PlaygroundReply;
}

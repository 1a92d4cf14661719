//! The playground: the answer that a visitor would get, with its sources. Nothing is stored: the client keeps the
//! conversation.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    ChatbotId, answer_models,
    conversations::{AnsweredBy, TokenUsage},
    endpoint::{Audit, endpoints},
    error::FieldError,
    generated_by::GeneratedBy,
    text_enum::text_enum,
    validate::{Checker, Validate},
    widget::{Citation, Confidence, MAX_QUESTION, ReplyKind, WidgetSource},
};

/// Maximum earlier turns of a question.
pub const MAX_PLAYGROUND_TURNS: usize = 10;
/// Maximum characters of an earlier answer.
pub const MAX_PLAYGROUND_ANSWER: usize = 20_000;
/// Maximum characters of the instructions to try.
pub const MAX_SYSTEM_PROMPT: usize = 8000;

text_enum! {
    /// How sure a chatbot must be before it answers.
    pub enum Strictness {
        /// Less than usual: the odds that count as sure are e times lower.
        Lenient = "lenient",
        /// As visitors get it.
        Usual = "usual",
        /// More than usual: the odds that count as sure are e times higher.
        Strict = "strict",
    }
}

/// A question with its answer, earlier in the same conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlaygroundTurn {
    /// 1 to 4000 characters.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 4000)))]
    pub question: String,
    /// At most 20000 characters.
    #[cfg_attr(feature = "schema", schemars(length(max = 20000)))]
    pub answer: String,
}

/// Settings that differ from those for visitors; an absent one is the same.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlaygroundVariant {
    /// Another language model than the chatbot's, by its name, or `quoted`, as in the chatbot's `answer_model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_model: Option<String>,
    /// How sure the chatbot must be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strictness: Option<Strictness>,
    /// Other instructions for the language model, at most 8000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = 8000)))]
    pub system_prompt: Option<String>,
    /// Whether the instructions and the fallback message are those that the chatbot has after the pending update of its template,
    /// without the fields that it has changed itself. `system_prompt` takes precedence.
    #[serde(default)]
    pub template_update: bool,
}

/// A question to try.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlaygroundQuestion {
    /// 1 to 4000 characters.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 4000)))]
    pub question: String,
    /// What was asked and answered before, oldest first, at most 10 turns.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(length(max = 10)))]
    pub history: Vec<PlaygroundTurn>,
    /// Settings that differ from those for visitors; absent to ask as a visitor does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<PlaygroundVariant>,
}

impl Validate for PlaygroundQuestion {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        check.text("question", &self.question, 1, MAX_QUESTION);
        let msg = format!("must have at most {MAX_PLAYGROUND_TURNS} entries");
        check.require(self.history.len() <= MAX_PLAYGROUND_TURNS, "history", "too_long", &msg);
        for (index, turn) in self.history.iter().enumerate() {
            check.text_entry("history", index, &turn.question, 1, MAX_QUESTION);
            check.text_entry("history", index, &turn.answer, 0, MAX_PLAYGROUND_ANSWER);
        }
        let Some(variant) = &self.variant else { return check.finish() };
        if let Some(prompt) = &variant.system_prompt {
            check.text("system_prompt", prompt, 0, MAX_SYSTEM_PROMPT);
        }
        if let Some(name) = &variant.answer_model {
            answer_models::check_name(&mut check, "answer_model", name);
        }
        check.finish()
    }
}

/// A passage that was found for a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlaygroundPassage {
    /// The document and heading.
    pub source_title: String,
    /// The path of the document.
    #[serde(default)]
    pub path: String,
    /// The headings above it; may be empty.
    #[serde(default)]
    pub heading: String,
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
    /// How the answer was made; absent for the fallback message and small talk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<AnsweredBy>,
    /// Who made the answer; `null` for the fallback message and small talk.
    #[serde(default)]
    pub generated_by: Option<GeneratedBy>,
    /// The usage of a language model; absent when none was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
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
    /// How long each step took.
    pub times: PlaygroundTimes,
}

impl PlaygroundReply {
    /// The question as a line of a file that `server eval` reads. What the answer rests on first is taken for right; a question
    /// without an answer is one that nothing answers.
    pub fn evaluation_line(&self, question: &str, history: &[PlaygroundTurn]) -> String {
        let mut line = json!({ "question": question });
        if !history.is_empty() {
            line["history"] = history.iter().map(|turn| turn.question.as_str()).collect();
        }
        line["kind"] = json!(if history.is_empty() { "question" } else { "follow_up" });
        if let Some(best) = self.passages.first().filter(|best| best.relevant) {
            line["document"] = json!(best.path);
            let beginning = || best.content.split_whitespace().take(PASSAGE_WORDS).collect::<Vec<_>>().join(" ");
            line["passage"] = json!(if best.heading.is_empty() { beginning() } else { best.heading.clone() });
        }
        line.to_string()
    }
}

/// Words that name a passage without a heading.
const PASSAGE_WORDS: usize = 8;

endpoints! {
    /// Answers a question as a visitor would get it, or by a variant of the settings, with the passages and their scores; nothing is
    /// stored.
    AskPlayground: Post "/api/v1/tenants/me/chatbots/{chatbot_id}/playground", Tenant,
        Audit::Exempt("a question that is tried changes nothing"), 200,
        (ChatbotId) ? (), PlaygroundQuestion => PlaygroundReply, errors [ChatbotNotActive, GeneratorUnavailable];
}

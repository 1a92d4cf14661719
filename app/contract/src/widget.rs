//! The public endpoints of the embedded widget.

use serde::{Deserialize, Serialize};

use crate::{
    ChatbotId, MessageId, SessionId, Timestamp,
    branding::BrandingFields,
    endpoint::{Audit, endpoints},
    error::{ErrorBody, FieldError},
    feedback::Rating,
    text_enum::text_enum,
    validate::{Checker, Validate},
};

/// Characters of a question at most.
pub const MAX_QUESTION: usize = 4000;

/// What the widget needs to draw itself. Never contains the allowed origins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WidgetConfig {
    pub chatbot_id: ChatbotId,
    pub name: String,
    pub language: String,
    /// Its first words.
    pub welcome_message: String,
    /// Questions offered to the visitor.
    pub suggested_questions: Vec<String>,
    /// Branding, resolved field by field: chatbot over tenant.
    pub branding: WidgetBranding,
}

/// The query of the widget's configuration; the answer is the same with it and without.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WidgetConfigQuery {
    /// The version that the page's snippet names, for the embed report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub v: Option<String>,
}

impl Validate for WidgetConfigQuery {}

/// Resolved branding; a field that nobody set is `null`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WidgetBranding {
    /// Colours, texts and shapes.
    #[serde(flatten)]
    pub fields: BrandingFields,
    /// Styles for the inside of the widget.
    #[serde(default)]
    pub custom_css: Option<String>,
}

/// A visitor's question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WidgetQuery {
    /// The session; `null` starts a new one.
    #[serde(default)]
    pub session_id: Option<SessionId>,
    /// 1 to 4000 characters.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 4000)))]
    pub question: String,
}

impl Validate for WidgetQuery {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        check.text("question", &self.question, 1, MAX_QUESTION);
        check.finish()
    }
}

text_enum! {
    /// How sure an answer is.
    #[derive(Default)]
    pub enum Confidence {
        /// The documents answer the question.
        High = "high",
        /// They may: the answer says so and names up to three sections.
        Low = "low",
        /// They do not: the answer is the chatbot's fallback message.
        #[default]
        None = "none",
    }
}

/// A passage that the answer rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WidgetSource {
    /// The document and heading.
    pub source_title: String,
    /// The headings above the passage as `A > B`, without the document's title; empty when it has none.
    #[serde(default)]
    pub heading: String,
    /// The passage, cut to about 150 characters.
    pub content_snippet: String,
    /// Relevance, 0 to 1.
    pub score: f64,
}

/// A marker in the answer and the source it names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Citation {
    /// The marker as it stands in the answer, for example `[1]`.
    pub marker: String,
    /// The index into `sources`, from 0.
    pub source_index: usize,
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WidgetReply {
    /// The session, new when the question had none.
    pub session_id: SessionId,
    /// The answer's message.
    pub message_id: MessageId,
    /// The answer, in a small subset of Markdown.
    pub answer: String,
    /// The passages it rests on; empty for the fallback message.
    pub sources: Vec<WidgetSource>,
    /// The markers in the answer.
    pub citations: Vec<Citation>,
    /// Whether the output filter changed the answer.
    pub filtered: bool,
    /// How sure the answer is.
    pub confidence: Confidence,
    /// Whether the language model's words broke off before their end; absent when they did not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

/// The first event of a streamed answer, sent before anything was searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StreamSession {
    /// The session, new when the question had none.
    pub session_id: SessionId,
}

impl StreamSession {
    /// The event's name.
    pub const EVENT: &'static str = "session";
}

/// What was found; sent at most once, and never when nothing was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StreamSources {
    /// The passages that the answer is made from. Those that it rests on stand in the last event.
    pub sources: Vec<WidgetSource>,
}

impl StreamSources {
    /// The event's name.
    pub const EVENT: &'static str = "sources";
}

/// The next words of the answer, after the output filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StreamToken {
    /// Never empty. All of them one after the other are what is to be shown until the last event comes.
    pub text: String,
}

impl StreamToken {
    /// The event's name.
    pub const EVENT: &'static str = "token";
}

impl WidgetReply {
    /// The name of the last event of a stream, the same reply as without one; its `answer` replaces what was shown.
    pub const EVENT: &'static str = "done";
}

/// The last event of an answer that failed after the stream had begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StreamError {
    /// The error, as the REST API has it.
    #[serde(flatten)]
    pub error: ErrorBody,
    /// The id that the server's log has too, the same as in the header `x-request-id`.
    pub request_id: String,
}

impl StreamError {
    /// The event's name.
    pub const EVENT: &'static str = "error";
}

text_enum! {
    /// Who said a message.
    pub enum MessageRole {
        /// The visitor.
        User = "user",
        /// The chatbot.
        Assistant = "assistant",
    }
}

/// One message of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WidgetMessage {
    pub message_id: MessageId,
    /// Who said it.
    pub role: MessageRole,
    /// What was said.
    pub content: String,
    /// The passages an answer rests on.
    pub sources: Vec<WidgetSource>,
    /// The markers of an answer.
    pub citations: Vec<Citation>,
    /// Whether the output filter changed it.
    pub filtered: bool,
    pub created_at: Timestamp,
    /// What the visitor thought of it last, in this session; absent without feedback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
}

/// The messages of a session, oldest first, at most the last 200.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WidgetHistory {
    pub session_id: SessionId,
    pub messages: Vec<WidgetMessage>,
}

endpoints! {
    /// Shows what the widget needs to draw itself.
    GetWidgetConfig: Get "/api/v1/widget/config/{chatbot_id}", Widget, Audit::Reads, 200,
        (ChatbotId) ? WidgetConfigQuery, () => WidgetConfig;
    /// Answers a visitor's question from the chatbot's documents.
    QueryWidget: Post "/api/v1/widget/chatbots/{chatbot_id}/query", Widget,
        Audit::Exempt("a visitor's conversation is no mutation by an authenticated actor"), 200,
        (ChatbotId) ? (), WidgetQuery => WidgetReply;
    /// Answers a visitor's question on a page of the older demo deployment, which names no chatbot.
    QueryLegacyWidget: Post "/api/query", Widget,
        Audit::Exempt("a visitor's conversation is no mutation by an authenticated actor"), 200,
        (()) ? (), WidgetQuery => WidgetReply;
    /// Lists the messages of a session.
    GetWidgetHistory: Get "/api/v1/widget/chatbots/{chatbot_id}/sessions/{session_id}/messages", Widget,
        Audit::Reads, 200, ((ChatbotId, SessionId)) ? (), () => WidgetHistory;
}

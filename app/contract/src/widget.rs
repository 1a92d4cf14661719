//! The public endpoints of the embedded widget.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    ChatbotId, MessageId, SessionId, Timestamp,
    branding::BrandingFields,
    documents::SourceSection,
    endpoint::{Audit, endpoints},
    error::{ErrorBody, FieldError},
    feedback::Rating,
    file::File,
    generated_by::GeneratedBy,
    id::{OriginalId, PassageId},
    text_enum::text_enum,
    validate::{Checker, Validate},
};

/// Maximum characters of a question.
pub const MAX_QUESTION: usize = 4000;

/// What the widget needs to draw itself. Never contains the allowed origins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WidgetConfig {
    pub chatbot_id: ChatbotId,
    pub name: String,
    pub language: String,
    /// The message that opens a conversation.
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

/// The secret that opens a session's messages. Its `Debug` form does not show it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct SessionToken(pub String);

impl SessionToken {
    /// The parameter of the `Accept` header that carries it to the history: browsers send no other header to another origin without
    /// asking for it first, and addresses are logged.
    pub const PARAMETER: &'static str = "session_token";
}

impl fmt::Debug for SessionToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SessionToken(..)")
    }
}

/// A visitor's question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WidgetQuery {
    /// The session; `null` starts a new one.
    #[serde(default)]
    pub session_id: Option<SessionId>,
    /// The token of the session. Without it the session continues, but its earlier messages are not context for the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_token: Option<SessionToken>,
    /// 1 to 4000 characters.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 4000)))]
    pub question: String,
    /// The page on which it is asked: its address or its path. Its query and fragment are cut off. It is kept when its origin is
    /// that of the request and the tenant wants it (`record_page_urls` of the branding), else ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_url: Option<String>,
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
        /// The documents may answer it: the answer says so and quotes what is closest.
        Low = "low",
        /// The documents do not answer it: the answer is the chatbot's fallback message.
        #[default]
        None = "none",
    }
}

text_enum! {
    /// The kind of a reply.
    #[derive(Default)]
    pub enum ReplyKind {
        /// An answer from the documents, sure or not.
        #[default]
        Answer = "answer",
        /// The documents have no answer: the chatbot's fallback message.
        Fallback = "fallback",
        /// A reply to a message that asked nothing.
        SmallTalk = "small_talk",
    }
}

text_enum! {
    /// What a message without a question is about.
    pub enum SmallTalk {
        /// "Hello".
        Greeting = "greeting",
        /// "Thank you".
        Thanks = "thanks",
        /// "Goodbye".
        Goodbye = "goodbye",
        /// "Are you a robot?"
        Robot = "robot",
        /// "Can I talk to a person?"
        Human = "human",
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
    /// Its address on the web, with a text fragment to the sentence; only sources of websites have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Relevance, 0 to 1.
    pub score: f64,
    /// The passage, whose section can be read as long as its document stays as it is; null in answers of earlier versions.
    #[serde(default)]
    pub passage_id: Option<PassageId>,
    /// When the content of its document changed last; absent in answers of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Timestamp>,
}

/// A marker in the answer and the source it names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Citation {
    /// The marker as in the answer, for example `[1]`.
    pub marker: String,
    /// The index into `sources`, from 0.
    pub source_index: usize,
}

/// A sentence, list item or row that is close to a question which the chatbot is not sure about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClosestPassage {
    /// The words of the document, at most 300 characters. It may not answer the question.
    pub text: String,
    /// The index into `sources`, from 0.
    pub source_index: usize,
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WidgetReply {
    /// The session, new when the question had none.
    pub session_id: SessionId,
    /// The token that opens the session's messages: new with a new session, else the one that the question had. Absent when the
    /// question continued the session with its id alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_token: Option<SessionToken>,
    /// The answer's message.
    pub message_id: MessageId,
    /// The answer, in a small subset of Markdown.
    pub answer: String,
    /// The passages it rests on; empty for the fallback message.
    pub sources: Vec<WidgetSource>,
    /// The markers in the answer.
    pub citations: Vec<Citation>,
    /// What is closest to the question, best first, when `confidence` is `low`: at most three texts, which the answer quotes
    /// too. Absent when there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub closest: Vec<ClosestPassage>,
    /// Whether the output filter changed the answer.
    pub filtered: bool,
    /// How sure the answer is.
    pub confidence: Confidence,
    /// Whether a language model wrote the answer or it is quoted; `null` for the fallback message and small talk, which are the
    /// tenant's own words.
    #[serde(default)]
    pub generated_by: Option<GeneratedBy>,
    /// Whether it is an answer, the fallback message or small talk.
    #[serde(default)]
    pub kind: ReplyKind,
    /// Where the visitor reaches a person (the branding's `contact_url`); only with a fallback message, and when the visitor asks
    /// for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact_url: Option<String>,
    /// Whether the language model's words broke off before their end; absent when they did not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

/// The first event of a streamed answer, sent before anything was searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StreamSession {
    /// The session, new when the question had none.
    pub session_id: SessionId,
    /// As in the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_token: Option<SessionToken>,
}

impl StreamSession {
    pub const EVENT: &'static str = "session";
}

/// What was found; sent once, before the answer's first words. Empty with a fallback message and with small talk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StreamSources {
    /// The passages that the answer is made from. Those that it rests on are in the last event.
    pub sources: Vec<WidgetSource>,
}

impl StreamSources {
    pub const EVENT: &'static str = "sources";
}

/// The place in the queue for the language model: sent when the wait is longer than two seconds, and again when the place changes.
/// A client that does not know this event can ignore it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StreamWaiting {
    /// The place in the queue; 1 is next.
    pub position: usize,
}

impl StreamWaiting {
    pub const EVENT: &'static str = "waiting";
}

/// The next words of the answer, after the output filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StreamToken {
    /// Never empty. All of them one after the other are what is to be shown until the last event comes.
    pub text: String,
}

impl StreamToken {
    pub const EVENT: &'static str = "token";
}

impl WidgetReply {
    /// The name of the last event of a stream, the same reply as without one; its `answer` replaces what was shown.
    pub const EVENT: &'static str = "done";
}

/// The last event of an answer that failed after its stream had started.
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
    /// Who made an answer, as the reply said it; `null` for questions, too.
    #[serde(default)]
    pub generated_by: Option<GeneratedBy>,
    pub created_at: Timestamp,
    /// Where the visitor reaches a person, as the reply said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact_url: Option<String>,
    /// The visitor's latest feedback on it in this session; absent without feedback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
}

/// The messages of a session that were said with its token, oldest first, at most the last 200.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WidgetHistory {
    pub session_id: SessionId,
    pub messages: Vec<WidgetMessage>,
}

/// What a link to an uploaded file proves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceFileQuery {
    /// Signed by the platform; holds for five minutes.
    pub token: String,
}

impl Validate for SourceFileQuery {}

endpoints! {
    /// Shows what the widget needs to draw itself.
    GetWidgetConfig: Get "/api/v1/widget/config/{chatbot_id}", Widget, Audit::Reads, 200,
        (ChatbotId) ? WidgetConfigQuery, () => WidgetConfig;
    /// Answers a visitor's question from the chatbot's documents.
    QueryWidget: Post "/api/v1/widget/chatbots/{chatbot_id}/query", Widget,
        Audit::Exempt("a visitor's conversation is not a mutation by an authenticated actor"), 200,
        (ChatbotId) ? (), WidgetQuery => WidgetReply;
    /// Answers a visitor's question on a page of the older demo deployment, which names no chatbot.
    QueryLegacyWidget: Post "/api/query", Widget,
        Audit::Exempt("a visitor's conversation is not a mutation by an authenticated actor"), 200,
        (()) ? (), WidgetQuery => WidgetReply;
    /// Shows the section of a document that a source of an answer names, in the words that visitors may see.
    GetWidgetSection: Get "/api/v1/widget/chatbots/{chatbot_id}/passages/{passage_id}/section", Widget, Audit::Reads, 200,
        ((ChatbotId, PassageId)) ? (), () => SourceSection;
    /// Opens an uploaded file by a link that a section has.
    OpenSourceFile: Get "/api/v1/widget/chatbots/{chatbot_id}/files/{file_id}", Public, Audit::Reads, 200,
        ((ChatbotId, OriginalId)) ? SourceFileQuery, () => File;
    /// Lists the messages of a session that were said with its token. The token is a parameter of the `Accept` header:
    /// `application/json;session_token=...`.
    GetWidgetHistory: Get "/api/v1/widget/chatbots/{chatbot_id}/sessions/{session_id}/messages", Widget,
        Audit::Reads, 200, ((ChatbotId, SessionId)) ? (), () => WidgetHistory;
}

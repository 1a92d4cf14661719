//! Conversations of visitors with a tenant's chatbots, for the tenant.

use serde::{Deserialize, Serialize};

use crate::{
    ChatbotId, FeedbackId, MessageId, SessionId, Timestamp,
    audit::actions,
    csv::Csv,
    endpoint::{Audit, endpoints},
    error::{ErrorCode, FieldError},
    feedback::{FeedbackCategory, Rating},
    generated_by::GeneratedBy,
    moment,
    page::{self, PageQuery, TotalIs},
    text_enum::text_enum,
    validate::{Checker, Validate},
    widget::{Citation, Confidence, MessageRole, ReplyKind, WidgetSource},
};

pub use crate::generated_by::AnsweredBy;

/// Conversations that one page of a search looks through when no index helps it: a text without three letters or digits in a
/// row, an outcome, a rating.
pub const MAX_SCANNED: i64 = 2000;
/// Conversations that figures of a search look through, the newest ones.
pub const MAX_SCANNED_FOR_FIGURES: i64 = 5000;
/// Days that the figures go back, the last one included, unless the filter says where they begin.
pub const FIGURES_DAYS: i64 = 30;
/// Maximum days of the figures; the last ones count.
pub const MAX_FIGURES_DAYS: i64 = 366;
/// Maximum messages of an opened conversation: the last ones.
pub const MAX_MESSAGES: i64 = 500;

text_enum! {
    /// Whether the questions of a conversation were answered.
    pub enum Outcome {
        /// Every question was answered from the documents.
        Answered = "answered",
        /// At least one question got the fallback message.
        Unanswered = "unanswered",
    }
}

/// A conversation in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Conversation {
    pub session_id: SessionId,
    pub chatbot_id: ChatbotId,
    pub chatbot_name: String,
    pub created_at: Timestamp,
    /// When somebody said something last.
    pub last_message_at: Timestamp,
    /// The visitor's first question, at most 200 characters of it; `null` when nothing was asked.
    pub first_question: Option<String>,
    /// The visitor's name of a tenant's own program (`visitor_ref` of its first question); absent in conversations of widgets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visitor_ref: Option<String>,
    /// Answers that were given, fallback messages included.
    pub answers: i64,
    /// Fallback messages among them.
    pub unanswered: i64,
    /// How often an answer helped.
    pub up: i64,
    /// How often an answer did not help.
    pub down: i64,
}

/// Which conversations are meant; every filter that is set must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConversationFilter {
    /// Only conversations of this chatbot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chatbot_id: Option<ChatbotId>,
    /// A case-insensitive substring of what was said; at most 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = 200)))]
    pub q: Option<String>,
    /// Only conversations with this outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Only with feedback of this rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// Inclusive, compared with the last message; ISO 8601, in UTC when it has no timezone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_from: Option<String>,
    /// Inclusive; a day counts to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_to: Option<String>,
}

impl ConversationFilter {
    /// The inclusive range of time, each side when it is set. Texts that do not parse are left out: [`Validate`] has
    /// refused them.
    pub fn range(&self) -> (Option<Timestamp>, Option<Timestamp>) {
        moment::range(self.date_from.as_deref(), self.date_to.as_deref())
    }

    /// What was said, when that is looked for.
    pub fn words(&self) -> Option<&str> {
        self.q.as_deref().map(str::trim).filter(|words| !words.is_empty())
    }

    /// The rule with a code of its own.
    ///
    /// # Errors
    /// `date_from_after_date_to`.
    pub fn check_codes(&self) -> Result<(), ErrorCode> {
        moment::check_order(self.range())
    }

    fn check(&self, limit: i64) -> Vec<FieldError> {
        let mut check = Checker::query();
        check.moment("date_from", self.date_from.as_deref());
        check.moment("date_to", self.date_to.as_deref());
        let mut errors = check.finish();
        errors.extend(PageQuery { q: self.q.clone(), limit, ..PageQuery::default() }.check(&[]));
        errors
    }
}

impl Validate for ConversationFilter {
    fn validate(&self) -> Vec<FieldError> {
        self.check(page::DEFAULT_LIMIT)
    }
}

/// Which conversations an export has, by the filters of the list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct ConversationExport(pub ConversationFilter);

impl Validate for ConversationExport {
    fn validate(&self) -> Vec<FieldError> {
        let mut errors = self.0.validate();
        for error in &mut errors {
            "body".clone_into(&mut error.loc[0]);
        }
        errors
    }
}

/// Filter and page of a tenant's conversations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConversationListQuery {
    #[serde(flatten, deserialize_with = "crate::input::part")]
    pub filter: ConversationFilter,
    /// Entries of the page, 1 to 200.
    #[serde(default = "page::default_limit", deserialize_with = "page::number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 200)))]
    pub limit: i64,
    /// `next_cursor` or `previous_cursor` of another page; the first page when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

impl Default for ConversationListQuery {
    fn default() -> Self {
        Self { filter: ConversationFilter::default(), limit: page::DEFAULT_LIMIT, cursor: None }
    }
}

impl Validate for ConversationListQuery {
    fn validate(&self) -> Vec<FieldError> {
        self.filter.check(self.limit)
    }
}

/// Some conversations, and the cursors of the pages before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConversationPage {
    /// The conversations, the one with the newest message first.
    pub items: Vec<Conversation>,
    /// Opaque; leads to the next page. `null` at the end.
    pub next_cursor: Option<String>,
    /// Opaque; leads to the page before. `null` on the first one.
    pub previous_cursor: Option<String>,
    /// Where a search stopped that looked through as many conversations as one page may: at the one with this last message. The
    /// page may have fewer items than were asked for, or none, and its cursor goes on from there. `null` when the page is full or
    /// nothing is left.
    #[serde(default)]
    pub searched_to: Option<Timestamp>,
}

/// The conversations before and after a conversation, among those that match a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConversationNeighbours {
    /// The one before it in the list, whose last message is newer; `null` when it is the first, or a search stopped before it found one.
    pub newer: Option<SessionId>,
    /// The one after it in the list, whose last message is older; `null` when it is the last, or a search stopped before it found one.
    pub older: Option<SessionId>,
}

/// A visitor's rating of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MessageFeedback {
    pub id: FeedbackId,
    /// The answer; `null` when the widget named the conversation only.
    pub message_id: Option<MessageId>,
    /// Whether it helped.
    pub rating: Rating,
    /// What was wrong.
    pub category: Option<FeedbackCategory>,
    /// The visitor's words.
    pub comment: Option<String>,
    /// When somebody dealt with it; `null` while it is open.
    pub handled_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

/// Tokens that a language model used for an answer, whether its words were kept or a quoted answer replaced them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TokenUsage {
    /// Tokens of the prompt, those of the cache included.
    pub prompt_tokens: i32,
    /// Tokens of the prompt that were in the endpoint's cache.
    pub cached_tokens: i32,
    pub answer_tokens: i32,
}

/// A message of an opened conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConversationMessage {
    pub message_id: MessageId,
    /// Who said it.
    pub role: MessageRole,
    /// What was said; an answer is in a small subset of Markdown.
    pub content: String,
    /// The passages an answer rests on.
    pub sources: Vec<WidgetSource>,
    /// The markers of an answer.
    pub citations: Vec<Citation>,
    /// Whether the documents had an answer; `false` for the fallback message, and where the chatbot was not sure.
    pub answered: bool,
    /// Whether an answer is one from the documents, the fallback message or small talk; `null` for questions.
    #[serde(default)]
    pub kind: Option<ReplyKind>,
    /// How sure an answer is; `null` for questions, and for answers before version 1.3.
    #[serde(default)]
    pub confidence: Option<Confidence>,
    /// How an answer was made; `null` for questions, fallback messages, and answers before version 1.3.
    #[serde(default)]
    pub answered_by: Option<AnsweredBy>,
    /// Who made an answer: a language model, with its name, or the documents that it quotes; `null` where `answered_by` is.
    #[serde(default)]
    pub generated_by: Option<GeneratedBy>,
    /// The version of the prompt that a language model was asked with, also when its words were not used; `null` when none was asked.
    #[serde(default)]
    pub prompt_version: Option<String>,
    /// Whether the language model's words broke off before their end.
    #[serde(default)]
    pub truncated: bool,
    /// Whether the question was beyond the month's quota, so that nothing was searched.
    #[serde(default)]
    pub over_quota: bool,
    /// The usage of a language model; `null` when none began to answer.
    #[serde(default)]
    pub usage: Option<TokenUsage>,
    /// Whether the output filter changed it.
    pub filtered: bool,
    /// The page on which a question was asked, without query and fragment; `null` unless the tenant records pages.
    #[serde(default)]
    pub page_url: Option<String>,
    /// The language of a question, such as `de`, as far as its words tell; `null` when they do not, for answers, and for questions
    /// before version 2.1.
    #[serde(default)]
    pub language: Option<String>,
    pub created_at: Timestamp,
}

/// An opened conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConversationDetail {
    pub conversation: Conversation,
    /// Its messages, oldest first, at most the last 500.
    pub messages: Vec<ConversationMessage>,
    /// The feedback on it, oldest first.
    pub feedback: Vec<MessageFeedback>,
}

/// What happened on one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConversationDay {
    /// The day in UTC.
    pub date: chrono::NaiveDate,
    /// Conversations that began.
    pub conversations: i64,
    /// Questions that were answered from the documents.
    pub answered: i64,
    /// Questions that were not answered from the documents.
    pub unanswered: i64,
    /// Unanswered questions about which the chatbot was not sure.
    #[serde(default)]
    pub low: i64,
    /// Messages that asked nothing, such as "Thank you".
    #[serde(default)]
    pub small_talk: i64,
}

/// The days of the filter, counted: up to `date_to` or today, from `date_from` or over 30 days, the last 366 at most.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConversationStats {
    /// Conversations that began.
    pub conversations: i64,
    /// Questions that were answered from the documents.
    pub answered: i64,
    /// Questions that were not: those with the fallback message and those about which the chatbot was not sure.
    pub unanswered: i64,
    /// Unanswered questions about which the chatbot was not sure.
    #[serde(default)]
    pub low: i64,
    /// Messages that asked nothing, such as "Thank you": neither answered nor unanswered.
    #[serde(default)]
    pub small_talk: i64,
    /// Answers that the output filter changed.
    pub filtered: i64,
    /// Whether the figures are of all conversations that the filters let through. `at_least` when a search looked through the
    /// newest ones only.
    #[serde(default)]
    pub total_is: TotalIs,
    /// The days, oldest first, those without a conversation included.
    pub daily: Vec<ConversationDay>,
}

/// The usage of a language model for the answers of one chatbot in one month. It stays when conversations are erased.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelUsage {
    pub chatbot_id: ChatbotId,
    pub chatbot_name: String,
    /// The first day of the month, in UTC.
    pub month: chrono::NaiveDate,
    /// Questions that the model was asked.
    pub answers: i64,
    /// Tokens of their prompts, those of the cache included.
    pub prompt_tokens: i64,
    /// Tokens of the prompts that were in the endpoint's cache.
    pub cached_tokens: i64,
    pub answer_tokens: i64,
}

/// The usage of language models, the newest month first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelUsageList {
    pub items: Vec<ModelUsage>,
    /// The usage of chatbots that were deleted for good, together. With `items` it is the whole usage of a month.
    #[serde(default)]
    pub deleted: Vec<DeletedModelUsage>,
}

/// The usage of a language model in one month for the answers of chatbots that were deleted for good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeletedModelUsage {
    /// The first day of the month, in UTC.
    pub month: chrono::NaiveDate,
    /// Questions that the model was asked.
    pub answers: i64,
    /// Tokens of their prompts, those of the cache included.
    pub prompt_tokens: i64,
    /// Tokens of the prompts that were in the endpoint's cache.
    pub cached_tokens: i64,
    pub answer_tokens: i64,
}

endpoints! {
    /// Shows the usage of language models for answers in the last twelve months, by month and chatbot.
    GetModelUsage: Get "/api/v1/tenants/me/model-usage", Tenant, Audit::Reads, 200, (()) ? (), () => ModelUsageList;
    /// Lists the conversations with the tenant's chatbots, the one with the newest message first.
    ListConversations: Get "/api/v1/tenants/me/conversations", Tenant or ConversationsRead, Audit::Reads, 200,
        (()) ? ConversationListQuery, () => ConversationPage, errors [DateFromAfterDateTo];
    /// Counts the conversations by day and how their questions went, with the filters of the list.
    GetConversationStats: Get "/api/v1/tenants/me/conversations/stats", Tenant or ConversationsRead, Audit::Reads, 200,
        (()) ? ConversationFilter, () => ConversationStats, errors [DateFromAfterDateTo];
    /// Streams the questions and answers of the conversations as CSV, with the filters of the list. Everybody who may read them may
    /// export them.
    ExportConversations: Post "/api/v1/tenants/me/conversations/exports", Tenant or ConversationsRead,
        Audit::Exports(actions::CONVERSATIONS_EXPORTED), 200, (()) ? (), ConversationExport => Csv,
        errors [ChatbotNotFound, DateFromAfterDateTo];
    /// Opens a conversation.
    GetConversation: Get "/api/v1/tenants/me/conversations/{session_id}", Tenant or ConversationsRead, Audit::Reads, 200,
        (SessionId) ? (), () => ConversationDetail;
    /// Names the conversations before and after a conversation, with the filters of the list. A search takes up to about a second in each direction.
    GetConversationNeighbours: Get "/api/v1/tenants/me/conversations/{session_id}/neighbours", Tenant or ConversationsRead, Audit::Reads, 200,
        (SessionId) ? ConversationFilter, () => ConversationNeighbours, errors [DateFromAfterDateTo];
    /// Erases a conversation: its messages, the comments of its feedback, and its texts in the output-filter audit.
    EraseConversation: Delete "/api/v1/tenants/me/conversations/{session_id}", TenantAdmin,
        Audit::Writes(actions::CHAT_SESSION_ERASED), 204, (SessionId) ? (), () => ();
}

//! Questions without an answer in a chatbot's documents; equal ones are grouped.

use serde::{Deserialize, Serialize};

use crate::{
    ChatbotId, MessageId, SessionId, Timestamp,
    audit::actions,
    endpoint::{Audit, endpoints},
    error::FieldError,
    feedback::Handled,
    page::{self, PageQuery, TotalIs},
    validate::Validate,
    widget::Confidence,
};

/// Fallback messages that one list looks through, newest first.
pub const MAX_SCANNED: i64 = 2000;

/// A question without an answer, however often it was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnansweredQuestion {
    /// The same for questions with the same words, whatever the case and the spaces. It does not contain the text.
    pub question_key: String,
    /// The question, as it was asked last.
    pub question: String,
    /// How often it was asked.
    pub times: i64,
    pub last_asked_at: Timestamp,
    /// The conversation in which it was asked last.
    pub session_id: SessionId,
    /// The fallback message that it got there.
    pub message_id: MessageId,
    /// When somebody dealt with it; `null` while it is open, and again once it is asked again.
    pub handled_at: Option<Timestamp>,
    /// The user name of the person who dealt with it.
    pub handled_by: Option<String>,
    /// `low` when the chatbot was not sure the last time, `none` when the visitor got the fallback message.
    pub confidence: Confidence,
}

/// The query of the list of unanswered questions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnansweredQuery {
    /// Only those that somebody dealt with, or only open ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handled: Option<bool>,
    /// Only those about which the chatbot was not sure (`low`), or only those with the fallback message (`none`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// Entries of the page, 1 to 200.
    #[serde(default = "page::default_limit", deserialize_with = "page::number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 200)))]
    pub limit: i64,
    /// Entries to skip.
    #[serde(default, deserialize_with = "page::number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub offset: i64,
    /// `next_cursor` of another list: questions of older fallback messages; of the newest ones when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

impl Default for UnansweredQuery {
    fn default() -> Self {
        Self { handled: None, confidence: None, limit: page::DEFAULT_LIMIT, offset: 0, cursor: None }
    }
}

impl Validate for UnansweredQuery {
    fn validate(&self) -> Vec<FieldError> {
        PageQuery { limit: self.limit, offset: self.offset, ..PageQuery::default() }.check(&[])
    }
}

/// A page of the questions without an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnansweredPage {
    /// The questions, the one asked last first.
    pub items: Vec<UnansweredQuestion>,
    /// How many questions match among the fallback messages that were looked through.
    pub total: i64,
    /// `at_least` when the chatbot has older fallback messages, which were not looked through.
    pub total_is: TotalIs,
    /// The page size that was applied.
    pub limit: i64,
    /// How many entries were skipped.
    pub offset: i64,
    /// Opaque; leads to the questions of older fallback messages, with `offset` 0. A question that was asked again later is listed
    /// there, too. `null` when there are none.
    pub next_cursor: Option<String>,
}

endpoints! {
    /// Lists the questions that a chatbot had no answer to, the one asked last first.
    ListUnanswered: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/unanswered", Tenant or ConversationsRead, Audit::Reads, 200,
        (ChatbotId) ? UnansweredQuery, () => UnansweredPage;
    /// Marks the question of a fallback message as handled, or opens it again.
    SetQuestionHandled: Put "/api/v1/tenants/me/chatbots/{chatbot_id}/unanswered/{message_id}/handled", TenantAdmin,
        Audit::OneOf(&[actions::UNANSWERED_QUESTION_HANDLED, actions::UNANSWERED_QUESTION_REOPENED]), 200,
        ((ChatbotId, MessageId)) ? (), Handled => UnansweredQuestion;
}

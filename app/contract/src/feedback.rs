//! Visitors' feedback on answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    ChatbotId, FeedbackId, MessageId, Page, SessionId, TenantId, Timestamp,
    audit::actions,
    csv::Csv,
    endpoint::{Audit, endpoints},
    error::FieldError,
    page::{self, PageQuery},
    text_enum::text_enum,
    validate::{Checker, Validate},
};

/// Maximum characters of a comment.
pub const MAX_COMMENT: usize = 2000;
/// Days that the statistics' daily counts go back, today included, unless the query says so.
pub const STATS_DAYS: i64 = 30;
/// Maximum days that they go back.
pub const MAX_STATS_DAYS: i64 = 90;

text_enum! {
    /// Whether an answer helped.
    pub enum Rating {
        /// It helped.
        Up = "up",
        /// It did not help.
        Down = "down",
    }
}

text_enum! {
    /// What was wrong with an answer; goes with [`Rating::Down`] only.
    pub enum FeedbackCategory {
        /// It is wrong.
        Incorrect = "incorrect",
        /// Something is missing.
        Incomplete = "incomplete",
        /// It answers another question.
        Irrelevant = "irrelevant",
        /// It is no longer true.
        Outdated = "outdated",
        /// Its tone is wrong.
        Tone = "tone",
        /// Something else.
        Other = "other",
    }
}

/// A visitor's feedback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Feedback {
    pub id: FeedbackId,
    /// The tenant, derived from the chatbot.
    pub tenant_id: TenantId,
    pub chatbot_id: ChatbotId,
    /// The conversation, when the widget named it.
    pub session_id: Option<SessionId>,
    /// The answer, when the widget named it.
    pub message_id: Option<MessageId>,
    /// Whether the answer helped.
    pub rating: Rating,
    /// What was wrong.
    pub category: Option<FeedbackCategory>,
    /// The visitor's words.
    pub comment: Option<String>,
    /// The question that the answer was given to; `null` when the widget named no answer.
    pub question: Option<String>,
    /// The answer's text, as the visitor read it; `null` when the widget named no answer.
    pub answer: Option<String>,
    /// When somebody dealt with it; `null` while it is open.
    pub handled_at: Option<Timestamp>,
    /// The user name of the person who dealt with it.
    pub handled_by: Option<String>,
    pub created_at: Timestamp,
}

/// Whether somebody dealt with something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Handled {
    /// `false` opens it again.
    pub handled: bool,
}

impl Validate for Handled {}

/// Feedback to record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewFeedback {
    pub chatbot_id: ChatbotId,
    /// The conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// The answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<MessageId>,
    /// Whether the answer helped.
    pub rating: Rating,
    /// What was wrong; only with `down`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<FeedbackCategory>,
    /// At most 2000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = 2000)))]
    pub comment: Option<String>,
}

impl Validate for NewFeedback {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        let fits = self.category.is_none() || self.rating == Rating::Down;
        check.require(fits, "category", "category_needs_down", "is only allowed with the rating down");
        if let Some(comment) = &self.comment {
            check.text("comment", comment, 0, MAX_COMMENT);
        }
        check.finish()
    }
}

/// Feedback of the older demo deployment's widget: the chatbot comes from the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LegacyFeedback {
    /// The conversation.
    pub session_id: SessionId,
    /// The answer.
    pub message_id: MessageId,
    /// 1 or -1.
    #[cfg_attr(feature = "schema", schemars(range(min = -1, max = 1)))]
    pub rating: i32,
    /// At most 2000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = 2000)))]
    pub comment: Option<String>,
}

impl Validate for LegacyFeedback {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        check.require(matches!(self.rating, 1 | -1), "rating", "out_of_range", "must be 1 or -1");
        if let Some(comment) = &self.comment {
            check.text("comment", comment, 0, MAX_COMMENT);
        }
        check.finish()
    }
}

/// The id of recorded feedback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FeedbackCreated {
    pub id: FeedbackId,
}

/// Filters and page of a chatbot's feedback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FeedbackListQuery {
    /// Only this rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// Only this category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<FeedbackCategory>,
    /// Only what somebody dealt with, or only what is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handled: Option<bool>,
    /// Entries of the page, 1 to 200.
    #[serde(default = "page::default_limit", deserialize_with = "page::number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 200)))]
    pub limit: i64,
    /// Entries to skip.
    #[serde(default, deserialize_with = "page::number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub offset: i64,
}

impl Default for FeedbackListQuery {
    fn default() -> Self {
        Self { rating: None, category: None, handled: None, limit: page::DEFAULT_LIMIT, offset: 0 }
    }
}

impl Validate for FeedbackListQuery {
    fn validate(&self) -> Vec<FieldError> {
        PageQuery { limit: self.limit, offset: self.offset, ..PageQuery::default() }.check(&[])
    }
}

/// Which feedback an export has, by the filters of the list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FeedbackExport {
    /// Only this rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// Only this category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<FeedbackCategory>,
    /// Only what somebody dealt with, or only what is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handled: Option<bool>,
}

impl Validate for FeedbackExport {}

/// How many days the statistics of feedback cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FeedbackStatsQuery {
    /// Days of `daily`, today included, 1 to 90.
    #[serde(default = "stats_days", deserialize_with = "page::number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 90)))]
    pub days: i64,
}

impl Default for FeedbackStatsQuery {
    fn default() -> Self {
        Self { days: stats_days() }
    }
}

fn stats_days() -> i64 {
    STATS_DAYS
}

impl Validate for FeedbackStatsQuery {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::query();
        let fits = (1..=MAX_STATS_DAYS).contains(&self.days);
        check.require(fits, "days", "out_of_range", "must be a whole number between 1 and 90");
        check.finish()
    }
}

/// Ratings that arrived on one day, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FeedbackDay {
    /// The day in UTC.
    pub date: chrono::NaiveDate,
    /// How often an answer helped.
    pub up: i64,
    /// How often an answer did not help.
    pub down: i64,
}

/// A chatbot's feedback, counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FeedbackStats {
    /// All feedback.
    pub total: i64,
    /// Counts by rating; every rating has an entry.
    pub by_rating: BTreeMap<Rating, i64>,
    /// Counts by category among negative feedback; every category has an entry.
    pub by_category: BTreeMap<FeedbackCategory, i64>,
    /// The most frequent category among negative feedback; `null` when none was given.
    pub top_negative_category: Option<FeedbackCategory>,
    /// The last `days` (30), oldest first, days without feedback included.
    pub daily: Vec<FeedbackDay>,
    /// The same number of days before them.
    #[serde(default)]
    pub daily_before: Vec<FeedbackDay>,
}

endpoints! {
    /// Lists the feedback on a chatbot, newest first.
    ListFeedback: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/feedback", Tenant or FeedbackRead, Audit::Reads, 200,
        (ChatbotId) ? FeedbackListQuery, () => Page<Feedback>;
    /// Counts the feedback on a chatbot.
    GetFeedbackStats: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/feedback/stats", Tenant or FeedbackRead, Audit::Reads, 200,
        (ChatbotId) ? FeedbackStatsQuery, () => FeedbackStats;
    /// Streams the feedback on a chatbot as CSV, newest first. Everybody who may read it may export it.
    ExportFeedback: Post "/api/v1/tenants/me/chatbots/{chatbot_id}/feedback/exports", Tenant or FeedbackRead,
        Audit::Exports(actions::FEEDBACK_EXPORTED), 200, (ChatbotId) ? (), FeedbackExport => Csv;
    /// Marks feedback as handled, or opens it again.
    SetFeedbackHandled: Put "/api/v1/tenants/me/chatbots/{chatbot_id}/feedback/{feedback_id}/handled", TenantAdmin,
        Audit::OneOf(&[actions::CHATBOT_FEEDBACK_HANDLED, actions::CHATBOT_FEEDBACK_REOPENED]), 200,
        ((ChatbotId, FeedbackId)) ? (), Handled => Feedback;
    /// Records a visitor's feedback.
    CreateFeedback: Post "/api/v1/feedback", Widget, Audit::Writes(actions::CHATBOT_FEEDBACK_CREATED), 201,
        (()) ? (), NewFeedback => FeedbackCreated, errors [SessionNotFound, MessageNotFound];
    /// Records a visitor's feedback as the older demo deployment's widget sends it.
    CreateLegacyFeedback: Post "/api/feedback", Widget, Audit::Writes(actions::CHATBOT_FEEDBACK_CREATED), 201,
        (()) ? (), LegacyFeedback => FeedbackCreated, errors [SessionNotFound, MessageNotFound];
}

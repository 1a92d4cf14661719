//! The quotas of a tenant, and its usage by day.

use serde::{Deserialize, Serialize};

use crate::{
    ChatbotId, Patch, TenantId,
    endpoint::{Audit, endpoints},
    error::FieldError,
    page,
    text_enum::text_enum,
    validate::{Checker, Validate},
};

text_enum! {
    /// What a quota limits.
    pub enum Quota {
        /// Documents that were uploaded, sent by API or read on the command line; each file of an archive is one.
        Documents = "documents",
        /// Bytes of uploaded files.
        Bytes = "bytes",
        /// Passages of all documents, pages and custom answers.
        Passages = "passages",
        /// Pages of websites that chatbots answer from.
        Pages = "pages",
        /// Chatbots with a collection.
        Chatbots = "chatbots",
        /// Visitors' questions in the calendar month, in UTC.
        QuestionsPerMonth = "questions_per_month",
        /// Tokens of language models in the calendar month, in UTC: those of prompts, cached ones included, and those of answers.
        /// Beyond this quota, answers are quoted.
        TokensPerMonth = "tokens_per_month",
    }
}

/// The highest number that a quota may have.
pub const MAX_QUOTA: i64 = 1_000_000_000_000_000;
/// Days of the usage, today included, unless the query says so.
pub const USAGE_DAYS: i64 = 31;
/// The most days of usage that one query may ask for.
pub const MAX_USAGE_DAYS: i64 = 90;
/// The share of a quota, in percent, from which on it is `warning`.
pub const WARNING_PERCENT: i64 = 80;

/// How much a tenant may have: `null` is the platform's default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Quotas {
    pub documents: Option<i64>,
    pub bytes: Option<i64>,
    pub passages: Option<i64>,
    pub pages: Option<i64>,
    pub chatbots: Option<i64>,
    pub questions_per_month: Option<i64>,
    pub tokens_per_month: Option<i64>,
}

impl Quotas {
    /// The limit of a quota; `None` when the platform's default applies.
    pub const fn of(&self, quota: Quota) -> Option<i64> {
        match quota {
            Quota::Documents => self.documents,
            Quota::Bytes => self.bytes,
            Quota::Passages => self.passages,
            Quota::Pages => self.pages,
            Quota::Chatbots => self.chatbots,
            Quota::QuestionsPerMonth => self.questions_per_month,
            Quota::TokensPerMonth => self.tokens_per_month,
        }
    }

    /// These quotas, and those of `defaults` where these are `null`.
    #[must_use]
    pub fn or(self, defaults: &Self) -> Self {
        Self {
            documents: self.documents.or(defaults.documents),
            bytes: self.bytes.or(defaults.bytes),
            passages: self.passages.or(defaults.passages),
            pages: self.pages.or(defaults.pages),
            chatbots: self.chatbots.or(defaults.chatbots),
            questions_per_month: self.questions_per_month.or(defaults.questions_per_month),
            tokens_per_month: self.tokens_per_month.or(defaults.tokens_per_month),
        }
    }
}

/// Changes to a tenant's quotas; absent ones stay as they are, `null` is the platform's default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct QuotasPatch {
    #[serde(skip_serializing_if = "Patch::is_absent")]
    pub documents: Patch<i64>,
    #[serde(skip_serializing_if = "Patch::is_absent")]
    pub bytes: Patch<i64>,
    #[serde(skip_serializing_if = "Patch::is_absent")]
    pub passages: Patch<i64>,
    #[serde(skip_serializing_if = "Patch::is_absent")]
    pub pages: Patch<i64>,
    #[serde(skip_serializing_if = "Patch::is_absent")]
    pub chatbots: Patch<i64>,
    #[serde(skip_serializing_if = "Patch::is_absent")]
    pub questions_per_month: Patch<i64>,
    #[serde(skip_serializing_if = "Patch::is_absent")]
    pub tokens_per_month: Patch<i64>,
}

impl QuotasPatch {
    const fn fields(&self) -> [(&'static str, &Patch<i64>); 7] {
        [
            ("documents", &self.documents),
            ("bytes", &self.bytes),
            ("passages", &self.passages),
            ("pages", &self.pages),
            ("chatbots", &self.chatbots),
            ("questions_per_month", &self.questions_per_month),
            ("tokens_per_month", &self.tokens_per_month),
        ]
    }

    pub fn is_empty(&self) -> bool {
        self.fields().iter().all(|(_, patch)| patch.is_absent())
    }

    /// Records numbers that are out of range.
    pub(crate) fn check(&self, check: &mut Checker) {
        for (name, patch) in self.fields() {
            let fits = patch.value().is_none_or(|number| (0..=MAX_QUOTA).contains(number));
            check.require(fits, name, "out_of_range", "must be a number from 0 to 1000000000000000");
        }
    }

    /// The quotas after the change.
    #[must_use]
    pub fn applied_to(self, mut quotas: Quotas) -> Quotas {
        self.documents.apply(&mut quotas.documents);
        self.bytes.apply(&mut quotas.bytes);
        self.passages.apply(&mut quotas.passages);
        self.pages.apply(&mut quotas.pages);
        self.chatbots.apply(&mut quotas.chatbots);
        self.questions_per_month.apply(&mut quotas.questions_per_month);
        self.tokens_per_month.apply(&mut quotas.tokens_per_month);
        quotas
    }
}

text_enum! {
    /// How much of a quota is used.
    pub enum QuotaState {
        /// Less than 80 %.
        Ok = "ok",
        /// 80 % or more.
        Warning = "warning",
        /// All of it.
        UsedUp = "used_up",
    }
}

/// How much of a quota is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QuotaUsage {
    pub quota: Quota,
    pub used: i64,
    /// The tenant's own number or the platform's default; `null` when there is no limit.
    pub limit: Option<i64>,
    pub state: QuotaState,
}

impl QuotaUsage {
    /// A quota with what is used of it.
    pub const fn new(quota: Quota, used: i64, limit: Option<i64>) -> Self {
        let state = match limit {
            Some(limit) if used >= limit => QuotaState::UsedUp,
            Some(limit) if used.saturating_mul(100) >= limit.saturating_mul(WARNING_PERCENT) => QuotaState::Warning,
            _ => QuotaState::Ok,
        };
        Self { quota, used, limit, state }
    }
}

/// How many days a tenant's usage covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UsageQuery {
    /// How many `days`, today included, 1 to 90.
    #[serde(default = "usage_days", deserialize_with = "page::number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 90)))]
    pub days: i64,
}

impl Default for UsageQuery {
    fn default() -> Self {
        Self { days: usage_days() }
    }
}

fn usage_days() -> i64 {
    USAGE_DAYS
}

impl Validate for UsageQuery {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::query();
        let fits = (1..=MAX_USAGE_DAYS).contains(&self.days);
        check.require(fits, "days", "out_of_range", "must be a whole number between 1 and 90");
        check.finish()
    }
}

/// What a tenant's visitors asked on one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UsageDay {
    /// The day in UTC.
    pub date: chrono::NaiveDate,
    /// Questions that were searched for, without small talk.
    pub questions: i64,
    /// Questions beyond the month's quota, which got the fallback message.
    pub refused_questions: i64,
    /// Tokens of the prompts of language models, those of the cache included.
    #[serde(default)]
    pub prompt_tokens: i64,
    #[serde(default)]
    pub answer_tokens: i64,
}

/// What a tenant had on one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoredDay {
    /// The day in UTC.
    pub date: chrono::NaiveDate,
    pub documents: i64,
    /// Bytes of uploaded files.
    pub bytes: i64,
    pub passages: i64,
    pub pages: i64,
    pub chatbots: i64,
}

impl StoredDay {
    /// The amount that a quota limits; `None` for quotas of a month.
    pub const fn of(&self, quota: Quota) -> Option<i64> {
        match quota {
            Quota::Documents => Some(self.documents),
            Quota::Bytes => Some(self.bytes),
            Quota::Passages => Some(self.passages),
            Quota::Pages => Some(self.pages),
            Quota::Chatbots => Some(self.chatbots),
            Quota::QuestionsPerMonth | Quota::TokensPerMonth => None,
        }
    }
}

/// The usage of language models.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelSpending {
    /// Questions that a model was asked.
    pub answers: i64,
    /// Tokens of their prompts, those of the cache included.
    pub prompt_tokens: i64,
    /// Tokens of the prompts that were in the endpoint's cache.
    pub cached_tokens: i64,
    pub answer_tokens: i64,
    /// What they cost by the prices of their time, in millionths of `currency`.
    pub cost_micros: i64,
}

/// The usage of language models by one chatbot in a month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatbotSpending {
    pub chatbot_id: ChatbotId,
    pub chatbot_name: String,
    pub spent: ModelSpending,
}

/// The usage of language models in a month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UsageMonth {
    /// Its first day, in UTC.
    pub month: chrono::NaiveDate,
    /// The whole usage, that of chatbots that were deleted for good included.
    pub spent: ModelSpending,
    /// The usage of each chatbot, ordered by name.
    pub chatbots: Vec<ChatbotSpending>,
}

impl UsageMonth {
    /// The usage of chatbots that were deleted for good.
    #[must_use]
    pub fn of_deleted(&self) -> ModelSpending {
        self.chatbots.iter().fold(self.spent, |remainder, ChatbotSpending { spent, .. }| ModelSpending {
            answers: remainder.answers - spent.answers,
            prompt_tokens: remainder.prompt_tokens - spent.prompt_tokens,
            cached_tokens: remainder.cached_tokens - spent.cached_tokens,
            answer_tokens: remainder.answer_tokens - spent.answer_tokens,
            cost_micros: remainder.cost_micros - spent.cost_micros,
        })
    }
}

/// How much a tenant has and may have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TenantUsage {
    /// Every quota, in a fixed order.
    pub quotas: Vec<QuotaUsage>,
    /// The last 31 days, or as many as the query names; oldest first, today included.
    pub days: Vec<UsageDay>,
    /// The same number of days before them.
    #[serde(default)]
    pub days_before: Vec<UsageDay>,
    /// The stored amounts on each of `days`, oldest first, from the first recorded day on. Today is counted now; an earlier day
    /// has its last count, or that of the day before when nothing was counted on it.
    #[serde(default)]
    pub stored: Vec<StoredDay>,
    /// The last twelve months in which a language model was asked, the newest one first.
    #[serde(default)]
    pub months: Vec<UsageMonth>,
    /// The currency of costs, such as `EUR`; `null` when the operator has set no prices.
    #[serde(default)]
    pub currency: Option<String>,
}

endpoints! {
    /// Shows how much the caller's tenant has and may have.
    GetOwnUsage: Get "/api/v1/tenants/me/usage", Tenant, Audit::Reads, 200,
        (()) ? UsageQuery, () => TenantUsage;
    /// Shows how much a tenant has and may have.
    GetTenantUsage: Get "/api/v1/platform/tenants/{tenant_id}/usage", OperatorOrVendor, Audit::Reads, 200,
        (TenantId) ? UsageQuery, () => TenantUsage;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_warns_from_80_percent_on() {
        for (used, limit, state) in [
            (79, Some(100), QuotaState::Ok),
            (80, Some(100), QuotaState::Warning),
            (99, Some(100), QuotaState::Warning),
            (100, Some(100), QuotaState::UsedUp),
            (0, Some(0), QuotaState::UsedUp),
            (i64::MAX, None, QuotaState::Ok),
        ] {
            assert_eq!(QuotaUsage::new(Quota::Pages, used, limit).state, state, "{used} of {limit:?}");
        }
    }

    #[test]
    fn null_means_the_default_and_absent_stays() {
        let patch: QuotasPatch = serde_json::from_str(r#"{"documents": null, "pages": 7}"#).unwrap();
        let own = Quotas { documents: Some(5), bytes: Some(6), ..Quotas::default() };
        let defaults = Quotas { documents: Some(100), bytes: Some(100), ..Quotas::default() };
        let quotas = patch.applied_to(own).or(&defaults);
        assert_eq!((quotas.documents, quotas.bytes, quotas.pages), (Some(100), Some(6), Some(7)));
    }
}

//! The websites that requested a chatbot in the last days, with the outcome (decisions, The embed record). It contains
//! no data about visitors.

use serde::{Deserialize, Serialize};

use crate::{
    ChatbotId, Timestamp,
    endpoint::{Audit, endpoints},
    error::FieldError,
    origin::Origin,
    text_enum::text_enum,
    validate::{Checker, Validate},
};

/// Days that the record goes back, today included.
pub const EMBED_DAYS: i64 = 30;
/// The most accepted origins that are recorded for a chatbot, and the most rejected ones. The latest requests count.
pub const EMBED_ORIGINS: i64 = 25;

text_enum! {
    /// The result of a widget's request.
    pub enum EmbedOutcome {
        /// The platform answered.
        Accepted = "accepted",
        /// The origin is not among the tenant's `allowed_origins`.
        OriginNotListed = "origin_not_listed",
        /// The tenant's `allowed_origins` are empty, which closes the chatbot everywhere.
        NoOriginsListed = "no_origins_listed",
        /// The chatbot is deactivated, so its widget gets 403.
        ChatbotDeactivated = "chatbot_deactivated",
        /// The request had no `Origin` header: it did not come from a page of another site.
        OriginMissing = "origin_missing",
        /// The browser hides where the page is from (`Origin: null`): a file, or a frame that is sandboxed.
        OriginOpaque = "origin_opaque",
        /// The `Origin` header is malformed.
        OriginMalformed = "origin_malformed",
    }
}

/// How many requests of an origin had one result on one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EmbedDay {
    /// The day in UTC.
    pub date: chrono::NaiveDate,
    /// The result of these requests.
    pub outcome: EmbedOutcome,
    /// The number of requests with this result.
    pub requests: i64,
}

/// How the settings apply to an origin now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EmbedSettings {
    /// Whether the tenant's `allowed_origins` allow it.
    pub is_allowed: bool,
    /// Whether the platform's cross-origin policy lets a browser read answers there, as soon as the tenant allows it.
    pub is_covered: bool,
}

/// An origin that requested the chatbot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EmbedOrigin {
    /// The origin; `null` for requests that named none that could be read.
    pub origin: Option<String>,
    /// The result of its latest request.
    pub outcome: EmbedOutcome,
    /// The time of its latest request.
    pub last_seen_at: Timestamp,
    /// The version that the page's snippet names (`?v=`); `null` when it names none.
    pub widget_version: Option<String>,
    /// How the settings apply to it now.
    #[serde(flatten)]
    pub settings: EmbedSettings,
    /// Its requests by day and outcome, newest day first.
    pub days: Vec<EmbedDay>,
}

/// Which websites asked for a chatbot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EmbedReport {
    /// The widget's version, which a new snippet names: the platform's, and a part of the script's sum. Older snippets get
    /// the current script, too.
    pub current_version: String,
    /// How the settings apply to the origin that was asked about; `null` when none was.
    pub asked: Option<EmbedSettings>,
    /// The origins of the last 30 days, the one that asked last first.
    pub origins: Vec<EmbedOrigin>,
}

/// Which origin the embed report tells the settings for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EmbedReportQuery {
    /// An origin to report the settings for, whether it has requested the chatbot or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
}

impl Validate for EmbedReportQuery {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::query();
        if let Some(reason) = self.origin.as_deref().and_then(|text| text.parse::<Origin>().err()) {
            check.require(false, "origin", "origin", &reason.to_string());
        }
        check.finish()
    }
}

endpoints! {
    /// Lists the websites that requested a chatbot in the last 30 days, with the results.
    GetEmbedReport: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/embed-report", Tenant, Audit::Reads, 200,
        (ChatbotId) ? EmbedReportQuery, () => EmbedReport;
}

//! The events of the output filter for operators and vendors: rule, place and time, without any text of a question or
//! an answer. Only the export contains texts, and the audit log records it.

use serde::{Deserialize, Serialize};

use super::check_range;
use crate::{
    ChatbotId, OutputFilterEventId, SessionId, TenantId, Timestamp,
    endpoint::{Audit, endpoints},
    error::{ErrorCode, FieldError},
    moment::Moment,
    page::{self, PageQuery},
    validate::{Checker, Validate},
};

/// Which events, by the filters of the export.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutputFilterSelection {
    /// Inclusive lower bound; ISO 8601 with a timezone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Inclusive upper bound; ISO 8601 with a timezone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// One tenant; every tenant when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<TenantId>,
}

impl OutputFilterSelection {
    /// The rules with codes of their own.
    ///
    /// # Errors
    /// `date_must_be_timezone_aware`, `date_from_after_date_to`.
    pub fn check_codes(&self) -> Result<(), ErrorCode> {
        check_range(self.from.as_deref(), self.to.as_deref())
    }

    /// The inclusive range of time, each side when it is set. Texts that do not parse are left out:
    /// [`Validate`] has refused them.
    pub fn range(&self) -> (Option<Timestamp>, Option<Timestamp>) {
        let moment = |text: &Option<String>| text.as_deref().and_then(Moment::parse).map(Moment::begin);
        (moment(&self.from), moment(&self.to))
    }
}

impl Validate for OutputFilterSelection {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::query();
        for (field, value) in [("from", &self.from), ("to", &self.to)] {
            check.moment(field, value.as_deref());
        }
        check.finish()
    }
}

/// The query of the events, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutputFilterEventsQuery {
    #[serde(flatten, deserialize_with = "crate::input::part")]
    pub selection: OutputFilterSelection,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Events of the page, 1 to 200.
    #[serde(default = "page::default_limit", deserialize_with = "page::number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 200)))]
    pub limit: i64,
    /// A cursor of another page; the first page when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

impl Default for OutputFilterEventsQuery {
    fn default() -> Self {
        let selection = OutputFilterSelection::default();
        Self { selection, category: None, limit: page::DEFAULT_LIMIT, cursor: None }
    }
}

impl Validate for OutputFilterEventsQuery {
    fn validate(&self) -> Vec<FieldError> {
        let mut errors = self.selection.validate();
        let mut check = Checker::query();
        if let Some(category) = &self.category {
            check.text("category", category, 0, 200);
        }
        errors.extend(check.finish());
        errors.extend(PageQuery { limit: self.limit, ..PageQuery::default() }.check(&[]));
        errors
    }
}

/// One match of a rule of the output filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutputFilterEvent {
    /// The id, which the export's row has, too.
    pub id: OutputFilterEventId,
    pub created_at: Timestamp,
    /// The chatbot's tenant.
    pub tenant_id: TenantId,
    /// The tenant's name today.
    pub tenant_name: String,
    /// The chatbot that answered.
    pub chatbot_id: ChatbotId,
    /// The chatbot's name today; `null` when it was deleted for good.
    pub chatbot_name: Option<String>,
    /// The visitor's session; `null` when it was not stored.
    pub session_id: Option<SessionId>,
    /// The id of the rule that matched.
    pub matched_pattern: String,
    /// The rule's category, for example `pii`.
    pub category: String,
    /// `inline` or `post_stream`.
    pub filter_layer: String,
    /// The chatbot's language; `null` when it is unknown.
    pub language: Option<String>,
}

/// One page of events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutputFilterEvents {
    /// The events, newest first.
    pub items: Vec<OutputFilterEvent>,
    /// Opaque; leads to the next page, of older events, and stays good while events are added. `null` at the end.
    pub next_cursor: Option<String>,
    /// Opaque; leads to the page before, of newer events. `null` where the page begins with the newest event.
    pub previous_cursor: Option<String>,
}

/// The number of events of a category.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutputFilterCategory {
    pub category: String,
    /// Its events, 1 or more.
    pub count: i64,
}

/// How many events there are: the rows that an export with the same filters and enough `max_rows` has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutputFilterSummary {
    /// The counted events; 1,000,000 at most.
    pub total: i64,
    /// Whether these are all. Otherwise only the newest 1,000,000 were counted.
    pub is_complete: bool,
    /// The categories that were found, by name.
    pub categories: Vec<OutputFilterCategory>,
    /// Matches of rules that only monitor, by category. They are not events and not exported; whole days in UTC count.
    #[serde(default)]
    pub watched: Vec<OutputFilterCategory>,
}

endpoints! {
    /// Lists what the output filter caught, newest first and without texts.
    ListOutputFilterEvents: Get "/api/v1/platform/output-filter-audit", OperatorOrVendor, Audit::Reads, 200,
        (()) ? OutputFilterEventsQuery, () => OutputFilterEvents,
        errors [TenantNotFound, DateMustBeTimezoneAware, DateFromAfterDateTo];
    /// Counts what the output filter caught, by category.
    SummariseOutputFilterEvents: Get "/api/v1/platform/output-filter-audit/summary", OperatorOrVendor, Audit::Reads, 200,
        (()) ? OutputFilterSelection, () => OutputFilterSummary,
        errors [TenantNotFound, DateMustBeTimezoneAware, DateFromAfterDateTo];
}

//! The platform audit log for operators and vendors (specification, Audit reader).

pub mod actions;

use serde::{Deserialize, Serialize};

use crate::{
    AuditId, ChatbotId, TenantId, Timestamp,
    csv::Csv,
    endpoint::{Audit, endpoints},
    error::{ErrorCode, FieldError},
    moment,
    page::{self, PageQuery},
    validate::{Checker, Validate},
};

/// A row of the audit log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditRow {
    pub id: AuditId,
    pub occurred_at: Timestamp,
    /// `operator`, `vendor`, `tenant` or `anonymous`.
    pub actor_role: String,
    /// The user name; `widget` for anonymous callers.
    pub actor_user: String,
    /// Always `null`: tokens carry no subject claim.
    pub actor_idp_id: Option<String>,
    /// The tenant concerned.
    pub tenant_id: Option<TenantId>,
    /// The tenant's name today; `null` when it is deleted.
    pub tenant_name: Option<String>,
    /// The chatbot concerned.
    pub chatbot_id: Option<ChatbotId>,
    /// The chatbot's name today; `null` when it or its tenant is deleted.
    pub chatbot_name: Option<String>,
    /// What happened, for example `tenant.created`.
    pub action: String,
    /// The kind of thing that changed.
    pub entity_type: String,
    /// The thing's id, or `bulk:<count>`.
    pub entity_id: String,
    /// The name today of a tenant, chatbot, template or module; `null` for other things and for deleted ones.
    pub entity_name: Option<String>,
    /// The client's address.
    pub ip_address: Option<String>,
    /// The session at the identity provider, or of the widget.
    pub session_id: Option<String>,
    /// What changed: `before` and `after` for mutations.
    pub details: serde_json::Value,
}

/// The roles of actors.
pub const ACTOR_ROLES: [&str; 4] = ["operator", "vendor", "tenant", "anonymous"];

/// Which rows of the audit log; every filter that is set must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditFilter {
    /// Only rows about this entity. Find bulk events by their action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity_id: Option<String>,
    /// Only rows about this kind of entity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Only rows of actors with this role: `operator`, `vendor`, `tenant` or `anonymous`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ACTOR_ROLES)))]
    pub actor_role: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor_user: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<TenantId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chatbot_id: Option<ChatbotId>,
    /// A case-insensitive substring of the details' text; at most 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json_search: Option<String>,
    /// Inclusive; ISO 8601, in UTC when it has no timezone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_from: Option<String>,
    /// Inclusive; ISO 8601, in UTC when it has no timezone; a day counts to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_to: Option<String>,
}

impl AuditFilter {
    /// The inclusive range of time, each side when it is set. Texts that do not parse are left out:
    /// [`Validate`] has refused them.
    pub fn range(&self) -> (Option<Timestamp>, Option<Timestamp>) {
        moment::range(self.date_from.as_deref(), self.date_to.as_deref())
    }

    /// The rule with a code of its own.
    ///
    /// # Errors
    /// `date_from_after_date_to`.
    pub fn check_codes(&self) -> Result<(), ErrorCode> {
        moment::check_order(self.range())
    }

    fn check(&self, check: &mut Checker) {
        for (field, value) in [("date_from", &self.date_from), ("date_to", &self.date_to)] {
            check.moment(field, value.as_deref());
        }
        for (field, value) in [
            ("entity_id", &self.entity_id),
            ("entity_type", &self.entity_type),
            ("action", &self.action),
            ("actor_user", &self.actor_user),
            ("json_search", &self.json_search),
        ] {
            if let Some(value) = value {
                check.text(field, value, 0, 200);
            }
        }
        let is_role = self.actor_role.as_deref().is_none_or(|role| ACTOR_ROLES.contains(&role));
        check.require(is_role, "actor_role", "enum", "must be `operator`, `vendor`, `tenant` or `anonymous`");
    }
}

impl Validate for AuditFilter {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::query();
        self.check(&mut check);
        check.finish()
    }
}

/// The query of the audit list, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditListQuery {
    #[serde(flatten, deserialize_with = "crate::input::part")]
    pub filter: AuditFilter,
    /// Rows of the page, 1 to 200.
    #[serde(default = "page::default_limit", deserialize_with = "page::number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 200)))]
    pub limit: i64,
    /// A cursor of another page; the first page when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

impl Default for AuditListQuery {
    fn default() -> Self {
        Self { filter: AuditFilter::default(), limit: page::DEFAULT_LIMIT, cursor: None }
    }
}

impl Validate for AuditListQuery {
    fn validate(&self) -> Vec<FieldError> {
        let mut errors = self.filter.validate();
        errors.extend(PageQuery { limit: self.limit, ..PageQuery::default() }.check(&[]));
        errors
    }
}

/// One page of the audit log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditPage {
    /// The rows, newest first.
    pub items: Vec<AuditRow>,
    /// Opaque; leads to the next page, of older rows, and stays good while rows are added. `null` at the end.
    pub next_cursor: Option<String>,
    /// Opaque; leads to the page before, of newer rows. `null` where the page begins with the newest row.
    pub previous_cursor: Option<String>,
}

/// The rows before and after a row, among those that match a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditNeighbours {
    /// The row that came after it; `null` when it is the newest.
    pub newer: Option<AuditId>,
    /// The row that came before it; `null` when it is the oldest.
    pub older: Option<AuditId>,
}

/// Which rows and columns the CSV of the audit log has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditCsvQuery {
    #[serde(flatten, deserialize_with = "crate::input::part")]
    pub filter: AuditFilter,
    /// Whether `details` is the last column; `false` when absent.
    #[serde(default, deserialize_with = "crate::page::switch")]
    pub include_details: bool,
}

impl Validate for AuditCsvQuery {
    fn validate(&self) -> Vec<FieldError> {
        self.filter.validate()
    }
}

endpoints! {
    /// Lists the audit log, newest first.
    ListAudit: Get "/api/v1/platform/audit", OperatorOrVendor, Audit::Reads, 200,
        (()) ? AuditListQuery, () => AuditPage, errors [DateFromAfterDateTo];
    /// Shows a row of the audit log.
    GetAuditRow: Get "/api/v1/platform/audit/{audit_id}", OperatorOrVendor, Audit::Reads, 200,
        (AuditId) ? (), () => AuditRow;
    /// Names the rows before and after a row of the audit log, with the filters of the list.
    GetAuditNeighbours: Get "/api/v1/platform/audit/{audit_id}/neighbours", OperatorOrVendor, Audit::Reads, 200,
        (AuditId) ? AuditFilter, () => AuditNeighbours, errors [DateFromAfterDateTo];
    /// Streams the audit log as CSV, newest first.
    ExportAudit: Get "/api/v1/platform/audit/export.csv", OperatorOrVendor, Audit::Reads, 200,
        (()) ? AuditCsvQuery, () => Csv, errors [DateFromAfterDateTo];
}

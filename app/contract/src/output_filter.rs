//! The export of the output-filter audit (specification, Output-filter audit export).

pub mod events;

use serde::{Deserialize, Serialize};

use crate::{
    TenantId,
    audit::actions,
    csv::Csv,
    endpoint::{Audit, endpoints},
    error::{ErrorCode, FieldError},
    moment::Moment,
    page,
    validate::{Checker, Validate},
};

/// Rows of an export when the caller does not say.
pub const DEFAULT_MAX_ROWS: i64 = 50_000;
/// Maximum rows of an export.
pub const LIMIT_MAX_ROWS: i64 = 500_000;

/// Period, tenant, columns and size of the CSV of filter events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutputFilterExportQuery {
    /// Inclusive lower bound; ISO 8601 with a timezone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Inclusive upper bound; ISO 8601 with a timezone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// One tenant; every tenant when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<TenantId>,
    /// Always `csv`.
    #[serde(default = "csv")]
    pub fmt: String,
    /// Whether the last column is there; `true` when absent.
    #[serde(default = "default_true", deserialize_with = "page::switch")]
    pub include_full_output: bool,
    /// Rows at most, 1 to 500000; 50000 when absent.
    #[serde(default = "default_max_rows", deserialize_with = "page::number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 500_000)))]
    pub max_rows: i64,
}

fn csv() -> String {
    "csv".to_owned()
}

fn default_true() -> bool {
    true
}

fn default_max_rows() -> i64 {
    DEFAULT_MAX_ROWS
}

impl Default for OutputFilterExportQuery {
    fn default() -> Self {
        Self { from: None, to: None, tenant: None, fmt: csv(), include_full_output: true, max_rows: DEFAULT_MAX_ROWS }
    }
}

impl OutputFilterExportQuery {
    /// The rules with codes of their own, in the order of the specification's table: format, timezones, order.
    ///
    /// # Errors
    /// `unsupported_export_format`, `date_must_be_timezone_aware`, `date_from_after_date_to`.
    pub fn check_codes(&self) -> Result<(), ErrorCode> {
        if self.fmt != "csv" {
            return Err(ErrorCode::UnsupportedExportFormat);
        }
        check_range(self.from.as_deref(), self.to.as_deref())
    }
}

/// The rules of a range that have codes of their own. Texts that do not parse are left out: [`Validate`] refuses them.
fn check_range(from: Option<&str>, to: Option<&str>) -> Result<(), ErrorCode> {
    let moments = [from, to].map(|text| text.and_then(Moment::parse));
    if moments.iter().flatten().any(|moment| !matches!(moment, Moment::Aware(_))) {
        return Err(ErrorCode::DateMustBeTimezoneAware);
    }
    match moments {
        [Some(from), Some(to)] if from.begin() > to.begin() => Err(ErrorCode::DateFromAfterDateTo),
        _ => Ok(()),
    }
}

impl Validate for OutputFilterExportQuery {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::query();
        for (field, value) in [("from", &self.from), ("to", &self.to)] {
            check.moment(field, value.as_deref());
        }
        let msg = "must be a whole number between 1 and 500000";
        check.require((1..=LIMIT_MAX_ROWS).contains(&self.max_rows), "max_rows", "out_of_range", msg);
        check.finish()
    }
}

endpoints! {
    /// Streams the output-filter audit as CSV, oldest first.
    ExportOutputFilterAudit: Get "/api/v1/platform/output-filter-audit/export", OperatorOrVendor,
        Audit::Exports(actions::OUTPUT_FILTER_AUDIT_EXPORTED), 200, (()) ? OutputFilterExportQuery, () => Csv,
        errors [TenantNotFound, UnsupportedExportFormat, DateMustBeTimezoneAware, DateFromAfterDateTo];
}

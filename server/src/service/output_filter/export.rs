//! The export of the output-filter audit (specification, Output-filter audit export).

use axum::body::Body;
use chrono::{DateTime, SecondsFormat, Utc};
use contract::{ErrorCode, Timestamp, audit::actions, moment::Moment, output_filter::OutputFilterExportQuery};
use serde_json::json;
use store::{
    AuditEntry, ExportTx,
    export::CopyQuery,
    output_filter::{Selection, copy_query},
};

use crate::{
    caller::Caller,
    error::ApiResult,
    export::{self, Client, Column, Export, ExportAudit, Kind, RowSource},
    state::App,
};

const COLUMNS: [Column; 12] = [
    Column { name: "id", kind: Kind::Id },
    Column { name: "tenant_id", kind: Kind::Id },
    Column { name: "chatbot_id", kind: Kind::Id },
    Column { name: "session_id", kind: Kind::Id },
    Column { name: "user_question", kind: Kind::SpecifiedText },
    Column { name: "matched_pattern", kind: Kind::SpecifiedText },
    Column { name: "category", kind: Kind::SpecifiedText },
    Column { name: "filter_layer", kind: Kind::SpecifiedText },
    Column { name: "language", kind: Kind::SpecifiedText },
    Column { name: "created_at", kind: Kind::Moment },
    Column { name: "excerpt", kind: Kind::SpecifiedText },
    Column { name: "full_output", kind: Kind::SpecifiedText },
];

struct Triggers(Selection);

impl RowSource for Triggers {
    async fn check(&self, app: &App, caller: &Caller) -> ApiResult<()> {
        let Some(tenant) = self.0.tenant else { return Ok(()) };
        let mut tx = app.db.read(&caller.scope()?).await?;
        let is_active = store::tenants::is_active(&mut tx, tenant).await?;
        if is_active { Ok(()) } else { Err(ErrorCode::TenantNotFound.into()) }
    }

    async fn query(&self, _: &mut ExportTx) -> store::Result<CopyQuery> {
        Ok(copy_query(&self.0))
    }
}

/// Starts the export; it writes exactly one audit row, however it ends.
///
/// # Errors
/// `unsupported_export_format`, `date_must_be_timezone_aware`, `date_from_after_date_to`, `tenant_not_found`;
/// `rate_limited` when the caller runs as many exports as one may; `service_unavailable` when too many run in all.
pub async fn start(app: &App, caller: &Caller, query: &OutputFilterExportQuery, client: Client) -> ApiResult<Body> {
    query.check_codes()?;
    let selection = selection(query);
    let columns = if query.include_full_output { &COLUMNS[..] } else { &COLUMNS[..COLUMNS.len() - 1] };
    let export = Export {
        columns: columns.to_vec(),
        source: Triggers(selection),
        max_rows: u64::try_from(selection.max_rows).ok(),
        for_spreadsheets: false,
        audit: Some(audit(caller, &selection)),
    };
    export::start(app, caller, export, client).await
}

/// Names the CSV by the time, and by the tenant if one is chosen.
pub fn file_name(query: &OutputFilterExportQuery, now: DateTime<Utc>) -> String {
    export::file_name("output-filter-audit", query.tenant.map(|tenant| tenant.0), now)
}

fn selection(query: &OutputFilterExportQuery) -> Selection {
    let moment = |text: &Option<String>| text.as_deref().and_then(Moment::parse).map(Moment::begin);
    Selection {
        tenant: query.tenant,
        from: moment(&query.from),
        to: moment(&query.to),
        with_full_output: query.include_full_output,
        max_rows: query.max_rows,
    }
}

fn audit(caller: &Caller, selection: &Selection) -> ExportAudit {
    let text = |moment: Option<Timestamp>| moment.map(|moment| moment.to_rfc3339_opts(SecondsFormat::AutoSi, true));
    let details = json!({
        "scope": if selection.tenant.is_some() { "single_tenant" } else { "cross_tenant" },
        "target_tenant_id": selection.tenant,
        "date_from": text(selection.from),
        "date_to": text(selection.to),
        "include_full_output": selection.with_full_output,
        "max_rows": selection.max_rows,
    });
    let entry = AuditEntry {
        actor: caller.actor(),
        tenant_id: selection.tenant,
        chatbot_id: None,
        action: actions::OUTPUT_FILTER_AUDIT_EXPORTED,
        entity_type: "output_filter_audit",
        entity_id: selection.tenant.map_or_else(|| "all".to_owned(), |tenant| tenant.to_string()),
        details,
    };
    ExportAudit { entry, failure_event: "output_filter_audit.disconnect_audit_write_failed" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_named_after_the_tenant_and_the_second() {
        let now = DateTime::parse_from_rfc3339("2026-11-21T05:06:07.9Z").unwrap().to_utc();
        let mut query = OutputFilterExportQuery::default();
        assert_eq!(file_name(&query, now), "svc-output-filter-audit-20261121-050607.csv");
        query.tenant = Some("b7d4f1a2-6c3e-4f58-8a90-2e1d7c5b4f33".parse().unwrap());
        let expected = "svc-output-filter-audit-b7d4f1a2-6c3e-4f58-8a90-2e1d7c5b4f33-20261121-050607.csv";
        assert_eq!(file_name(&query, now), expected);
    }
}

//! The output-filter audit: its events, their numbers, and the export.

use axum::{Router, response::Response};
use contract::output_filter::{
    ExportOutputFilterAudit,
    events::{ListOutputFilterEvents, OutputFilterEvents, OutputFilterSummary, SummariseOutputFilterEvents},
};

use crate::{
    app_state::App,
    http::{
        csv,
        endpoint::{Call, Register},
        error::ApiResult,
    },
    service::{output_filter_events, output_filter_export},
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router
        .endpoint::<ListOutputFilterEvents, _, _, _, _>(list)
        .endpoint::<SummariseOutputFilterEvents, _, _, _, _>(summarise)
        .csv_endpoint::<ExportOutputFilterAudit, _, _>(export)
}

async fn list(app: App, call: Call<ListOutputFilterEvents>) -> ApiResult<OutputFilterEvents> {
    output_filter_events::list(&app, &call.caller, &call.query).await
}

async fn summarise(app: App, call: Call<SummariseOutputFilterEvents>) -> ApiResult<OutputFilterSummary> {
    output_filter_events::summarise(&app, &call.caller, &call.query).await
}

async fn export(app: App, call: Call<ExportOutputFilterAudit>) -> ApiResult<Response> {
    let name = output_filter_export::file_name(&call.query, chrono::Utc::now());
    csv::attachment(&call.parts, &name, |cut| output_filter_export::start(&app, &call.caller, &call.query, cut)).await
}

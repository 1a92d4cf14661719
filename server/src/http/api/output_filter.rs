//! The output-filter audit: its events, their numbers, and the export.

use axum::{Router, response::Response};
use contract::output_filter::{
    ExportOutputFilterAudit,
    events::{ListOutputFilterEvents, OutputFilterEvents, OutputFilterSummary, SummariseOutputFilterEvents},
};

use crate::{
    error::ApiResult,
    http::{
        csv,
        endpoint::{Call, Register},
    },
    service::output_filter::{events, export},
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint(list).endpoint(summarise).csv_endpoint(export)
}

async fn list(app: App, call: Call<ListOutputFilterEvents>) -> ApiResult<OutputFilterEvents> {
    events::list(&app, &call.caller, &call.query).await
}

async fn summarise(app: App, call: Call<SummariseOutputFilterEvents>) -> ApiResult<OutputFilterSummary> {
    events::summarise(&app, &call.caller, &call.query).await
}

async fn export(app: App, call: Call<ExportOutputFilterAudit>) -> ApiResult<Response> {
    let name = export::file_name(&call.query, chrono::Utc::now());
    csv::attachment(&call.parts, &name, |client| export::start(&app, &call.caller, &call.query, client)).await
}

//! The export of the output-filter audit.

use axum::{Router, response::Response};
use contract::output_filter::ExportOutputFilterAudit;

use crate::{
    app_state::App,
    http::{
        csv,
        endpoint::{Call, Register},
        error::ApiResult,
    },
    service::output_filter_export,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.csv_endpoint::<ExportOutputFilterAudit, _, _>(export)
}

async fn export(app: App, call: Call<ExportOutputFilterAudit>) -> ApiResult<Response> {
    let name = output_filter_export::file_name(&call.query, chrono::Utc::now());
    csv::attachment(&call.parts, &name, || output_filter_export::start(&app, &call.caller, &call.query)).await
}

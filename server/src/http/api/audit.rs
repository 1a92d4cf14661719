//! The audit log for operators and vendors.

use axum::{Router, response::Response};
use contract::audit::{AuditNeighbours, AuditPage, AuditRow, ExportAudit, GetAuditNeighbours, GetAuditRow, ListAudit};

use crate::{
    error::ApiResult,
    http::{
        csv,
        endpoint::{Call, Register},
    },
    service::audit,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint(list).csv_endpoint(export).endpoint(get).endpoint(neighbours)
}

async fn list(app: App, call: Call<ListAudit>) -> ApiResult<AuditPage> {
    audit::list(&app, &call.caller, &call.query).await
}

async fn get(app: App, call: Call<GetAuditRow>) -> ApiResult<AuditRow> {
    audit::get(&app, &call.caller, call.path).await
}

async fn neighbours(app: App, call: Call<GetAuditNeighbours>) -> ApiResult<AuditNeighbours> {
    audit::neighbours(&app, &call.caller, call.path, &call.query).await
}

async fn export(app: App, call: Call<ExportAudit>) -> ApiResult<Response> {
    let name = audit::file_name(chrono::Utc::now());
    csv::attachment(&call.parts, &name, |client| audit::export(&app, &call.caller, call.query, client)).await
}

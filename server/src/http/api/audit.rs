//! The audit log as operators and vendors read it.

use axum::Router;
use contract::audit::{AuditPage, AuditRow, GetAuditRow, ListAudit};

use crate::{
    app_state::App,
    http::{
        endpoint::{Call, Register},
        error::ApiResult,
    },
    service::audit_log,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint::<ListAudit, _, _, _, _>(list).endpoint::<GetAuditRow, _, _, _, _>(get)
}

async fn list(app: App, call: Call<ListAudit>) -> ApiResult<AuditPage> {
    audit_log::list(&app, &call.caller, &call.query).await
}

async fn get(app: App, call: Call<GetAuditRow>) -> ApiResult<AuditRow> {
    audit_log::get(&app, &call.caller, call.path).await
}

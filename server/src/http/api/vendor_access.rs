//! The vendor access log.

use axum::Router;
use contract::vendor_access::{ListVendorAccess, VendorAccessPage};

use crate::{
    error::ApiResult,
    http::endpoint::{Call, Register},
    service::vendor_access,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint(list)
}

async fn list(app: App, call: Call<ListVendorAccess>) -> ApiResult<VendorAccessPage> {
    vendor_access::list(&app, &call.caller, &call.query).await
}

//! The vendor access log.

use axum::Router;
use contract::vendor_access::{ListVendorAccess, VendorAccessPage};

use crate::{
    app_state::App,
    http::{
        endpoint::{Call, Register},
        error::ApiResult,
    },
    service::vendor_access,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint::<ListVendorAccess, _, _, _, _>(list)
}

async fn list(app: App, call: Call<ListVendorAccess>) -> ApiResult<VendorAccessPage> {
    vendor_access::list(&app, &call.caller, &call.query).await
}

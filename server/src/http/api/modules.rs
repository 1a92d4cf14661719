//! The module registry and the modules of a tenant.

use axum::Router;

use crate::app_state::App;

pub(super) fn register(router: Router<App>) -> Router<App> {
    router
}

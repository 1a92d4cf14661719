//! The audit log as operators and vendors read it.

use axum::Router;

use crate::app_state::App;

pub(super) fn register(router: Router<App>) -> Router<App> {
    router
}

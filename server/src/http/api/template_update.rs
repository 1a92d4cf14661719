//! Taking a template's changes over into a chatbot.

use axum::Router;

use crate::app_state::App;

pub(super) fn register(router: Router<App>) -> Router<App> {
    router
}

//! Handlers of the REST API, the widget and health, one file per aggregate. A handler contains no logic: it passes the
//! call to its service.

mod answer_models;
mod api_keys;
mod ask;
mod audit;
mod branding;
mod chatbots;
mod conversations;
mod documents;
mod embed;
mod faq;
mod feedback;
mod health;
mod identity;
mod knowledge_hub;
mod modules;
mod output_filter;
mod people;
mod playground;
mod preferences;
mod sources;
mod system_check;
mod template_update;
mod templates;
mod tenant_sources;
mod tenants;
mod unanswered;
mod uploads;
mod usage;
mod vendor_access;
mod websites;
mod widget;

use axum::Router;

use crate::state::App;

/// Every route of the endpoint table.
pub(super) fn routes() -> Router<App> {
    let router = Router::new();
    let router = identity::register(router);
    let router = tenant_sources::register(router);
    let router = tenants::register(router);
    let router = usage::register(router);
    let router = answer_models::register(router);
    let router = people::register(router);
    let router = api_keys::register(router);
    let router = templates::register(router);
    let router = chatbots::register(router);
    let router = template_update::register(router);
    let router = branding::register(router);
    let router = modules::register(router);
    let router = feedback::register(router);
    let router = unanswered::register(router);
    let router = embed::register(router);
    let router = conversations::register(router);
    let router = documents::register(router);
    let router = sources::register(router);
    let router = websites::register(router);
    let router = uploads::register(router);
    let router = faq::register(router);
    let router = playground::register(router);
    let router = ask::register(router);
    let router = knowledge_hub::register(router);
    let router = audit::register(router);
    let router = output_filter::register(router);
    let router = vendor_access::register(router);
    let router = system_check::register(router);
    let router = preferences::register(router);
    let router = widget::register(router);
    health::register(router)
}

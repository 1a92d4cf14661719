//! The actions that the audit log can hold, offered while one is typed into the filter.

use leptos::prelude::*;

/// The id of the list, for the field that offers it.
pub(super) const ID: &str = "audit-actions";

/// Every action that an endpoint writes, by its name.
const ACTIONS: [&str; 44] = [
    "allowed_host.created",
    "allowed_host.deleted",
    "chat_session.erased",
    "chatbot.created",
    "chatbot.deactivated",
    "chatbot.reactivated",
    "chatbot.updated",
    "chatbot_branding.updated",
    "chatbot_document.deleted",
    "chatbot_document.uploaded",
    "chatbot_faq.created",
    "chatbot_faq.deleted",
    "chatbot_faq.updated",
    "chatbot_feedback.created",
    "chatbot_feedback.handled",
    "chatbot_feedback.reopened",
    "chatbot_source.created",
    "chatbot_source.deleted",
    "chatbot_source.read_requested",
    "chatbot_source.synced",
    "chatbot_source.updated",
    "module.created",
    "module.updated",
    "output_filter_audit.exported",
    "person.invited",
    "person.password_reset",
    "person.removed",
    "person.signed_out",
    "person.updated",
    "template.cloned",
    "template.created",
    "template.deactivated",
    "template.reactivated",
    "template.updated",
    "tenant.bulk_soft_deleted",
    "tenant.created",
    "tenant.soft_deleted",
    "tenant.updated",
    "tenant_branding.updated",
    "tenant_module.activated",
    "tenant_module.bulk_assigned",
    "tenant_module.deactivated",
    "unanswered_question.handled",
    "unanswered_question.reopened",
];

/// The list.
#[component]
pub(super) fn Actions() -> impl IntoView {
    let options = ACTIONS.map(|action| view! { <option value=action></option> });
    view! { <datalist id=ID>{options.into_iter().collect_view()}</datalist> }
}

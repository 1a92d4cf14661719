//! The actions of the audit log, by entity (specification, Events). Endpoints and services name them from here.

macro_rules! actions {
    ($($name:ident = $text:literal),+ $(,)?) => {
        $(pub const $name: &str = $text;)+

        /// Every action.
        pub const ALL: &[&str] = &[$($name),+];
    };
}

actions! {
    ALLOWED_HOST_CREATED = "allowed_host.created",
    ALLOWED_HOST_DELETED = "allowed_host.deleted",
    CHAT_SESSION_ERASED = "chat_session.erased",
    CHATBOT_CREATED = "chatbot.created",
    CHATBOT_DEACTIVATED = "chatbot.deactivated",
    CHATBOT_DUPLICATED = "chatbot.duplicated",
    CHATBOT_ERASED = "chatbot.erased",
    CHATBOT_REACTIVATED = "chatbot.reactivated",
    CHATBOT_UPDATED = "chatbot.updated",
    CHATBOT_BRANDING_UPDATED = "chatbot_branding.updated",
    CHATBOT_DOCUMENT_DELETED = "chatbot_document.deleted",
    CHATBOT_DOCUMENT_UPLOADED = "chatbot_document.uploaded",
    CHATBOT_FAQ_CREATED = "chatbot_faq.created",
    CHATBOT_FAQ_DELETED = "chatbot_faq.deleted",
    CHATBOT_FAQ_IMPORTED = "chatbot_faq.imported",
    CHATBOT_FAQ_UPDATED = "chatbot_faq.updated",
    CHATBOT_FEEDBACK_CREATED = "chatbot_feedback.created",
    CHATBOT_FEEDBACK_HANDLED = "chatbot_feedback.handled",
    CHATBOT_FEEDBACK_REOPENED = "chatbot_feedback.reopened",
    CHATBOT_SOURCE_CREATED = "chatbot_source.created",
    CHATBOT_SOURCE_DELETED = "chatbot_source.deleted",
    CHATBOT_SOURCE_READ_REQUESTED = "chatbot_source.read_requested",
    CHATBOT_SOURCE_SYNCED = "chatbot_source.synced",
    CHATBOT_SOURCE_UPDATED = "chatbot_source.updated",
    CONVERSATIONS_EXPORTED = "conversations.exported",
    KNOWLEDGE_BOOKMARK_CREATED = "knowledge_bookmark.created",
    KNOWLEDGE_BOOKMARK_DELETED = "knowledge_bookmark.deleted",
    KNOWLEDGE_BOOKMARK_UPDATED = "knowledge_bookmark.updated",
    KNOWLEDGE_SAVED_SEARCH_CREATED = "knowledge_saved_search.created",
    KNOWLEDGE_SAVED_SEARCH_DELETED = "knowledge_saved_search.deleted",
    MODULE_CREATED = "module.created",
    MODULE_UPDATED = "module.updated",
    OUTPUT_FILTER_AUDIT_EXPORTED = "output_filter_audit.exported",
    PERSON_INVITED = "person.invited",
    PERSON_PASSWORD_RESET = "person.password_reset",
    PERSON_REMOVED = "person.removed",
    PERSON_SIGNED_OUT = "person.signed_out",
    PERSON_UPDATED = "person.updated",
    TEMPLATE_CLONED = "template.cloned",
    TEMPLATE_CREATED = "template.created",
    TEMPLATE_DEACTIVATED = "template.deactivated",
    TEMPLATE_REACTIVATED = "template.reactivated",
    TEMPLATE_UPDATED = "template.updated",
    TENANT_BULK_SOFT_DELETED = "tenant.bulk_soft_deleted",
    TENANT_CREATED = "tenant.created",
    TENANT_SOFT_DELETED = "tenant.soft_deleted",
    TENANT_UPDATED = "tenant.updated",
    TENANT_BRANDING_UPDATED = "tenant_branding.updated",
    TENANT_MODULE_ACTIVATED = "tenant_module.activated",
    TENANT_MODULE_BULK_ASSIGNED = "tenant_module.bulk_assigned",
    TENANT_MODULE_DEACTIVATED = "tenant_module.deactivated",
    UNANSWERED_QUESTION_HANDLED = "unanswered_question.handled",
    UNANSWERED_QUESTION_REOPENED = "unanswered_question.reopened",
}

//! The expected audit row of `mutations::mutate` for each endpoint. Add a line for each new mutation.

use contract::{
    Access,
    endpoint::{Audit, EndpointInfo},
};
use serde_json::{Value, json};

use crate::{
    mutations::Prepared,
    support::{Tenant, TestResponse},
};

/// The expected row.
pub struct Expected {
    pub actor_role: &'static str,
    pub actor_user: &'static str,
    pub tenant_id: Value,
    pub chatbot_id: Value,
    pub entity_id: Value,
    /// Fields that must be among the changed ones, before and after; for a creation `before` is null.
    pub before: Value,
    pub after: Value,
}

/// The actions that an endpoint writes.
pub fn actions(endpoint: &EndpointInfo) -> Vec<&'static str> {
    match endpoint.audit {
        Audit::Writes(action) => vec![action],
        Audit::OneOf(actions) => actions.to_vec(),
        Audit::Reads | Audit::Exports(_) | Audit::Exempt(_) => Vec::new(),
    }
}

/// The row that the call must leave.
pub fn expected(
    endpoint: &EndpointInfo,
    tenant: Tenant,
    chatbot: Value,
    prepared: &Prepared,
    answer: &TestResponse,
) -> Expected {
    let (actor_role, actor_user) = match endpoint.access {
        Access::Widget => ("anonymous", "widget"),
        Access::Tenant | Access::TenantAdmin | Access::AnyWriter => ("tenant", "tenant-admin"),
        _ => ("operator", "olivia"),
    };
    let (before, after) = change(endpoint.name, tenant);
    let (tenant_id, chatbot_id, entity_id) = entity(endpoint.name, tenant, chatbot, prepared, answer);
    Expected { actor_role, actor_user, tenant_id, chatbot_id, entity_id, before, after }
}

/// Tenant, chatbot and id of the thing.
fn entity(
    endpoint: &str,
    tenant: Tenant,
    chatbot: Value,
    prepared: &Prepared,
    answer: &TestResponse,
) -> (Value, Value, Value) {
    let (none, own, new_id) = (Value::Null, json!(tenant.id), answer.body["id"].clone());
    match endpoint {
        "CreateTenant" => (new_id.clone(), none, new_id),
        "UpdateTenant" | "DeleteTenant" => (own.clone(), none, own),
        "BulkDeleteTenants" => (none.clone(), none, json!("bulk:1")),
        "CreateModule" => (none.clone(), none, json!("fresh")),
        "UpdateModule" => (none.clone(), none, json!("feedback")),
        "SetTenantModule" | "ActivateModule" | "DeactivateModule" => (own, none, json!("feedback")),
        "AssignTenantModules" | "AssignPlatformTenantModules" => (own, none, json!("bulk:2")),
        "CreateTemplate" => (none.clone(), none, json!("fresh")),
        "CloneTemplateInto" => (none.clone(), none, json!("prepared-de")),
        "UpdateTemplate" | "DeleteTemplate" | "DeactivateTemplate" | "ReactivateTemplate" => {
            (none.clone(), none, json!("prepared"))
        }
        "CreateChatbot" | "DuplicateChatbot" => (own, new_id.clone(), new_id),
        "UpdateChatbot"
        | "DeactivateChatbot"
        | "ReactivateChatbot"
        | "ProvisionChatbot"
        | "EraseChatbot"
        | "ApplyTemplate"
        | "UpdateChatbotBranding"
        | "UploadChatbotPicture" => (own, chatbot.clone(), chatbot),
        "EraseConversation" => (own, chatbot, prepared.session_id.clone()),
        "SetFeedbackHandled" => (own, chatbot, prepared.feedback_id.clone()),
        "SetQuestionHandled" => (own, chatbot, answer.body["question_key"].clone()),
        "UpdateFaq" | "DeleteFaq" => (own, chatbot, prepared.faq_id.clone()),
        "ImportFaq" => (own, chatbot, json!("bulk:1")),
        "CreateFaq" | "CreateSource" => (own, chatbot, new_id),
        "UpdateSource" | "DeleteSource" | "ReadWebsite" => (own, chatbot, prepared.source_id.clone()),
        "CreateBookmark" | "CreateSavedSearch" => (own, none, new_id),
        "UpdateBookmark" | "DeleteBookmark" => (own, none, prepared.bookmark_id.clone()),
        "DeleteSavedSearch" => (own, none, prepared.saved_search_id.clone()),
        "InvitePerson" | "InviteTenantPerson" => (own, none, new_id),
        "CreateApiKey" => (own, none, new_id),
        "UpdateApiKey" | "RevokeApiKey" => (own, none, prepared.api_key_id.clone()),
        name if name.contains("Person") => (own, none, prepared.person_id.clone()),
        "AllowHost" | "DisallowHost" => (own, none, json!("www.example.com")),
        "PutDocument" => (own, chatbot, answer.body["document"]["id"].clone()),
        "UploadDocuments" => (own, chatbot, answer.body["documents"][0]["document"]["id"].clone()),
        "DeleteDocument" | "DeleteDocuments" => (own, chatbot, prepared.document_id.clone()),
        "UpdateTenantBranding" | "UpdateOperatorBranding" | "UploadTenantPicture" => (own.clone(), none, own),
        "CreateFeedback" | "CreateLegacyFeedback" => (own, chatbot, new_id),
        name => panic!("{name} writes to the audit log and is not expected here"),
    }
}

/// Details of the audit row: values before and after.
fn change(endpoint: &str, tenant: Tenant) -> (Value, Value) {
    let field = |name: &str, before: Value, after: Value| (json!({ name: before }), json!({ name: after }));
    match endpoint {
        "CreateTenant" => (Value::Null, json!({ "slug": "new", "display_name": "New" })),
        "CreateModule" => (Value::Null, json!({ "id": "fresh", "name": "Fresh", "internal_only": false })),
        "CreateTemplate" => (Value::Null, json!({ "id": "fresh", "language": "en", "version": 1 })),
        "CloneTemplateInto" => (Value::Null, json!({ "id": "prepared-de", "language": "de", "name": "Support" })),
        "CreateChatbot" => (Value::Null, json!({ "slug": "fresh", "tenant_id": tenant.id, "name": "Help" })),
        "DuplicateChatbot" => (Value::Null, json!({ "slug": "copy", "name": "Copy", "sources": 0, "files": 0 })),
        "SetFeedbackHandled" | "SetQuestionHandled" => field("handled", json!(false), json!(true)),
        "CreateBookmark" => (Value::Null, json!({ "note_characters": 6 })),
        "UpdateBookmark" => field("note_characters", json!(3), json!(6)),
        "DeleteBookmark" => (json!({ "note_characters": 3 }), Value::Null),
        "CreateSavedSearch" => (Value::Null, json!({ "name_characters": 6, "query_characters": 7 })),
        "DeleteSavedSearch" => (json!({ "name_characters": 5, "query_characters": 5 }), Value::Null),
        "CreateSource" => (Value::Null, json!({ "kind": "upload", "visitors_open_files": false })),
        "UpdateSource" => field("renamed", json!(false), json!(true)),
        "DeleteSource" => (json!({ "kind": "upload", "documents": 1 }), Value::Null),
        "ReadWebsite" => field("approved", json!(false), json!(true)),
        "InvitePerson" | "InviteTenantPerson" => {
            (Value::Null, json!({ "username": "fresh", "role": "viewer", "is_active": true }))
        }
        "UpdatePerson" | "UpdateTenantPerson" => field("role", json!("viewer"), json!("admin")),
        "RemovePerson" | "RemoveTenantPerson" => {
            (json!({ "username": "anna", "role": "viewer", "is_active": true }), Value::Null)
        }
        "ResetPersonPassword" | "ResetTenantPersonPassword" => (json!({}), json!({})),
        "SignPersonOut" | "SignTenantPersonOut" => field("sessions", json!(1), json!(0)),
        "CreateApiKey" => (Value::Null, json!({ "name": "Fresh", "scopes": ["ask"], "chatbot_ids": null })),
        "UpdateApiKey" => field("name", json!("Shop"), json!("Renamed")),
        "RevokeApiKey" => (json!({ "name": "Shop", "scopes": ["ask"] }), Value::Null),
        "AllowHost" => (Value::Null, json!({ "host": "www.example.com" })),
        "DisallowHost" => (json!({ "host": "www.example.com" }), Value::Null),
        "PutDocument" | "UploadDocuments" => (Value::Null, json!({ "file_type": "md" })),
        "DeleteDocument" | "DeleteDocuments" => (json!({}), Value::Null),
        "CreateFaq" => (Value::Null, json!({ "question_characters": 6, "answer_characters": 6 })),
        "ImportFaq" => (Value::Null, json!({})),
        "UpdateFaq" => field("answer_characters", json!(3), json!(10)),
        "DeleteFaq" => (json!({ "question_characters": 4, "answer_characters": 3 }), Value::Null),
        "EraseConversation" => (json!({ "messages": 2, "feedback": 0 }), Value::Null),
        "CreateFeedback" => (Value::Null, json!({ "rating": "up" })),
        "CreateLegacyFeedback" => (Value::Null, json!({ "rating": "down" })),
        "UpdateTenant" => field("display_name", json!("one"), json!("Renamed")),
        "DeleteTenant" => field("deleted", json!(false), json!(true)),
        "BulkDeleteTenants" => (json!({ "deleted": false }), json!({ "deleted": true, "tenant_ids": [tenant.id] })),
        "UpdateModule" => field("name", json!("Feedback"), json!("Opinions")),
        "SetTenantModule" | "ActivateModule" => field("enabled", json!(false), json!(true)),
        "DeactivateModule" => field("enabled", json!(true), json!(false)),
        "AssignTenantModules" | "AssignPlatformTenantModules" => {
            field("module_ids", json!([]), json!(["feedback", "analytics"]))
        }
        "UpdateTemplate" => field("welcome_message", json!(""), json!("Hello there!")),
        "DeleteTemplate" | "DeactivateTemplate" => field("status", json!("active"), json!("deactivated")),
        "ReactivateTemplate" => field("status", json!("deactivated"), json!("active")),
        "UpdateChatbot" => field("name", json!("Help"), json!("Renamed")),
        "DeactivateChatbot" => field("status", json!("active"), json!("deactivated")),
        "ReactivateChatbot" => field("status", json!("deactivated"), json!("active")),
        "ProvisionChatbot" => field("provisioning", json!("failed"), json!("pending")),
        "EraseChatbot" => (json!({ "slug": "help", "documents": 0, "messages": 0 }), Value::Null),
        "ApplyTemplate" => field("template_version", json!(1), json!(2)),
        "UpdateTenantBranding" | "UpdateChatbotBranding" => field("primary_color", Value::Null, json!("#123456")),
        "UploadTenantPicture" | "UploadChatbotPicture" => field("logo_url", Value::Null, json!(PICTURE_PATH)),
        "UpdateOperatorBranding" => field("custom_css", Value::Null, json!(".panel { margin: 0 }")),
        name => panic!("{name} writes to the audit log and is not expected here"),
    }
}

/// Where the picture of the valid call is served. The hash is that of the encoder's output, which may change with its
/// version.
const PICTURE_PATH: &str = "/static/branding/01cf2bb6bf29b3471a332f708d65fca3de91b439e55e3db76385ec63b5987b78.png";

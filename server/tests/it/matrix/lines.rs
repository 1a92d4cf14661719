//! One line for each endpoint: the query and the body of a good call, with `{...}` where an id stands. A new endpoint
//! needs a line here.

use serde_json::{Value, json};

/// The query (with its question mark) and the body of an endpoint's good call; `None` when there is no line.
pub fn line(endpoint: &str) -> Option<(&'static str, Value)> {
    body(endpoint).map(|body| ("", body)).or_else(|| query(endpoint).map(|query| (query, Value::Null)))
}

/// Endpoints without a body, and what they ask for.
fn query(endpoint: &str) -> Option<&'static str> {
    Some(match endpoint {
        "GetOwnTenant" => "?tenant_id={tenant_id}",
        "ListAudit" | "ExportAudit" | "GetAuditNeighbours" => "?tenant_id={tenant_id}&chatbot_id={chatbot_id}",
        "ExportOutputFilterAudit" | "ListOutputFilterEvents" | "SummariseOutputFilterEvents" => "?tenant={tenant_id}",
        "ListConversations" | "GetConversationStats" => "?chatbot_id={chatbot_id}",
        "GetConversation" | "EraseConversation" => "",
        "ListUnanswered" | "ExportFeedback" | "ListFaq" | "GetFaq" | "DeleteFaq" | "ListSources" | "ListDocuments" => {
            ""
        }
        "ListVendorAccess" => "?username=canaryzebra",
        "GetMe" | "WhoAmI" | "GetPreferences" | "GetLiveness" | "GetReadiness" => "",
        "ListTenants" | "GetTenant" | "DeleteTenant" => "",
        "ListModules" | "GetModule" | "ListTenantModules" | "ActivateModule" | "DeactivateModule" => "",
        "ListTemplates" | "GetTemplate" | "ListTenantTemplates" => "",
        "DeleteTemplate" | "DeactivateTemplate" | "ReactivateTemplate" => "",
        "ListTenantChatbots" | "ListChatbots" | "GetChatbot" | "DeactivateChatbot" | "ProvisionChatbot" => "",
        "GetTemplateUpdate" | "GetTenantBranding" | "GetOperatorBranding" | "GetChatbotBranding" => "",
        "GetEmbedReport" => "?origin=https://shop.example.com",
        "ListFeedback" | "GetFeedbackStats" | "GetAuditRow" | "GetWidgetConfig" | "GetWidgetHistory" => "",
        _ => return None,
    })
}

fn body(endpoint: &str) -> Option<Value> {
    Some(match endpoint {
        "CreateTenant" => json!({ "slug": "fresh", "display_name": "Fresh" }),
        "UpdateTenant" => json!({ "display_name": "Renamed" }),
        "BulkDeleteTenants" => json!({ "tenant_ids": ["{tenant_id}"] }),
        "CreateModule" => json!({ "id": "fresh", "name": "Fresh", "category": "insight" }),
        "UpdateModule" => json!({ "name": "Renamed" }),
        "SetTenantModule" => json!({ "enabled": true }),
        "AssignTenantModules" | "AssignPlatformTenantModules" => json!({ "module_ids": ["analytics"] }),
        "CreateTemplate" => json!({ "id": "fresh", "language": "en", "name": "Fresh" }),
        "UpdateTemplate" => json!({ "name": "Renamed" }),
        "CloneTemplateInto" => json!({ "target_language": "de" }),
        "CreateChatbot" => json!({ "slug": "fresh", "name": "Fresh", "template_id": "{template_id}" }),
        "UpdateChatbot" => json!({ "name": "Renamed" }),
        "ApplyTemplate" => json!({ "template_version": 2 }),
        "UpdateTenantBranding" | "UpdateOperatorBranding" | "UpdateChatbotBranding" => {
            json!({ "header_title": "Renamed" })
        }
        "UpdatePreferences" => json!({ "preferred_theme": "dark" }),
        "CreateFeedback" => {
            json!({ "chatbot_id": "{chatbot_id}", "session_id": "{session_id}", "message_id": "{message_id}", "rating": "up" })
        }
        "CreateLegacyFeedback" => json!({ "session_id": "{session_id}", "message_id": "{message_id}", "rating": 1 }),
        "SetFeedbackHandled" | "SetQuestionHandled" => json!({ "handled": true }),
        "CreateFaq" => json!({ "question": "Where is the shop?", "answer": "By the harbour." }),
        "UpdateFaq" => json!({ "answer": "Behind the old harbour." }),
        "AskPlayground" => json!({ "question": "When does the shop open?" }),
        "QueryWidget" | "QueryLegacyWidget" => {
            json!({ "session_id": "{session_id}", "question": "When does the shop open?" })
        }
        _ => return None,
    })
}

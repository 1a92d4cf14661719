//! The query and the body of a valid call for each endpoint, with `{...}` as placeholders for ids. Add a line for each
//! new endpoint that reads a body or needs a query.

use base64::Engine;
use contract::endpoint::EndpointInfo;
use reqwest::RequestBuilder;
use serde_json::{Value, json};

/// The query (with its question mark) and the body of an endpoint's valid call; `None` when it reads a body and has no
/// line.
pub fn line(endpoint: &EndpointInfo) -> Option<(&'static str, Value)> {
    match body(endpoint.name) {
        Some(body) => Some(("", body)),
        None if endpoint.has_body => None,
        None => Some((query(endpoint.name), Value::Null)),
    }
}

/// The request with a body: JSON, or as it is when it is a text.
pub fn with_body(request: RequestBuilder, body: &Value, fill: impl Fn(&str) -> String) -> RequestBuilder {
    match body {
        Value::Null => request,
        Value::String(text) if text == PICTURE => request.header("content-type", "image/png").body(picture()),
        Value::String(text) => request.header("content-type", content_type(text)).body(fill(text)),
        body => request.header("content-type", "application/json").body(fill(&body.to_string())),
    }
}

/// A picture of 16 by 16 pixels, as a page would write it.
pub const PICTURE: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mPgj+khCTGMahjVMHw1\
                           AADUJ/cBno5GJAAAAABJRU5ErkJggg==";

/// The bytes of [`PICTURE`].
pub fn picture() -> Vec<u8> {
    base64::engine::general_purpose::STANDARD.decode(PICTURE.split_once(',').unwrap().1).unwrap()
}

/// The content type of a body that is no JSON.
fn content_type(text: &str) -> &'static str {
    if text.starts_with("--limit\r\n") { "multipart/form-data; boundary=limit" } else { "text/markdown" }
}

/// The body of a form with one file.
pub fn form(name: &str, text: &str) -> String {
    format!(
        "--limit\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n{text}\r\n--limit--\r\n"
    )
}

/// What an endpoint without a body asks for.
fn query(endpoint: &str) -> &'static str {
    match endpoint {
        "GetOwnTenant" => "?tenant_id={tenant_id}",
        "ListAudit" | "ExportAudit" | "GetAuditNeighbours" => "?tenant_id={tenant_id}&chatbot_id={chatbot_id}",
        "ExportOutputFilterAudit" | "ListOutputFilterEvents" | "SummariseOutputFilterEvents" => "?tenant={tenant_id}",
        "ListConversations" | "GetConversationStats" => "?chatbot_id={chatbot_id}",
        "FindSimilarFaq" => "?question=When+does+the+shop+open?",
        "OpenSourceFile" => "?token={file_token}",
        "SearchKnowledge" => {
            "?q=How+long+does+a+parcel+take?&record=false&explain=true&sources={source_id}&chatbots={chatbot_id}"
        }
        "ListVendorAccess" => "?username=canaryzebra",
        "CheckSystem" => "?language=de",
        "GetEmbedReport" => "?origin=https://shop.example.com",
        _ => "",
    }
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
        "DuplicateChatbot" => json!({ "slug": "copy", "name": "Copy" }),
        "EraseChatbot" => json!({ "slug": "help" }),
        "ApplyTemplate" => json!({ "template_version": 2 }),
        "UpdateTenantBranding" | "UpdateOperatorBranding" | "UpdateChatbotBranding" => {
            json!({ "header_title": "Renamed" })
        }
        "UploadTenantPicture" | "UploadChatbotPicture" => json!(PICTURE),
        "UpdatePreferences" => json!({ "preferred_theme": "dark" }),
        "CreateFeedback" => {
            json!({ "chatbot_id": "{chatbot_id}", "session_id": "{session_id}", "message_id": "{message_id}", "rating": "up" })
        }
        "ExportConversations" => json!({ "chatbot_id": "{chatbot_id}" }),
        "ExportFeedback" => json!({ "rating": "down" }),
        "CreateLegacyFeedback" => json!({ "session_id": "{session_id}", "message_id": "{message_id}", "rating": 1 }),
        "SetFeedbackHandled" | "SetQuestionHandled" => json!({ "handled": true }),
        "CreateFaq" => json!({ "question": "Where is the shop?", "answer": "By the harbour." }),
        "UpdateFaq" => json!({ "answer": "Behind the old harbour." }),
        "ImportFaq" => json!("question,answer\nWhere is the shop?,By the harbour.\n"),
        "CreateBookmark" => json!({ "document_id": "{document_id}", "note": "Look here." }),
        "UpdateBookmark" => json!({ "note": "Look there." }),
        "RecordSearch" => json!({ "search_id": "{search_id}", "q": "parcel" }),
        "RecordSearchClick" => json!({ "document_id": "{document_id}" }),
        "CreateSavedSearch" => json!({ "name": "Parcels", "query": "parcel" }),
        "CreateSource" => json!({ "kind": "api", "name": "Fresh" }),
        "UpdateSource" => json!({ "name": "Renamed" }),
        "InvitePerson" | "InviteTenantPerson" => {
            json!({ "username": "fresh", "first_name": "Fresh", "last_name": "Person", "email": "fresh@example.com",
                    "role": "viewer" })
        }
        "UpdatePerson" | "UpdateTenantPerson" => json!({ "first_name": "Renamed" }),
        "CreateApiKey" => json!({ "name": "Fresh", "scopes": ["ask"], "chatbot_ids": ["{chatbot_id}"] }),
        "UpdateApiKey" => json!({ "name": "Renamed", "chatbot_ids": ["{chatbot_id}"] }),
        "ReadWebsite" => json!({ "preview": true }),
        "AllowHost" => json!({ "host": "fresh.example" }),
        "PutDocument" => json!("# Opening hours\n\nThe shop opens at ten.\n"),
        "UploadDocuments" => json!(form("b.md", "# Address\n\nThe shop is by the harbour.\n")),
        "DeleteDocuments" => json!({ "external_ids": ["b.md"] }),
        "AskChatbot" => json!({ "session_id": null, "question": "When does the shop open?", "visitor_ref": "1042" }),
        "AskPlayground" => json!({ "question": "When does the shop open?" }),
        "QueryWidget" | "QueryLegacyWidget" => {
            json!({ "session_id": "{session_id}", "question": "When does the shop open?" })
        }
        _ => return None,
    })
}

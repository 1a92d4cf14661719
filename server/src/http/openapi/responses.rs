//! The responses of an endpoint: success, and the errors that follow from its access rule, input and subject. 405 and
//! 500 are possible everywhere and therefore not listed.

use std::collections::BTreeMap;

use crate::http::idempotency;
use contract::{
    Access, Endpoint, ErrorCode, Method,
    ask::AskChatbot,
    documents::{SourceProgress, WatchSources},
    endpoint::EndpointInfo,
    health::GetReadiness,
    knowledge_hub::GetDocumentSummary,
    preferences::UpdatePreferences,
    uploads::PutDocument,
    widget::{
        OpenSourceFile, QueryLegacyWidget, QueryWidget, StreamError, StreamSession, StreamSources, StreamToken,
        StreamWaiting, WidgetReply,
    },
};
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

/// The answers by status.
pub(super) fn of(
    endpoint: &EndpointInfo,
    parameters: &Value,
    generator: &mut SchemaGenerator,
    error: &Value,
) -> Map<String, Value> {
    let mut responses = Map::new();
    responses.insert(endpoint.status.to_string(), success(endpoint, generator));
    let has_tag = match endpoint.reply_type {
        "application/json" => endpoint.access != Access::Public,
        kind => kind == "application/octet-stream",
    };
    if endpoint.method == Method::Get && has_tag {
        responses.insert("304".to_owned(), json!({ "description": "If-None-Match names the current version" }));
    }
    if endpoint.name == GetDocumentSummary::NAME {
        let mut pending = success(endpoint, generator);
        pending["description"] = json!("The summary is being made");
        responses.insert("202".to_owned(), pending);
    }
    if endpoint.name == GetReadiness::NAME {
        let mut unready = success(endpoint, generator);
        unready["description"] = json!("Calls cannot be served, or the process is about to stop");
        responses.insert("503".to_owned(), unready);
        return responses;
    }
    let mut codes: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
    for code in errors(endpoint, parameters) {
        let names = codes.entry(code.status()).or_default();
        if !names.contains(&code.as_str()) {
            names.push(code.as_str());
        }
    }
    for (status, codes) in codes {
        let content = json!({ "application/json": { "schema": error } });
        let mut response = json!({ "description": codes.join(", "), "content": content });
        if let Some(headers) = headers(status) {
            response["headers"] = headers;
        }
        responses.insert(status.to_string(), response);
    }
    responses
}

fn success(endpoint: &EndpointInfo, generator: &mut SchemaGenerator) -> Value {
    let mut success = json!({ "description": "Success" });
    if endpoint.reply_type != "application/json" {
        let mut schema = json!({ "type": "string" });
        if endpoint.reply_type == "application/octet-stream" {
            schema["format"] = json!("binary");
        }
        success["content"] = json!({ endpoint.reply_type: { "schema": schema } });
    } else if endpoint.status != 204 {
        let schema = (endpoint.schemas.reply)(generator).to_value();
        success["content"] = json!({ "application/json": { "schema": schema } });
    }
    if [AskChatbot::NAME, QueryWidget::NAME, QueryLegacyWidget::NAME].contains(&endpoint.name) {
        success["content"]["text/event-stream"] = stream(&success["content"]["application/json"]["schema"], generator);
    }
    if endpoint.name == WatchSources::NAME {
        success["content"]["text/event-stream"] =
            progress(&success["content"]["application/json"]["schema"], generator);
    }
    if endpoint.status == 201 {
        let location = json!({ "description": "The path of the new resource.", "schema": { "type": "string" } });
        success["headers"] = json!({ "Location": location });
    }
    success
}

/// The streamed form of a response. OpenAPI cannot describe events, so their types are in an extension.
fn stream(reply: &Value, generator: &mut SchemaGenerator) -> Value {
    json!({
        "schema": {
            "type": "string",
            "description": "Server-sent events, one JSON value each (`x-events`): `session`, `sources` (empty when nothing \
                            was found), `waiting` while a language model is busy, any number of `token`, then `done` or `error`.",
        },
        "x-events": {
            StreamSession::EVENT: generator.subschema_for::<StreamSession>().to_value(),
            StreamSources::EVENT: generator.subschema_for::<StreamSources>().to_value(),
            StreamWaiting::EVENT: generator.subschema_for::<StreamWaiting>().to_value(),
            StreamToken::EVENT: generator.subschema_for::<StreamToken>().to_value(),
            WidgetReply::EVENT: reply,
            StreamError::EVENT: generator.subschema_for::<StreamError>().to_value(),
        },
    })
}

/// The streamed form of a progress.
fn progress(progress: &Value, generator: &mut SchemaGenerator) -> Value {
    json!({
        "schema": {
            "type": "string",
            "description": "Server-sent events, one JSON value each (`x-events`): a `progress` at once and whenever something has \
                            changed, then `idle` or `error`. Without either, the stream has reached its time limit.",
        },
        "x-events": {
            SourceProgress::EVENT: progress,
            SourceProgress::IDLE: progress,
            StreamError::EVENT: generator.subschema_for::<StreamError>().to_value(),
        },
    })
}

fn headers(status: u16) -> Option<Value> {
    let header = |name: &str, kind: &str| Some(json!({ name: { "required": true, "schema": { "type": kind } } }));
    match status {
        401 => header("WWW-Authenticate", "string"),
        429 | 503 => header("Retry-After", "integer"),
        _ => None,
    }
}

fn errors(endpoint: &EndpointInfo, parameters: &Value) -> Vec<ErrorCode> {
    use ErrorCode as E;
    if endpoint.name == OpenSourceFile::NAME {
        return vec![E::LinkNotValid, E::OriginalNotFound, E::ValidationError, E::RateLimited, E::ServiceUnavailable];
    }
    if endpoint.access == Access::Public {
        return Vec::new();
    }
    let mut codes = of_access(endpoint.access);
    if endpoint.key_scope.is_some() {
        codes.extend(OF_KEYS);
    } else if endpoint.access != Access::Widget {
        codes.push(E::KeyNotAccepted);
    }
    codes.extend(missing(endpoint));
    codes.extend_from_slice(endpoint.errors);
    if endpoint.path.starts_with("/api/v2/knowledge/") {
        codes.push(E::ModuleNotEnabled);
    }
    if is_conditional(endpoint) {
        codes.push(E::PreconditionFailed);
    }
    if endpoint.method == Method::Post && !matches!(endpoint.access, Access::Public | Access::Widget) {
        codes.push(E::IdempotencyKeyNotSupported);
        if idempotency::is_accepted(endpoint.method, endpoint.name, endpoint.access) && is_kept(endpoint) {
            let of_known = [E::IdempotencyKeyReused, E::IdempotencyKeyInProgress, E::IdempotencyAnswerNotKept];
            codes.extend(of_known);
            codes.extend([E::QuotaIdempotencyKeys, E::ValidationError]);
        }
    }
    if endpoint.has_body {
        codes.push(E::PayloadTooLarge);
    }
    if endpoint.has_body || reads(endpoint, parameters) {
        codes.push(E::ValidationError);
    }
    codes.extend([E::RateLimited, E::ServiceUnavailable]);
    if endpoint.path.ends_with("/query") {
        codes.push(E::GeneratorUnavailable);
    }
    codes
}

/// Whether the path or the query can be malformed. A widget's malformed chatbot id is a refusal like others.
fn reads(endpoint: &EndpointInfo, parameters: &Value) -> bool {
    let is_widget = endpoint.access == Access::Widget;
    parameters.as_array().into_iter().flatten().any(|parameter| match parameter["in"].as_str() {
        Some("query") => true,
        Some("path") => !(is_widget && parameter["name"] == "chatbot_id"),
        _ => false,
    })
}

/// What is wrong with an API key where one is accepted.
const OF_KEYS: [ErrorCode; 7] = [
    ErrorCode::KeyMalformed,
    ErrorCode::KeyUnknown,
    ErrorCode::KeyRevoked,
    ErrorCode::KeyExpired,
    ErrorCode::KeyAddressNotAllowed,
    ErrorCode::KeyScopeMissing,
    ErrorCode::KeysNotAllowed,
];

fn of_access(access: Access) -> Vec<ErrorCode> {
    use ErrorCode as E;
    match access {
        Access::Public => vec![],
        Access::Widget => vec![E::OriginNotAllowed],
        Access::AnyScope => vec![E::NotAuthenticated, E::SessionCapExceeded, E::TenantNotActive],
        Access::AnyWriter => {
            vec![E::NotAuthenticated, E::SessionCapExceeded, E::TenantAdminRequired, E::TenantNotActive]
        }
        Access::Operator => vec![E::NotAuthenticated, E::SessionCapExceeded, E::OperatorRequired],
        Access::OperatorOrVendor => vec![E::NotAuthenticated, E::SessionCapExceeded, E::OperatorOrVendorRequired],
        Access::Tenant => vec![E::NotAuthenticated, E::SessionCapExceeded, E::TenantRequired, E::TenantNotActive],
        Access::TenantAdmin => {
            let token = [E::NotAuthenticated, E::SessionCapExceeded];
            [&token[..], &[E::TenantRequired, E::TenantAdminRequired, E::TenantNotActive]].concat()
        }
    }
}

/// Whether neither body nor answer are streamed, so that the answer can be kept for a repeated call.
pub(super) fn is_kept(endpoint: &EndpointInfo) -> bool {
    endpoint.reply_type == "application/json" && endpoint.body_type == "application/json"
}

/// Whether the endpoint supports `If-Match`: every change of a resource that can be read first.
pub(super) fn is_conditional(endpoint: &EndpointInfo) -> bool {
    endpoint.method == Method::Patch && endpoint.name != UpdatePreferences::NAME
}

/// The errors for missing resources of the path.
fn missing(endpoint: &EndpointInfo) -> Vec<ErrorCode> {
    use ErrorCode as E;
    let parts = [
        ("/{tenant_id}", E::TenantNotFound),
        ("/me/chatbots/{chatbot_id}", E::ChatbotNotFound),
        ("/tenant/chatbots/{chatbot_id}", E::ChatbotNotFound),
        ("/{module_id}", E::ModuleNotFound),
        ("/{audit_id}", E::AuditEntryNotFound),
        ("/templates/{template_id}", E::TemplateNotFound),
        ("/{session_id}", E::SessionNotFound),
        ("/{message_id}", E::MessageNotFound),
        ("/{feedback_id}", E::FeedbackNotFound),
        ("/{faq_id}", E::FaqEntryNotFound),
        ("/{source_id}", E::SourceNotFound),
        ("/{document_id}", E::DocumentNotFound),
        ("/{bookmark_id}", E::BookmarkNotFound),
        ("/{saved_search_id}", E::SavedSearchNotFound),
        ("/{search_id}", E::SearchNotFound),
        ("/{person_id}", E::PersonNotFound),
        ("/{api_key_id}", E::ApiKeyNotFound),
        ("/{host}", E::AllowedHostNotFound),
        ("/{passage_id}", E::PassageNotFound),
        ("/{external_id}", E::DocumentNotFound),
        ("/query", E::SessionNotFound),
        ("tenants/me", E::TenantNotFound),
    ];
    let by_path = parts.iter().filter(|(part, _)| endpoint.path.contains(part) && endpoint.status != 201);
    let by_path = by_path.filter(|(_, code)| *code != E::DocumentNotFound || endpoint.name != PutDocument::NAME);
    by_path.map(|(_, code)| *code).collect()
}

//! The OpenAPI document, made from the endpoint table. It is kept in `docs/openapi.json` and never
//! served (specification, Public paths).

use std::collections::BTreeMap;

use contract::{
    Access, ErrorCode, Method,
    endpoint::{EndpointInfo, table},
};
use schemars::{SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

/// The document as pretty-printed JSON with a line break at the end.
pub fn document() -> String {
    let mut generator = SchemaSettings::openapi3().into_generator();
    let error = generator.subschema_for::<contract::ErrorBody>().to_value();
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for endpoint in table() {
        let operation = operation(&endpoint, &mut generator, &error);
        paths.entry(endpoint.path).or_default().insert(endpoint.method.as_str().to_lowercase(), operation);
    }
    let document = json!({
        "openapi": "3.0.3",
        "info": {
            "title": "Chatbot platform",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Multi-tenant retrieval-augmented chatbots. Errors carry a machine-readable code in `detail`.",
            "license": { "name": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": {
            "schemas": generator.take_definitions(true),
            "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer", "bearerFormat": "JWT" } },
        },
    });
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn operation(endpoint: &EndpointInfo, generator: &mut SchemaGenerator, error: &Value) -> Value {
    let mut operation = json!({
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "parameters": parameters(endpoint, generator),
        "responses": responses(endpoint, generator, error),
    });
    if is_secured(endpoint.access) {
        operation["security"] = json!([{ "bearer": [] }]);
    }
    if endpoint.has_body {
        let schema = (endpoint.schemas.body)(generator).to_value();
        operation["requestBody"] = json!({ "required": true, "content": { "application/json": { "schema": schema } } });
    }
    operation
}

fn is_secured(access: Access) -> bool {
    !matches!(access, Access::Public | Access::Widget)
}

fn parameters(endpoint: &EndpointInfo, generator: &mut SchemaGenerator) -> Value {
    let mut list: Vec<Value> = Vec::new();
    for name in endpoint.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
        let schema = match name {
            "template_id" | "module_id" => json!({ "type": "string", "pattern": "^[a-z0-9][a-z0-9._-]{0,63}$" }),
            _ => json!({ "type": "string", "format": "uuid" }),
        };
        list.push(json!({ "name": name, "in": "path", "required": true, "schema": schema }));
    }
    if endpoint.access == Access::Widget {
        let description = "Set by the browser; must match the tenant's allowed origins.";
        let schema = json!({ "type": "string" });
        let parameter =
            json!({ "name": "Origin", "in": "header", "required": true, "description": description, "schema": schema });
        list.push(parameter);
    }
    let schema = (endpoint.schemas.query)(generator).to_value();
    let schema = resolved(schema, generator);
    let required: Vec<&str> =
        schema["required"].as_array().map(|names| names.iter().filter_map(Value::as_str).collect()).unwrap_or_default();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let is_required = required.contains(&name.as_str());
        list.push(json!({ "name": name, "in": "query", "required": is_required, "schema": property }));
    }
    Value::Array(list)
}

/// The schema that a reference names.
fn resolved(schema: Value, generator: &SchemaGenerator) -> Value {
    let name = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.rsplit('/').next());
    name.and_then(|name| generator.definitions().get(name)).cloned().unwrap_or(schema)
}

fn responses(endpoint: &EndpointInfo, generator: &mut SchemaGenerator, error: &Value) -> Value {
    let mut responses = Map::new();
    let mut success = json!({ "description": "Success" });
    if endpoint.status != 204 {
        let schema = (endpoint.schemas.reply)(generator).to_value();
        success["content"] = if endpoint.is_csv {
            json!({ "text/csv": { "schema": { "type": "string" } } })
        } else {
            json!({ "application/json": { "schema": schema } })
        };
    }
    responses.insert(endpoint.status.to_string(), success);
    if endpoint.method == Method::Get && !endpoint.is_csv && !endpoint.path.starts_with("/health/") {
        responses.insert("304".to_owned(), json!({ "description": "Not changed since the ETag in If-None-Match" }));
    }
    let mut codes: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
    for code in errors(endpoint) {
        codes.entry(code.status()).or_default().push(code.as_str());
    }
    for (status, codes) in codes {
        let content = json!({ "application/json": { "schema": error } });
        responses.insert(status.to_string(), json!({ "description": codes.join(", "), "content": content }));
    }
    Value::Object(responses)
}

/// The codes that follow from who may call, what is read, and what a route is about.
fn errors(endpoint: &EndpointInfo) -> Vec<ErrorCode> {
    use ErrorCode as E;
    let mut codes = match endpoint.access {
        Access::Public => vec![],
        Access::Widget => vec![E::OriginNotAllowed],
        Access::AnyScope => vec![E::NotAuthenticated, E::SessionCapExceeded, E::TenantNotActive],
        Access::AnyWriter => {
            vec![E::NotAuthenticated, E::SessionCapExceeded, E::TenantAdminRequired, E::TenantNotActive]
        }
        Access::Operator => vec![E::NotAuthenticated, E::SessionCapExceeded, E::OperatorRequired],
        Access::OperatorOrVendor => vec![E::NotAuthenticated, E::SessionCapExceeded, E::OperatorOrVendorRequired],
        Access::Tenant => vec![E::NotAuthenticated, E::TenantRequired, E::TenantNotActive],
        Access::TenantAdmin => {
            vec![E::NotAuthenticated, E::TenantRequired, E::TenantAdminRequired, E::TenantNotActive]
        }
    };
    let is_creation = endpoint.status == 201;
    for (part, missing) in [
        ("/{tenant_id}", E::TenantNotFound),
        ("/me/chatbots/{chatbot_id}", E::ChatbotNotFound),
        ("/tenant/chatbots/{chatbot_id}", E::ChatbotNotFound),
        ("/{module_id}", E::ModuleNotFound),
        ("/{audit_id}", E::AuditEntryNotFound),
        ("/templates/{template_id}", E::TemplateNotFound),
        ("/{session_id}", E::SessionNotFound),
        ("/query", E::SessionNotFound),
        ("tenants/me", E::TenantNotFound),
    ] {
        if endpoint.path.contains(part) && !is_creation {
            codes.push(missing);
        }
    }
    codes.extend(conflicts(endpoint));
    if endpoint.has_body {
        codes.push(E::PayloadTooLarge);
    }
    if !endpoint.path.starts_with("/health/") {
        codes.push(E::RateLimited);
    }
    codes.extend([E::ValidationError, E::ServiceUnavailable]);
    if endpoint.method != Method::Get {
        codes.push(E::GeneratorUnavailable);
    }
    codes.retain(|code| *code != E::GeneratorUnavailable || endpoint.path.ends_with("/query"));
    codes
}

fn conflicts(endpoint: &EndpointInfo) -> Vec<ErrorCode> {
    match endpoint.name {
        "CreateTenant" | "UpdateTenant" => vec![ErrorCode::TenantSlugTaken],
        "BulkDeleteTenants" => vec![ErrorCode::TenantNotFound],
        "CreateModule" => vec![ErrorCode::ModuleExists],
        "ActivateModule" | "DeactivateModule" | "SetTenantModule" => vec![ErrorCode::ModuleAlwaysOn],
        "AssignTenantModules" | "AssignPlatformTenantModules" => vec![ErrorCode::ModuleNotFound],
        "CreateTemplate" => vec![ErrorCode::TemplateExists],
        "CloneTemplateInto" => vec![ErrorCode::TemplateNotFound, ErrorCode::TemplateExists],
        "UpdateChatbot" => {
            vec![ErrorCode::ChatbotNotActive, ErrorCode::SlugImmutable, ErrorCode::TemplateIdImmutable]
        }
        "ApplyTemplate" => {
            vec![ErrorCode::ChatbotNotActive, ErrorCode::TemplateNotFound, ErrorCode::TemplateVersionChanged]
        }
        "CreateFeedback" | "CreateLegacyFeedback" => vec![ErrorCode::SessionNotFound, ErrorCode::MessageNotFound],
        "ListAudit" | "ExportAudit" => vec![ErrorCode::DateFromAfterDateTo],
        "ExportOutputFilterAudit" => vec![
            ErrorCode::TenantNotFound,
            ErrorCode::UnsupportedExportFormat,
            ErrorCode::DateMustBeTimezoneAware,
            ErrorCode::DateFromAfterDateTo,
        ],
        "CreateChatbot" => vec![ErrorCode::ChatbotSlugTaken, ErrorCode::TemplateNotFound],
        "ProvisionChatbot" | "UpdateChatbotBranding" => vec![ErrorCode::ChatbotNotActive],
        _ => vec![],
    }
}

//! Generates the OpenAPI document from the endpoint table. It is stored in `docs/openapi.json` and served at
//! `/openapi.json`.

mod responses;

use std::collections::BTreeMap;

use crate::http::idempotency;
use contract::{
    Access,
    branding::BrandingPicture,
    endpoint::EndpointInfo,
    table,
    uploads::{MAX_EXTERNAL_ID, MAX_FILES},
};
use schemars::{SchemaGenerator, generate::SchemaSettings, transform::ReplaceConstValue};
use serde_json::{Map, Value, json};

/// The document as pretty-printed JSON with a line break at the end.
pub fn document() -> String {
    // Generators of clients read one value as an enumeration, not as a constant.
    let settings = SchemaSettings::draft2020_12().with_transform(ReplaceConstValue::default());
    let mut generator = settings.with(|own| own.definitions_path = "/components/schemas".into()).into_generator();
    let error = generator.subschema_for::<contract::ErrorBody>().to_value();
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for endpoint in table() {
        let operation = operation(&endpoint, &mut generator, &error);
        paths.entry(endpoint.path).or_default().insert(endpoint.method.as_str().to_lowercase(), operation);
    }
    let mut schemas = generator.take_definitions(true);
    schemas.values_mut().for_each(without_object_defaults);
    let document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Chatbot platform",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Multi-tenant retrieval-augmented chatbots. Errors carry a machine-readable code in `detail`.",
            "license": { "name": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer", "bearerFormat": "JWT" } },
        },
    });
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn operation(endpoint: &EndpointInfo, generator: &mut SchemaGenerator, error: &Value) -> Value {
    let parameters = parameters(endpoint, generator);
    let responses = responses::of(endpoint, &parameters, generator, error);
    let mut operation = json!({
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "parameters": parameters,
        "responses": responses,
    });
    if is_secured(endpoint.access) {
        operation["security"] = json!([{ "bearer": [] }]);
    }
    if let Some(scope) = endpoint.key_scope {
        operation["x-key-scope"] = json!(scope);
    }
    if endpoint.has_body {
        let content = json!({ endpoint.body_type: { "schema": body(endpoint, generator) } });
        operation["requestBody"] = json!({ "required": true, "content": content });
    }
    operation
}

/// The schema of a request body.
fn body(endpoint: &EndpointInfo, generator: &mut SchemaGenerator) -> Value {
    let file = json!({ "type": "string", "format": "binary" });
    match endpoint.body_type {
        "application/octet-stream" => file,
        "multipart/form-data" => {
            let files = json!({ "type": "array", "items": file, "minItems": 1, "maxItems": MAX_FILES });
            json!({ "type": "object", "properties": { "file": files }, "required": ["file"] })
        }
        _ => (endpoint.schemas.body)(generator).to_value(),
    }
}

fn is_secured(access: Access) -> bool {
    !matches!(access, Access::Public | Access::Widget)
}

fn parameters(endpoint: &EndpointInfo, generator: &mut SchemaGenerator) -> Value {
    let mut list: Vec<Value> = Vec::new();
    for name in endpoint.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
        let schema = match name {
            "template_id" | "module_id" => json!({ "type": "string", "pattern": "^[a-z0-9][a-z0-9._-]{0,63}$" }),
            "picture" => json!({ "type": "string", "enum": BrandingPicture::ALL }),
            "host" => json!({ "type": "string", "minLength": 1, "maxLength": 253 }),
            "external_id" => json!({ "type": "string", "minLength": 1, "maxLength": MAX_EXTERNAL_ID }),
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
    if idempotency::is_accepted(endpoint.method, endpoint.name, endpoint.access) && responses::is_kept(endpoint) {
        let description =
            "1 to 255 visible ASCII characters: a repeated call within 24 hours gets the answer of the first one.";
        let schema = json!({ "type": "string", "pattern": "^[!-~]{1,255}$" });
        let parameter = json!({ "name": "Idempotency-Key", "in": "header", "required": false,
                                "description": description, "schema": schema });
        list.push(parameter);
    }
    if responses::is_conditional(endpoint) {
        let description = "The `ETag` of a GET of the same path: the change is made to that version only.";
        let schema = json!({ "type": "string" });
        let parameter = json!({ "name": "If-Match", "in": "header", "required": false, "description": description,
                                "schema": schema });
        list.push(parameter);
    }
    let schema = (endpoint.schemas.query)(generator).to_value();
    let schema = resolved(schema, generator);
    let required: Vec<&str> =
        schema["required"].as_array().map(|names| names.iter().filter_map(Value::as_str).collect()).unwrap_or_default();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let is_required = required.contains(&name.as_str());
        let schema = without_null(property.clone());
        list.push(json!({ "name": name, "in": "query", "required": is_required, "schema": schema }));
    }
    Value::Array(list)
}

/// A query parameter's schema: optional but never null, because a query string has no null.
fn without_null(mut schema: Value) -> Value {
    let is_null = |kind: &Value| kind == "null" || kind["type"] == "null" || kind["enum"] == json!([null]);
    for key in ["type", "anyOf"] {
        let Some(kinds) = schema.get_mut(key).and_then(Value::as_array_mut) else { continue };
        kinds.retain(|kind| !is_null(kind));
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            if key == "type" {
                schema["type"] = only;
            } else if let Some(map) = schema.as_object_mut() {
                map.remove("anyOf");
                map.insert("allOf".to_owned(), json!([only]));
            }
        }
    }
    schema
}

/// Removes defaults that are objects: each of their fields has its own default, and generators of clients take only values.
fn without_object_defaults(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.get("default").is_some_and(Value::is_object) {
                fields.remove("default");
            }
            fields.values_mut().for_each(without_object_defaults);
        }
        Value::Array(entries) => entries.iter_mut().for_each(without_object_defaults),
        _ => {}
    }
}

/// Resolves a schema reference.
fn resolved(schema: Value, generator: &SchemaGenerator) -> Value {
    let name = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.rsplit('/').next());
    name.and_then(|name| generator.definitions().get(name)).cloned().unwrap_or(schema)
}

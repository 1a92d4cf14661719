//! The stored OpenAPI document matches the endpoint table.

use contract::Access;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::Platform;

#[test]
fn the_kept_document_is_up_to_date() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/openapi.json");
    let stored = std::fs::read_to_string(path).unwrap_or_default();
    assert!(stored == server::http::openapi::document(), "docs/openapi.json is out of date: run `make openapi`");
}

#[test]
fn the_document_has_every_endpoint_and_every_reference() {
    let document: Value = serde_json::from_str(&server::http::openapi::document()).unwrap();
    for endpoint in contract::table() {
        let operation = &document["paths"][endpoint.path][endpoint.method.as_str().to_lowercase()];
        assert_eq!(operation["operationId"], endpoint.name);
    }
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        let pointer = reference.trim_start_matches('#');
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

#[test]
fn a_deletion_for_good_names_the_refusal_of_an_active_chatbot() {
    let document: Value = serde_json::from_str(&server::http::openapi::document()).unwrap();
    let responses = &document["paths"]["/api/v1/tenants/me/chatbots/{chatbot_id}"]["delete"]["responses"];
    assert_eq!(responses["409"]["description"], "chatbot_active");
}

#[tokio::test]
async fn every_list_names_what_it_is_sorted_by() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let document: Value = serde_json::from_str(&server::http::openapi::document()).unwrap();
    let mut lists = 0;
    for endpoint in contract::table() {
        let operation = &document["paths"][endpoint.path][endpoint.method.as_str().to_lowercase()];
        let sort = operation["parameters"].as_array().unwrap().iter().find(|parameter| parameter["name"] == "sort");
        let Some(schema) = sort.map(|parameter| &parameter["schema"]).filter(|schema| schema["type"] == "string")
        else {
            continue;
        };
        lists += 1;
        let client = match endpoint.access {
            Access::Tenant | Access::TenantAdmin => platform.admin(tenant.id),
            _ => platform.operator(),
        };
        let path = endpoint.path.replace("{tenant_id}", &tenant.id.to_string());
        let path = path.replace("{chatbot_id}", &tenant.chatbot.to_string());
        let path = path.replace("{source_id}", &Uuid::new_v4().to_string());
        let refused = client.get(&format!("{path}?sort=none")).await;
        assert_eq!((refused.status, refused.loc()), (422, vec!["query", "sort"]), "{path}");
        let fields = refused.body["errors"][0]["msg"].as_str().unwrap().strip_prefix("must be one of ").unwrap();
        let both: Vec<_> = fields.split(", ").flat_map(|field| [field.to_owned(), format!("-{field}")]).collect();
        assert_eq!(schema["enum"], json!(both), "{path}");
        assert_ne!(client.get(&format!("{path}?sort={}", both[1])).await.status, 422, "{path}");
    }
    assert_eq!(lists, 14);
}

/// Whether a schema somewhere has a default that is an object.
fn has_object_default(value: &Value) -> bool {
    match value {
        Value::Object(fields) => {
            fields.get("default").is_some_and(Value::is_object) || fields.values().any(has_object_default)
        }
        Value::Array(entries) => entries.iter().any(has_object_default),
        _ => false,
    }
}

#[test]
fn the_document_is_openapi_3_1_that_generators_read() {
    let document: Value = serde_json::from_str(&server::http::openapi::document()).unwrap();
    assert_eq!(document["openapi"], "3.1.0");
    assert!(!document.to_string().contains("\"nullable\""), "a word of 3.0");
    assert!(!has_object_default(&document["components"]));
}

#[test]
fn calls_that_can_be_repeated_name_their_header() {
    let document: Value = serde_json::from_str(&server::http::openapi::document()).unwrap();
    let has_header = |endpoint: &contract::endpoint::EndpointInfo| {
        let operation = &document["paths"][endpoint.path][endpoint.method.as_str().to_lowercase()];
        let parameters = operation["parameters"].as_array().unwrap();
        parameters.iter().any(|parameter| parameter["name"] == "Idempotency-Key")
    };
    let names: Vec<_> =
        contract::table().iter().filter(|endpoint| has_header(endpoint)).map(|endpoint| endpoint.name).collect();
    for name in ["AskChatbot", "CreateChatbot", "CreateTenant", "CreateFaq"] {
        assert!(names.contains(&name), "{name}");
    }
    for name in ["QueryWidget", "UpdateChatbot", "UploadDocuments", "ExportConversations", "CreateApiKey"] {
        assert!(!names.contains(&name), "{name}");
    }
}

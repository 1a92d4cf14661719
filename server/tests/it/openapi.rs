//! The stored OpenAPI document matches the endpoint table.

#[test]
fn the_kept_document_is_up_to_date() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/openapi.json");
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(kept == server::http::openapi::document(), "docs/openapi.json is out of date: run `make openapi`");
}

#[test]
fn the_document_has_every_endpoint_and_every_reference() {
    let document: serde_json::Value = serde_json::from_str(&server::http::openapi::document()).unwrap();
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

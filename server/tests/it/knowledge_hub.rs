//! The knowledge hub: its module, its results from each collection, and the privacy of a user's own data.

mod facets;
mod found;
mod insights;
mod kept;
mod outside;
mod pages;
mod queued;
mod reach;
mod saved;
mod shown;
mod summarised;
mod upgraded;

use contract::TenantId;
use serde_json::{Value, json};

use crate::support::{Client, Platform, Tenant, TestResponse};

const HUB: &str = "/api/v2/knowledge";

/// Switches the module.
async fn switch(platform: &Platform, tenant: TenantId, on: bool) {
    let path = format!("/api/v1/tenants/{tenant}/modules/knowledge_hub");
    assert_eq!(platform.operator().put(&path, &json!({ "enabled": on })).await.status, 200);
}

/// A platform with a tenant that has the module and a document.
async fn with_hub() -> (Platform, Tenant) {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    platform.provisioned(tenant.chatbot).await;
    switch(&platform, tenant.id, true).await;
    platform.ingest(tenant, "delivery.md", DELIVERY).await;
    (platform, tenant)
}

const DELIVERY: &str = "# Delivery\n\n## Parcels\n\nA parcel takes two days to arrive at your door.\n\n\
                        ## Returns\n\nReturn what you do not like within thirty days.\n";

/// A search that is not noted.
async fn search(client: &Client<'_>, query: &str) -> TestResponse {
    let answer = client.get(&format!("{HUB}/search?record=false&{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {answer:?}");
    answer
}

/// Records that a result of a search was opened.
async fn click(client: &Client<'_>, results: &TestResponse, document: &Value) -> TestResponse {
    let path = format!("{HUB}/history/{}/clicks", results.body["search_id"].as_str().unwrap());
    client.post(&path, &json!({ "document_id": document })).await
}

fn titles(answer: &TestResponse) -> Vec<&str> {
    let results = answer.body["results"].as_array().unwrap();
    results.iter().map(|result| result["title"].as_str().unwrap()).collect()
}

/// The version of the first document.
async fn first_document(client: &Client<'_>) -> Value {
    search(client, "").await.body["results"][0]["document_id"].clone()
}

#[tokio::test]
async fn without_the_module_every_endpoint_is_refused() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    switch(&platform, tenant.id, false).await;
    let rows = platform.audit_rows().await;
    for endpoint in contract::table().iter().filter(|endpoint| endpoint.path.starts_with(HUB)) {
        let id = uuid::Uuid::new_v4().to_string();
        let path = endpoint.path.replace(['{', '}'], "");
        let path = ["document_id", "bookmark_id", "saved_search_id", "search_id", "source_id"]
            .iter()
            .fold(path, |path, slot| path.replace(slot, &id));
        let body = json!({ "document_id": id, "name": "x", "note": "x", "q": "x", "search_id": id });
        let mut request = admin.request(endpoint.method.as_str(), &path);
        if endpoint.has_body {
            request = request.json(&body);
        }
        let answer = crate::support::send(request).await;
        assert_eq!((answer.status, answer.detail()), (403, "module_not_enabled"), "{}: {answer:?}", endpoint.name);
    }
    assert_eq!(platform.audit_rows().await, rows);
}

#[tokio::test]
async fn operators_switch_the_module_and_tenants_see_it() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    for verb in ["activate", "deactivate"] {
        let path = format!("/api/v1/tenants/me/modules/knowledge_hub/{verb}");
        let refused = admin.post(&path, &json!({})).await;
        assert_eq!((refused.status, refused.detail()), (403, "module_not_self_service"));
    }
    let listed = admin.get(&format!("/api/v1/tenants/{}/modules?q=knowledge", tenant.id)).await;
    assert_eq!(
        (&listed.body["items"][0]["enabled"], &listed.body["items"][0]["self_service"]),
        (&json!(true), &json!(false))
    );
}

#[tokio::test]
async fn a_viewer_searches_and_keeps_but_sees_no_insights() {
    let (platform, tenant) = with_hub().await;
    let viewer = platform.viewer(tenant.id);
    assert_eq!(titles(&search(&viewer, "q=parcel").await)[0], "Delivery");
    let document = first_document(&viewer).await;
    assert_eq!(viewer.post(&format!("{HUB}/bookmarks"), &json!({ "document_id": document })).await.status, 201);
    let refused = viewer.get(&format!("{HUB}/insights")).await;
    assert_eq!((refused.status, refused.detail()), (403, "tenant_admin_required"));
    for client in [platform.operator(), platform.vendor()] {
        assert_eq!(client.get(&format!("{HUB}/search")).await.detail(), "tenant_required");
    }
}

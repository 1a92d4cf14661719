//! The documents that a search covers, and those that it never does.

use serde_json::json;

use super::{HUB, first_document, search, switch, titles, with_hub};
use crate::support::Platform;

#[tokio::test]
async fn a_deactivated_chatbot_is_not_searched() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    assert_eq!(titles(&search(&admin, "q=parcel").await)[0], "Delivery");
    assert_eq!(admin.delete(&format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot)).await.status, 204);
    for query in ["", "q=parcel"] {
        assert_eq!(search(&admin, query).await.body["total"], 0, "{query}");
    }
}

#[tokio::test]
async fn another_tenants_documents_are_never_found() {
    let (platform, one) = with_hub().await;
    let other = platform.add_tenant("other").await;
    platform.provisioned(other.chatbot).await;
    switch(&platform, other.id, true).await;
    platform.ingest(other, "secret.md", "# Parcels of the other\n\nA parcel takes nine days.\n").await;
    let admin = platform.admin(one.id);
    for query in ["q=parcel".to_owned(), String::new(), format!("q=parcel&chatbots={},{}", one.chatbot, other.chatbot)]
    {
        let answer = search(&admin, &query).await;
        assert!(!answer.text.contains("of the other") && !answer.text.contains("nine"), "{query}: {answer:?}");
    }
    let foreign = search(&admin, &format!("q=parcel&chatbots={}", other.chatbot)).await;
    assert_eq!(foreign.body["total"], 0);
    let document = first_document(&platform.admin(other.id)).await;
    let path = format!("{HUB}/documents/{}", document.as_str().unwrap());
    assert_eq!(admin.get(&path).await.detail(), "document_not_found");
    let bookmark = admin.post(&format!("{HUB}/bookmarks"), &json!({ "document_id": document })).await;
    assert_eq!(bookmark.detail(), "document_not_found");
}

#[tokio::test]
async fn a_namesake_of_another_realm_or_tenant_is_another_user() {
    let (platform, one) = with_hub().await;
    let other = platform.add_tenant("other").await;
    switch(&platform, other.id, true).await;
    let admin = platform.admin(one.id);
    let document = first_document(&admin).await;
    assert_eq!(admin.post(&format!("{HUB}/bookmarks"), &json!({ "document_id": document })).await.status, 201);
    assert_eq!(platform.admin(other.id).get(&format!("{HUB}/bookmarks")).await.body["total"], 0);
    assert_eq!(own_bookmarks(&platform, one.id, "svc-tenants", "tenant-admin").await, 1);
    assert_eq!(own_bookmarks(&platform, one.id, "svc-platform", "tenant-admin").await, 0);
    assert_eq!(own_bookmarks(&platform, one.id, "svc-tenants", "tenant-viewer").await, 0);
}

/// Bookmarks that a transaction of this user reads.
async fn own_bookmarks(platform: &Platform, tenant: contract::TenantId, realm: &str, user: &str) -> i64 {
    let scope = store::Scope::tenant(tenant).with_user(realm, user);
    let mut tx = platform.app.db.read(&scope).await.unwrap();
    let query = contract::knowledge_hub::RecordListQuery::default();
    store::knowledge_hub::bookmarks::list(&mut tx, tenant, &query).await.unwrap().total
}

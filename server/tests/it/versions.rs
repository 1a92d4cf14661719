//! `If-Match`: a change applies to the version that its caller has read, or fails.

use std::collections::BTreeSet;

use contract::{Endpoint, Method, preferences::UpdatePreferences, table};
use serde_json::{Value, json};

use crate::support::{Client, Platform, TestResponse, send};

async fn change(client: &Client<'_>, path: &str, tag: &str, body: &Value) -> TestResponse {
    send(client.request("PATCH", path).header("if-match", tag).json(body)).await
}

#[tokio::test]
async fn every_change_checks_the_version_that_was_read() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (operator, admin) = (platform.operator(), platform.admin(one.id));
    let template = json!({ "id": "prepared", "language": "en", "name": "Support" });
    assert_eq!(operator.post("/api/v1/operator/templates", &template).await.status, 201);
    let chatbot = format!("/api/v1/tenants/me/chatbots/{}", one.chatbot);
    let faq = admin.post(&format!("{chatbot}/faq"), &json!({ "question": "Who?", "answer": "We." })).await;
    let source = json!({ "name": "Manuals", "kind": "upload" });
    let source = admin.post(&format!("{chatbot}/sources"), &source).await;
    let module = format!("/api/v1/tenants/{}/modules/knowledge_hub", one.id);
    assert_eq!(operator.put(&module, &json!({ "enabled": true })).await.status, 200);
    platform.ingest(one, "a.md", "# Hours\n\nFrom nine to five.\n").await;
    let results = admin.get("/api/v2/knowledge/search?record=false").await;
    let bookmark = json!({ "document_id": results.body["results"][0]["document_id"] });
    let bookmark = admin.post("/api/v2/knowledge/bookmarks", &bookmark).await;
    let person = platform.add_person(one.id, "anna", "Meyer", "tenant-viewer").await;
    let key = admin.post("/api/v1/tenants/me/api-keys", &json!({ "name": "Shop", "scopes": ["ask"] })).await;
    let cases = [
        ("UpdateApiKey", &admin, key.header("location").unwrap().to_owned(), "name"),
        ("UpdateBookmark", &admin, bookmark.header("location").unwrap().to_owned(), "note"),
        ("UpdatePerson", &admin, format!("/api/v1/tenants/me/people/{person}"), "first_name"),
        ("UpdateTenantPerson", &operator, format!("/api/v1/platform/tenants/{}/people/{person}", one.id), "last_name"),
        ("UpdateSource", &admin, source.header("location").unwrap().to_owned(), "name"),
        ("UpdateTenant", &operator, format!("/api/v1/platform/tenants/{}", one.id), "display_name"),
        ("UpdateModule", &operator, "/api/v1/platform/modules/feedback".to_owned(), "name"),
        ("UpdateTemplate", &operator, "/api/v1/operator/templates/prepared".to_owned(), "name"),
        ("UpdateOperatorBranding", &operator, format!("/api/v1/operator/tenants/{}/branding", one.id), "header_title"),
        ("UpdateTenantBranding", &admin, "/api/v1/tenants/me/branding".to_owned(), "header_title"),
        ("UpdateChatbotBranding", &admin, format!("{chatbot}/branding"), "header_title"),
        ("UpdateChatbot", &admin, chatbot.clone(), "name"),
        ("UpdateFaq", &admin, faq.header("location").unwrap().to_owned(), "answer"),
    ];
    let covered: BTreeSet<_> = cases.iter().map(|(name, ..)| *name).chain([UpdatePreferences::NAME]).collect();
    let patches =
        table().iter().filter(|endpoint| endpoint.method == Method::Patch).map(|endpoint| endpoint.name).collect();
    assert_eq!(covered, patches, "a PATCH has no line here");
    for (name, client, path, field) in &cases {
        let read = client.get(path).await;
        let tag = read.header("etag").unwrap_or_else(|| panic!("{name}: {read:?}"));
        let rows = platform.audit_rows().await;
        let stale = change(client, path, "\"000000000000000000000000\"", &json!({ *field: "Stale" })).await;
        assert_eq!((stale.status, stale.detail()), (412, "precondition_failed"), "{name}");
        assert_eq!(client.get(path).await.text, read.text, "{name}");
        let first = change(client, path, tag, &json!({ *field: "First" })).await;
        assert_eq!((first.status, &first.body[*field]), (200, &json!("First")), "{name}: {first:?}");
        let second = change(client, path, tag, &json!({ *field: "Second" })).await;
        assert_eq!((second.status, second.detail()), (412, "precondition_failed"), "{name}");
        assert_eq!(platform.audit_rows().await, rows + 1, "{name}");
        assert_eq!(change(client, path, "*", &json!({ *field: "Third" })).await.status, 200, "{name}");
    }
}

#[tokio::test]
async fn concurrent_additions_to_a_list_are_not_lost() {
    const PATH: &str = "/api/v1/tenants/me/branding";
    let (platform, one, _) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let add = async |origin: String| {
        for _ in 0..50 {
            let read = admin.get(PATH).await;
            let mut origins = read.body["allowed_origins"].clone();
            origins.as_array_mut().unwrap().push(json!(origin));
            let body = json!({ "allowed_origins": origins });
            let answer = change(&admin, PATH, read.header("etag").unwrap(), &body).await;
            match answer.status {
                200 => return,
                412 => {}
                _ => panic!("{answer:?}"),
            }
        }
        panic!("{origin} was never let through");
    };
    let before = admin.get(PATH).await.body["allowed_origins"].as_array().unwrap().len();
    futures::future::join_all((0..8).map(|number| add(format!("https://site-{number}.example")))).await;
    assert_eq!(admin.get(PATH).await.body["allowed_origins"].as_array().unwrap().len(), before + 8);
}

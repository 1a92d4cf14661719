//! The server function of a document's page in a chatbot's knowledge.

use serde_json::{Value, json};

use crate::support::{Platform, Tenant, TestResponse};

const DELIVERY: &str = "# Delivery\n\nA parcel takes two days to arrive at your door.\n";
const QUESTION: &str = "How many days does a parcel take?";

async fn page(platform: &Platform, reader: Tenant, chatbot: Tenant, document: &Value) -> TestResponse {
    let document = document.as_str().unwrap();
    let path = format!("/tenant/_fn/document?chatbot_id={}&document_id={document}", chatbot.chatbot);
    platform.viewer(reader.id).get(&path).await
}

/// The id of a tenant's only document.
async fn only_document(platform: &Platform, tenant: Tenant) -> Value {
    let path = format!("/api/v1/tenants/me/chatbots/{}/documents", tenant.chatbot);
    platform.viewer(tenant.id).get(&path).await.body["items"][0]["id"].clone()
}

#[tokio::test]
async fn a_passage_names_the_answers_of_30_days_that_cited_it() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    platform.ingest(tenant, "delivery.md", DELIVERY).await;
    let document = only_document(&platform, tenant).await;
    let unasked = page(&platform, tenant, tenant, &document).await;
    assert_eq!((unasked.status, &unasked.body["answers"], &unasked.body["citations"]), (200, &json!(0), &json!([])));
    assert_eq!(
        (&unasked.body["document"]["title"], &unasked.body["passages"]["total"]),
        (&json!("Delivery"), &json!(1))
    );
    let ask = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let mut last = Value::Null;
    for _ in 0..4 {
        let reply = platform.widget().post(&ask, &json!({ "session_id": null, "question": QUESTION })).await;
        assert_eq!((reply.status, &reply.body["kind"]), (200, &json!("answer")), "{reply:?}");
        last = reply.body;
    }
    let details = page(&platform, tenant, tenant, &document).await.body;
    assert_eq!((&details["answers"], &details["is_cut"]), (&json!(4), &json!(false)), "{details}");
    let cited = &details["citations"][0];
    assert_eq!(
        (&cited["passage_id"], &cited["answers"]),
        (&details["passages"]["items"][0]["id"], &json!(4)),
        "{details}"
    );
    let newest = cited["newest"].as_array().unwrap();
    assert_eq!((newest.len(), &newest[0]["question"]), (3, &json!(QUESTION)), "{details}");
    assert_eq!((&newest[0]["session_id"], &newest[0]["message_id"]), (&last["session_id"], &last["message_id"]));
    sqlx::query("update chat_messages set created_at = now() - interval '31 days'")
        .execute(platform.everything())
        .await
        .unwrap();
    assert_eq!(page(&platform, tenant, tenant, &document).await.body["answers"], json!(0));
}

#[tokio::test]
async fn another_tenants_document_has_no_page() {
    let (platform, tenant, other) = Platform::with_tenants().await;
    platform.ingest(tenant, "delivery.md", DELIVERY).await;
    let document = only_document(&platform, tenant).await;
    let foreign = page(&platform, other, tenant, &document).await;
    assert_eq!((foreign.status, foreign.detail()), (404, "chatbot_not_found"));
    let mixed = page(&platform, other, other, &document).await;
    assert_eq!((mixed.status, &mixed.body), (200, &Value::Null), "{mixed:?}");
    let unnamed = platform.viewer(tenant.id).get("/tenant/_fn/document").await;
    assert_eq!((unnamed.status, &unnamed.body), (200, &Value::Null), "{unnamed:?}");
}

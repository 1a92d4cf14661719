//! Chatbots and branding through the REST API.

use serde_json::{Value, json};

use crate::{
    mutations::template,
    support::{Platform, Tenant, new_chatbot},
};

/// The chatbot once its collection is ready; the background work is awaited, not slept for.
async fn when_ready(platform: &Platform, tenant: Tenant, id: &str) -> Value {
    let admin = platform.admin(tenant.id);
    let answer = admin.post(&format!("/api/v1/tenants/me/chatbots/{id}/provision"), &json!(null)).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body
}

#[tokio::test]
async fn a_chatbot_takes_a_snapshot_of_its_template_and_answers_from_its_faq() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    assert_eq!(platform.operator().post("/api/v1/operator/templates", &template("support-en")).await.status, 201);
    let body = json!({ "slug": "support", "name": "Support", "template_id": "support-en", "welcome_message": "Mine" });
    let created = platform.admin(tenant.id).post("/api/v1/tenants/me/chatbots", &body).await;
    assert_eq!(created.status, 201, "{created:?}");
    assert_eq!((&created.body["welcome_message"], &created.body["template_version"]), (&json!("Mine"), &json!(1)));
    assert_eq!(created.body["template_snapshot"]["faq_seed"][0]["question"], "When are you open?");
    let id = created.body["id"].as_str().unwrap();
    assert_eq!(uuid::Uuid::parse_str(id).unwrap().get_version_num(), 4);
    assert_eq!(when_ready(&platform, tenant, id).await["provisioning"], "ready");
    let question = json!({ "session_id": null, "question": "When are you open?" });
    let answer = platform.widget().post(&format!("/api/v1/widget/chatbots/{id}/query"), &question).await;
    assert!(answer.body["answer"].as_str().unwrap().contains("nine to five"), "{answer:?}");
    assert!(answer.body["sources"][0]["source_title"].as_str().unwrap().contains("When are you open?"));
}

#[tokio::test]
async fn the_background_task_completes_what_failed() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    assert_eq!(platform.operator().post("/api/v1/operator/templates", &template("support-en")).await.status, 201);
    let body = json!({ "slug": "support", "name": "Support", "template_id": "support-en" });
    let created = platform.admin(tenant.id).post("/api/v1/tenants/me/chatbots", &body).await;
    let id = created.body["id"].as_str().unwrap();
    when_ready(&platform, tenant, id).await;
    sqlx::query("update chatbots set provisioning = 'failed'").execute(platform.everything()).await.unwrap();
    server::service::provisioning::retry(&platform.app).await;
    let shown = platform.admin(tenant.id).get(&format!("/api/v1/tenants/me/chatbots/{id}")).await;
    assert_eq!(shown.body["provisioning"], "ready");
    let documents: i64 = sqlx::query_scalar("select count(*) from documents where chatbot_id = $1")
        .bind(uuid::Uuid::parse_str(id).unwrap())
        .fetch_one(platform.everything())
        .await
        .unwrap();
    assert_eq!(documents, 1, "doing it twice leaves the same state");
}

#[tokio::test]
async fn creation_refuses_unknown_templates_taken_slugs_and_bad_fields() {
    let (platform, one, other) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let path = "/api/v1/tenants/me/chatbots";
    let answer = admin.post(path, &json!({ "slug": "x", "name": "X", "template_id": "nope" })).await;
    assert_eq!((answer.status, answer.detail()), (404, "template_not_found"));
    let answer = admin.post(path, &new_chatbot("help")).await;
    assert_eq!((answer.status, answer.detail()), (409, "chatbot_slug_taken"));
    assert_eq!(platform.admin(other.id).post(path, &new_chatbot("second")).await.status, 201);
    for (body, field) in [
        (json!({ "slug": "X", "name": "X" }), "slug"),
        (json!({ "slug": "x", "name": "" }), "name"),
        (json!({ "slug": "x" }), "name"),
        (json!({ "slug": "x", "name": "X", "template_id": "NOT AN ID" }), "template_id"),
        (json!({ "slug": "x", "name": "X", "language": "english" }), "language"),
        (json!({ "slug": "x", "name": "X", "system_prompt": "a\u{0}b" }), "system_prompt"),
    ] {
        let answer = admin.post(path, &body).await;
        assert_eq!((answer.status, answer.detail()), (422, "validation_error"), "{body}");
        assert_eq!(answer.loc().last().copied(), Some(field), "{body}: {}", answer.text);
    }
    assert_eq!(admin.get(path).await.body["total"], 1);
}

#[tokio::test]
async fn a_deactivated_chatbot_and_a_deleted_tenant_fall_silent_at_once() {
    let (platform, one, other) = Platform::with_tenants().await;
    let config = |tenant: Tenant| format!("/api/v1/widget/config/{}", tenant.chatbot);
    assert_eq!(platform.widget().get(&config(one)).await.status, 200);
    let path = format!("/api/v1/tenants/me/chatbots/{}", one.chatbot);
    assert_eq!(platform.admin(one.id).delete(&path).await.status, 204);
    assert_eq!(platform.widget().get(&config(one)).await.status, 403);
    let shown = platform.admin(one.id).get(&path).await;
    assert_eq!(shown.body["status"], "deactivated");
    assert!(shown.body["deactivated_at"].is_string());
    platform.operator().delete(&format!("/api/v1/platform/tenants/{}", other.id)).await;
    assert_eq!(platform.widget().get(&config(other)).await.status, 403);
}

#[tokio::test]
async fn branding_is_merged_warned_about_and_never_takes_css_from_a_tenant() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let admin = platform.admin(tenant.id);
    let path = "/api/v1/tenants/me/branding";
    let body = json!({ "text_color": "#777777", "background_color": "#888888", "custom_css": "* { color: red }" });
    let answer = admin.patch(path, &body).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!((&answer.body["custom_css"], &answer.body["header_title"]), (&Value::Null, &json!("Help of one")));
    assert_eq!(answer.body["warnings"][0]["code"], "low_contrast");
    let cleared = admin.patch(path, &json!({ "header_title": null })).await;
    assert_eq!((&cleared.body["header_title"], &cleared.body["text_color"]), (&Value::Null, &json!("#777777")));
    let bad = admin.patch(path, &json!({ "allowed_origins": ["https://a.example.com", "*"] })).await;
    assert_eq!((bad.status, bad.loc()), (422, vec!["body", "allowed_origins", "1"]));
    let kept = admin.get(path).await;
    assert_eq!(kept.body["allowed_origins"], json!([crate::support::ORIGIN]));
}

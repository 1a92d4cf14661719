//! What a key may be made of, and who may make one.

use serde_json::{Value, json};

use super::{KEYS, create};
use crate::support::Platform;

#[tokio::test]
async fn a_key_cannot_be_made_of_wrong_parts() {
    let (platform, one, other) = Platform::with_tenants().await;
    let past = chrono::Utc::now() - chrono::TimeDelta::minutes(1);
    for (fields, place) in [
        (json!({ "name": "" }), json!(["body", "name"])),
        (json!({ "name": "a\u{0}b" }), json!(["body", "name"])),
        (json!({ "scopes": [] }), json!(["body", "scopes"])),
        (json!({ "scopes": ["admin"] }), json!(["body", "scopes", "0"])),
        (json!({ "chatbot_ids": [] }), json!(["body", "chatbot_ids"])),
        (json!({ "chatbot_ids": [other.chatbot] }), json!(["body", "chatbot_ids", "0"])),
        (json!({ "chatbot_ids": [one.chatbot, uuid::Uuid::new_v4()] }), json!(["body", "chatbot_ids", "1"])),
        (json!({ "allowed_addresses": ["10.0.0.0/33"] }), json!(["body", "allowed_addresses", "0"])),
        (json!({ "expires_at": past }), json!(["body", "expires_at"])),
    ] {
        let refusal = create(&platform, one, fields.clone()).await;
        assert_eq!((refusal.status, &refusal.body["errors"][0]["loc"]), (422, &place), "{fields}: {refusal:?}");
    }
    let stored: i64 =
        sqlx::query_scalar("select count(*) from api_keys").fetch_one(platform.everything()).await.unwrap();
    assert_eq!(stored, 0);
}

#[tokio::test]
async fn names_are_unique_and_a_tenant_has_a_hundred_keys() {
    let (platform, one, other) = Platform::with_tenants().await;
    assert_eq!(create(&platform, one, json!({})).await.status, 201);
    let again = create(&platform, one, json!({})).await;
    assert_eq!((again.status, again.detail()), (409, "api_key_name_taken"));
    assert_eq!(create(&platform, other, json!({})).await.status, 201, "another tenant's name");
    let fill = "insert into api_keys (id, tenant_id, name, prefix, hash, scopes, created_by)
                select gen_random_uuid(), $1, 'n' || n, lpad(n::text, 8, '0'), decode(repeat('00', 32), 'hex'), '{ask}', 'x'
                from generate_series(1, 99) n";
    sqlx::query(fill).bind(one.id.0).execute(platform.everything()).await.unwrap();
    let full = create(&platform, one, json!({ "name": "One more" })).await;
    assert_eq!((full.status, full.detail()), (422, "quota_api_keys"), "{full:?}");
    assert_eq!((&full.body["errors"][0]["limit"], &full.body["errors"][0]["used"]), (&json!(100), &json!(100)));
}

#[tokio::test]
async fn viewers_read_keys_and_change_none() {
    let (platform, one, _) = Platform::with_tenants().await;
    let key = create(&platform, one, json!({})).await;
    let path = format!("{KEYS}/{}", key.body["id"].as_str().unwrap());
    let viewer = platform.viewer(one.id);
    assert_eq!(viewer.get(KEYS).await.body["total"], 1);
    let body: Value = json!({ "name": "Mine", "scopes": ["ask"] });
    for answer in [viewer.post(KEYS, &body).await, viewer.patch(&path, &body).await, viewer.delete(&path).await] {
        assert_eq!((answer.status, answer.detail()), (403, "tenant_admin_required"));
    }
}

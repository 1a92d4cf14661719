//! The header `Idempotency-Key`: a repeated call gets the answer of the first one.

use reqwest::RequestBuilder;
use serde_json::{Value, json};
use server::service::idempotency::expiry;

use crate::support::{Client, Platform, TestResponse, send};

/// The audit rows of a new chatbot.
const CREATIONS: &str = "select count(*) from platform_audit_log
                         where action = 'chatbot.created' and details -> 'after' ->> 'slug' = 'shop-a'";
const CHATBOTS: &str = "/api/v1/tenants/me/chatbots";

fn chatbot(slug: &str) -> Value {
    json!({ "slug": slug, "name": "Shop" })
}

fn request(client: &Client<'_>, path: &str, key: &str) -> RequestBuilder {
    client.request("POST", path).header("idempotency-key", key)
}

async fn create(client: &Client<'_>, key: &str, slug: &str) -> TestResponse {
    send(request(client, CHATBOTS, key).json(&chatbot(slug))).await
}

async fn count(platform: &Platform, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql).fetch_one(platform.everything()).await.unwrap()
}

#[tokio::test]
async fn a_repeated_call_gets_the_first_answer_and_changes_nothing() {
    let (platform, one, _) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let first = create(&admin, "order-1", "shop-a").await;
    assert_eq!((first.status, first.header("idempotency-replayed")), (201, None), "{first:?}");
    let again = create(&admin, "order-1", "shop-a").await;
    assert_eq!((again.status, again.header("idempotency-replayed")), (201, Some("true")), "{again:?}");
    assert_eq!((&again.text, again.header("location")), (&first.text, first.header("location")));
    assert_eq!(again.header("content-type"), first.header("content-type"));
    assert_eq!(count(&platform, "select count(*) from chatbots where slug = 'shop-a'").await, 1);
    assert_eq!(count(&platform, CREATIONS).await, 1);
    let refused = create(&admin, "order-2", "shop-a").await;
    let repeated = create(&admin, "order-2", "shop-a").await;
    assert_eq!((refused.status, refused.detail()), (409, "chatbot_slug_taken"));
    assert_eq!((repeated.status, &repeated.text), (409, &refused.text));
    assert_eq!(repeated.header("idempotency-replayed"), Some("true"));
}

#[tokio::test]
async fn a_key_belongs_to_one_request_of_one_principal() {
    let (platform, one, other) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    assert_eq!(create(&admin, "k", "shop-a").await.status, 201);
    let body = create(&admin, "k", "shop-b").await;
    assert_eq!((body.status, body.detail()), (409, "idempotency_key_reused"));
    let path = send(request(&admin, &format!("{CHATBOTS}?x=1"), "k").json(&chatbot("shop-a"))).await;
    assert_eq!((path.status, path.detail()), (409, "idempotency_key_reused"));
    let foreign = create(&platform.admin(other.id), "k", "shop-a").await;
    assert_eq!((foreign.status, foreign.header("idempotency-replayed")), (201, None), "{foreign:?}");
    let tenant = json!({ "slug": "example", "display_name": "Example" });
    let operator = platform.operator();
    let call = async || send(request(&operator, "/api/v1/platform/tenants", "k").json(&tenant)).await;
    assert_eq!((call().await.status, call().await.header("idempotency-replayed")), (201, Some("true")));
}

#[tokio::test]
async fn a_running_call_is_named_and_a_lost_one_is_repeated() {
    let (platform, one, _) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    assert_eq!(create(&admin, "k", "shop-a").await.status, 201);
    let age = async |sql: &'static str| {
        sqlx::query(sql).execute(platform.everything()).await.unwrap();
    };
    age("update idempotency_keys set finished_at = null, answer = null").await;
    let running = create(&admin, "k", "shop-a").await;
    assert_eq!((running.status, running.detail()), (409, "idempotency_key_in_progress"));
    age("update idempotency_keys set created_at = now() - interval '6 minutes'").await;
    let lost = create(&admin, "k", "shop-a").await;
    assert_eq!((lost.status, lost.detail()), (409, "chatbot_slug_taken"), "it was carried out again");
    age("update idempotency_keys set answer = null").await;
    let large = create(&admin, "k", "shop-a").await;
    assert_eq!((large.status, large.detail()), (409, "idempotency_answer_not_kept"));
    age("update idempotency_keys set created_at = now() - interval '25 hours'").await;
    assert_eq!(create(&admin, "k", "shop-b").await.status, 201, "keys of yesterday are free");
    age("update idempotency_keys set created_at = now() - interval '25 hours'").await;
    assert_eq!(expiry::run(&platform.app).await.unwrap(), 1);
    assert_eq!(count(&platform, "select count(*) from idempotency_keys").await, 0);
}

#[tokio::test]
async fn parallel_calls_with_one_key_change_something_once() {
    let (platform, one, _) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let calls = (0..8).map(|_| create(&admin, "k", "shop-a"));
    let answers = futures::future::join_all(calls).await;
    let outcomes: Vec<_> = answers.iter().map(|answer| (answer.status, answer.detail())).collect();
    let is_expected = |outcome: &(u16, &str)| matches!(outcome, (201, _) | (409, "idempotency_key_in_progress"));
    assert!(outcomes.iter().all(is_expected) && outcomes.iter().any(|(status, _)| *status == 201), "{outcomes:?}");
    assert_eq!(count(&platform, CREATIONS).await, 1);
}

#[tokio::test]
async fn answers_are_stored_encrypted() {
    let (platform, one, _) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let path = format!("{CHATBOTS}/{}/ask", one.chatbot);
    let body = json!({ "question": "Who painted the Mona Lisa?" });
    let first = send(request(&admin, &path, "order-3").json(&body)).await;
    let again = send(request(&admin, &path, "order-3").json(&body)).await;
    assert_eq!((first.status, &first.text), (200, &again.text), "{first:?}");
    assert_eq!(count(&platform, "select count(*) from chat_messages").await, 2);
    let stored: String = sqlx::query_scalar("select string_agg(k::text, ',') from idempotency_keys k")
        .fetch_one(platform.everything())
        .await
        .unwrap();
    let hex = |text: &str| text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
    for secret in [first.body["session_token"].as_str().unwrap(), "order-3", "Mona"] {
        assert!(!stored.contains(secret) && !stored.contains(&hex(secret)), "{secret}");
    }
}

#[tokio::test]
async fn streams_uploads_and_malformed_keys_are_refused() {
    let (platform, one, _) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let path = format!("{CHATBOTS}/{}/ask", one.chatbot);
    let body = json!({ "question": "When?" });
    let stream = request(&admin, &path, "k").header("accept", "text/event-stream").json(&body);
    let import = request(&admin, &format!("{CHATBOTS}/{}/faq/import", one.chatbot), "k").body("question,answer\n");
    let export = request(&admin, "/api/v1/tenants/me/conversations/exports", "k").json(&json!({}));
    for refused in [stream, import, export] {
        let refused = send(refused).await;
        assert_eq!((refused.status, refused.detail()), (422, "idempotency_key_not_supported"), "{refused:?}");
    }
    for key in ["", "two words", &"x".repeat(256)] {
        let refused = create(&admin, key, "shop-a").await;
        assert_eq!((refused.status, refused.loc()), (422, vec!["header", "Idempotency-Key"]), "{key}");
    }
    assert_eq!(create(&admin, &"x".repeat(255), "shop-a").await.status, 201);
    assert_eq!(send(admin.request("GET", CHATBOTS).header("idempotency-key", "")).await.status, 200);
}

#[tokio::test]
async fn a_tenants_kept_answers_are_bounded() {
    let (platform, one, other) = Platform::with_tenants().await;
    let fill = "insert into idempotency_keys (tenant_id, principal_sha256, key_sha256, request_sha256)
                select $1, sha256('x'), sha256(n::text::bytea), sha256('x') from generate_series(1, 10000) n";
    sqlx::query(fill).bind(one.id.0).execute(platform.everything()).await.unwrap();
    let full = create(&platform.admin(one.id), "k", "shop-a").await;
    assert_eq!((full.status, full.detail()), (422, "quota_idempotency_keys"));
    assert_eq!(create(&platform.admin(other.id), "k", "shop-a").await.status, 201);
}

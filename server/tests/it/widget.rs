//! The public widget endpoints.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{ORIGIN, Platform, Tenant, World, send};

const DOCUMENT: &str = "# Returns\n\nYou can return any item within 30 days of delivery. Keep the receipt.\n\n\
                        # Delivery\n\nDelivery to the islands takes five working days.\n";

async fn with_documents() -> (Platform, Tenant, Tenant) {
    let (platform, one, other) = Platform::with_tenants().await;
    platform.ingest(one, "shop.md", DOCUMENT).await;
    (platform, one, other)
}

fn query(tenant: Tenant) -> String {
    format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot)
}

fn ask(session: Value, question: &str) -> Value {
    json!({ "session_id": session, "question": question })
}

#[tokio::test]
async fn a_question_is_answered_from_the_documents_with_its_sources() {
    let (platform, one, _) = with_documents().await;
    let answer = platform.widget().post(&query(one), &ask(Value::Null, "How long can I return an item?")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let body = &answer.body;
    assert!(body["answer"].as_str().unwrap().contains("30 days"), "{body}");
    assert!(body["answer"].as_str().unwrap().contains("[1]"), "{body}");
    assert_eq!(body["citations"][0], json!({ "marker": "[1]", "source_index": 0 }));
    let source = &body["sources"][0];
    assert!(source["source_title"].as_str().unwrap().contains("Returns"), "{source}");
    assert!(source["content_snippet"].as_str().unwrap().chars().count() <= 160);
    assert!((0.0..=1.0).contains(&source["score"].as_f64().unwrap()));
    assert_eq!(body["filtered"], false);
}

#[tokio::test]
async fn unanswerable_questions_get_the_fallback_without_sources() {
    let (platform, one, _) = with_documents().await;
    let answer = platform.widget().post(&query(one), &ask(Value::Null, "Who painted the Mona Lisa?")).await;
    assert_eq!((answer.status, &answer.body["answer"]), (200, &json!("No idea, sorry.")));
    assert_eq!((&answer.body["sources"], &answer.body["citations"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn a_chatbot_answers_from_its_own_documents_only() {
    let (platform, _, other) = with_documents().await;
    let answer = platform.widget().post(&query(other), &ask(Value::Null, "How long can I return an item?")).await;
    assert_eq!(answer.body["answer"], "No idea, sorry.");
}

#[tokio::test]
async fn a_session_goes_on_and_shows_its_history() {
    let (platform, one, _) = with_documents().await;
    let widget = platform.widget();
    let first = widget.post(&query(one), &ask(Value::Null, "How long can I return an item?")).await;
    let session = first.body["session_id"].clone();
    let second = widget.post(&query(one), &ask(session.clone(), "How long does delivery take?")).await;
    assert_eq!(second.body["session_id"], session);
    let id = session.as_str().unwrap();
    let path = format!("/api/v1/widget/chatbots/{}/sessions/{id}/messages", one.chatbot);
    let history = widget.get(&path).await;
    let messages = history.body["messages"].as_array().unwrap();
    let roles: Vec<_> = messages.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "user", "assistant"]);
    assert_eq!(messages[1]["message_id"], first.body["message_id"]);
    assert_eq!(messages[1]["sources"], first.body["sources"]);
    assert_eq!(messages[0]["content"], "How long can I return an item?");
}

#[tokio::test]
async fn a_history_has_the_visitors_last_rating_of_each_answer() {
    let (platform, one, other) = with_documents().await;
    let widget = platform.widget();
    let mut sessions = Vec::new();
    for tenant in [one, one, other] {
        let first = widget.post(&query(tenant), &ask(Value::Null, "Delivery?")).await.body;
        let second = widget.post(&query(tenant), &ask(first["session_id"].clone(), "Returns?")).await.body;
        sessions.push((tenant, first["session_id"].clone(), first["message_id"].clone(), second["message_id"].clone()));
    }
    let (_, session, first, second) = &sessions[0];
    let give = async |session: Value, message: &Value, rating: &str| {
        let body = json!({ "chatbot_id": one.chatbot, "session_id": session, "message_id": message, "rating": rating });
        assert_eq!(widget.post("/api/v1/feedback", &body).await.status, 201);
    };
    give(session.clone(), first, "up").await;
    give(session.clone(), first, "down").await;
    give(Value::Null, second, "up").await;
    let ratings = async |tenant: Tenant, session: &Value| -> Vec<Value> {
        let id = session.as_str().unwrap();
        let path = format!("/api/v1/widget/chatbots/{}/sessions/{id}/messages", tenant.chatbot);
        let body = widget.get(&path).await.body;
        body["messages"].as_array().unwrap().iter().map(|message| message["rating"].clone()).collect()
    };
    let none = Value::Null;
    assert_eq!(ratings(one, session).await, [none.clone(), json!("down"), none.clone(), none.clone()]);
    for (tenant, session, ..) in &sessions[1..] {
        assert_eq!(ratings(*tenant, session).await, vec![none.clone(); 4], "another session");
    }
}

#[tokio::test]
async fn unknown_foreign_and_silent_sessions_are_the_same_404() {
    let (platform, one, other) = with_documents().await;
    let widget = platform.widget();
    let session = widget.post(&query(one), &ask(Value::Null, "Delivery?")).await.body["session_id"].clone();
    let unknown = widget.post(&query(one), &ask(json!(Uuid::new_v4()), "Hello?")).await;
    assert_eq!((unknown.status, unknown.detail()), (404, "session_not_found"));
    let foreign = widget.post(&query(other), &ask(session.clone(), "Hello?")).await;
    assert_eq!((foreign.status, &foreign.text), (404, &unknown.text));
    let path = format!("/api/v1/widget/chatbots/{}/sessions/{}/messages", other.chatbot, session.as_str().unwrap());
    assert_eq!(widget.get(&path).await.status, 404);
    sqlx::query("update chat_sessions set last_message_at = now() - interval '31 days'")
        .execute(platform.everything())
        .await
        .unwrap();
    assert_eq!(widget.post(&query(one), &ask(session, "Hello?")).await.text, unknown.text);
}

#[tokio::test]
async fn every_refusal_is_the_same_403_to_the_byte() {
    let (platform, one, other) = with_documents().await;
    sqlx::query("update tenant_branding set allowed_origins = '{}' where tenant_id = $1")
        .bind(other.id.0)
        .execute(platform.everything())
        .await
        .unwrap();
    let config = |id: &str| format!("/api/v1/widget/config/{id}");
    let active_id = one.chatbot.to_string();
    let mut answers = Vec::new();
    for origin in [
        "https://evil.example.com",
        "null",
        "https://SHOP.example.com",
        "https://shop.example.com.evil.com",
        "garbage",
        "",
    ] {
        answers.push(platform.widget_on(origin).get(&config(&active_id)).await);
    }
    answers.push(platform.anonymous().get(&config(&active_id)).await);
    answers.push(platform.widget().get(&config(&other.chatbot.to_string())).await);
    for id in [Uuid::new_v4().to_string(), "not-an-id".to_owned(), active_id.to_uppercase(), active_id.replace('-', "")]
    {
        answers.push(platform.widget().get(&config(&id)).await);
    }
    answers
        .push(send(platform.widget_on("https://evil.example.com").request("POST", &query(one)).body("{broken")).await);
    for answer in answers {
        assert_eq!((answer.status, answer.text.as_str()), (403, r#"{"detail":"origin_not_allowed"}"#));
    }
}

#[tokio::test]
async fn the_configuration_is_cacheable_and_hides_origins() {
    let (platform, one, _) = with_documents().await;
    platform.admin(one.id).patch("/api/v1/tenants/me/branding", &json!({ "primary_color": "#102030" })).await;
    sqlx::query(
        "insert into chatbot_branding (tenant_id, chatbot_id, fields) values ($1, $2, '{\"header_title\": \"Bot\"}')",
    )
    .bind(one.id.0)
    .bind(one.chatbot.0)
    .execute(platform.everything())
    .await
    .unwrap();
    let path = format!("/api/v1/widget/config/{}", one.chatbot);
    let answer = platform.widget().get(&path).await;
    let branding = &answer.body["branding"];
    assert_eq!((&branding["header_title"], &branding["primary_color"]), (&json!("Bot"), &json!("#102030")));
    assert!(!answer.text.contains("allowed_origins"));
    assert_eq!(answer.header("cache-control"), Some("private, max-age=60"));
    assert!(answer.headers.get_all("vary").iter().any(|value| value == "Origin"));
    let tag = answer.header("etag").unwrap();
    let again = send(platform.widget().request("GET", &path).header("if-none-match", tag)).await;
    assert_eq!((again.status, again.text.as_str()), (304, ""));
}

#[tokio::test]
async fn a_question_has_one_to_four_thousand_characters() {
    let (platform, one, _) = with_documents().await;
    for question in ["", "   ", &"x".repeat(4001)] {
        let answer = platform.widget().post(&query(one), &ask(Value::Null, question)).await;
        assert_eq!((answer.status, answer.loc()), (422, vec!["body", "question"]));
    }
    let longest = platform.widget().post(&query(one), &ask(Value::Null, &"ä".repeat(4000))).await;
    assert_eq!(longest.status, 200, "{longest:?}");
    let bad = platform.widget().post(&query(one), &json!({ "session_id": "x", "question": "Hi?" })).await;
    assert_eq!((bad.status, bad.loc()), (422, vec!["body", "session_id"]));
    let sessions: i64 =
        sqlx::query_scalar("select count(*) from chat_sessions").fetch_one(platform.everything()).await.unwrap();
    assert_eq!(sessions, 1, "only the accepted question opened a session");
}

#[tokio::test]
async fn a_tenant_in_the_body_is_ignored() {
    let (platform, one, other) = with_documents().await;
    let body = json!({ "session_id": null, "question": "Returns?", "tenant_id": other.id.to_string() });
    assert_eq!(platform.widget_on(ORIGIN).post(&query(one), &body).await.status, 200);
    let owner: Uuid =
        sqlx::query_scalar("select tenant_id from chat_sessions").fetch_one(platform.everything()).await.unwrap();
    assert_eq!(owner, one.id.0);
}

/// The endpoint for pages of the older demo deployment, which name no chatbot.
const LEGACY: &str = "/api/query";

#[tokio::test]
async fn a_legacy_page_uses_the_configured_chatbot() {
    let World { platform, one, .. } = World::start().await;
    let widget = platform.widget();
    let first = widget.post(LEGACY, &ask(Value::Null, "When does the shop open?")).await;
    assert_eq!(first.status, 200, "{first:?}");
    let session = &first.body["session_id"];
    let owner: Uuid = sqlx::query_scalar("select chatbot_id from chat_sessions where id = $1::uuid")
        .bind(session.as_str())
        .fetch_one(platform.everything())
        .await
        .unwrap();
    assert_eq!(owner, one.chatbot.0);
    let second = widget.post(LEGACY, &ask(session.clone(), "And on Sundays?")).await;
    assert_eq!((second.status, &second.body["session_id"]), (200, session));
    let rating = json!({ "session_id": session, "message_id": second.body["message_id"], "rating": 1 });
    assert_eq!(widget.post("/api/feedback", &rating).await.status, 201);
}

#[tokio::test]
async fn a_legacy_page_without_a_chatbot_is_refused_as_unknown() {
    let World { platform, .. } = World::start().await;
    let question = ask(Value::Null, "When does the shop open?");
    let evil = platform.widget_on("https://evil.example.com").post(LEGACY, &question).await;
    let none = platform.anonymous().post(LEGACY, &question).await;
    let (unset, ..) = Platform::with_tenants().await;
    let unset = unset.widget().post(LEGACY, &question).await;
    for answer in [evil, none, unset] {
        assert_eq!((answer.status, answer.text.as_str()), (403, r#"{"detail":"origin_not_allowed"}"#));
    }
    let unknown = platform.widget().post(LEGACY, &ask(json!(Uuid::new_v4()), "Hello?")).await;
    assert_eq!((unknown.status, unknown.detail()), (404, "session_not_found"));
}

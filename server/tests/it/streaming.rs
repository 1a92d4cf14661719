//! Streamed answers without a language model: the order of events, the first byte, and which responses are not
//! streamed.

use std::{sync::Arc, time::Duration};

use rag::embed::Embedder;
use serde_json::{Value, json};
use server::admission::rate_limit::Quota;
use uuid::Uuid;

use crate::support::{
    Database, Gated, ORIGIN, Platform, Tenant, embedder,
    listener::{names, words},
    send,
};

const DOCUMENT: &str = "# Returns\n\nYou can return any item within 30 days of delivery. Keep the receipt. Items must be \
                        unused. Send them to the address on the label.\n\n# Delivery\n\nDelivery takes five days.\n";
const QUESTION: &str = "Within how many days can I return an item?";

async fn with_documents() -> (Platform, Tenant) {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    platform.ingest(tenant, "shop.md", DOCUMENT).await;
    (platform, tenant)
}

#[tokio::test]
async fn a_stream_tells_session_sources_words_and_then_the_reply() {
    let (platform, tenant) = with_documents().await;
    let listener = platform.listen(tenant, &Value::Null, QUESTION).await.unwrap();
    for (name, value) in [("cache-control", "no-store"), ("x-accel-buffering", "no")] {
        assert_eq!(listener.headers[name], value);
    }
    assert!(!listener.headers.contains_key("content-encoding"));
    let events = listener.rest().await;
    assert_eq!(names(&events), ["session", "sources", "token", "done"]);
    let (session, sources, done) = (&events[0].1, &events[1].1, &events.last().unwrap().1);
    assert_eq!((&session["session_id"], &sources["sources"]), (&done["session_id"], &done["sources"]));
    assert_eq!(words(&events), done["answer"].as_str().unwrap());
    assert!(events.len() > 4, "the answer comes in parts: {events:?}");
    assert_eq!(sorted(session), ["session_id", "session_token"]);
    assert_eq!(sorted(sources), ["sources"]);
    let fields = [
        "answer",
        "citations",
        "confidence",
        "filtered",
        "generated_by",
        "kind",
        "message_id",
        "session_id",
        "session_token",
        "sources",
    ];
    assert_eq!(sorted(done), fields);
}

fn sorted(object: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

#[tokio::test]
async fn a_stream_and_a_reply_say_and_store_the_same() {
    let (platform, tenant) = with_documents().await;
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let reply = platform.widget().post(&path, &json!({ "session_id": null, "question": QUESTION })).await;
    let events = platform.hear(tenant, &reply.body["session_id"], QUESTION).await;
    let done = &events.last().unwrap().1;
    for field in ["session_id", "answer", "sources", "citations", "filtered"] {
        assert_eq!(done[field], reply.body[field], "{field}");
    }
    let session = done["session_id"].as_str().unwrap();
    let path = format!("/api/v1/widget/chatbots/{}/sessions/{session}/messages", tenant.chatbot);
    let messages = platform.widget().get(&path).await.body["messages"].clone();
    for (replied, streamed) in [(0, 2), (1, 3)] {
        for field in ["role", "content", "sources", "citations", "filtered"] {
            assert_eq!(messages[replied][field], messages[streamed][field], "{field}");
        }
    }
    assert_eq!(messages[3]["message_id"], done["message_id"]);
}

#[tokio::test]
async fn the_fallback_message_is_sent_without_sources() {
    let (platform, tenant) = with_documents().await;
    let events = platform.hear(tenant, &Value::Null, "Who painted the Mona Lisa?").await;
    assert_eq!(names(&events), ["session", "sources", "token", "done"]);
    assert_eq!(events[1].1, json!({ "sources": [] }));
    assert_eq!((words(&events).as_str(), &events[3].1["answer"]), ("No idea, sorry.", &json!("No idea, sorry.")));
}

#[tokio::test]
async fn an_error_before_the_first_byte_is_an_ordinary_response() {
    let platform = Platform::start_with(|settings| settings.rate_limit.limits.public = Quota::new(1, 4)).await;
    let tenant = platform.add_tenant("one").await;
    let refused = async |session: &Value, question: &str| match platform.listen(tenant, session, question).await {
        Err(answer) => (answer.status, answer.detail().to_owned()),
        Ok(_) => panic!("a stream"),
    };
    assert_eq!(refused(&json!(Uuid::new_v4()), "Hello?").await, (404, "session_not_found".to_owned()));
    assert_eq!(refused(&Value::Null, "").await, (422, "validation_error".to_owned()));
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let foreign = platform.widget_on("https://evil.example.com").request("POST", &path);
    let foreign = send(foreign.header("accept", "text/event-stream").body("{}")).await;
    assert_eq!((foreign.status, foreign.detail()), (403, "origin_not_allowed"));
    let mut limited = (0, String::new());
    for _ in 0..20 {
        limited = refused(&json!(Uuid::new_v4()), "Hello?").await;
        if limited.0 == 429 {
            break;
        }
    }
    assert_eq!(limited, (429, "rate_limited".to_owned()));
}

#[tokio::test]
async fn without_a_database_there_is_no_stream() {
    let (platform, tenant) = with_documents().await;
    platform.app.db.close().await;
    let refused = platform.listen(tenant, &Value::Null, QUESTION).await.err().unwrap();
    assert_eq!((refused.status, refused.detail()), (503, "service_unavailable"));
}

#[tokio::test]
async fn a_page_of_another_origin_may_read_a_stream() {
    let platform = Platform::start_with(|settings| settings.cors_tenant_origins = true).await;
    let tenant = platform.add_tenant("one").await;
    let listener = platform.listen(tenant, &Value::Null, QUESTION).await.unwrap();
    assert_eq!(listener.headers["access-control-allow-origin"], ORIGIN);
    assert_eq!(names(&listener.rest().await), ["session", "sources", "token", "done"]);
}

#[tokio::test]
async fn the_first_byte_comes_before_anything_was_searched() {
    let gated = Arc::new(Gated::new(embedder().await));
    let platform = Platform::start_on(Database::create().await, Arc::clone(&gated) as Arc<dyn Embedder>, |_| {}).await;
    let tenant = platform.add_tenant("one").await;
    platform.ingest(tenant, "shop.md", DOCUMENT).await;
    gated.close();
    let mut listener = platform.listen(tenant, &Value::Null, QUESTION).await.unwrap();
    assert_eq!(listener.next().await.unwrap().0, "session");
    gated.open();
    assert_eq!(names(&listener.rest().await), ["sources", "token", "done"]);
}

#[tokio::test]
async fn questions_of_disconnected_visitors_are_stored() {
    let gated = Arc::new(Gated::new(embedder().await));
    let platform = Platform::start_on(Database::create().await, Arc::clone(&gated) as Arc<dyn Embedder>, |_| {}).await;
    let tenant = platform.add_tenant("one").await;
    gated.close();
    let mut listener = platform.listen(tenant, &Value::Null, QUESTION).await.unwrap();
    listener.next().await;
    drop(listener);
    platform.app.tasks.close();
    let ended = tokio::time::timeout(Duration::from_secs(60), platform.app.tasks.wait()).await;
    ended.expect("the exchange ends although the search does not");
    let stored: Vec<(String, String)> =
        sqlx::query_as("select role, content from chat_messages").fetch_all(platform.everything()).await.unwrap();
    assert_eq!(stored, [("user".to_owned(), QUESTION.to_owned())]);
}

#[tokio::test]
async fn a_failing_search_is_an_error_event_and_keeps_the_question() {
    let (platform, embedder) = Platform::start_breakable().await;
    let tenant = platform.add_tenant("one").await;
    embedder.break_down();
    let events = platform.hear(tenant, &Value::Null, QUESTION).await;
    assert_eq!(names(&events), ["session", "error"]);
    assert_eq!(events[1].1["detail"], "generator_unavailable");
    assert_eq!(sorted(&events[1].1), ["detail", "request_id"]);
    let stored: i64 =
        sqlx::query_scalar("select count(*) from chat_messages").fetch_one(platform.everything()).await.unwrap();
    assert_eq!(stored, 1);
}

#[tokio::test]
async fn follow_up_questions_are_searched_with_the_previous_one() {
    let (platform, tenant) = with_documents().await;
    let answer = async |session: &Value, question: &str| {
        let events = platform.hear(tenant, session, question).await;
        events.last().unwrap().1.clone()
    };
    for (follow_up, nothing) in [("Why is that?", "No idea, sorry."), ("Und warum?", "Dazu habe ich")] {
        let alone = answer(&Value::Null, follow_up).await;
        assert!(alone["answer"].as_str().unwrap().starts_with(nothing), "{alone}");
        let first = answer(&Value::Null, QUESTION).await;
        let second = answer(&first["session_id"], follow_up).await;
        assert_eq!(second["sources"][0]["source_title"], first["sources"][0]["source_title"], "{second}");
    }
    let first = answer(&Value::Null, QUESTION).await;
    let other = answer(&first["session_id"], "Who painted the Mona Lisa?").await;
    assert_eq!(other["answer"], "No idea, sorry.");
}

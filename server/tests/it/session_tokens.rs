//! A session's id opens nothing: what was said in it is opened by its token alone.

use std::collections::BTreeSet;

use app::server_fns;
use contract::{Method, table};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    matrix::{
        ids::{self, SLOTS},
        lines,
    },
    sessions::tables_with,
    support::{Client, ORIGIN, Platform, Tenant, TestResponse, World, send, session_tokens},
};

const SECRET: &str = "# Nightly backup\n\nThe nightly backup signs in to the archive with the access key \
                      AKIAIOSFODNN7EXAMPLE.\n";
const QUESTION: &str = "How does the nightly backup of quaggacanary sign in to the archive?";

async fn ask(client: &Client<'_>, tenant: Tenant, body: Value) -> TestResponse {
    let reply = client.post(&format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot), &body).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    reply
}

fn history(tenant: Tenant, session: &str) -> String {
    format!("/api/v1/widget/chatbots/{}/sessions/{session}/messages", tenant.chatbot)
}

async fn open(platform: &Platform, tenant: Tenant, session: &str, accept: &str) -> TestResponse {
    send(platform.stranger().request("GET", &history(tenant, session)).header("accept", accept)).await
}

async fn open_with(platform: &Platform, tenant: Tenant, session: &str, token: &str) -> TestResponse {
    open(platform, tenant, session, &format!("application/json;session_token={token}")).await
}

fn contents(history: &TestResponse) -> Vec<&str> {
    let messages = history.body["messages"].as_array().unwrap_or_else(|| panic!("{history:?}"));
    messages.iter().map(|message| message["content"].as_str().unwrap()).collect()
}

/// Everything that operators and vendors can read: every `GET` that serves them, the overview, and the metrics.
async fn surfaces(world: &World) -> Vec<(String, String)> {
    let platform = &world.platform;
    let mut texts = Vec::new();
    for client in [platform.operator(), platform.vendor()] {
        for endpoint in table().iter().filter(|endpoint| endpoint.method == Method::Get) {
            let (query, _) = lines::line(endpoint).unwrap();
            let choice = ids::own(&SLOTS);
            for more in ["", "&limit=200", "&include_details=true", "&include_full_output=true"] {
                let query =
                    if more.is_empty() || !query.is_empty() { query.to_owned() } else { format!("?{}", &more[1..]) };
                let path = ids::fill(&format!("{}{query}", endpoint.path), &choice, world.one, world.other);
                let answer = client.get(&path).await;
                if answer.status == 200 {
                    texts.push((endpoint.name.to_owned(), answer.text));
                }
            }
        }
        for function in server_fns::table() {
            texts.push((function.path.to_owned(), client.get(function.path).await.text));
        }
    }
    texts.push(("metrics".to_owned(), platform.anonymous().get("/metrics").await.text));
    texts
}

#[tokio::test]
async fn nothing_that_operators_and_vendors_read_opens_a_session() {
    let world = World::start().await;
    let platform = &world.platform;
    let one = Tenant { id: world.one.tenant, chatbot: world.one.chatbot };
    platform.ingest(one, "backup.md", SECRET).await;
    let reply = ask(&platform.widget(), one, json!({ "session_id": null, "question": QUESTION })).await;
    assert_eq!(reply.body["filtered"], true, "{reply:?}");
    let feedback = json!({ "chatbot_id": one.chatbot, "session_id": reply.body["session_id"],
                           "message_id": reply.body["message_id"], "rating": "down" });
    assert_eq!(platform.widget().post("/api/v1/feedback", &feedback).await.status, 201);
    let session = reply.body["session_id"].as_str().unwrap();
    assert_eq!(platform.widget().get(&history(one, session)).await.status, 200);

    let texts = surfaces(&world).await;
    for name in ["ListAudit", "ExportAudit", "ListOutputFilterEvents", "ExportOutputFilterAudit"] {
        let has_session = texts.iter().any(|(from, text)| from == name && text.contains(session));
        assert!(has_session, "{name} does not show the session: the test would prove nothing");
    }
    let strings: BTreeSet<&str> = texts
        .iter()
        .flat_map(|(_, text)| text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_'))
        .filter(|text| text.len() >= 16)
        .collect();
    let ids: Vec<&str> = strings.iter().copied().filter(|text| text.parse::<Uuid>().is_ok()).collect();
    assert!(ids.len() > 20, "{ids:?}");
    for id in ids {
        let path = history(one, id);
        for accept in ["application/json", &format!("application/json;session_token={id}")] {
            let answer = open(platform, one, id, accept).await;
            assert_eq!((answer.status, answer.detail()), (404, "session_not_found"), "{path}");
        }
    }
    for token in strings {
        assert_eq!(open_with(platform, one, session, token).await.status, 404, "{token}");
    }
    // Every other endpoint that takes the id answers without a word of what was said.
    let body = json!({ "session_id": session, "question": "What did I ask before?" });
    let feedback = json!({ "chatbot_id": one.chatbot, "session_id": session, "message_id": reply.body["message_id"],
                           "rating": "up" });
    let old = json!({ "session_id": session, "message_id": reply.body["message_id"], "rating": 1 });
    for (path, body, status) in [
        (format!("/api/v1/widget/chatbots/{}/query", one.chatbot), body, 200),
        ("/api/v1/feedback".to_owned(), feedback, 201),
        ("/api/feedback".to_owned(), old, 201),
    ] {
        let answer = platform.stranger().post(&path, &body).await;
        assert_eq!(answer.status, status, "{answer:?}");
        assert!(!answer.text.contains("quaggacanary"), "{answer:?}");
        assert_eq!(answer.body.get("session_token"), None, "{answer:?}");
    }
}

#[tokio::test]
async fn only_the_sessions_own_token_opens_its_history() {
    let (platform, one, other) = Platform::with_tenants().await;
    let first = ask(&platform.widget(), one, json!({ "session_id": null, "question": "Who?" })).await;
    let (session, token) = (first.body["session_id"].as_str().unwrap(), first.body["session_token"].as_str().unwrap());
    assert_eq!(token.len(), 43, "256 bits in base64url");
    let foreign = ask(&platform.widget(), other, json!({ "session_id": null, "question": "Who?" })).await;
    let other_token = foreign.body["session_token"].as_str().unwrap();
    assert_ne!(token, other_token);

    let unknown = open_with(&platform, one, &Uuid::new_v4().to_string(), token).await;
    assert_eq!((unknown.status, unknown.detail()), (404, "session_not_found"));
    for accept in [
        "*/*".to_owned(),
        "application/json;session_token=".to_owned(),
        format!("application/json;session_token={other_token}"),
        format!("application/json;session_token={}", &token[1..]),
        format!("application/json;token={token}"),
    ] {
        let refused = open(&platform, one, session, &accept).await;
        assert_eq!((refused.status, &refused.text), (404, &unknown.text), "{accept}");
    }
    let path = format!("{}?session_token={token}", history(one, session));
    assert_eq!(platform.stranger().get(&path).await.status, 404, "no address holds a token");
    for accept in [
        format!("application/json;session_token={token}"),
        format!("text/html, application/json; q=0.9; Session_Token=\"{token}\""),
    ] {
        let conversation = open(&platform, one, session, &accept).await;
        assert_eq!((conversation.status, contents(&conversation).len()), (200, 2), "{conversation:?}");
        assert_eq!(conversation.header("cache-control"), Some("private, no-cache"));
    }
    assert_eq!(tables_with(&platform, token).await, Vec::<String>::new(), "only its hash is stored");
    assert!(!tables_with(&platform, session).await.is_empty());
}

#[tokio::test]
async fn what_is_said_by_an_id_alone_is_not_part_of_the_history() {
    let (platform, one, _) = Platform::with_tenants().await;
    let first = ask(&platform.widget(), one, json!({ "session_id": null, "question": "First?" })).await;
    let session = first.body["session_id"].clone();
    let alone = ask(&platform.stranger(), one, json!({ "session_id": session, "question": "Alone?" })).await;
    assert_eq!((&alone.body["session_id"], alone.body.get("session_token")), (&session, None), "{alone:?}");
    let wrong = json!({ "session_id": session, "session_token": "x".repeat(43), "question": "Wrong?" });
    let wrong = ask(&platform.stranger(), one, wrong).await;
    assert_eq!((&wrong.body["session_id"], wrong.body.get("session_token")), (&session, None), "{wrong:?}");
    let second = ask(&platform.widget(), one, json!({ "session_id": session, "question": "Second?" })).await;
    assert_eq!(second.body["session_token"], first.body["session_token"]);

    let conversation = platform.widget().get(&history(one, session.as_str().unwrap())).await;
    let questions: Vec<_> = contents(&conversation).into_iter().filter(|text| text.ends_with('?')).collect();
    assert_eq!(questions, ["First?", "Second?"]);
    let path = format!("/api/v1/tenants/me/conversations/{}", session.as_str().unwrap());
    let whole = platform.admin(one.id).get(&path).await;
    assert_eq!(whole.body["messages"].as_array().unwrap().len(), 8, "the tenant reads all of it");
}

#[tokio::test]
async fn an_older_session_gets_one_token_for_what_follows() {
    let (platform, one, _) = Platform::with_tenants().await;
    let first = ask(&platform.widget(), one, json!({ "session_id": null, "question": "Before?" })).await;
    let session = first.body["session_id"].as_str().unwrap();
    // As the previous version stored it.
    for sql in ["update chat_sessions set token_hash = null", "update chat_messages set with_token = false"] {
        sqlx::query(sql).execute(platform.everything()).await.unwrap();
    }
    let old = first.body["session_token"].as_str().unwrap();
    assert_eq!(open_with(&platform, one, session, old).await.status, 404);

    let stranger = platform.stranger();
    let next = ask(&stranger, one, json!({ "session_id": session, "question": "After?" })).await;
    let token = next.body["session_token"].as_str().unwrap().to_owned();
    assert_ne!(token, old);
    let again = ask(&stranger, one, json!({ "session_id": session, "question": "Alone?" })).await;
    assert_eq!(again.body.get("session_token"), None, "once");
    let conversation = open_with(&platform, one, session, &token).await;
    let questions: Vec<_> = contents(&conversation).into_iter().filter(|text| text.ends_with('?')).collect();
    assert_eq!(questions, ["After?"], "neither what was said before nor what is said without it");
}

#[tokio::test]
async fn a_stream_has_the_token_in_its_first_and_last_event() {
    let (platform, one, _) = Platform::with_tenants().await;
    let events = platform.hear(one, &Value::Null, "Who?").await;
    let (first, last) = (&events[0].1, &events.last().unwrap().1);
    let token = first["session_token"].as_str().unwrap();
    assert_eq!(last["session_token"], token);
    let session = first["session_id"].as_str().unwrap();
    assert_eq!(session_tokens::of(session).as_deref(), Some(token));
    assert_eq!(open_with(&platform, one, session, token).await.status, 200);
}

#[tokio::test]
async fn another_origin_may_send_the_token_without_asking_first() {
    // Browsers send this header without a preflight when it is short and has none of these bytes.
    const UNSAFE: &str = "\"():<>?@[\\]{}\u{7f}";
    let platform = Platform::start_with(|settings| settings.cors_tenant_origins = true).await;
    let one = platform.add_tenant("one").await;
    let first = ask(&platform.widget(), one, json!({ "session_id": null, "question": "Who?" })).await;
    let session = first.body["session_id"].as_str().unwrap();
    let accept = session_tokens::accept(&history(one, session)).unwrap();
    assert!(accept.len() <= 128 && !accept.contains(|c| UNSAFE.contains(c)), "{accept}");
    let conversation = open(&platform, one, session, &accept).await;
    assert_eq!((conversation.status, conversation.header("access-control-allow-origin")), (200, Some(ORIGIN)));
}

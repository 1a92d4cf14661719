//! Feedback of visitors: created by the widget, read by the tenant.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::{Value, json};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use uuid::Uuid;

use crate::support::{ORIGIN, Platform, Tenant, TestResponse, send, subscribe, within_one_day};

const PATH: &str = "/api/v1/feedback";
const LEGACY: &str = "/api/feedback";
const REFUSAL: &str = r#"{"detail":"origin_not_allowed"}"#;

/// A conversation of the tenant's chatbot: session and answer.
async fn conversation(platform: &Platform, tenant: Tenant) -> (Value, Value) {
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let reply = platform.widget().post(&path, &json!({ "session_id": null, "question": "Who?" })).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    (reply.body["session_id"].clone(), reply.body["message_id"].clone())
}

fn list(tenant: Tenant, query: &str) -> String {
    format!("/api/v1/tenants/me/chatbots/{}/feedback{query}", tenant.chatbot)
}

async fn give(platform: &Platform, body: Value) -> String {
    let answer = platform.widget().post(PATH, &body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.body["id"].as_str().unwrap().to_owned()
}

async fn forensics(platform: &Platform) -> Value {
    sqlx::query_scalar(
        "select to_jsonb(l) from platform_audit_log l where action = 'chatbot_feedback.created'
         order by occurred_at desc limit 1",
    )
    .fetch_one(platform.everything())
    .await
    .unwrap()
}

#[tokio::test]
async fn feedback_on_an_answer_is_recorded_listed_and_audited() {
    let (platform, one, other) = Platform::with_tenants().await;
    let (session, message) = conversation(&platform, one).await;
    let id = give(
        &platform,
        json!({ "chatbot_id": one.chatbot, "session_id": session, "message_id": message, "rating": "down",
                "category": "incomplete", "comment": "  Nothing about Mrs Miller.  ", "tenant_id": other.id }),
    )
    .await;
    let listed = platform.viewer(one.id).get(&list(one, "")).await;
    let item = &listed.body["items"][0];
    assert_eq!((listed.status, listed.body["total"].as_i64()), (200, Some(1)), "{listed:?}");
    assert_eq!(
        (&item["id"], &item["tenant_id"], &item["chatbot_id"]),
        (&json!(id), &json!(one.id), &json!(one.chatbot))
    );
    assert_eq!((&item["session_id"], &item["message_id"]), (&session, &message));
    assert_eq!((&item["rating"], &item["category"]), (&json!("down"), &json!("incomplete")));
    assert_eq!(item["comment"], "Nothing about Mrs Miller.");
    assert_eq!(item["question"], "Who?");
    assert!(item["answer"].as_str().is_some_and(|answer| !answer.is_empty()), "{item}");
    let row = forensics(&platform).await;
    assert_eq!((&row["actor_role"], &row["actor_user"]), (&json!("anonymous"), &json!("widget")));
    assert_eq!((&row["actor_idp_id"], &row["ip_address"]), (&Value::Null, &json!("127.0.0.1")));
    assert_eq!((&row["tenant_id"], &row["chatbot_id"]), (&json!(one.id), &json!(one.chatbot)));
    assert_eq!((&row["entity_type"], &row["entity_id"]), (&json!("chatbot_feedback"), &json!(id)));
    assert_eq!((&row["session_id"], &row["details"]["session_id"]), (&session, &session));
    assert_eq!((&row["details"]["before"], &row["details"]["after"]["rating"]), (&Value::Null, &json!("down")));
    assert!(!row.to_string().contains("Miller"), "a visitor's words are not in the audit log: {row}");
}

#[tokio::test]
async fn session_and_message_may_be_missing() {
    let (platform, one, _) = Platform::with_tenants().await;
    give(&platform, json!({ "chatbot_id": one.chatbot, "rating": "up", "comment": " " })).await;
    give(&platform, json!({ "chatbot_id": one.chatbot, "rating": "up", "session_id": null, "message_id": null })).await;
    let row = forensics(&platform).await;
    assert!(row["details"].as_object().unwrap().get("session_id").is_none(), "{row}");
    assert_eq!(row["session_id"], Value::Null);
    let (_, message) = conversation(&platform, one).await;
    give(&platform, json!({ "chatbot_id": one.chatbot, "rating": "up", "message_id": message })).await;
    let listed = platform.admin(one.id).get(&list(one, "")).await;
    assert_eq!((listed.body["total"].as_i64(), &listed.body["items"][2]["comment"]), (Some(3), &Value::Null));
}

/// Counts the queries that sqlx runs on this thread; what begins and ends transactions runs when the pool likes.
struct Queries(Arc<AtomicUsize>);

impl<S: tracing::Subscriber> Layer<S> for Queries {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        let mut is_query = false;
        event.record(&mut |field: &tracing::field::Field, value: &dyn std::fmt::Debug| {
            let is_statement = matches!(field.name(), "summary" | "db.statement");
            is_query |= is_statement && format!("{value:?}").contains("select");
        });
        self.0.fetch_add(usize::from(is_query && event.metadata().target() == "sqlx::query"), Ordering::Relaxed);
    }
}

#[tokio::test]
async fn every_refusal_is_the_same_403_after_the_same_queries() {
    let (platform, one, other) = Platform::with_tenants().await;
    let deactivated = platform.add_tenant("third").await;
    let path = format!("/api/v1/tenants/me/chatbots/{}", deactivated.chatbot);
    assert_eq!(platform.admin(deactivated.id).delete(&path).await.status, 204);
    let deleted = platform.operator().delete(&format!("/api/v1/platform/tenants/{}", other.id)).await;
    assert_eq!(deleted.status, 204);
    let existing_id = one.chatbot.to_string();
    let body = |id: &str| json!({ "chatbot_id": id, "rating": "up" });
    let random = Uuid::new_v4().to_string();
    let (widget, evil) = (platform.widget(), platform.widget_on("https://evil.example.com"));
    let requests = [
        ("no origin", platform.anonymous().request("POST", PATH).json(&body(&existing_id))),
        ("no origin and no body", platform.anonymous().request("POST", PATH)),
        ("no origin and a broken body", platform.anonymous().request("POST", PATH).body("{broken")),
        ("no origin and a huge body", platform.anonymous().request("POST", PATH).body("x".repeat(100_000))),
        ("another origin", evil.request("POST", PATH).json(&body(&existing_id))),
        ("an empty origin", platform.widget_on("").request("POST", PATH).json(&body(&existing_id))),
        ("an unknown chatbot", widget.request("POST", PATH).json(&body(&random))),
        ("a malformed id", widget.request("POST", PATH).json(&body("not-an-id"))),
        ("an id in upper case", widget.request("POST", PATH).json(&body(&existing_id.to_uppercase()))),
        ("an id that is a number", widget.request("POST", PATH).json(&json!({ "chatbot_id": 7, "rating": "up" }))),
        ("an id that is null", widget.request("POST", PATH).json(&json!({ "chatbot_id": null, "rating": "up" }))),
        ("a deactivated chatbot", widget.request("POST", PATH).json(&body(&deactivated.chatbot.to_string()))),
        ("a deleted tenant", widget.request("POST", PATH).json(&body(&other.chatbot.to_string()))),
    ];
    let before = platform.audit_rows().await;
    let count = Arc::new(AtomicUsize::new(0));
    let _counting = subscribe(tracing_subscriber::registry().with(Queries(Arc::clone(&count))));
    for (name, request) in requests {
        count.store(0, Ordering::Relaxed);
        let answer = send(request).await;
        assert_eq!((answer.status, answer.text.as_str()), (403, REFUSAL), "{name}");
        assert_eq!(count.load(Ordering::Relaxed), 1, "{name}");
    }
    assert_eq!(platform.audit_rows().await, before);
}

#[tokio::test]
async fn a_body_that_breaks_a_rule_is_a_422_that_says_where() {
    let (platform, one, _) = Platform::with_tenants().await;
    let id = one.chatbot;
    let widget = platform.widget();
    for (body, loc) in [
        (json!({ "rating": "up" }), vec!["body", "chatbot_id"]),
        (json!({ "chatbot_id": id }), vec!["body", "rating"]),
        (json!({ "chatbot_id": id, "rating": 1 }), vec!["body", "rating"]),
        (json!({ "chatbot_id": id, "rating": "sideways" }), vec!["body", "rating"]),
        (json!({ "chatbot_id": id, "rating": "up", "category": "tone" }), vec!["body", "category"]),
        (json!({ "chatbot_id": id, "rating": "down", "category": "rude" }), vec!["body", "category"]),
        (json!({ "chatbot_id": id, "rating": "up", "comment": "x".repeat(2001) }), vec!["body", "comment"]),
        (json!({ "chatbot_id": id, "rating": "up", "comment": "\u{0}" }), vec!["body", "comment"]),
        (json!({ "chatbot_id": id, "rating": "up", "session_id": "x" }), vec!["body", "session_id"]),
        (json!([id, null, null, "up"]), vec!["body"]),
        (json!("up"), vec!["body"]),
    ] {
        let answer = widget.post(PATH, &body).await;
        assert_eq!((answer.status, answer.loc()), (422, loc), "{body}: {}", answer.text);
    }
    let broken = widget.request("POST", PATH).header("content-type", "application/json").body("{broken");
    assert_eq!(send(broken).await.status, 422);
    assert_eq!(send(widget.request("POST", PATH).body("{}")).await.loc(), ["body"]);
    let huge = json!({ "chatbot_id": id, "rating": "up", "comment": "x".repeat(100_000) });
    assert_eq!(widget.post(PATH, &huge).await.detail(), "payload_too_large");
    give(&platform, json!({ "chatbot_id": id, "rating": "up", "comment": "ä".repeat(2000) })).await;
}

#[tokio::test]
async fn sessions_of_other_chatbots_are_unknown() {
    let (platform, one, other) = Platform::with_tenants().await;
    let (foreign_session, foreign_message) = conversation(&platform, other).await;
    let (session, message) = conversation(&platform, one).await;
    let (second_session, _) = conversation(&platform, one).await;
    let question: Uuid =
        sqlx::query_scalar("select id from chat_messages where role = 'user' and session_id = $1::uuid")
            .bind(session.as_str())
            .fetch_one(platform.everything())
            .await
            .unwrap();
    let (question, random) = (json!(question), json!(Uuid::new_v4()));
    for (session_id, message_id, code) in [
        (&random, &Value::Null, "session_not_found"),
        (&foreign_session, &Value::Null, "session_not_found"),
        (&foreign_session, &foreign_message, "session_not_found"),
        (&session, &random, "message_not_found"),
        (&session, &foreign_message, "message_not_found"),
        (&Value::Null, &foreign_message, "message_not_found"),
        (&second_session, &message, "message_not_found"),
        (&session, &question, "message_not_found"),
        (&Value::Null, &question, "message_not_found"),
    ] {
        let body =
            json!({ "chatbot_id": one.chatbot, "rating": "up", "session_id": session_id, "message_id": message_id });
        let before = platform.audit_rows().await;
        let answer = platform.widget().post(PATH, &body).await;
        assert_eq!((answer.status, answer.detail()), (404, code), "{body}");
        assert_eq!(platform.audit_rows().await, before);
    }
}

#[tokio::test]
async fn the_legacy_path_takes_the_chatbot_from_the_session() {
    let (platform, one, other) = Platform::with_tenants().await;
    let (session, message) = conversation(&platform, one).await;
    let body = json!({ "session_id": session, "message_id": message, "rating": -1, "comment": "No." });
    let answer = platform.widget().post(LEGACY, &body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let listed = platform.admin(one.id).get(&list(one, "")).await;
    let item = &listed.body["items"][0];
    assert_eq!((&item["id"], &item["rating"], &item["comment"]), (&answer.body["id"], &json!("down"), &json!("No.")));
    assert_eq!(forensics(&platform).await["details"]["session_id"], session);
    let (_, foreign) = conversation(&platform, other).await;
    let mixed = json!({ "session_id": session, "message_id": foreign, "rating": 1 });
    assert_eq!(platform.widget().post(LEGACY, &mixed).await.detail(), "message_not_found");
    for (field, value) in [("rating", json!(2)), ("rating", json!("up")), ("session_id", json!("x"))] {
        let mut bad = body.clone();
        bad[field] = value;
        let answer = platform.widget().post(LEGACY, &bad).await;
        assert_eq!((answer.status, answer.loc()), (422, vec!["body", field]), "{bad}");
    }
    sqlx::query("update chat_sessions set last_message_at = now() - interval '31 days'")
        .execute(platform.everything())
        .await
        .unwrap();
    assert_eq!(platform.widget().post(LEGACY, &body).await.detail(), "session_not_found");
}

#[tokio::test]
async fn an_unknown_legacy_session_is_refused_like_a_foreign_origin() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (session, message) = conversation(&platform, one).await;
    let body = |session: &Value| json!({ "session_id": session, "message_id": message, "rating": 1 });
    let answers: [TestResponse; 3] = [
        platform.widget().post(LEGACY, &body(&json!(Uuid::new_v4()))).await,
        platform.widget_on("https://evil.example.com").post(LEGACY, &body(&session)).await,
        platform.anonymous().post(LEGACY, &body(&session)).await,
    ];
    for answer in answers {
        assert_eq!((answer.status, answer.text.as_str()), (403, REFUSAL));
    }
}

#[tokio::test]
async fn the_list_is_filtered_paged_and_newest_first() {
    let (platform, one, other) = Platform::with_tenants().await;
    let mut ids = Vec::new();
    for (rating, category) in
        [("up", None), ("down", Some("tone")), ("down", None), ("down", Some("other")), ("up", None)]
    {
        ids.insert(
            0,
            give(&platform, json!({ "chatbot_id": one.chatbot, "rating": rating, "category": category })).await,
        );
    }
    let admin = platform.admin(one.id);
    let listed = async |query: &str| {
        let answer = admin.get(&list(one, query)).await;
        assert_eq!(answer.status, 200, "{query}: {answer:?}");
        let ids = answer.body["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned());
        (ids.collect::<Vec<_>>(), answer.body["total"].as_i64().unwrap())
    };
    assert_eq!(listed("").await, (ids.clone(), 5));
    assert_eq!(listed("?limit=2&offset=1").await, (ids[1..3].to_vec(), 5));
    assert_eq!(listed("?rating=down").await, (ids[1..4].to_vec(), 3));
    assert_eq!(listed("?rating=down&category=tone").await, (vec![ids[3].clone()], 1));
    assert_eq!(listed("?rating=up&category=tone").await, (vec![], 0));
    for (query, name) in [("?limit=0", "limit"), ("?limit=201", "limit"), ("?offset=-1", "offset")] {
        let answer = admin.get(&list(one, query)).await;
        assert_eq!((answer.status, answer.loc()), (422, vec!["query", name]), "{query}");
    }
    for query in ["?rating=sideways", "?category=rude"] {
        assert_eq!(admin.get(&list(one, query)).await.status, 422, "{query}");
    }
    for path in ["", "/stats"] {
        let missing = admin.get(&list(one, path).replace(&one.chatbot.to_string(), &Uuid::new_v4().to_string())).await;
        let foreign = admin.get(&list(other, path)).await;
        assert_eq!((foreign.status, &foreign.text), (404, &missing.text));
    }
}

#[tokio::test]
async fn the_statistics_count_by_rating_category_and_day() {
    within_one_day().await;
    let (platform, one, _) = Platform::with_tenants().await;
    for (category, number) in [("tone", 1), ("outdated", 2)] {
        for _ in 0..number {
            give(&platform, json!({ "chatbot_id": one.chatbot, "rating": "down", "category": category })).await;
        }
    }
    let old = give(&platform, json!({ "chatbot_id": one.chatbot, "rating": "down", "category": "tone" })).await;
    let older = give(&platform, json!({ "chatbot_id": one.chatbot, "rating": "up" })).await;
    for (id, days) in [(&old, 29), (&older, 30)] {
        sqlx::query(
            "update chatbot_feedback set created_at = created_at - make_interval(days => $2) where id = $1::uuid",
        )
        .bind(id)
        .bind(days)
        .execute(platform.everything())
        .await
        .unwrap();
    }
    let answer = platform.viewer(one.id).get(&list(one, "/stats")).await;
    let stats = &answer.body;
    assert_eq!((answer.status, stats["total"].as_i64()), (200, Some(5)), "{answer:?}");
    assert_eq!(stats["by_rating"], json!({ "up": 1, "down": 4 }));
    assert_eq!((&stats["by_category"]["tone"], &stats["by_category"]["incorrect"]), (&json!(2), &json!(0)));
    assert_eq!(stats["top_negative_category"], "outdated", "of equals the first");
    let daily = stats["daily"].as_array().unwrap();
    let total: i64 = daily.iter().map(|day| day["up"].as_i64().unwrap() + day["down"].as_i64().unwrap()).sum();
    assert_eq!((daily.len(), &daily[0]["down"], total), (30, &json!(1), 4), "{stats}");
    let before = stats["daily_before"].as_array().unwrap();
    assert_eq!((before.len(), &before[29]["up"]), (30, &json!(1)), "the day before the first: {stats}");
    let week = platform.viewer(one.id).get(&list(one, "/stats?days=7")).await.body;
    let lengths = ["daily", "daily_before"].map(|days| week[days].as_array().map(Vec::len));
    assert_eq!((lengths, &week["total"]), ([Some(7), Some(7)], &json!(5)), "all feedback still counts: {week}");
    for refused in ["?days=0", "?days=91", "?days=x"] {
        let answer = platform.viewer(one.id).get(&list(one, &format!("/stats{refused}"))).await;
        assert_eq!((answer.status, answer.loc().last().copied()), (422, Some("days")), "{refused}: {answer:?}");
    }
    assert_eq!(platform.operator().get(&list(one, "/stats")).await.detail(), "tenant_required");
}

#[tokio::test]
async fn a_refused_audit_row_leaves_no_feedback() {
    let (platform, one, _) = Platform::with_tenants().await;
    sqlx::query("alter table platform_audit_log add constraint no_more check (actor_role <> 'anonymous') not valid")
        .execute(platform.everything())
        .await
        .unwrap();
    let answer = platform.widget().post(PATH, &json!({ "chatbot_id": one.chatbot, "rating": "up" })).await;
    assert_eq!((answer.status, answer.detail()), (500, "internal_error"));
    assert_eq!(platform.admin(one.id).get(&list(one, "")).await.body["total"], 0);
}

#[tokio::test]
async fn a_page_of_a_tenant_origin_may_send_feedback() {
    let platform = Platform::start_with(|settings| settings.cors_tenant_origins = true).await;
    let one = platform.add_tenant("one").await;
    let path = format!("{PATH}?chatbot={}", one.chatbot);
    let widget = platform.widget();
    let preflight = widget.request("OPTIONS", &path).header("access-control-request-method", "POST");
    assert_eq!(send(preflight).await.header("access-control-allow-origin"), Some(ORIGIN));
    let answer = widget.post(&path, &json!({ "chatbot_id": one.chatbot, "rating": "up" })).await;
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (201, Some(ORIGIN)));
}

#[tokio::test]
async fn feedback_on_a_conversation_being_erased_is_not_found() {
    for _ in 0..5 {
        if feedback_meets_erasure().await {
            return;
        }
    }
    panic!("the feedback never waited until the erasure was committed");
}

/// Whether the feedback waited until the erasure was committed. A lock is waited for five seconds.
async fn feedback_meets_erasure() -> bool {
    let (platform, one, _) = Platform::with_tenants().await;
    let (session, message) = conversation(&platform, one).await;
    let mut erasure = platform.everything().begin().await.unwrap();
    for statement in ["delete from chat_messages", "delete from chat_sessions"] {
        sqlx::query(statement).execute(&mut *erasure).await.unwrap();
    }
    let rows = platform.audit_rows().await;
    let widget = platform.widget();
    let body = json!({ "chatbot_id": one.chatbot, "session_id": session, "message_id": message, "rating": "up" });
    let sent = widget.post(PATH, &body);
    let erased = async {
        platform.until_somebody_waits().await;
        erasure.commit().await.unwrap();
    };
    let (answer, ()) = tokio::join!(sent, erased);
    if answer.status == 503 {
        return false;
    }
    assert_eq!(answer.status, 404, "{answer:?}");
    assert!(["session_not_found", "message_not_found"].contains(&answer.detail()), "{answer:?}");
    assert_eq!(platform.audit_rows().await, rows);
    true
}

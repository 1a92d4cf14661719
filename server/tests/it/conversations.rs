//! Conversations for their tenant: list, search, details, counts, erasure.

pub mod export;
mod neighbours;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Platform, Tenant, TestResponse, within_one_day};

const LIST: &str = "/api/v1/tenants/me/conversations";
const HOURS: &str = "# Opening hours\n\nThe shop opens at nine in the morning and closes at five.\n";
const ANSWERED: &str = "When does the shop open?";
const REFUSED: &str = "Who painted the Mona Lisa?";

async fn ask(platform: &Platform, tenant: Tenant, session: &Value, question: &str) -> TestResponse {
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let reply = platform.widget().post(&path, &json!({ "session_id": session, "question": question })).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    reply
}

async fn rate(platform: &Platform, tenant: Tenant, reply: &TestResponse, rating: &str) {
    let body = json!({ "chatbot_id": tenant.chatbot, "session_id": reply.body["session_id"],
                       "message_id": reply.body["message_id"], "rating": rating, "comment": "Well." });
    assert_eq!(platform.widget().post("/api/v1/feedback", &body).await.status, 201);
}

/// A tenant with three conversations: one answered and liked, one refused and disliked, one of a second chatbot.
struct Conversations {
    platform: Platform,
    tenant: Tenant,
    other: Tenant,
    second: Tenant,
    liked: String,
    disliked: String,
    silent: String,
}

async fn conversations() -> Conversations {
    within_one_day().await;
    let (platform, tenant, other) = Platform::with_tenants().await;
    platform.ingest(tenant, "hours.md", HOURS).await;
    let admin = platform.admin(tenant.id);
    let chatbot = admin.post("/api/v1/tenants/me/chatbots", &json!({ "slug": "second", "name": "Second" })).await;
    let second = Tenant { chatbot: chatbot.body["id"].as_str().unwrap().parse().unwrap(), ..tenant };
    let liked = ask(&platform, tenant, &Value::Null, ANSWERED).await;
    rate(&platform, tenant, &liked, "up").await;
    let disliked = ask(&platform, tenant, &Value::Null, ANSWERED).await;
    let refused = ask(&platform, tenant, &disliked.body["session_id"], REFUSED).await;
    rate(&platform, tenant, &refused, "down").await;
    let silent = ask(&platform, second, &Value::Null, "Is there a quagga?").await;
    ask(&platform, other, &Value::Null, "Is there a quagga?").await;
    let id = |reply: &TestResponse| reply.body["session_id"].as_str().unwrap().to_owned();
    let (liked, disliked, silent) = (id(&liked), id(&disliked), id(&silent));
    Conversations { platform, tenant, other, second, liked, disliked, silent }
}

impl Conversations {
    async fn session_ids(&self, query: &str) -> Vec<String> {
        let page = self.platform.viewer(self.tenant.id).get(&format!("{LIST}?{query}")).await;
        assert_eq!(page.status, 200, "{query}: {page:?}");
        let items = page.body["items"].as_array().unwrap();
        items.iter().map(|item| item["session_id"].as_str().unwrap().to_owned()).collect()
    }
}

#[tokio::test]
async fn conversations_are_found_by_every_filter_newest_first() {
    let conversations = conversations().await;
    let (liked, disliked, silent) =
        (conversations.liked.as_str(), conversations.disliked.as_str(), conversations.silent.as_str());
    let today = chrono::Utc::now().date_naive();
    let (first, second) = (conversations.tenant.chatbot, conversations.second.chatbot);
    for (query, expected) in [
        (String::new(), vec![silent, disliked, liked]),
        (format!("chatbot_id={first}"), vec![disliked, liked]),
        (format!("chatbot_id={second}"), vec![silent]),
        (format!("chatbot_id={}", conversations.other.chatbot), vec![]),
        ("q=QUAGGA".to_owned(), vec![silent]),
        ("q=mona+lisa&outcome=unanswered".to_owned(), vec![disliked]),
        ("q=%25".to_owned(), vec![]),
        ("outcome=answered".to_owned(), vec![liked]),
        ("outcome=unanswered".to_owned(), vec![silent, disliked]),
        ("rating=up".to_owned(), vec![liked]),
        ("rating=down".to_owned(), vec![disliked]),
        (format!("date_from={today}&date_to={today}"), vec![silent, disliked, liked]),
        (format!("date_to={}", today.pred_opt().unwrap()), vec![]),
    ] {
        assert_eq!(conversations.session_ids(&query).await, expected, "{query}");
    }
    let page = conversations.platform.viewer(conversations.tenant.id).get(&format!("{LIST}?rating=down")).await;
    let row = &page.body["items"][0];
    for (field, value) in [
        ("first_question", json!(ANSWERED)),
        ("chatbot_name", json!("Help")),
        ("answers", json!(2)),
        ("unanswered", json!(1)),
        ("up", json!(0)),
        ("down", json!(1)),
    ] {
        assert_eq!(row[field], value, "{field} of {row}");
    }
}

#[tokio::test]
async fn pages_are_gapless_and_a_foreign_cursor_is_refused() {
    let conversations = conversations().await;
    let viewer = conversations.platform.viewer(conversations.tenant.id);
    let mut session_ids = Vec::new();
    let mut query = format!("{LIST}?limit=1");
    let mut cursors = Vec::new();
    for _ in 0..3 {
        let page = viewer.get(&query).await;
        session_ids.push(page.body["items"][0]["session_id"].as_str().unwrap().to_owned());
        // A conversation that begins meanwhile shifts nothing.
        ask(&conversations.platform, conversations.tenant, &Value::Null, ANSWERED).await;
        let next = page.body["next_cursor"].as_str().unwrap_or("end").to_owned();
        query = format!("{LIST}?limit=1&cursor={next}");
        cursors.push(next);
    }
    assert_eq!(session_ids, [conversations.silent, conversations.disliked, conversations.liked]);
    let broken = viewer.get(&query).await;
    assert_eq!((broken.status, broken.loc()), (422, vec!["query", "cursor"]));
    let unanswered = format!("/api/v1/tenants/me/chatbots/{}/unanswered", conversations.tenant.chatbot);
    let foreign = viewer.get(&format!("{unanswered}?cursor={}", cursors[0])).await;
    assert_eq!((foreign.status, foreign.loc()), (422, vec!["query", "cursor"]));
    let backwards = viewer.get(&format!("{LIST}?date_from=2026-02-01&date_to=2026-01-01")).await;
    assert_eq!((backwards.status, backwards.detail()), (422, "date_from_after_date_to"));
}

#[tokio::test]
async fn a_conversation_shows_messages_citations_and_feedback() {
    let conversations = conversations().await;
    let opened =
        conversations.platform.viewer(conversations.tenant.id).get(&format!("{LIST}/{}", conversations.disliked)).await;
    assert_eq!(opened.status, 200, "{opened:?}");
    let messages = opened.body["messages"].as_array().unwrap();
    let turns: Vec<_> =
        messages.iter().map(|m| (m["role"].as_str().unwrap(), m["answered"].as_bool().unwrap())).collect();
    assert_eq!(turns, [("user", true), ("assistant", true), ("user", true), ("assistant", false)]);
    assert_eq!((&messages[0]["content"], &messages[2]["content"]), (&json!(ANSWERED), &json!(REFUSED)));
    assert!(!messages[1]["citations"].as_array().unwrap().is_empty(), "{}", messages[1]);
    assert_eq!((&messages[3]["sources"], &messages[3]["content"]), (&json!([]), &json!("No idea, sorry.")));
    let feedback = &opened.body["feedback"];
    assert_eq!(feedback.as_array().unwrap().len(), 1);
    assert_eq!(
        (&feedback[0]["message_id"], &feedback[0]["rating"], &feedback[0]["comment"]),
        (&messages[3]["message_id"], &json!("down"), &json!("Well."))
    );
    assert_eq!(opened.body["conversation"]["down"], 1);
    let stranger =
        conversations.platform.viewer(conversations.other.id).get(&format!("{LIST}/{}", conversations.disliked)).await;
    assert_eq!((stranger.status, stranger.detail()), (404, "session_not_found"));
}

#[tokio::test]
async fn messages_have_a_language_and_a_kind() {
    let conversations = conversations().await;
    let (platform, tenant) = (&conversations.platform, conversations.tenant);
    let first = ask(platform, tenant, &Value::Null, ANSWERED).await;
    let session = &first.body["session_id"];
    for question in ["Wer hat denn das Lied von der Fähre geschrieben?", "Vielen Dank!", "Quagga?"] {
        ask(platform, tenant, session, question).await;
    }
    let path = format!("{LIST}/{}", session.as_str().unwrap());
    let opened = platform.viewer(tenant.id).get(&path).await;
    let messages = opened.body["messages"].as_array().unwrap();
    let of = |role: &str, field: &str| -> Vec<Value> {
        messages.iter().filter(|message| message["role"] == role).map(|message| message[field].clone()).collect()
    };
    assert_eq!(of("user", "language"), [json!("en"), json!("de"), json!("de"), Value::Null], "{opened:?}");
    assert_eq!(of("user", "kind"), [Value::Null, Value::Null, Value::Null, Value::Null]);
    assert_eq!(of("assistant", "kind")[..3], ["answer", "fallback", "small_talk"], "{opened:?}");
    assert_eq!(of("assistant", "language"), [Value::Null, Value::Null, Value::Null, Value::Null]);
}

#[tokio::test]
async fn erasing_a_conversation_writes_one_audit_row() {
    let conversations = conversations().await;
    let (platform, path) = (&conversations.platform, format!("{LIST}/{}", conversations.disliked));
    let viewer = platform.viewer(conversations.tenant.id).delete(&path).await;
    assert_eq!((viewer.status, viewer.detail()), (403, "tenant_admin_required"));
    let stranger = platform.admin(conversations.other.id).delete(&path).await;
    assert_eq!((stranger.status, stranger.detail()), (404, "session_not_found"));
    let audited = platform.audit_rows().await;
    assert_eq!(platform.admin(conversations.tenant.id).delete(&path).await.status, 204);
    assert_eq!(platform.audit_rows().await, audited + 1);
    let row = platform.last_audit().await;
    assert_eq!(
        (&row["action"], &row["actor_role"], &row["chatbot_id"], &row["entity_id"]),
        (
            &json!("chat_session.erased"),
            &json!("tenant"),
            &json!(conversations.tenant.chatbot),
            &json!(conversations.disliked)
        )
    );
    let counts = json!({ "messages": 4, "feedback": 1, "output_filter_audit": 0 });
    assert_eq!(row["details"], json!({ "before": counts, "after": null }));
    assert_eq!(platform.viewer(conversations.tenant.id).get(&path).await.status, 404);
    assert_eq!(conversations.session_ids("").await, [conversations.silent.clone(), conversations.liked.clone()]);
    let feedback: (String, Option<Uuid>, Option<String>) =
        sqlx::query_as("select rating, session_id, comment from chatbot_feedback where rating = 'down'")
            .fetch_one(platform.everything())
            .await
            .unwrap();
    assert_eq!(feedback, ("down".to_owned(), None, None));
}

#[tokio::test]
async fn stats_count_conversations_by_day_and_chatbot() {
    let conversations = conversations().await;
    let viewer = conversations.platform.viewer(conversations.tenant.id);
    sqlx::query("update chat_sessions set created_at = now() - interval '29 days' where id = $1::uuid")
        .bind(&conversations.liked)
        .execute(conversations.platform.everything())
        .await
        .unwrap();
    let all = viewer.get(&format!("{LIST}/stats")).await;
    let days = all.body["daily"].as_array().unwrap();
    assert_eq!(days.len(), 30);
    for (field, value) in [("conversations", 3), ("answered", 2), ("unanswered", 2), ("filtered", 0)] {
        assert_eq!(all.body[field], value, "{field}");
    }
    assert_eq!((&days[0]["conversations"], &days[29]["conversations"]), (&json!(1), &json!(2)));
    assert_eq!((&days[29]["answered"], &days[29]["unanswered"]), (&json!(2), &json!(2)));
    let second = viewer.get(&format!("{LIST}/stats?chatbot_id={}", conversations.second.chatbot)).await;
    assert_eq!((&second.body["conversations"], &second.body["unanswered"]), (&json!(1), &json!(1)));
}

#[tokio::test]
async fn stats_count_what_the_same_filters_list() {
    let conversations = conversations().await;
    let viewer = conversations.platform.viewer(conversations.tenant.id);
    let yesterday = chrono::Utc::now() - chrono::Duration::days(1);
    sqlx::raw_sql(sqlx::AssertSqlSafe(format!(
        "update chat_sessions set created_at = '{yesterday}', last_message_at = '{yesterday}' where id = '{}';
         update chat_messages set created_at = '{yesterday}' where session_id = '{}'",
        conversations.liked, conversations.liked
    )))
    .execute(conversations.platform.everything())
    .await
    .unwrap();
    let (today, yesterday) = (chrono::Utc::now().date_naive(), yesterday.date_naive());
    // Conversations, answered and unanswered questions, days.
    for (query, counted) in [
        (String::new(), [3, 2, 2, 30]),
        (format!("chatbot_id={}", conversations.tenant.chatbot), [2, 2, 1, 30]),
        ("q=QUAGGA".to_owned(), [1, 0, 1, 30]),
        ("q=mona+lisa&outcome=unanswered".to_owned(), [1, 1, 1, 30]),
        ("q=nothing+like+it".to_owned(), [0, 0, 0, 30]),
        ("outcome=answered".to_owned(), [1, 1, 0, 30]),
        ("outcome=unanswered".to_owned(), [2, 1, 2, 30]),
        ("rating=down".to_owned(), [1, 1, 1, 30]),
        (format!("date_from={yesterday}&date_to={yesterday}"), [1, 1, 0, 1]),
        (format!("date_from={yesterday}"), [3, 2, 2, 2]),
        (format!("date_from={today}&chatbot_id={}", conversations.tenant.chatbot), [1, 1, 1, 1]),
        (format!("date_to={yesterday}"), [1, 1, 0, 30]),
    ] {
        let stats = viewer.get(&format!("{LIST}/stats?{query}")).await;
        assert_eq!(stats.status, 200, "{query}: {stats:?}");
        let [started, answered, unanswered] =
            ["conversations", "answered", "unanswered"].map(|field| stats.body[field].as_i64().unwrap());
        let days = i64::try_from(stats.body["daily"].as_array().unwrap().len()).unwrap();
        assert_eq!([started, answered, unanswered, days], counted, "{query}");
        assert_eq!(started, i64::try_from(conversations.session_ids(&query).await.len()).unwrap(), "{query}");
    }
    let backwards = viewer.get(&format!("{LIST}/stats?date_from=2026-02-01&date_to=2026-01-01")).await;
    assert_eq!((backwards.status, backwards.detail()), (422, "date_from_after_date_to"));
    let nonsense = viewer.get(&format!("{LIST}/stats?date_from=soon&q={}", "x".repeat(201))).await;
    assert_eq!((nonsense.status, nonsense.detail()), (422, "validation_error"));
}

#[tokio::test]
async fn search_finds_old_messages_of_own_tenant_only() {
    let (platform, tenant, other) = Platform::with_tenants().await;
    for of in [tenant, other] {
        sqlx::query(
            "with started as (
                 insert into chat_sessions (id, tenant_id, chatbot_id, created_at, last_message_at)
                 select gen_random_uuid(), $1, $2, now() - i * interval '1 minute', now() - i * interval '1 minute'
                 from generate_series(1, 1200) i
                 returning id, created_at
             )
             insert into chat_messages (id, tenant_id, chatbot_id, session_id, role, content, created_at)
             select gen_random_uuid(), $1, $2, id, role, case
                 when role = 'user' and age <= 2 then 'Where is Zanzibar, 100%?' else 'Delivery takes a day.' end, created_at
             from (select *, row_number() over (order by created_at) as age from started) started,
                  unnest(array['user', 'assistant']) role",
        )
        .bind(of.id.0)
        .bind(of.chatbot.0)
        .execute(platform.everything())
        .await
        .unwrap();
    }
    let viewer = platform.viewer(tenant.id);
    for (query, listed, counted) in [
        ("q=ZANZIBAR", 2, 2),
        ("q=zanzibar,+100%25", 2, 2),
        ("q=zanzibar%25100", 0, 0),
        ("q=quagga", 0, 0),
        ("q=%25?", 2, 2),
        ("q=delivery", 50, 1200),
        (&format!("q=zanzibar&chatbot_id={}", other.chatbot), 0, 0),
    ] {
        let page = viewer.get(&format!("{LIST}?{query}")).await;
        assert_eq!((page.status, page.body["items"].as_array().unwrap().len()), (200, listed), "{query}: {page:?}");
        let stats = viewer.get(&format!("{LIST}/stats?{query}")).await;
        assert_eq!((stats.status, &stats.body["conversations"]), (200, &json!(counted)), "{query}");
    }
    let first = viewer.get(&format!("{LIST}?q=zanzibar&limit=1")).await;
    let cursor = first.body["next_cursor"].as_str().unwrap();
    let second = viewer.get(&format!("{LIST}?q=zanzibar&limit=1&cursor={cursor}")).await;
    assert_eq!(second.body["items"].as_array().unwrap().len(), 1);
    assert_ne!(first.body["items"][0]["session_id"], second.body["items"][0]["session_id"]);
    assert_eq!(second.body["next_cursor"], Value::Null);
    let mut nobody = platform.db.connect_as("svc_tenant", None).await;
    let sessions: Vec<Uuid> =
        sqlx::query_scalar("select own_sessions_that_say('%zanzibar%', 1000)").fetch_all(&mut nobody).await.unwrap();
    assert_eq!(sessions, Vec::<Uuid>::new());
}

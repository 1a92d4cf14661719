//! The end of conversations: inactive for 30 days, removed after the retention period, erased on request.

use std::time::Duration;

use contract::SessionId;
use serde_json::{Value, json};
use server::service::conversations::{erasure, retention};
use sqlx::AssertSqlSafe;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::support::{Platform, Tenant, moment};

const CANARY: &str = "quaggacanary";
const SECRET: &str = "# Nightly backup\n\nThe nightly backup signs in to the archive with the access key \
                      AKIAIOSFODNN7EXAMPLE.\n";

fn query(tenant: Tenant) -> String {
    format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot)
}

fn history(tenant: Tenant, session: &Value) -> String {
    format!("/api/v1/widget/chatbots/{}/sessions/{}/messages", tenant.chatbot, session.as_str().unwrap())
}

/// Asks a question and returns session and answer.
async fn ask(platform: &Platform, tenant: Tenant, session: &Value, question: &str) -> (Value, Value) {
    let answer = platform.widget().post(&query(tenant), &json!({ "session_id": session, "question": question })).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    (answer.body["session_id"].clone(), answer.body["message_id"].clone())
}

async fn feedback(platform: &Platform, tenant: Tenant, session: &Value, message: &Value, comment: &str) -> Uuid {
    let body = json!({ "chatbot_id": tenant.chatbot, "session_id": session, "message_id": message, "rating": "down",
                       "category": "tone", "comment": comment });
    let answer = platform.widget().post("/api/v1/feedback", &body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.body["id"].as_str().unwrap().parse().unwrap()
}

async fn feedback_row(platform: &Platform, id: Uuid) -> Value {
    sqlx::query_scalar("select to_jsonb(f) from chatbot_feedback f where id = $1")
        .bind(id)
        .fetch_one(platform.everything())
        .await
        .unwrap()
}

async fn silent_for(platform: &Platform, session: &Value, days: i32) {
    sqlx::query("update chat_sessions set last_message_at = now() - make_interval(days => $2) where id = $1::uuid")
        .bind(session.as_str().unwrap())
        .bind(days)
        .execute(platform.everything())
        .await
        .unwrap();
}

async fn count(platform: &Platform, table: &'static str) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(format!("select count(*) from {table}")))
        .fetch_one(platform.everything())
        .await
        .unwrap()
}

/// The tables of the whole database with a row that contains the text in any column.
pub async fn tables_with(platform: &Platform, text: &str) -> Vec<String> {
    let tables: Vec<String> = sqlx::query_scalar(
        "select relname::text from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'm')
         order by 1",
    )
    .fetch_all(platform.everything())
    .await
    .unwrap();
    let mut names = Vec::new();
    for table in tables {
        let sql = format!("select exists (select from {table} t where strpos(t::text, $1) > 0)");
        let hit: bool =
            sqlx::query_scalar(AssertSqlSafe(sql)).bind(text).fetch_one(platform.everything()).await.unwrap();
        if hit {
            names.push(table);
        }
    }
    names
}

fn id(session: &Value) -> SessionId {
    session.as_str().unwrap().parse().unwrap()
}

async fn erase(platform: &Platform, tenant: Tenant, session: &Value) -> Result<(i64, i64, i64), String> {
    let erased = erasure::erase(&platform.app.db, &tenant.chatbot.to_string(), None, id(session)).await;
    erased.map(|erased| (erased.messages, erased.feedback, erased.filter_rows)).map_err(|error| error.to_string())
}

async fn expire(platform: &Platform, days: i32, batch: i32) -> u64 {
    retention::run(&platform.app, days, batch, &CancellationToken::new()).await.unwrap()
}

#[tokio::test]
async fn erasing_a_session_removes_its_text_everywhere() {
    let platform = Platform::start().await;
    let one = platform.add_tenant("one").await;
    platform.ingest(one, "backup.md", SECRET).await;
    let question = format!("How does the nightly backup of {CANARY} sign in to the archive?");
    let (session, message) = ask(&platform, one, &Value::Null, &question).await;
    let feedback_id = feedback(&platform, one, &session, &message, &format!("{CANARY} is unhappy.")).await;
    let loose = feedback(&platform, one, &Value::Null, &message, &format!("So is {CANARY}'s friend.")).await;
    let (other_session, other_message) = ask(&platform, one, &Value::Null, "Who paints the fence?").await;
    let other = feedback(&platform, one, &other_session, &other_message, "Fine.").await;
    assert_eq!(tables_with(&platform, CANARY).await, ["chat_messages", "chatbot_feedback", "output_filter_audit"]);
    let filtered = count(&platform, "output_filter_audit").await;
    let audited = platform.audit_rows().await;

    assert_eq!(erase(&platform, one, &session).await, Ok((2, 2, filtered)));
    assert_eq!(tables_with(&platform, CANARY).await, Vec::<String>::new());
    assert_eq!((count(&platform, "chat_sessions").await, count(&platform, "chat_messages").await), (1, 2));
    for id in [feedback_id, loose] {
        let row = feedback_row(&platform, id).await;
        assert_eq!((&row["rating"], &row["category"]), (&json!("down"), &json!("tone")), "{row}");
        assert_eq!(
            (&row["session_id"], &row["message_id"], &row["comment"]),
            (&Value::Null, &Value::Null, &Value::Null)
        );
    }
    let row = feedback_row(&platform, other).await;
    assert_eq!(
        (&row["session_id"], &row["comment"]),
        (&other_session, &json!("Fine.")),
        "another session's feedback stays"
    );
    let row: Value = sqlx::query_scalar("select to_jsonb(o) from output_filter_audit o")
        .fetch_one(platform.everything())
        .await
        .unwrap();
    assert_eq!(
        (&row["user_question"], &row["excerpt"], &row["full_output"], &row["session_id"]),
        (&json!("[erased]"), &json!("[erased]"), &json!("[erased]"), &session)
    );
    assert_eq!(row["matched_pattern"], "secret.aws_access_key");

    assert_eq!(platform.audit_rows().await, audited + 1);
    let row = platform.last_audit().await;
    assert_eq!(
        (&row["action"], &row["actor_role"], &row["actor_user"]),
        (&json!("chat_session.erased"), &json!("operator"), &json!("command line"))
    );
    assert_eq!((&row["tenant_id"], &row["entity_id"]), (&json!(one.id), &session));
    assert_eq!(row["details"]["before"], json!({ "messages": 2, "feedback": 2, "output_filter_audit": filtered }));

    let again = platform.widget().post(&query(one), &json!({ "session_id": session, "question": "Hello?" })).await;
    assert_eq!((again.status, again.detail()), (404, "session_not_found"));
    assert_eq!(platform.widget().get(&history(one, &session)).await.status, 404);
    assert_eq!(platform.widget().get(&history(one, &other_session)).await.status, 200);
}

#[tokio::test]
async fn a_session_is_erased_only_with_its_own_chatbot() {
    let (platform, one, other) = Platform::with_tenants().await;
    let (session, _) = ask(&platform, one, &Value::Null, "Who?").await;
    let audited = platform.audit_rows().await;
    let unknown = json!(Uuid::new_v4());
    for (tenant, session) in [(other, &session), (one, &unknown)] {
        let refusal = erase(&platform, tenant, session).await.unwrap_err();
        assert!(refusal.contains("no session") && refusal.contains("nothing was erased"), "{refusal}");
    }
    let db = &platform.app.db;
    let refusal = erasure::erase(db, "nobody", None, id(&session)).await.unwrap_err().to_string();
    assert!(refusal.contains("no chatbot") && refusal.contains("nobody"), "{refusal}");
    let refusal = erasure::erase(db, "help", Some("nobody"), id(&session)).await.unwrap_err().to_string();
    assert!(refusal.starts_with("the tenant \"nobody\" does not exist"), "{refusal}");
    let refusal = erasure::erase(db, "help", None, id(&session)).await.unwrap_err().to_string();
    assert!(refusal.contains("2 tenants") && refusal.contains("--tenant"), "{refusal}");
    assert_eq!((platform.audit_rows().await, count(&platform, "chat_messages").await), (audited, 2));

    let deleted = platform.operator().delete(&format!("/api/v1/platform/tenants/{}", one.id)).await;
    assert_eq!(deleted.status, 204);
    assert_eq!(erasure::erase(db, "help", Some("one"), id(&session)).await.unwrap().messages, 2);
    assert_eq!((count(&platform, "chat_sessions").await, count(&platform, "chat_messages").await), (0, 0));
}

#[tokio::test]
async fn a_refused_audit_row_leaves_the_session_as_it_was() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (session, _) = ask(&platform, one, &Value::Null, "Who?").await;
    sqlx::query("alter table platform_audit_log add constraint no_more check (actor_user <> 'command line') not valid")
        .execute(platform.everything())
        .await
        .unwrap();
    assert!(erase(&platform, one, &session).await.unwrap_err().contains("no_more"));
    assert_eq!(platform.widget().get(&history(one, &session)).await.status, 200);
}

#[tokio::test]
async fn a_silent_session_is_unknown_to_queries_history_and_feedback() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (session, message) = ask(&platform, one, &Value::Null, "Who?").await;
    silent_for(&platform, &session, 29).await;
    assert_eq!(platform.widget().get(&history(one, &session)).await.status, 200);
    silent_for(&platform, &session, 30).await;
    let reply = platform.widget().post(&query(one), &json!({ "session_id": session, "question": "Who?" })).await;
    let conversation = platform.widget().get(&history(one, &session)).await;
    let body = |session: &Value| json!({ "chatbot_id": one.chatbot, "session_id": session, "message_id": message, "rating": "up" });
    let rated = platform.widget().post("/api/v1/feedback", &body(&session)).await;
    for answer in [&reply, &conversation, &rated] {
        assert_eq!((answer.status, answer.detail()), (404, "session_not_found"));
    }
    let loose = platform.widget().post("/api/v1/feedback", &body(&Value::Null)).await;
    assert_eq!((loose.status, loose.detail()), (404, "message_not_found"), "its messages are as unknown");
}

#[tokio::test]
async fn a_session_is_unknown_to_other_chatbots_of_its_tenant() {
    let platform = Platform::start().await;
    let one = platform.add_tenant("one").await;
    let chatbot =
        platform.admin(one.id).post("/api/v1/tenants/me/chatbots", &crate::support::new_chatbot("second")).await;
    let sibling = Tenant { id: one.id, chatbot: chatbot.body["id"].as_str().unwrap().parse().unwrap() };
    let (session, message) = ask(&platform, one, &Value::Null, "Who?").await;
    let reply = platform.widget().post(&query(sibling), &json!({ "session_id": session, "question": "Who?" })).await;
    let conversation = platform.widget().get(&history(sibling, &session)).await;
    let body = json!({ "chatbot_id": sibling.chatbot, "session_id": session, "message_id": message, "rating": "up" });
    let rated = platform.widget().post("/api/v1/feedback", &body).await;
    for answer in [&reply, &conversation, &rated] {
        assert_eq!((answer.status, answer.detail()), (404, "session_not_found"));
    }
    assert_eq!((count(&platform, "chat_sessions").await, count(&platform, "chat_messages").await), (1, 2));
}

#[tokio::test]
async fn expired_sessions_are_removed_in_batches_without_feedback() {
    let (platform, one, other) = Platform::with_tenants().await;
    let (young, young_message) = ask(&platform, one, &Value::Null, "Who?").await;
    let young_feedback = feedback(&platform, one, &young, &young_message, "Young.").await;
    let mut feedback_ids = Vec::new();
    for tenant in [one, other, one] {
        let (session, message) = ask(&platform, tenant, &Value::Null, CANARY).await;
        feedback_ids.push(feedback(&platform, tenant, &session, &message, "Old.").await);
        feedback_ids.push(feedback(&platform, tenant, &Value::Null, &message, "Old.").await);
        silent_for(&platform, &session, 366).await;
    }
    silent_for(&platform, &young, 364).await;
    let audited = platform.audit_rows().await;
    let stop = CancellationToken::new();
    stop.cancel();
    assert_eq!(retention::run(&platform.app, 365, 2, &stop).await.unwrap(), 0);
    assert_eq!(expire(&platform, 365, 2).await, 3, "in batches of 2 and 1");
    assert_eq!((count(&platform, "chat_sessions").await, count(&platform, "chat_messages").await), (1, 2));
    assert_eq!(tables_with(&platform, CANARY).await, Vec::<String>::new());
    for id in feedback_ids {
        let row = feedback_row(&platform, id).await;
        assert_eq!(
            (&row["session_id"], &row["message_id"], &row["comment"]),
            (&Value::Null, &Value::Null, &json!("Old."))
        );
    }
    let row = feedback_row(&platform, young_feedback).await;
    assert_eq!((&row["session_id"], &row["message_id"]), (&young, &young_message));
    assert_eq!((expire(&platform, 365, 2).await, platform.audit_rows().await), (0, audited));
}

#[tokio::test]
async fn the_task_removes_what_is_old_at_its_start_and_can_be_stopped() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (session, _) = ask(&platform, one, &Value::Null, "Who?").await;
    silent_for(&platform, &session, 8).await;
    let stop = CancellationToken::new();
    let task = tokio::spawn(retention::run_until(platform.app.clone(), 7, stop.clone()));
    let removed = async {
        while count(&platform, "chat_sessions").await != 0 {
            moment().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), removed).await.unwrap();
    stop.cancel();
    tokio::time::timeout(Duration::from_secs(60), task).await.unwrap().unwrap();
}

#[tokio::test]
async fn only_the_system_and_operators_delete_sessions() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (session, _) = ask(&platform, one, &Value::Null, "Who?").await;
    let tenant = one.id.to_string();
    for role in ["svc_app", "svc_operator", "svc_vendor", "svc_tenant", "svc_widget", "svc_system"] {
        let mut connection = platform.db.connect_as(role, Some(&tenant)).await;
        let mut statements = vec![
            "delete from chat_messages".to_owned(),
            "delete from chat_sessions".to_owned(),
            "update chatbot_feedback set comment = null".to_owned(),
            "update output_filter_audit set full_output = ''".to_owned(),
            format!("select end_chat_sessions(array['{}']::uuid[], true)", session.as_str().unwrap()),
        ];
        if role != "svc_system" {
            statements.push("select expire_chat_sessions(1, 1)".to_owned());
        }
        if role != "svc_operator" {
            let (session, chatbot) = (session.as_str().unwrap(), one.chatbot);
            statements.push(format!("select erase_chat_session('{tenant}', '{chatbot}', '{session}')"));
        }
        for statement in statements {
            let error = sqlx::query(AssertSqlSafe(statement.clone())).execute(&mut connection).await.unwrap_err();
            assert!(error.to_string().contains("permission denied"), "{role}: {statement}: {error}");
        }
    }
    let mut system = platform.db.connect_as("svc_system", None).await;
    for call in ["expire_chat_sessions(0, 1)", "expire_chat_sessions(-1, 1)", "expire_chat_sessions(null, 1)"] {
        let refused = sqlx::query(AssertSqlSafe(format!("select {call}"))).execute(&mut system).await;
        assert!(refused.unwrap_err().to_string().contains("at least 1"), "{call}");
    }
    assert_eq!((count(&platform, "chat_sessions").await, count(&platform, "chat_messages").await), (1, 2));
}

#[tokio::test]
async fn a_running_answer_does_not_restore_an_erased_session() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let first = platform.widget().post(&path, &json!({ "session_id": null, "question": "Who?" })).await;
    let mut erasure = platform.everything().begin().await.unwrap();
    for statement in ["delete from chat_messages", "delete from chat_sessions"] {
        sqlx::query(statement).execute(&mut *erasure).await.unwrap();
    }
    let body = json!({ "session_id": first.body["session_id"], "question": "And when?" });
    let widget = platform.widget();
    let question_sent = widget.post(&path, &body);
    let erased = async {
        // The answer waits for the row that is being removed.
        platform.until_somebody_waits().await;
        erasure.commit().await.unwrap();
    };
    let (answer, ()) = tokio::join!(question_sent, erased);
    assert_eq!((answer.status, answer.detail()), (404, "session_not_found"));
    let sessions: i64 =
        sqlx::query_scalar("select count(*) from chat_sessions").fetch_one(platform.everything()).await.unwrap();
    assert_eq!(sessions, 0);
}

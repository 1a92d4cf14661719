//! Triage: resolved feedback and questions, own answers, the CSV, the documents.

use serde_json::{Value, json};

use crate::support::{Platform, Tenant, TestResponse, new_chatbot};

const QUESTION: &str = "Do you engrave brass compasses?";
const ANSWER: &str = "Yes, we engrave brass compasses within three working days.";

fn path(tenant: Tenant, rest: &str) -> String {
    format!("/api/v1/tenants/me/chatbots/{}/{rest}", tenant.chatbot)
}

async fn ask(platform: &Platform, tenant: Tenant, question: &str) -> TestResponse {
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let reply = platform.widget().post(&path, &json!({ "session_id": null, "question": question })).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    reply
}

async fn questions(platform: &Platform, tenant: Tenant, query: &str) -> Vec<(String, i64, bool)> {
    let page = platform.viewer(tenant.id).get(&path(tenant, &format!("unanswered?{query}"))).await;
    assert_eq!(page.status, 200, "{page:?}");
    let items = page.body["items"].as_array().unwrap();
    let text = |item: &Value| item["question"].as_str().unwrap().to_owned();
    items.iter().map(|item| (text(item), item["times"].as_i64().unwrap(), !item["handled_at"].is_null())).collect()
}

#[tokio::test]
async fn an_own_answer_is_cited_to_the_next_visitor() {
    let (platform, one, other) = Platform::with_tenants().await;
    let before = ask(&platform, one, QUESTION).await;
    assert_eq!(before.body["answer"], "No idea, sorry.");
    let admin = platform.admin(one.id);
    let new = json!({ "question": QUESTION, "answer": ANSWER });
    let entry = admin.post(&path(one, "faq"), &new).await;
    assert_eq!((entry.status, &entry.body["state"]), (201, &json!("ready")), "{entry:?}");
    let row = platform.last_audit().await;
    assert_eq!((&row["action"], &row["actor_role"]), (&json!("chatbot_faq.created"), &json!("tenant")));
    assert!(!row.to_string().contains("compass"), "a visitor's words are in the audit log: {row}");

    let after = ask(&platform, one, QUESTION).await;
    assert!(after.body["answer"].as_str().unwrap().contains("three working days"), "{after:?}");
    let source = usize::try_from(after.body["citations"][0]["source_index"].as_u64().unwrap()).unwrap();
    assert!(after.body["sources"][source]["source_title"].as_str().unwrap().contains(QUESTION), "{after:?}");
    assert_eq!(ask(&platform, other, QUESTION).await.body["answer"], "No idea, sorry.");

    let again = json!({ "question": QUESTION.to_uppercase(), "answer": "No." });
    let taken = admin.post(&path(one, "faq"), &again).await;
    assert_eq!((taken.status, taken.detail()), (409, "faq_question_taken"));
    let viewer = platform.viewer(one.id).post(&path(one, "faq"), &new).await;
    assert_eq!((viewer.status, viewer.detail()), (403, "tenant_admin_required"));
    let id = entry.body["id"].as_str().unwrap();
    assert_eq!(admin.delete(&path(one, &format!("faq/{id}"))).await.status, 204);
    assert_eq!(ask(&platform, one, QUESTION).await.body["answer"], "No idea, sorry.");
}

#[tokio::test]
async fn an_own_answer_is_not_locked_before_its_chatbot() {
    let (platform, one, _) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let entry = admin.post(&path(one, "faq"), &json!({ "question": QUESTION, "answer": ANSWER })).await;
    assert_eq!((entry.status, &entry.body["state"]), (201, &json!("ready")), "{entry:?}");
    sqlx::query("update chatbot_faq set state = 'pending'").execute(platform.everything()).await.unwrap();
    let mut change = platform.everything().begin().await.unwrap();
    let chatbot = sqlx::query("select from chatbots where id = $1 for no key update").bind(one.chatbot.0);
    chatbot.execute(&mut *change).await.unwrap();
    let changing = async {
        platform.until_somebody_waits().await;
        sqlx::query("select from chatbot_faq for update nowait").execute(&mut *change).await.unwrap();
        change.rollback().await.unwrap();
    };
    tokio::join!(server::service::knowledge::faq::retry(&platform.app), changing);
    let entry = admin.get(&path(one, &format!("faq/{}", entry.body["id"].as_str().unwrap()))).await;
    assert_eq!(entry.body["state"], "ready", "{entry:?}");
}

#[tokio::test]
async fn two_tasks_at_an_own_answer_index_it_once() {
    let (platform, one, _) = Platform::with_tenants().await;
    let new = json!({ "question": QUESTION, "answer": ANSWER });
    assert_eq!(platform.admin(one.id).post(&path(one, "faq"), &new).await.body["state"], "ready");
    sqlx::query("update chatbot_faq set state = 'pending'").execute(platform.everything()).await.unwrap();
    let mut change = platform.everything().begin().await.unwrap();
    let chatbot = sqlx::query("select from chatbots where id = $1 for no key update").bind(one.chatbot.0);
    chatbot.execute(&mut *change).await.unwrap();
    let ending = async {
        platform.until_waiting(2).await;
        change.rollback().await.unwrap();
    };
    let retry = server::service::knowledge::faq::retry;
    tokio::join!(retry(&platform.app), retry(&platform.app), ending);
    let versions: Vec<i32> = sqlx::query_scalar(
        "select d.version from documents d join chatbot_sources s on s.id = d.source_id and s.kind = 'faq'",
    )
    .fetch_all(platform.everything())
    .await
    .unwrap();
    assert_eq!(versions, [2], "once more than before");
}

#[tokio::test]
async fn an_own_answer_that_failed_to_index_is_retried() {
    let (platform, embedder) = Platform::start_breakable().await;
    let one = platform.add_tenant("one").await;
    embedder.break_down();
    let entry =
        platform.admin(one.id).post(&path(one, "faq"), &json!({ "question": QUESTION, "answer": ANSWER })).await;
    assert_eq!((entry.status, &entry.body["state"]), (201, &json!("failed")), "{entry:?}");
    embedder.recover();
    server::service::knowledge::faq::retry(&platform.app).await;
    let page = platform.viewer(one.id).get(&path(one, "faq")).await;
    assert_eq!((&page.body["total"], &page.body["items"][0]["state"]), (&json!(1), &json!("ready")));
    assert!(ask(&platform, one, QUESTION).await.body["answer"].as_str().unwrap().contains("three working days"));
}

#[tokio::test]
async fn own_answers_that_always_fail_delay_no_others() {
    let (platform, one, other) = Platform::with_tenants().await;
    let insert = "insert into chatbot_faq (id, tenant_id, chatbot_id, question, answer, state, created_by, created_at)
                  select gen_random_uuid(), $1, $2, $3::text || n, 'x', 'failed', 'x', now() - make_interval(days => $4)
                  from generate_series(1, $5) n";
    for (tenant, question, days, count) in [(one, "old", 9, 120), (one, "new", 1, 1), (other, "new", 1, 1)] {
        let fill = sqlx::query(insert).bind(tenant.id.0).bind(tenant.chatbot.0).bind(question).bind(days).bind(count);
        fill.execute(platform.everything()).await.unwrap();
    }
    let newest: Vec<uuid::Uuid> =
        sqlx::query_scalar("select id from chatbot_faq where question like 'new%' order by tenant_id")
            .fetch_all(platform.everything())
            .await
            .unwrap();
    let mut retried_ids = std::collections::HashSet::new();
    for _ in 0..40 {
        let mut tx = platform.app.db.read(&store::Scope::system()).await.unwrap();
        let waiting = store::faq::waiting(&mut tx).await.unwrap();
        drop(tx);
        assert_eq!(waiting.len(), 100);
        assert!(waiting.iter().any(|(tenant, ..)| *tenant == other.id), "a tenant with one waits for one with many");
        retried_ids.extend(waiting.into_iter().map(|(.., id)| id.0));
    }
    assert!(newest.iter().all(|id| retried_ids.contains(id)), "an entry waits for those before it");
}

#[tokio::test]
async fn a_changed_answer_is_used_and_the_audit_log_has_its_hash() {
    let (platform, one, _) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let entry = admin.post(&path(one, "faq"), &json!({ "question": QUESTION, "answer": ANSWER })).await;
    let place = entry.header("location").unwrap().to_owned();
    assert_eq!(admin.get(&place).await.body, entry.body);
    let other = admin.post(&path(one, "faq"), &json!({ "question": "Where?", "answer": "There." })).await;
    assert_eq!(other.status, 201);
    let rows = platform.audit_rows().await;
    for (body, code) in [
        (json!({ "question": "WHERE?" }), (409, "faq_question_taken")),
        (json!({ "question": " " }), (422, "validation_error")),
    ] {
        let refused = admin.patch(&place, &body).await;
        assert_eq!((refused.status, refused.detail()), code);
    }
    let same = admin.patch(&place, &json!({ "question": format!(" {QUESTION} "), "answer": ANSWER })).await;
    assert_eq!((same.status, &same.body), (200, &entry.body));
    assert_eq!(platform.audit_rows().await, rows, "nothing has changed");

    let changed = admin.patch(&place, &json!({ "answer": ANSWER.replace("three", "seven") })).await;
    assert_eq!((changed.status, &changed.body["state"]), (200, &json!("ready")), "{changed:?}");
    let row = platform.last_audit().await;
    assert_eq!(row["action"], "chatbot_faq.updated");
    let (before, after) = (&row["details"]["before"], &row["details"]["after"]);
    assert_eq!(before.as_object().unwrap().keys().collect::<Vec<_>>(), ["content_hash"], "the lengths are the same");
    assert_ne!(before, after);
    let answer = ask(&platform, one, QUESTION).await;
    let text = answer.body["answer"].as_str().unwrap();
    assert!(text.contains("seven working days") && !text.contains("three"), "{text}");
    let sources = admin.get(&path(one, "sources")).await;
    assert_eq!(sources.body["items"][0]["passages"], 2, "{sources:?}");

    let question = "Do you polish copper sextants?";
    assert_eq!(admin.patch(&place, &json!({ "question": question })).await.status, 200);
    assert!(ask(&platform, one, question).await.body["answer"].as_str().unwrap().contains("seven working days"));
    let viewer = platform.viewer(one.id).patch(&place, &json!({ "answer": "No." })).await;
    assert_eq!((viewer.status, viewer.detail()), (403, "tenant_admin_required"));
}

#[tokio::test]
async fn the_former_answer_stays_until_the_new_one_is_indexed() {
    let (platform, embedder) = Platform::start_breakable().await;
    let one = platform.add_tenant("one").await;
    let admin = platform.admin(one.id);
    let entry = admin.post(&path(one, "faq"), &json!({ "question": QUESTION, "answer": ANSWER })).await;
    let place = entry.header("location").unwrap();
    embedder.break_down();
    let changed = admin.patch(place, &json!({ "answer": ANSWER.replace("three", "seven") })).await;
    assert_eq!((changed.status, &changed.body["state"]), (200, &json!("failed")), "{changed:?}");
    embedder.recover();
    let text = async || ask(&platform, one, QUESTION).await.body["answer"].as_str().unwrap().to_owned();
    assert!(text().await.contains("three working days"));
    server::service::knowledge::faq::retry(&platform.app).await;
    assert!(text().await.contains("seven working days"));
}

#[tokio::test]
async fn an_own_answer_is_quoted_whole_and_found_by_question() {
    let (platform, one, _) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let parts = [
        "Yes, we engrave brass compasses within three working days.",
        "Bring it to the harbour desk. Parking is free there.",
        "Prices begin at twelve euros. Longer texts cost more. A dedication of two lines is included.",
        "See [the price list](https://example.com/prices).",
    ];
    let new = json!({ "question": QUESTION, "answer": parts.join("\n\n") });
    assert_eq!(admin.post(&path(one, "faq"), &new).await.status, 201);
    let answer = ask(&platform, one, QUESTION).await;
    let text = answer.body["answer"].as_str().unwrap();
    for part in parts {
        assert!(text.contains(part.trim_end_matches('.')), "“{part}” is missing: {text}");
    }
    for query in ["documents", "documents?q=BRASS"] {
        let listed = admin.get(&path(one, query)).await;
        let titles: Vec<_> = listed.body["items"].as_array().unwrap().iter().map(|item| &item["title"]).collect();
        assert!(titles.contains(&&json!(QUESTION)), "{query}: {titles:?}");
    }
    assert_eq!(admin.get(&path(one, "documents?q=unheard")).await.body["total"], 0);
}

#[tokio::test]
async fn a_deactivated_chatbot_takes_no_new_answers() {
    let (platform, one, _) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    assert_eq!(admin.delete(&format!("/api/v1/tenants/me/chatbots/{}", one.chatbot)).await.status, 204);
    let refused = admin.post(&path(one, "faq"), &json!({ "question": QUESTION, "answer": ANSWER })).await;
    assert_eq!((refused.status, refused.detail()), (409, "chatbot_not_active"));
    let changed = admin.patch(&path(one, &format!("faq/{}", uuid::Uuid::new_v4())), &json!({ "answer": ANSWER })).await;
    assert_eq!((changed.status, changed.detail()), (409, "chatbot_not_active"));
}

#[tokio::test]
async fn equal_questions_are_one_and_reopen_when_asked_again() {
    let (platform, one, other) = Platform::with_tenants().await;
    ask(&platform, one, "Is there a quagga?").await;
    let reply = ask(&platform, one, "is there  a QUAGGA?").await;
    ask(&platform, one, "Who painted the fence?").await;
    ask(&platform, other, "Is there a quagga?").await;
    let (fence, quagga) = ("Who painted the fence?".to_owned(), "is there  a QUAGGA?".to_owned());
    assert_eq!(questions(&platform, one, "").await, [(fence.clone(), 1, false), (quagga.clone(), 2, false)]);
    let message = reply.body["message_id"].as_str().unwrap();
    let handled = path(one, &format!("unanswered/{message}/handled"));
    let done = platform.admin(one.id).put(&handled, &json!({ "handled": true })).await;
    assert_eq!((done.status, &done.body["handled_by"]), (200, &json!("tenant-admin")), "{done:?}");
    assert_eq!(questions(&platform, one, "handled=true").await, [(quagga.clone(), 2, true)]);
    assert_eq!(questions(&platform, one, "handled=false").await, [(fence.clone(), 1, false)]);
    assert!(!platform.last_audit().await.to_string().to_lowercase().contains("quagga"));
    ask(&platform, one, "Is there a quagga?").await;
    assert_eq!(questions(&platform, one, "handled=false&limit=1").await, [("Is there a quagga?".to_owned(), 3, false)]);
    let foreign = path(other, &format!("unanswered/{message}/handled"));
    let stranger = platform.admin(other.id).put(&foreign, &json!({ "handled": true })).await;
    assert_eq!((stranger.status, stranger.detail()), (404, "message_not_found"));
}

#[tokio::test]
async fn feedback_is_handled_reopened_and_exported_with_texts() {
    let (platform, one, other) = Platform::with_tenants().await;
    let reply = ask(&platform, one, QUESTION).await;
    let body = json!({ "chatbot_id": one.chatbot, "session_id": reply.body["session_id"], "rating": "down",
                       "message_id": reply.body["message_id"], "category": "incomplete", "comment": "=1+1, \"so\"" });
    let response = platform.widget().post("/api/v1/feedback", &body).await;
    let up = json!({ "chatbot_id": one.chatbot, "rating": "up" });
    assert_eq!(platform.widget().post("/api/v1/feedback", &up).await.status, 201);
    let admin = platform.admin(one.id);
    let handled = path(one, &format!("feedback/{}/handled", response.body["id"].as_str().unwrap()));
    let before = platform.audit_rows().await;
    for (on, rows) in [(true, 1), (true, 1), (false, 2), (true, 3)] {
        let set = admin.put(&handled, &json!({ "handled": on })).await;
        assert_eq!((set.status, set.body["handled_at"].is_null()), (200, !on), "{set:?}");
        assert_eq!(platform.audit_rows().await, before + rows);
    }
    let open = admin.get(&path(one, "feedback?handled=false")).await;
    assert_eq!((&open.body["total"], &open.body["items"][0]["rating"]), (&json!(1), &json!("up")));

    let filter = json!({ "rating": "down", "handled": true });
    let csv = platform.viewer(one.id).post(&path(one, "feedback/exports"), &filter).await;
    assert_eq!((csv.status, csv.header("content-type")), (200, Some("text/csv; charset=utf-8")));
    assert!(csv.header("content-disposition").unwrap().contains(&format!("svc-feedback-{}-", one.chatbot)));
    let rows: Vec<&str> = csv.text.strip_prefix('\u{feff}').unwrap().trim_end().split("\r\n").collect();
    let head = "\"id\",\"created_at\",\"rating\",\"category\",\"comment\",\"question\",\"answer\",\"session_id\",\
                \"message_id\",\"handled_at\",\"handled_by\"";
    assert_eq!((rows.len(), rows[0]), (2, head));
    assert!(rows[1].contains("\"incomplete\",\"'=1+1, \"\"so\"\"\""), "{}", rows[1]);
    assert!(rows[1].contains(QUESTION) && rows[1].ends_with("\"tenant-admin\""), "{}", rows[1]);
    assert_eq!(platform.audit_rows().await, before + 4, "an export leaves one row");
    let row = platform.last_audit().await;
    for (field, value) in [
        ("action", json!("feedback.exported")),
        ("actor_user", json!("tenant-viewer")),
        ("chatbot_id", json!(one.chatbot)),
        ("entity_type", json!("feedback")),
        ("entity_id", json!(one.chatbot)),
        ("details", json!({ "rating": "down", "category": null, "handled": true, "returned": 1, "truncated": false })),
    ] {
        assert_eq!(row[field], value, "{field} of {row}");
    }
    let stranger = platform.admin(other.id).post(&path(one, "feedback/exports"), &json!({})).await;
    assert_eq!((stranger.status, stranger.detail()), (404, "chatbot_not_found"));
    let export = platform.admin(one.id).get(&path(one, "feedback/export.csv")).await;
    assert_eq!(export.status, 404, "{export:?}");
    assert_eq!(platform.audit_rows().await, before + 4);
}

#[tokio::test]
async fn sources_and_documents_are_listed_with_their_sizes() {
    let (platform, one, _) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let response = admin.post("/api/v1/tenants/me/chatbots", &new_chatbot("second")).await;
    let second = Tenant { chatbot: response.body["id"].as_str().unwrap().parse().unwrap(), ..one };
    platform.ingest(one, "hours.md", "# Opening hours\n\nThe shop opens at nine.\n").await;
    assert_eq!(admin.post(&path(one, "faq"), &json!({ "question": QUESTION, "answer": ANSWER })).await.status, 201);
    let sources = platform.viewer(one.id).get(&path(one, "sources")).await;
    let items = sources.body["items"].as_array().unwrap();
    let counted: Vec<_> = items
        .iter()
        .map(|item| {
            (item["kind"].as_str().unwrap(), item["documents"].as_i64().unwrap(), item["passages"].as_i64().unwrap())
        })
        .collect();
    assert_eq!(counted, [("faq", 1, 1), ("files", 1, 1)]);
    assert_eq!(items[0]["characters"], ANSWER.chars().count());
    let stored_name: String = sqlx::query_scalar("select name from chatbot_sources where kind = 'files'")
        .fetch_one(platform.everything())
        .await
        .unwrap();
    let name_listed = items[1]["name"].as_str().unwrap();
    assert!(
        !name_listed.contains('/') && stored_name.starts_with('/') && stored_name.ends_with(&format!("/{name_listed}")),
        "{name_listed} of {stored_name}"
    );
    let documents = platform.viewer(one.id).get(&path(one, "documents?q=hours&sort=-passages")).await;
    let document = &documents.body["items"][0];
    assert_eq!((&documents.body["total"], &document["title"]), (&json!(1), &json!("Opening hours")), "{documents:?}");
    assert!(document["characters"].as_i64().unwrap() > 20, "{document}");
    let of_source = path(one, &format!("documents?source_id={}", items[0]["id"].as_str().unwrap()));
    assert_eq!(admin.get(&of_source).await.body["total"], 1);
    assert_eq!(admin.get(&path(second, "documents")).await.body["total"], 0);
}

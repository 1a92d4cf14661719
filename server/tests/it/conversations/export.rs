//! Conversations as CSV: the rows, the filters of the list, and the audit row.

use serde_json::{Value, json};

use super::{ANSWERED, Conversations, LIST, REFUSED, ask, conversations};
use crate::support::TestResponse;

const HEADER: &str = r#""created_at","session_id","message_id","chatbot_id","chatbot","language","question","answer","answered","confidence","answered_by","sources","rating","page_url","generated_by","generated_by_model""#;

fn rows(answer: &TestResponse) -> Vec<&str> {
    // Excel reads the file as UTF-8 only with a byte order mark.
    answer.text.strip_prefix('\u{feff}').unwrap().strip_suffix("\r\n").unwrap().split("\r\n").collect()
}

/// The body with the filters of a query.
pub fn from_query(query: &str) -> Value {
    url::form_urlencoded::parse(query.as_bytes()).map(|(key, value)| (key.into_owned(), json!(value))).collect()
}

impl Conversations {
    async fn exported(&self, query: &str) -> TestResponse {
        let viewer = self.platform.viewer(self.tenant.id);
        let answer = viewer.post(&format!("{LIST}/exports"), &from_query(query)).await;
        assert_eq!(answer.status, 200, "{query}: {answer:?}");
        answer
    }
}

#[tokio::test]
async fn an_export_has_a_row_for_each_question_with_its_answer() {
    let conversations = conversations().await;
    let formula = ask(&conversations.platform, conversations.second, &Value::Null, "=1+1, \"so\"").await;
    let answer = conversations.exported("").await;
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
    let name = answer.header("content-disposition").unwrap();
    assert!(name.starts_with("attachment; filename=\"svc-conversations-20"), "{name}");
    let rows = rows(&answer);
    assert_eq!((rows.len(), rows[0]), (6, HEADER), "{}", answer.text);
    let (first, second) = (conversations.tenant.chatbot, conversations.second.chatbot);
    let message = formula.body["message_id"].as_str().unwrap();
    let escaped = format!("\"{message}\",\"{second}\",\"Second\",\"en\",\"'=1+1, \"\"so\"\"\",");
    assert!(rows[1].contains(&escaped), "{}", rows[1]);
    assert!(
        rows[2].contains("quagga") && rows[2].ends_with("\"false\",\"none\",\"\",\"\",\"\",\"\",\"\",\"\""),
        "{}",
        rows[2]
    );
    let disliked = format!("\"{}\",", conversations.disliked);
    assert!(rows[3].contains(&disliked) && rows[3].contains(ANSWERED), "{}", rows[3]);
    assert!(rows[4].contains(&disliked) && rows[4].contains(REFUSED), "{}", rows[4]);
    assert!(
        rows[4].contains(&format!("\"{first}\",\"Help\",")) && rows[4].ends_with(",\"down\",\"\",\"\",\"\""),
        "{}",
        rows[4]
    );
    assert!(rows[5].contains(&conversations.liked) && rows[5].contains("nine in the morning"), "{}", rows[5]);
    assert!(rows[5].contains("\"true\",\"high\",\"quoted\",\"") && rows[5].contains("Opening hours"), "{}", rows[5]);
    assert!(rows[5].ends_with(",\"up\",\"\",\"quoted\",\"\""), "{}", rows[5]);
}

#[tokio::test]
async fn the_page_of_a_question_is_kept_when_the_tenant_wants_it() {
    let conversations = conversations().await;
    let (platform, tenant) = (&conversations.platform, conversations.tenant);
    let admin = platform.admin(tenant.id);
    let query = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let stored_page_of = async |question: &str, page: &str| {
        let body = json!({ "session_id": null, "question": question, "page_url": page });
        let answer = platform.widget().post(&query, &body).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let session = answer.body["session_id"].as_str().unwrap().to_owned();
        let opened = platform.viewer(tenant.id).get(&format!("{LIST}/{session}")).await;
        opened.body["messages"][0]["page_url"].clone()
    };
    let page = format!("{}/boots/quay", crate::support::ORIGIN);
    assert_eq!(stored_page_of("When do you open?", &page).await, Value::Null, "off at first");
    let on = admin.patch("/api/v1/tenants/me/branding", &json!({ "record_page_urls": true })).await;
    assert_eq!((on.status, &on.body["record_page_urls"]), (200, &json!(true)));
    assert_eq!(platform.last_audit().await["details"]["after"], json!({ "record_page_urls": true }));
    assert_eq!(stored_page_of("When do you open?", "/boots/quay?customer=7#size").await, json!(page));
    assert_eq!(stored_page_of("When do you open?", "https://elsewhere.example/boots").await, Value::Null);
    let csv = conversations.exported("").await;
    assert_eq!(rows(&csv).iter().filter(|row| row.contains(&format!(",\"{page}\",\""))).count(), 1, "{}", csv.text);
}

#[tokio::test]
async fn an_export_has_the_conversations_that_the_same_filters_list() {
    let conversations = conversations().await;
    let today = chrono::Utc::now().date_naive();
    let (first, second) = (conversations.tenant.chatbot, conversations.second.chatbot);
    for (query, questions) in [
        (format!("chatbot_id={first}"), 3),
        (format!("chatbot_id={second}"), 1),
        ("q=QUAGGA".to_owned(), 1),
        ("q=mona+lisa&outcome=unanswered".to_owned(), 2),
        ("q=it%27s".to_owned(), 0),
        ("q=%3F".to_owned(), 4),
        ("q=%25".to_owned(), 0),
        ("outcome=answered".to_owned(), 1),
        ("outcome=unanswered".to_owned(), 3),
        ("rating=up".to_owned(), 1),
        ("rating=down".to_owned(), 2),
        (format!("date_from={today}&date_to={today}"), 4),
        (format!("date_to={}", today.pred_opt().unwrap()), 0),
    ] {
        let answer = conversations.exported(&query).await;
        let rows = rows(&answer);
        assert_eq!(rows.len(), 1 + questions, "{query}: {}", answer.text);
        let mut sessions: Vec<_> = rows[1..].iter().map(|row| row.split("\",\"").nth(1).unwrap()).collect();
        sessions.dedup();
        assert_eq!(sessions, conversations.session_ids(&query).await, "{query}");
    }
}

#[tokio::test]
async fn an_export_of_conversations_leaves_one_audit_row() {
    let conversations = conversations().await;
    let before = conversations.platform.audit_rows().await;
    let chatbot = conversations.tenant.chatbot;
    let query = format!("chatbot_id={chatbot}&q=mona&outcome=unanswered&rating=down&date_from=2026-01-01");
    let name = conversations.exported(&query).await.header("content-disposition").unwrap().to_owned();
    assert!(name.contains(&format!("svc-conversations-{chatbot}-")), "{name}");
    assert_eq!(conversations.platform.audit_rows().await, before + 1);
    let row = conversations.platform.last_audit().await;
    let expected = json!({
        "action": "conversations.exported", "actor_role": "tenant", "actor_user": "tenant-viewer",
        "tenant_id": conversations.tenant.id, "chatbot_id": chatbot, "entity_type": "conversations", "entity_id": chatbot,
        "details": {
            "chatbot_id": chatbot, "outcome": "unanswered", "rating": "down", "date_from": "2026-01-01",
            "date_to": null, "searched": true, "returned": 2, "truncated": false,
        },
    });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(row[key], *value, "{key}");
    }
    conversations.exported("").await;
    let row = conversations.platform.last_audit().await;
    assert_eq!((&row["entity_id"], &row["details"]["returned"]), (&json!("all"), &json!(4)));

    let audited = conversations.platform.audit_rows().await;
    let viewer = conversations.platform.viewer(conversations.tenant.id);
    for (query, code) in [
        (format!("chatbot_id={}", conversations.other.chatbot), (404, "chatbot_not_found")),
        ("date_from=2026-02-01&date_to=2026-01-01".to_owned(), (422, "date_from_after_date_to")),
        ("date_from=soon".to_owned(), (422, "validation_error")),
    ] {
        let refused = viewer.post(&format!("{LIST}/exports"), &from_query(&query)).await;
        assert_eq!((refused.status, refused.detail()), code, "{query}");
    }
    let soon = viewer.post(&format!("{LIST}/exports"), &json!({ "date_from": "soon" })).await;
    assert_eq!(soon.loc(), ["body", "date_from"], "{soon:?}");
    let read = viewer.get(&format!("{LIST}/exports")).await;
    assert_eq!((read.status, read.header("allow")), (405, Some("POST")));
    assert_eq!(conversations.platform.audit_rows().await, audited, "what is refused leaves no row");
}

//! Questions that a tenant's own program asks: `ask`, and the endpoints that speak OpenAI's protocol.

mod completions;

use serde_json::{Value, json};

use crate::support::{
    Platform, Tenant, TestResponse, send,
    shop::{QUESTION, with_documents},
};

fn path(tenant: Tenant) -> String {
    format!("/api/v1/tenants/me/chatbots/{}/ask", tenant.chatbot)
}

async fn conversation(platform: &Platform, tenant: Tenant, reply: &TestResponse) -> Value {
    let path = format!("/api/v1/tenants/me/conversations/{}", reply.body["session_id"].as_str().unwrap());
    platform.admin(tenant.id).get(&path).await.body
}

#[tokio::test]
async fn a_program_gets_the_widgets_answer_without_an_origin() {
    let (platform, one, _) = with_documents().await;
    let query = format!("/api/v1/widget/chatbots/{}/query", one.chatbot);
    let visitor = platform.widget().post(&query, &json!({ "session_id": null, "question": QUESTION })).await;
    let body = json!({ "question": QUESTION, "visitor_ref": "customer 1042" });
    let program = platform.admin(one.id).post(&path(one), &body).await;
    assert_eq!(program.status, 200, "{program:?}");
    for field in ["answer", "sources", "citations", "confidence", "kind", "filtered"] {
        assert_eq!(program.body[field], visitor.body[field], "{field}");
    }
    let stored = conversation(&platform, one, &program).await;
    assert_eq!(stored["conversation"]["visitor_ref"], "customer 1042", "{stored}");
    let contents: Vec<_> = stored["messages"].as_array().unwrap().iter().map(|message| &message["content"]).collect();
    assert_eq!(contents, [&json!(QUESTION), &program.body["answer"]]);
    assert_eq!(conversation(&platform, one, &visitor).await["conversation"].get("visitor_ref"), None);
}

#[tokio::test]
async fn a_programs_answer_streams_as_the_widgets() {
    let (platform, one, _) = with_documents().await;
    let admin = platform.admin(one.id);
    let request = admin.request("POST", &path(one)).header("accept", "text/event-stream");
    let stream = send(request.json(&json!({ "question": QUESTION }))).await;
    assert_eq!(stream.status, 200, "{stream:?}");
    let events: Vec<&str> = stream.text.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
    assert_eq!((events.first(), events.get(1), events.last()), (Some(&"session"), Some(&"sources"), Some(&"done")));
    assert!(events.contains(&"token"), "{events:?}");
}

#[tokio::test]
async fn earlier_turns_are_context_only_with_the_sessions_token() {
    let (platform, one, _) = with_documents().await;
    let admin = platform.admin(one.id);
    let first = admin.post(&path(one), &json!({ "question": "How long does delivery to the islands take?" })).await;
    let (session, token) = (&first.body["session_id"], &first.body["session_token"]);
    let follow_up = "How long does it take?";
    let with = json!({ "question": follow_up, "session_id": session, "session_token": token });
    let with = admin.post(&path(one), &with).await;
    assert_eq!((&with.body["session_id"], &with.body["session_token"]), (session, token), "{with:?}");
    assert!(with.body["answer"].as_str().unwrap().contains("five working days"), "{with:?}");
    let without = admin.post(&path(one), &json!({ "question": follow_up, "session_id": session })).await;
    assert_eq!((without.status, without.body.get("session_token")), (200, None), "{without:?}");
    assert_ne!(without.body["answer"], with.body["answer"], "{without:?}");
}

#[tokio::test]
async fn foreign_chatbots_sessions_and_callers_are_refused() {
    let (platform, one, other) = with_documents().await;
    let body = json!({ "question": QUESTION });
    let foreign = platform.admin(other.id).post(&path(one), &body).await;
    assert_eq!((foreign.status, foreign.detail()), (404, "chatbot_not_found"));
    let viewer = platform.viewer(one.id).post(&path(one), &body).await;
    assert_eq!((viewer.status, viewer.detail()), (403, "tenant_admin_required"));
    let widget = platform.widget().post(&path(one), &body).await;
    assert_eq!((widget.status, widget.detail()), (401, "not_authenticated"));
    let session = platform.admin(other.id).post(&path(other), &body).await.body["session_id"].clone();
    let foreign = json!({ "question": QUESTION, "session_id": session });
    let foreign = platform.admin(one.id).post(&path(one), &foreign).await;
    assert_eq!((foreign.status, foreign.detail()), (404, "session_not_found"));
}

#[tokio::test]
async fn a_visitor_reference_has_1_to_200_characters() {
    let (platform, one, _) = Platform::with_tenants().await;
    for visitor in [String::new(), "x".repeat(201), "a\u{0}b".to_owned()] {
        let body = json!({ "question": QUESTION, "visitor_ref": visitor });
        let answer = platform.admin(one.id).post(&path(one), &body).await;
        assert_eq!((answer.status, answer.loc()), (422, vec!["body", "visitor_ref"]), "{answer:?}");
    }
}

//! The playground: the answer that a visitor would get, with its sources; nothing is stored.

use serde_json::{Value, json};

use crate::support::{
    Platform, Tenant,
    shop::{QUESTION, with_documents},
};

fn path(tenant: Tenant) -> String {
    format!("/api/v1/tenants/me/chatbots/{}/playground", tenant.chatbot)
}

fn ask(question: &str) -> Value {
    json!({ "question": question })
}

/// Number of rows that a visitor's question creates.
async fn traces(platform: &Platform) -> i64 {
    sqlx::query_scalar(
        "select (select count(*) from chat_sessions) + (select count(*) from chat_messages)
              + (select count(*) from output_filter_audit) + (select count(*) from platform_audit_log)",
    )
    .fetch_one(platform.everything())
    .await
    .unwrap()
}

#[tokio::test]
async fn the_playground_answers_like_the_widget_and_stores_nothing() {
    let (platform, one, _) = with_documents().await;
    let query = format!("/api/v1/widget/chatbots/{}/query", one.chatbot);
    let visitor = platform.widget().post(&query, &json!({ "session_id": null, "question": QUESTION })).await;
    let before = traces(&platform).await;
    let tried = platform.viewer(one.id).post(&path(one), &ask(QUESTION)).await;
    assert_eq!(tried.status, 200, "{tried:?}");
    for field in ["answer", "sources", "citations", "filtered"] {
        assert_eq!(tried.body[field], visitor.body[field], "{field}");
    }
    assert_eq!((&tried.body["answered"], &tried.body["findings"]), (&json!(true), &json!([])));
    let best = &tried.body["passages"][0];
    assert!(best["content"].as_str().unwrap().contains("30 days"), "{best}");
    assert_eq!(best["relevant"], true);
    assert!(best["score"].as_f64().unwrap() >= tried.body["relevance_threshold"].as_f64().unwrap(), "{best}");
    assert_eq!(traces(&platform).await, before);
}

#[tokio::test]
async fn irrelevant_passages_are_shown_without_an_answer() {
    let (platform, one, _) = with_documents().await;
    let tried = platform.admin(one.id).post(&path(one), &ask("Who painted the Mona Lisa?")).await;
    assert_eq!((tried.status, &tried.body["answer"]), (200, &json!("No idea, sorry.")), "{tried:?}");
    assert_eq!((&tried.body["answered"], &tried.body["sources"]), (&json!(false), &json!([])));
    let passages = tried.body["passages"].as_array().unwrap();
    assert!(!passages.is_empty() && passages.iter().all(|passage| passage["relevant"] == false), "{passages:?}");
}

#[tokio::test]
async fn foreign_and_deactivated_chatbots_are_refused() {
    let (platform, one, other) = with_documents().await;
    let foreign = platform.admin(other.id).post(&path(one), &ask(QUESTION)).await;
    assert_eq!((foreign.status, foreign.detail()), (404, "chatbot_not_found"));
    let chatbot = format!("/api/v1/tenants/me/chatbots/{}", one.chatbot);
    assert_eq!(platform.admin(one.id).delete(&chatbot).await.status, 204);
    let silent = platform.admin(one.id).post(&path(one), &ask(QUESTION)).await;
    assert_eq!((silent.status, silent.detail()), (409, "chatbot_not_active"));
}

#[tokio::test]
async fn a_question_keeps_the_widgets_bounds() {
    let (platform, one, _) = Platform::with_tenants().await;
    for question in [String::new(), "x".repeat(4001)] {
        let answer = platform.admin(one.id).post(&path(one), &ask(&question)).await;
        assert_eq!((answer.status, answer.loc()), (422, vec!["body", "question"]));
    }
}

#[tokio::test]
async fn a_follow_up_is_understood_by_the_turns_that_are_sent() {
    let (platform, one, _) = with_documents().await;
    let viewer = platform.viewer(one.id);
    let before = traces(&platform).await;
    let first = viewer.post(&path(one), &ask("How long does delivery to the islands take?")).await;
    let turn = json!({ "question": "How long does delivery to the islands take?", "answer": first.body["answer"] });
    let body = json!({ "question": "And how long can I return it?", "history": [turn] });
    let second = viewer.post(&path(one), &body).await;
    assert_eq!((second.status, &second.body["answered_by"]), (200, &json!("quoted")), "{second:?}");
    let line = json!({ "question": "Why?", "history": [turn] });
    let leaning = viewer.post(&path(one), &line).await;
    assert!(leaning.body["passages"][0]["content"].as_str().unwrap().contains("islands"), "{leaning:?}");
    assert_eq!(traces(&platform).await, before, "nothing is stored");
    let many: Vec<Value> = (0..11).map(|_| turn.clone()).collect();
    let refused = viewer.post(&path(one), &json!({ "question": "Why?", "history": many })).await;
    assert_eq!((refused.status, refused.loc()), (422, vec!["body", "history"]));
}

#[tokio::test]
async fn a_variant_answers_by_other_settings() {
    let (platform, one, _) = with_documents().await;
    let admin = platform.admin(one.id);
    let with = |variant: Value| json!({ "question": "Do you deliver to the islands by boat?", "variant": variant });
    let rank = |confidence: &Value| ["none", "low", "high"].iter().position(|level| confidence == level).unwrap();
    let mut ranks = Vec::new();
    for strictness in ["strict", "usual", "lenient"] {
        let tried = admin.post(&path(one), &with(json!({ "strictness": strictness }))).await;
        assert_eq!(tried.status, 200, "{tried:?}");
        ranks.push(rank(&tried.body["confidence"]));
    }
    assert!(ranks.is_sorted(), "{ranks:?}");
    let usual = admin.post(&path(one), &with(json!({}))).await;
    let quoted = admin.post(&path(one), &with(json!({ "answer_model": "quoted", "system_prompt": "Be brief." }))).await;
    assert_eq!(quoted.body["answer"], usual.body["answer"]);
    for (variant, field) in [
        (json!({ "answer_model": "default" }), "answer_model"),
        (json!({ "template_update": true }), "template_update"),
    ] {
        let refused = admin.post(&path(one), &with(variant)).await;
        assert_eq!((refused.status, refused.loc()), (422, vec!["body", "variant", field]));
    }
}

#[tokio::test]
async fn an_answer_becomes_a_line_that_an_evaluation_reads() {
    let (platform, one, _) = with_documents().await;
    let viewer = platform.viewer(one.id);
    let lines = std::env::temp_dir().join(format!("evaluation-{}.jsonl", one.chatbot));
    let mut written = String::new();
    for question in [QUESTION, "Who painted the Mona Lisa?"] {
        let tried = viewer.post(&path(one), &ask(question)).await;
        let reply: contract::playground::PlaygroundReply = serde_json::from_value(tried.body).unwrap();
        written += &format!("{}\n", reply.evaluation_line(question, &[]));
    }
    std::fs::write(&lines, &written).unwrap();
    let questions = server::eval::read(&lines);
    std::fs::remove_file(&lines).unwrap();
    let questions = questions.unwrap();
    assert!(
        questions[0].is_answered_by("files/shop.md", "Returns You can return any item within 30 days"),
        "{written}"
    );
    assert!(!questions[1].is_answerable(), "{written}");
}

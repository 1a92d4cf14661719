//! The three levels of confidence: an answer, sections that may have the answer, and the fallback message; in replies,
//! conversations, the list of unanswered questions and the figures alike.

use serde_json::{Value, json};

use crate::support::{Platform, Tenant, TestResponse, within_one_day};

const SHOP: &str = "# Shop\n\n## Returns\n\nYou can return any item within 30 days of delivery. Keep the receipt. The refund arrives \
                    within a week.\n\n## Delivery\n\nDelivery to the islands takes five working days and costs 12 euros.\n";
/// One question for each step, best first.
const QUESTIONS: [(&str, &str); 3] = [
    ("high", "How many days do I have to return an item?"),
    ("low", "Can I return shoes that I have worn?"),
    ("none", "Who painted the Mona Lisa?"),
];

async fn ask(platform: &Platform, tenant: Tenant, question: &str) -> TestResponse {
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let reply = platform.widget().post(&path, &json!({ "session_id": null, "question": question })).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    reply
}

#[tokio::test]
async fn every_question_is_of_one_step_wherever_it_is_seen() {
    within_one_day().await;
    let (platform, tenant, _) = Platform::with_tenants().await;
    platform.ingest(tenant, "shop.md", SHOP).await;
    let viewer = platform.viewer(tenant.id);
    let chatbot = format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot);
    for (step, question) in QUESTIONS {
        let reply = ask(&platform, tenant, question).await;
        assert_eq!(reply.body["confidence"], step, "{reply:?}");
        let tried = viewer.post(&format!("{chatbot}/playground"), &json!({ "question": question })).await;
        assert_eq!((&tried.body["confidence"], &tried.body["answered"]), (&json!(step), &json!(step == "high")));
        let session = reply.body["session_id"].as_str().unwrap();
        let opened = viewer.get(&format!("/api/v1/tenants/me/conversations/{session}")).await;
        let message = &opened.body["messages"][1];
        assert_eq!((&message["confidence"], &message["answered"]), (&json!(step), &json!(step == "high")), "{message}");
        assert_eq!(opened.body["messages"][0]["confidence"], Value::Null);
    }
    for (query, steps) in
        [("", vec!["none", "low"]), ("?confidence=low", vec!["low"]), ("?confidence=none", vec!["none"])]
    {
        let listed = viewer.get(&format!("{chatbot}/unanswered{query}")).await;
        let steps_listed: Vec<&str> =
            listed.body["items"].as_array().unwrap().iter().map(|item| item["confidence"].as_str().unwrap()).collect();
        assert_eq!(steps_listed, steps, "{query}: {listed:?}");
    }
    assert_eq!(viewer.get(&format!("{chatbot}/unanswered?confidence=sure")).await.status, 422);
    let figures = viewer.get("/api/v1/tenants/me/conversations/stats").await.body;
    assert_eq!((&figures["answered"], &figures["unanswered"], &figures["low"]), (&json!(1), &json!(2), &json!(1)));
    assert_eq!(figures["daily"].as_array().unwrap().last().unwrap()["low"], 1);
}

#[tokio::test]
async fn an_answer_that_is_not_sure_quotes_what_is_closest() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    platform.ingest(tenant, "shop.md", SHOP).await;
    let reply = ask(&platform, tenant, QUESTIONS[1].1).await;
    let text = reply.body["answer"].as_str().unwrap();
    let closest =
        "You can return any item within 30 days of delivery. Keep the receipt. The refund arrives within a week.";
    assert!(
        text.starts_with("I am not sure") && text.contains(&format!("- **Shop › Returns**: {closest} [1]")),
        "{reply:?}"
    );
    let quoted = reply.body["closest"].as_array().unwrap();
    assert!((1..=3).contains(&quoted.len()), "{reply:?}");
    assert_eq!(quoted[0], json!({ "text": closest, "source_index": 0 }), "{reply:?}");
    let sources = reply.body["sources"].as_array().unwrap().len();
    let index = |unit: &Value| usize::try_from(unit["source_index"].as_u64().unwrap()).unwrap();
    assert!(quoted.iter().all(|unit| index(unit) < sources), "{reply:?}");
    let sure = ask(&platform, tenant, QUESTIONS[0].1).await;
    assert!(sure.body.get("closest").is_none(), "{sure:?}");
    assert_eq!(reply.body["sources"][0]["source_title"], "Shop › Returns");
    assert_eq!(reply.body["citations"][0], json!({ "marker": "[1]", "source_index": 0 }));
}

#[tokio::test]
async fn odd_questions_get_an_answer_or_the_fallback_message() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    platform.ingest(tenant, "shop.md", SHOP).await;
    let (long, unbroken, seals) = ("Wie lange? How long? ".repeat(190), "ä".repeat(4000), "🦭".repeat(4000));
    let odd = [
        "x",
        "?",
        "🦭🦭🦭",
        "👩‍👩‍👧‍👦 return?",
        "¿Где den купить return?",
        "Wie lange kann ich return 返品 возврат?",
        "\u{202e}nruter",
        "r\u{301}e\u{301}turn",
        "'); drop table passages; --",
        "return & | ! <-> :* item",
        &long,
        &unbroken,
        &seals,
    ];
    for question in odd {
        let started = std::time::Instant::now();
        let reply = ask(&platform, tenant, question).await;
        assert!(!reply.body["answer"].as_str().unwrap().is_empty(), "{reply:?}");
        assert!(started.elapsed().as_secs() < 120, "{:?}", started.elapsed());
    }
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    for refused in ["return ".repeat(1429), "return\0".to_owned()] {
        let reply = platform.widget().post(&path, &json!({ "session_id": null, "question": refused })).await;
        assert_eq!((reply.status, reply.loc()), (422, vec!["body", "question"]), "{reply:?}");
    }
}

#[tokio::test]
async fn a_typing_error_is_read_as_the_word_that_the_documents_have() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    platform.ingest(tenant, "shop.md", SHOP).await;
    let reply = ask(&platform, tenant, "How many days do I have to retrun an item?").await;
    assert_eq!(reply.body["confidence"], "high", "{reply:?}");
    let text = reply.body["answer"].as_str().unwrap();
    assert!(text.contains("within 30 days"), "{text}");
    assert_eq!(reply.body["sources"][0]["heading"], "Returns");
}

#[tokio::test]
async fn a_typing_error_does_not_change_which_section_is_quoted() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let courses = "# Courses\n\n## Potters\n\nIt takes six evenings. Clay is included.\n\n## Weavers\n\nWe offer ten evenings. \
                   Bring an apron.\n";
    platform.ingest(tenant, "courses.md", courses).await;
    for question in ["evenings for potters", "evenings for pottres"] {
        let reply = ask(&platform, tenant, question).await;
        assert_eq!(reply.body["answer"], "It takes six evenings. Clay is included. [1]", "{question}: {reply:?}");
    }
}

/// Asks a question in a session, and returns the reply.
async fn go_on(platform: &Platform, tenant: Tenant, before: &TestResponse, question: &str) -> TestResponse {
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let (session, token) = (&before.body["session_id"], &before.body["session_token"]);
    let body = json!({ "session_id": session, "session_token": token, "question": question });
    platform.widget().post(&path, &body).await
}

#[tokio::test]
async fn what_was_asked_must_be_in_what_is_said() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let devices = "# Devices\n\n## QX-7604NI-E2\n\nThe QX-7604NI-E2 is the cobalt model. It weighs 13 grams.\n\n\
                   ## QX-7608NI-E1\n\nThe QX-7608NI-E1 is the birch model. It weighs 12 grams.\n";
    platform.ingest(tenant, "devices.md", devices).await;
    for (question, confidence) in [
        ("How many grams does the QX-7604NI-E2 weigh?", "high"),
        ("How many grams does the QX-7606NI-E2 weigh?", "low"),
    ] {
        let reply = ask(&platform, tenant, question).await;
        assert_eq!(reply.body["confidence"], confidence, "{reply:?}");
    }
}

#[tokio::test]
async fn a_corrected_name_is_asked_about() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let doses = "# Doses\n\n## Prednisolon\n\nThe usual dose of Prednisolon is 20 mg once a day.\n\n## Ibuprofen\n\nTake 400 mg.\n";
    platform.ingest(tenant, "doses.md", doses).await;
    let reply = ask(&platform, tenant, "What is the usual dose of Prednison once a day?").await;
    assert_eq!(reply.body["confidence"], "low", "{reply:?}");
    let text = reply.body["answer"].as_str().unwrap();
    assert!(text.starts_with("I found no “Prednison” here. Did you mean “Prednisolon”?"), "{text}");
}

#[tokio::test]
async fn several_questions_are_answered_one_by_one() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    platform.ingest(tenant, "shop.md", SHOP).await;
    let question = "Hi, how many days do I have to return an item and what does delivery to the islands cost?";
    let reply = ask(&platform, tenant, question).await;
    let text = reply.body["answer"].as_str().unwrap();
    assert!(text.contains("within 30 days") && text.contains("costs 12 euros"), "{text}");
    assert_eq!(reply.body["confidence"], "high", "{reply:?}");
    let half = ask(&platform, tenant, "How many days do I have to return an item? Who painted the Mona Lisa?").await;
    let text = half.body["answer"].as_str().unwrap();
    assert!(text.contains("within 30 days") && text.contains("**Who painted the Mona Lisa?**"), "{text}");
    assert_eq!(half.body["confidence"], "low", "{half:?}");
}

#[tokio::test]
async fn a_visitor_chooses_one_of_the_closest_passages() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    platform.ingest(tenant, "shop.md", SHOP).await;
    let unsure = ask(&platform, tenant, QUESTIONS[1].1).await;
    let second = unsure.body["closest"][1]["text"].as_str().unwrap().to_owned();
    let opened = go_on(&platform, tenant, &unsure, "the second one").await;
    assert_eq!(opened.body["confidence"], "high", "{opened:?}");
    assert!(opened.body["answer"].as_str().unwrap().contains(&second), "{opened:?}");
}

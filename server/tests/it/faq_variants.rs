//! Several phrasings of one question: each finds the answer, which is listed once, and similar questions are found.

use serde_json::{Value, json};

use crate::support::{Platform, Tenant};

const QUESTION: &str = "Do you engrave brass compasses?";
const VARIANTS: [&str; 2] = ["Can I get my initials on a compass?", "Is personalised lettering possible?"];
const ANSWER: &str = "Yes, we engrave brass compasses within three working days.";

fn path(tenant: Tenant, rest: &str) -> String {
    format!("/api/v1/tenants/me/chatbots/{}/{rest}", tenant.chatbot)
}

async fn add(platform: &Platform, tenant: Tenant, body: Value) -> Value {
    let response = platform.admin(tenant.id).post(&path(tenant, "faq"), &body).await;
    assert_eq!((response.status, &response.body["state"]), (201, &json!("ready")), "{response:?}");
    response.body
}

async fn try_out(platform: &Platform, tenant: Tenant, question: &str) -> Value {
    let body = json!({ "question": question });
    platform.viewer(tenant.id).post(&path(tenant, "playground"), &body).await.body
}

async fn similar(platform: &Platform, tenant: Tenant, question: &str) -> Value {
    let query = format!("faq/similar?question={}", question.replace(' ', "+"));
    let response = platform.viewer(tenant.id).get(&path(tenant, &query)).await;
    assert_eq!(response.status, 200, "{response:?}");
    response.body["items"].clone()
}

#[tokio::test]
async fn every_phrasing_finds_the_answer_which_is_listed_once() {
    let (platform, one, _) = Platform::with_tenants().await;
    let entry = add(&platform, one, json!({ "question": QUESTION, "variants": VARIANTS, "answer": ANSWER })).await;
    assert_eq!(entry["variants"], json!(VARIANTS));
    for phrasing in VARIANTS.into_iter().chain([QUESTION]) {
        let tried = try_out(&platform, one, phrasing).await;
        assert!(tried["answer"].as_str().unwrap().contains("three working days"), "{phrasing}: {tried}");
        let passages = tried["passages"].as_array().unwrap();
        assert_eq!(passages.iter().filter(|passage| passage["content"] == ANSWER).count(), 1, "{passages:?}");
        assert!(passages[0]["source_title"].as_str().unwrap().contains(phrasing), "{passages:?}");
        assert_eq!(tried["sources"].as_array().unwrap().len(), 1, "{tried}");
    }
    let admin = platform.admin(one.id);
    let place = path(one, &format!("faq/{}", entry["id"].as_str().unwrap()));
    let changed = admin.patch(&place, &json!({ "variants": [VARIANTS[0], QUESTION.to_uppercase()] })).await;
    assert_eq!((changed.status, &changed.body["variants"]), (200, &json!([VARIANTS[0]])), "{changed:?}");
    let row = platform.last_audit().await;
    assert_eq!((&row["details"]["before"]["variants"], &row["details"]["after"]["variants"]), (&json!(2), &json!(1)));
    assert!(!row.to_string().contains("initials"), "{row}");
    let documents = platform.viewer(one.id).get(&path(one, "sources")).await;
    let of_faq = documents.body["items"].as_array().unwrap().iter().find(|source| source["kind"] == "faq").cloned();
    assert_eq!(of_faq.unwrap()["passages"], 2);
}

#[tokio::test]
async fn the_list_has_the_order_that_is_asked_for() {
    let (platform, one, _) = Platform::with_tenants().await;
    for question in ["banana?", "Apple?", "Cherry?"] {
        add(&platform, one, json!({ "question": question, "answer": "Yes." })).await;
    }
    for (sort, expected) in [
        ("", ["Cherry?", "Apple?", "banana?"]),
        ("?sort=created_at", ["banana?", "Apple?", "Cherry?"]),
        ("?sort=question", ["Apple?", "banana?", "Cherry?"]),
        ("?sort=-question", ["Cherry?", "banana?", "Apple?"]),
    ] {
        let list = platform.viewer(one.id).get(&path(one, &format!("faq{sort}"))).await;
        let questions: Vec<_> = list.body["items"].as_array().unwrap().iter().map(|entry| &entry["question"]).collect();
        assert_eq!(questions, expected, "{sort}: {list:?}");
    }
    let unknown = platform.viewer(one.id).get(&path(one, "faq?sort=answer")).await;
    assert_eq!(unknown.body["errors"][0]["msg"], "must be one of question, created_at", "{unknown:?}");
}

#[tokio::test]
async fn a_phrasing_belongs_to_one_answer() {
    let (platform, one, _) = Platform::with_tenants().await;
    add(&platform, one, json!({ "question": QUESTION, "variants": VARIANTS, "answer": ANSWER })).await;
    let admin = platform.admin(one.id);
    for body in [
        json!({ "question": VARIANTS[1].to_uppercase(), "answer": "x" }),
        json!({ "question": "Another?", "variants": ["Odd?", QUESTION], "answer": "x" }),
    ] {
        let taken = admin.post(&path(one, "faq"), &body).await;
        assert_eq!((taken.status, taken.detail()), (409, "faq_question_taken"));
    }
    let many: Vec<String> = (0..11).map(|n| format!("Number {n}?")).collect();
    for (variants, loc) in [(json!(many), vec!["body", "variants"]), (json!(["", "x"]), vec!["body", "variants", "0"])]
    {
        let refused =
            admin.post(&path(one, "faq"), &json!({ "question": "a", "variants": variants, "answer": "b" })).await;
        assert_eq!((refused.status, refused.loc()), (422, loc));
    }
}

#[tokio::test]
async fn similar_questions_are_listed_once_per_entry() {
    let (platform, one, other) = Platform::with_tenants().await;
    let entry = add(&platform, one, json!({ "question": QUESTION, "variants": VARIANTS, "answer": ANSWER })).await;
    add(&platform, one, json!({ "question": "How long does delivery take?", "answer": "Two days." })).await;
    let similar_entries = similar(&platform, one, "Do you engrave compasses of brass?").await;
    assert_eq!(similar_entries.as_array().unwrap().len(), 1, "{similar_entries}");
    assert_eq!((&similar_entries[0]["id"], &similar_entries[0]["question"]), (&entry["id"], &json!(QUESTION)));
    assert!(similar_entries[0]["similarity"].as_f64().unwrap() > 0.9, "{similar_entries}");
    let by_variant = similar(&platform, one, "Can I get my initials onto a compass?").await;
    assert_eq!((&by_variant[0]["question"], &by_variant[0]["phrasing"]), (&json!(QUESTION), &json!(VARIANTS[0])));
    assert_eq!(similar(&platform, one, "Do you sell sunglasses?").await, json!([]));
    assert_eq!(similar(&platform, other, QUESTION).await, json!([]), "another tenant has no such answer");
    let foreign = platform.viewer(other.id).get(&path(one, "faq/similar?question=Who%3F")).await;
    assert_eq!((foreign.status, foreign.detail()), (404, "chatbot_not_found"));
    let empty = platform.viewer(one.id).get(&path(one, "faq/similar?question=")).await;
    assert_eq!((empty.status, empty.loc()), (422, vec!["query", "question"]));
}

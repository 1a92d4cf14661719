//! Small talk: a friendly reply without a search, the contact page, and the fallback message in the question's
//! language.

use serde_json::{Value, json};

use crate::support::{Platform, Tenant, TestResponse};

const CONTACT: &str = "mailto:help@example.com";

fn chatbot(tenant: Tenant) -> String {
    format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot)
}

async fn ask(platform: &Platform, tenant: Tenant, session: &Value, question: &str) -> TestResponse {
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let reply = platform.widget().post(&path, &json!({ "session_id": session, "question": question })).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    reply
}

#[tokio::test]
async fn small_talk_gets_a_reply_and_counts_apart() {
    let (platform, one, _) = Platform::with_tenants().await;
    let hello = ask(&platform, one, &Value::Null, "Hello there!").await;
    assert_eq!(hello.body["answer"], "Hello! What would you like to know?");
    assert_eq!(
        (&hello.body["kind"], &hello.body["confidence"], &hello.body["sources"], hello.body.get("contact_url")),
        (&json!("small_talk"), &json!("none"), &json!([]), None)
    );
    let german = ask(&platform, one, &hello.body["session_id"], "Vielen Dank!").await;
    assert_eq!(german.body["answer"], "Gern geschehen! Kann ich sonst noch etwas für Sie tun?");
    let question = ask(&platform, one, &hello.body["session_id"], "Hello, who wrote the ferry song?").await;
    assert_eq!((&question.body["kind"], &question.body["answer"]), (&json!("fallback"), &json!("No idea, sorry.")));

    let admin = platform.admin(one.id);
    let open = admin.get(&format!("{}/unanswered", chatbot(one))).await;
    assert_eq!(open.body["items"].as_array().unwrap().len(), 1, "{open:?}");
    assert_eq!(open.body["items"][0]["question"], "Hello, who wrote the ferry song?");
    let stats = admin.get("/api/v1/tenants/me/conversations/stats").await.body;
    assert_eq!((&stats["small_talk"], &stats["answered"], &stats["unanswered"]), (&json!(2), &json!(0), &json!(1)));
    let days = stats["daily"].as_array().unwrap();
    assert_eq!(days.iter().map(|day| day["small_talk"].as_i64().unwrap()).sum::<i64>(), 2);
    let figures = admin.get("/api/v1/tenants/me/conversations/stats?q=ferry").await.body;
    assert_eq!((&figures["small_talk"], &figures["unanswered"]), (&json!(2), &json!(1)), "figures of a search");
}

#[tokio::test]
async fn a_chatbot_says_its_tenants_words_in_its_language() {
    let (platform, one, other) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let words = json!({ "small_talk": { "greeting": "  Ahoy! ", "thanks": "" } });
    let changed = admin.patch(&chatbot(one), &words).await;
    assert_eq!((changed.status, &changed.body["small_talk"]["greeting"]), (200, &json!("Ahoy!")), "{changed:?}");
    assert_eq!(changed.body["small_talk"]["thanks"], Value::Null);
    let row = platform.last_audit().await;
    assert_eq!(
        (&row["action"], &row["details"]["after"]["small_talk"]["greeting"]),
        (&json!("chatbot.updated"), &json!("Ahoy!"))
    );

    let answer_of = async |tenant, message| ask(&platform, tenant, &Value::Null, message).await.body["answer"].clone();
    assert_eq!(answer_of(one, "hi").await, "Ahoy!");
    assert_eq!(answer_of(one, "Guten Tag").await, "Hallo! Was möchten Sie wissen?", "the own words are English");
    assert_eq!(answer_of(other, "hi").await, "Hello! What would you like to know?");

    let long = json!({ "small_talk": { "human": "x".repeat(501) } });
    let refused = admin.patch(&chatbot(one), &long).await;
    assert_eq!((refused.status, refused.loc()), (422, vec!["body", "small_talk", "human"]), "{refused:?}");
}

#[tokio::test]
async fn a_fallback_and_a_wish_for_a_person_show_the_contact() {
    let (platform, one, other) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let branded = admin.patch("/api/v1/tenants/me/branding", &json!({ "contact_url": CONTACT })).await;
    assert_eq!(branded.status, 200, "{branded:?}");
    let bad = admin.patch("/api/v1/tenants/me/branding", &json!({ "contact_url": "javascript:alert(1)" })).await;
    assert_eq!((bad.status, bad.loc().last().copied()), (422, Some("contact_url")));

    let wish = ask(&platform, one, &Value::Null, "Can I talk to a human?").await;
    let session = wish.body["session_id"].clone();
    let fallback = ask(&platform, one, &session, "Who wrote the ferry song?").await;
    let hello = ask(&platform, one, &session, "Hello").await;
    let contacts = [&wish, &fallback, &hello].map(|answer| answer.body.get("contact_url").cloned());
    assert_eq!(contacts, [Some(json!(CONTACT)), Some(json!(CONTACT)), None]);
    let path = format!("/api/v1/widget/chatbots/{}/sessions/{}/messages", one.chatbot, session.as_str().unwrap());
    let history = platform.widget().get(&path).await.body;
    let has_contact =
        history["messages"].as_array().unwrap().iter().map(|message| message.get("contact_url").is_some());
    assert_eq!(has_contact.collect::<Vec<_>>(), [false, true, false, true, false, false]);
    let none = ask(&platform, other, &Value::Null, "Can I talk to a human?").await;
    assert_eq!((&none.body["kind"], none.body.get("contact_url")), (&json!("small_talk"), None));
}

#[tokio::test]
async fn an_own_answer_to_small_talk_comes_first() {
    let (platform, one, _) = Platform::with_tenants().await;
    let own = json!({ "question": "Can I speak to a person?", "answer": "Call 030 1234567 on weekdays until four." });
    let entry = platform.admin(one.id).post(&format!("{}/faq", chatbot(one)), &own).await;
    assert_eq!((entry.status, &entry.body["state"]), (201, &json!("ready")), "{entry:?}");
    let wish = ask(&platform, one, &Value::Null, "I want to talk to a human, please").await;
    assert_eq!((&wish.body["kind"], &wish.body["confidence"]), (&json!("answer"), &json!("high")), "{wish:?}");
    assert!(wish.body["answer"].as_str().unwrap().contains("030 1234567"), "{wish:?}");
    assert_eq!(ask(&platform, one, &Value::Null, "hello").await.body["kind"], "small_talk");
}

#[tokio::test]
async fn the_playground_answers_small_talk_as_the_widget() {
    let (platform, one, _) = Platform::with_tenants().await;
    let tried = platform
        .admin(one.id)
        .post(&format!("{}/playground", chatbot(one)), &json!({ "question": "Are you a robot?" }))
        .await;
    assert_eq!((tried.status, &tried.body["kind"], &tried.body["passages"]), (200, &json!("small_talk"), &json!([])));
    assert!(tried.body["answer"].as_str().unwrap().starts_with("I'm a digital assistant"), "{tried:?}");
}

#[tokio::test]
async fn the_fallback_is_in_the_questions_language() {
    let (platform, one, _) = Platform::with_tenants().await;
    let answer = ask(&platform, one, &Value::Null, "Wer hat denn das Lied von der Fähre geschrieben?").await;
    assert_eq!(answer.body["kind"], "fallback");
    let answer_text = answer.body["answer"].as_str().unwrap();
    assert!(
        answer_text.starts_with("Dazu habe ich in meinen Unterlagen nichts gefunden.")
            && answer_text.contains("Englisch"),
        "{answer_text}"
    );
    let english = ask(&platform, one, &Value::Null, "Who wrote the song of the ferry?").await;
    assert_eq!(english.body["answer"], "No idea, sorry.");
}

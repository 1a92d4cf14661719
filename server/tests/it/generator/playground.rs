//! A language model in the playground: it is asked as for a visitor, and its tokens count, whatever becomes of its words.

use std::time::Instant;

use serde_json::json;
use server::{config::WhenUnavailable, state::AppSettings};

use super::{QUESTION, SILENCE_TIMEOUT, shop_with_settings, with_model};
use crate::support::{
    Platform, Tenant,
    model::{CLOSING, Model, OPEN, event, events},
    moment, within_one_day,
};

fn path(tenant: Tenant) -> String {
    format!("/api/v1/tenants/me/chatbots/{}/playground", tenant.chatbot)
}

/// The number of counted answers of a language model.
async fn counted(platform: &Platform, tenant: Tenant) -> i64 {
    let usage = platform.viewer(tenant.id).get("/api/v1/tenants/me/model-usage").await.body;
    usage["items"].as_array().unwrap().iter().map(|month| month["answers"].as_i64().unwrap()).sum()
}

#[tokio::test]
async fn the_tokens_of_a_model_that_breaks_off_count() {
    within_one_day().await;
    let (model, generator) = Model::start(SILENCE_TIMEOUT, 200).await;
    let change = |settings: &mut AppSettings| settings.generation.when_unavailable = WhenUnavailable::Error;
    let (platform, tenant) = shop_with_settings(generator, change).await;
    model.send(&format!("{CLOSING}{}", event("Return items within ")));
    let tried = platform.viewer(tenant.id).post(&path(tenant), &json!({ "question": QUESTION })).await;
    assert_eq!((tried.status, tried.detail()), (503, "generator_unavailable"));
    assert_eq!(counted(&platform, tenant).await, 1);
}

#[tokio::test]
async fn who_leaves_stops_the_model_and_its_tokens_count() {
    within_one_day().await;
    let (platform, tenant, model) = with_model().await;
    model.send(&format!("{OPEN}{}", events("You can return any item within ", 3)));
    let viewer = platform.viewer(tenant.id);
    let deadline = Instant::now() + SILENCE_TIMEOUT;
    // Who leaves before the model has accepted the prompt leaves no tokens.
    while counted(&platform, tenant).await == 0 {
        assert!(Instant::now() < deadline, "no tokens are counted");
        let count = model.times_asked();
        let waiting = tokio::spawn(viewer.request("POST", &path(tenant)).json(&json!({ "question": QUESTION })).send());
        model.is_asked(count + 1).await;
        moment().await;
        waiting.abort();
        model.is_stopped().await;
    }
}

#[tokio::test]
async fn the_model_words_own_small_talk_without_the_conversation() {
    let (platform, tenant, model) = with_model().await;
    let chatbot = format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot);
    let own = json!({ "question": "Can I speak to a person?", "answer": "Call 030 1234567 on weekdays until four." });
    let entry = platform.admin(tenant.id).post(&format!("{chatbot}/faq"), &own).await;
    assert_eq!((entry.status, &entry.body["state"]), (201, &json!("ready")), "{entry:?}");
    model.say("Call 030 1234567 on weekdays until four [1].");
    let turn = json!({ "question": QUESTION, "answer": "Within 30 days of delivery." });
    let body = json!({ "question": "I want to talk to a human, please", "history": [turn] });
    let tried = platform.viewer(tenant.id).post(&path(tenant), &body).await;
    assert!(tried.body["answer"].as_str().unwrap().contains("030 1234567"), "{tried:?}");
    assert_eq!(model.times_asked(), 1);
    assert!(!model.last_request().to_string().contains(QUESTION), "as for a visitor: {}", model.last_request());
}

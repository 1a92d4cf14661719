//! Answers of a language model, with a fake endpoint: prompt, citations, filter and failures.

pub mod attacks;
mod base;
mod playground;
mod readings;
mod sections;
mod steps;
mod streamed;

use std::time::{Duration, Instant};

use rag::generate::{openai::Generator, verify::Unsupported};
use serde_json::{Value, json};
use server::{admission::answer_queue::QueueLimits, config::WhenUnavailable, state::AppSettings};

use crate::support::{
    ORIGIN, Platform, Tenant, TestResponse,
    listener::Listener,
    model::{CLOSING, END, Model, OPEN, event},
    within_one_day,
};

const DOCUMENT: &str = "# Returns\n\nYou can return any item within 30 days of delivery. Write to help@shop.example. \
                        Keep the receipt of each item.\n";
const QUESTION: &str = "Within how many days can I return an item?";
/// How long a model may be silent in tests that do not wait for that, also on a busy machine.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(60);
/// The first pause of a model that has failed three times.
const FIRST_BREAK: Duration = Duration::from_secs(5);

async fn with_model() -> (Platform, Tenant, Model) {
    let (model, generator) = Model::start(SILENCE_TIMEOUT, 200).await;
    let (platform, tenant) = shop_with(generator).await;
    (platform, tenant, model)
}

/// The same without verification: what the output filter does with a model's words.
async fn unverified() -> (Platform, Tenant, Model) {
    let (model, generator) = Model::start(SILENCE_TIMEOUT, 200).await;
    let (platform, tenant) =
        shop_with_settings(generator, |settings| settings.generation.unsupported = Unsupported::Off).await;
    (platform, tenant, model)
}

/// How the answers were created.
async fn generated_by(platform: &Platform) -> Vec<(Option<String>, Option<String>, bool)> {
    let sql =
        "select answered_by, prompt_version, truncated from chat_messages where role = 'assistant' order by position";
    sqlx::query_as(sql).fetch_all(platform.everything()).await.unwrap()
}

/// A platform whose one chatbot has a document and a prompt.
async fn shop_with(generator: Generator) -> (Platform, Tenant) {
    shop_with_settings(generator, |_| {}).await
}

/// The same with other settings.
async fn shop_with_settings(generator: Generator, change: impl FnOnce(&mut AppSettings)) -> (Platform, Tenant) {
    let settings = |app_settings: &mut AppSettings| {
        app_settings.generator = Some(generator);
        change(app_settings);
    };
    shop(DOCUMENT, settings).await
}

/// A platform with other settings whose one chatbot has this document and a prompt with a secret word.
pub(crate) async fn shop(document: &str, change: impl FnOnce(&mut AppSettings)) -> (Platform, Tenant) {
    let platform = Platform::start_with(change).await;
    let tenant = platform.add_tenant("one").await;
    let chatbot = format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot);
    let prompt =
        json!({ "system_prompt": "You are Ada, the clerk of a shop, and the secret word of the day is walrus." });
    assert_eq!(platform.admin(tenant.id).patch(&chatbot, &prompt).await.status, 200);
    platform.ingest(tenant, "shop.md", document).await;
    (platform, tenant)
}

async fn ask(platform: &Platform, tenant: Tenant, session: Value, question: &str) -> TestResponse {
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    platform.widget().post(&path, &json!({ "session_id": session, "question": question })).await
}

async fn contents(platform: &Platform) -> Vec<(String, String)> {
    sqlx::query_as("select role, content from chat_messages order by position")
        .fetch_all(platform.everything())
        .await
        .unwrap()
}

#[tokio::test]
async fn the_model_gets_passages_and_its_citations_are_verified() {
    let (platform, tenant, model) = with_model().await;
    model.say("You can return an item within 30 days of delivery [1]. Whales sing [1]. Stars shine [7].");
    let answer = ask(&platform, tenant, Value::Null, QUESTION).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.body["answer"], "You can return an item within 30 days of delivery [1].");
    assert_eq!(answer.body["citations"], json!([{ "marker": "[1]", "source_index": 0 }]));
    assert!(answer.body["sources"][0]["source_title"].as_str().unwrap().contains("Returns"));
    let request = model.last_request();
    let rules = request["messages"][0]["content"].as_str().unwrap();
    assert!(rules.starts_with("You answer questions with what the numbered texts say"), "{request}");
    assert!(rules.contains("You are Ada"), "{request}");
    assert_eq!(request["messages"].as_array().unwrap().len(), 8);
    let data = request["messages"][7]["content"].as_str().unwrap();
    assert!(data.starts_with("[1] ") && data.ends_with(&format!("\n\nQuestion: {QUESTION}")), "{data}");
    let generated_by = generated_by(&platform).await;
    assert_eq!((generated_by[0].0.as_deref(), generated_by[0].2), (Some("generated"), false));
    assert!(generated_by[0].1.as_deref().is_some_and(|version| version.starts_with("3-en-")), "{generated_by:?}");
}

#[tokio::test]
async fn a_question_is_asked_in_its_own_language() {
    let (platform, tenant, model) = with_model().await;
    model.say("NO_ANSWER");
    ask(
        &platform,
        tenant,
        Value::Null,
        "Kann ich ein item nach delivery innerhalb von 30 days per return zurückgeben?",
    )
    .await;
    let request = model.last_request();
    let rules = request["messages"][0]["content"].as_str().unwrap();
    assert!(rules.starts_with("Du beantwortest Fragen"), "{request}");
}

#[tokio::test]
async fn words_that_are_no_answer_are_replaced_by_quoted_ones() {
    let (platform, tenant, model) = with_model().await;
    for nothing in
        ["", "..", ",,,,,", "[1]. [2].", "[1] Returns\n", "Whales sing about the deep blue sea.", "Within 40 days [1]."]
    {
        model.say(nothing);
        let answer = ask(&platform, tenant, Value::Null, QUESTION).await;
        let text = answer.body["answer"].as_str().unwrap();
        assert!(text.contains("You can return any item within 30 days of delivery."), "{nothing:?}: {answer:?}");
        assert_eq!(answer.body["citations"][0]["marker"], "[1]", "{nothing:?}");
    }
    let generated_by = generated_by(&platform).await;
    assert!(generated_by.iter().all(|(by, ..)| by.as_deref() == Some("quoted")), "{generated_by:?}");
}

#[tokio::test]
async fn a_paraphrase_is_kept_and_another_meaning_is_not() {
    let (platform, tenant, model) = with_model().await;
    for (says, stands) in [
        ("You may send items back within 30 days.", true),
        ("Goods can be returned for 30 days after they are delivered.", true),
        ("You can return any item to PayPal.", false),
        ("The shop was founded by two sisters.", false),
        ("Items can be returned for a voucher and a discount on shoes.", false),
    ] {
        model.say(says);
        let answer = ask(&platform, tenant, Value::Null, QUESTION).await;
        let text = answer.body["answer"].as_str().unwrap();
        assert_eq!(text.starts_with(says.trim_end_matches('.')), stands, "{says}: {text}");
    }
}

#[tokio::test]
async fn the_console_shows_how_an_answer_was_made() {
    let (platform, tenant, model) = with_model().await;
    model.say("You can return any item within 30 days of delivery.");
    let answer = ask(&platform, tenant, Value::Null, QUESTION).await;
    let path = format!("/api/v1/tenants/me/conversations/{}", answer.body["session_id"].as_str().unwrap());
    let conversation = platform.admin(tenant.id).get(&path).await;
    let message = &conversation.body["messages"][1];
    assert_eq!(
        (&message["answered_by"], &message["truncated"]),
        (&json!("generated"), &json!(false)),
        "{conversation:?}"
    );
    assert!(message["prompt_version"].is_string() && conversation.body["messages"][0]["answered_by"].is_null());
}

#[tokio::test]
async fn an_answer_has_its_prompt_version_if_a_model_was_asked() {
    let (platform, tenant, model) = with_model().await;
    model.say("You can return any item within 30 days of delivery.");
    ask(&platform, tenant, Value::Null, QUESTION).await;
    model.say("NO_ANSWER");
    ask(&platform, tenant, Value::Null, QUESTION).await;
    model.say("Whales sing about the deep blue sea.");
    ask(&platform, tenant, Value::Null, QUESTION).await;
    model.send("HTTP/1.1 500 No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    ask(&platform, tenant, Value::Null, QUESTION).await;
    ask(&platform, tenant, Value::Null, "Who painted the Mona Lisa?").await;
    assert_eq!(model.times_asked(), 4, "nothing is asked about the painting, and one passage is read once");
    let generated_by: Vec<_> = generated_by(&platform)
        .await
        .into_iter()
        .map(|(by, version, _)| (by.unwrap_or_default(), version.is_some()))
        .collect();
    let expected = [("generated", true), ("quoted", true), ("quoted", true), ("quoted", true), ("", false)];
    assert_eq!(generated_by, expected.map(|(by, is_versioned)| (by.to_owned(), is_versioned)));
}

#[tokio::test]
async fn tokens_are_stored_with_each_answer_and_summed_by_month() {
    within_one_day().await;
    let (platform, tenant, model) = with_model().await;
    let usage = r#"data: {"choices":[],"usage":{"prompt_tokens":700,"completion_tokens":20,"prompt_tokens_details":{"cached_tokens":250}}}"#;
    let end = r#"data: {"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
    let response = |text: &str| format!("{CLOSING}{}{end}\n\n{usage}\n\n{END}", event(text));
    let admin = platform.admin(tenant.id);
    assert_eq!(admin.get("/api/v1/tenants/me/model-usage").await.body, json!({ "items": [], "deleted": [] }));
    model.send(&response("You can return any item within 30 days of delivery."));
    let answer = ask(&platform, tenant, Value::Null, QUESTION).await;
    // The requested tokens count even when a quoted answer replaces them.
    model.send(&response("Whales sing."));
    ask(&platform, tenant, Value::Null, QUESTION).await;
    let path = format!("/api/v1/tenants/me/conversations/{}", answer.body["session_id"].as_str().unwrap());
    let messages = admin.get(&path).await.body["messages"].clone();
    assert_eq!(messages[0]["usage"], Value::Null);
    assert_eq!(messages[1]["usage"], json!({ "prompt_tokens": 700, "cached_tokens": 250, "answer_tokens": 20 }));
    let usage_page = platform.viewer(tenant.id).get("/api/v1/tenants/me/model-usage").await.body;
    let month = &usage_page["items"][0];
    assert_eq!(
        [&month["answers"], &month["prompt_tokens"], &month["cached_tokens"], &month["answer_tokens"]],
        [&json!(2), &json!(1400), &json!(500), &json!(40)],
        "{usage_page}"
    );
    assert_eq!((&month["chatbot_id"], usage_page["items"].as_array().unwrap().len()), (&json!(tenant.chatbot), 1));
}

#[tokio::test]
async fn an_endpoint_that_does_not_count_tokens_is_asked_without_it() {
    let (platform, tenant, model) = with_model().await;
    model.send("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    ask(&platform, tenant, Value::Null, QUESTION).await;
    assert_eq!(model.times_asked(), 2);
    assert!(model.last_request().get("stream_options").is_none(), "{}", model.last_request());
}

/// The data of the next `waiting` event of a stream without words.
async fn position(listener: &mut Listener) -> Value {
    loop {
        let (name, data) = listener.next().await.unwrap();
        if name == "waiting" {
            return data;
        }
        assert!(["session", "sources"].contains(&name.as_str()), "{name}");
    }
}

#[tokio::test]
async fn tenants_take_turns_at_a_busy_model_and_positions_are_shown() {
    let (model, _) = Model::start(SILENCE_TIMEOUT, 200).await;
    let generator = model.client(SILENCE_TIMEOUT, 1);
    let (platform, first) = shop_with(generator).await;
    let (second, third) = (platform.add_tenant("two").await, platform.add_tenant("three").await);
    for tenant in [second, third] {
        platform.ingest(tenant, "shop.md", DOCUMENT).await;
    }
    model.send(OPEN);
    let running = platform.listen(first, &Value::Null, QUESTION).await.unwrap();
    model.is_asked(1).await;
    let mut next = platform.listen(second, &Value::Null, QUESTION).await.unwrap();
    assert_eq!((position(&mut next).await, model.times_asked()), (json!({ "position": 1 }), 1));
    let mut last = platform.listen(third, &Value::Null, QUESTION).await.unwrap();
    assert_eq!(position(&mut last).await, json!({ "position": 2 }));
    // A disconnect frees the slot immediately, and the others move up.
    drop(running);
    model.is_stopped().await;
    assert_eq!(position(&mut last).await, json!({ "position": 1 }));
    model.say("You can return any item within 30 days of delivery.");
    drop(next);
    let rest = last.rest().await;
    assert!(rest.last().unwrap().1["answer"].as_str().unwrap().starts_with("You can return any item"), "{rest:?}");
}

#[tokio::test]
async fn a_question_that_waits_for_the_model_lets_others_be_searched() {
    let (model, _) = Model::start(SILENCE_TIMEOUT, 200).await;
    let generator = model.client(SILENCE_TIMEOUT, 1);
    let limits = QueueLimits {
        max_concurrent: 1,
        max_concurrent_per_chatbot: 1,
        max_queued: 100,
        queue_timeout: SILENCE_TIMEOUT,
    };
    let (platform, tenant) = shop_with_settings(generator, |settings| settings.answers = limits).await;
    model.send(OPEN);
    let running = platform.listen(tenant, &Value::Null, QUESTION).await.unwrap();
    model.is_asked(1).await;
    let mut next = platform.listen(tenant, &Value::Null, QUESTION).await.unwrap();
    assert_eq!(position(&mut next).await, json!({ "position": 1 }), "searched, and waiting for the model");
    let answer = ask(&platform, tenant, Value::Null, "Who painted the Mona Lisa?").await;
    assert_eq!(answer.body["answer"], "No idea, sorry.", "nothing is asked about it");
    drop((running, next));
}

#[tokio::test]
async fn a_conversation_goes_on_with_what_was_said() {
    let (platform, tenant, model) = with_model().await;
    model.say("Within 30 days of delivery [1].");
    let first = ask(&platform, tenant, Value::Null, QUESTION).await;
    let whole = "Within 30 days of delivery [1].\n\nYou can return any item within 30 days of delivery [1].";
    assert_eq!(first.body["answer"], whole);
    let before = model.last_request()["messages"].clone();
    ask(&platform, tenant, first.body["session_id"].clone(), "Can I return an item after 30 days of delivery?").await;
    let messages = model.last_request()["messages"].clone();
    for at in 0..7 {
        assert_eq!(messages[at].to_string(), before[at].to_string(), "the endpoint can cache what comes first");
    }
    assert_eq!(messages.as_array().unwrap().len(), 10);
    let earlier_turns: Vec<_> =
        (7..9).map(|at| (messages[at]["role"].clone(), messages[at]["content"].clone())).collect();
    assert_eq!(earlier_turns, [(json!("user"), json!(QUESTION)), (json!("assistant"), first.body["answer"].clone())]);
}

#[tokio::test]
async fn the_id_of_a_session_alone_brings_no_context() {
    let (platform, tenant, model) = with_model().await;
    model.say("Within 30 days of delivery [1].");
    let first = ask(&platform, tenant, Value::Null, QUESTION).await;
    let before = model.last_request()["messages"].as_array().unwrap().len();
    let next = "Can I return an item after 30 days of delivery?";
    let body = json!({ "session_id": first.body["session_id"], "question": next });
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let alone = platform.stranger().post(&path, &body).await;
    assert_eq!((alone.status, &alone.body["session_id"]), (200, &first.body["session_id"]), "{alone:?}");
    let messages = model.last_request()["messages"].clone();
    assert_eq!(messages.as_array().unwrap().len(), before, "no earlier turn");
    assert!(!messages.to_string().contains(QUESTION), "{messages}");
}

#[tokio::test]
async fn a_model_that_refuses_leads_to_where_the_answer_may_stand() {
    let (platform, tenant, model) = with_model().await;
    for refusal in ["NO_ANSWER", "The texts do not say that.", "Dazu steht nichts in den Texten."] {
        model.say(refusal);
        let answer = ask(&platform, tenant, Value::Null, QUESTION).await;
        assert_eq!(answer.body["confidence"], "low", "{answer:?}");
        assert!(answer.body["sources"][0]["source_title"].as_str().unwrap().contains("Returns"), "{answer:?}");
    }
    let count = model.times_asked();
    let answer = ask(&platform, tenant, Value::Null, "Who painted the Mona Lisa?").await;
    assert_eq!((&answer.body["answer"], &answer.body["sources"]), (&json!("No idea, sorry."), &json!([])));
    assert_eq!(model.times_asked(), count);
}

#[tokio::test]
async fn invented_data_is_masked_and_published_data_is_not() {
    let (platform, tenant, model) = unverified().await;
    model.say("Return items within 30 days [1]. Write to help@shop.example, never to jane.doe@example.com.");
    let answer = ask(&platform, tenant, Value::Null, QUESTION).await;
    let text = "Return items within 30 days [1]. Write to help@shop.example, never to [removed].";
    assert_eq!((&answer.body["answer"], &answer.body["filtered"]), (&json!(text), &json!(true)));
}

#[tokio::test]
async fn a_model_that_leaks_its_instructions_is_blocked() {
    let (platform, tenant, model) = unverified().await;
    let leak = "Sure. You are Ada, the clerk of a shop, and the secret word of the day is walrus. And";
    model.send(&format!("{OPEN}{}", event(leak)));
    let answer = ask(&platform, tenant, Value::Null, QUESTION).await;
    assert_eq!(answer.body["answer"], "I cannot give this answer. Please ask in another way.");
    model.is_stopped().await;
    let category: String = sqlx::query_scalar(
        "select category from output_filter_audit where full_output like '%walrus%' or full_output like 'Sure.%'",
    )
    .fetch_one(platform.everything())
    .await
    .unwrap();
    assert_eq!(category, "system_prompt_leak");
}

#[tokio::test]
async fn failing_models_are_paused_and_answers_quoted() {
    for _ in 0..5 {
        let (platform, tenant, model) = with_model().await;
        model.send("HTTP/1.1 500 No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
        let mut third = None;
        for number in 1..=5 {
            if number == 3 {
                third = Some(Instant::now());
            }
            let answer = ask(&platform, tenant, Value::Null, QUESTION).await;
            assert_eq!(answer.status, 200, "{answer:?}");
            assert!(answer.body["answer"].as_str().unwrap().contains("within 30 days of delivery"), "{answer:?}");
        }
        // On a busy machine the pause may be over before the last question.
        if third.unwrap().elapsed() < FIRST_BREAK {
            assert_eq!(model.times_asked(), 3);
            return;
        }
    }
    panic!("the last question is never asked within the pause");
}

#[tokio::test]
async fn slow_models_are_replaced_by_quoted_answers() {
    let (model, generator) = Model::start(Duration::from_secs(1), 200).await;
    let (platform, tenant) = shop_with(generator).await;
    model.send(OPEN);
    // On a busy machine its time may be over before a question reaches it.
    for _ in 0..3 {
        let answer = ask(&platform, tenant, Value::Null, QUESTION).await;
        assert!(answer.body["answer"].as_str().unwrap().contains("within 30 days of delivery"), "{answer:?}");
        if model.times_asked() > 0 {
            break;
        }
    }
    model.is_stopped().await;
}

#[tokio::test]
async fn a_model_that_fails_is_a_503_when_that_is_the_setting() {
    let (model, generator) = Model::start(SILENCE_TIMEOUT, 200).await;
    let change = |settings: &mut AppSettings| settings.generation.when_unavailable = WhenUnavailable::Error;
    let (platform, tenant) = shop_with_settings(generator, change).await;
    model.send("HTTP/1.1 500 No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    let answer = ask(&platform, tenant, Value::Null, QUESTION).await;
    assert_eq!((answer.status, answer.detail()), (503, "generator_unavailable"));
    assert_eq!(contents(&platform).await, [("user".to_owned(), QUESTION.to_owned())]);
}

#[tokio::test]
async fn a_visitor_who_leaves_stops_the_model() {
    let (platform, tenant, model) = with_model().await;
    model.send(OPEN);
    let path = format!("{}/api/v1/widget/chatbots/{}/query", platform.base_url, tenant.chatbot);
    let body = json!({ "session_id": null, "question": QUESTION });
    let visitor = tokio::spawn(platform.http.post(path).header("origin", ORIGIN).json(&body).send());
    model.is_asked(1).await;
    visitor.abort();
    model.is_stopped().await;
}

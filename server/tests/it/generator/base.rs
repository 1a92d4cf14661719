//! A small knowledge base is in each prompt as a whole, before the conversation, so that an endpoint reads it once.

use rag::generate::openai::Generator;
use serde_json::{Value, json};
use server::state::AppSettings;

use super::{DOCUMENT, QUESTION, SILENCE_TIMEOUT, ask};
use crate::support::{
    Platform, Tenant,
    model::{CLOSING, END, Model, event},
    moment,
};

const PARKING: &str = "# Parking\n\nThe car park behind the mill has room for ten cars.\n";
const ABOUT_PARKING: &str = "The car park behind the mill has room for ten cars.";
/// The message of a prompt behind rules and worked examples.
const FIRST: usize = 7;

/// A chatbot with two pages, of which at most this many tokens are in each prompt.
async fn with_base(generator: Generator, base_tokens: usize) -> (Platform, Tenant) {
    let settings = |settings: &mut AppSettings| {
        settings.generator = Some(generator);
        settings.generation.base_tokens = base_tokens;
        settings.generation.first_word = Some(std::time::Duration::from_secs(12));
        settings.top_k = 1;
    };
    let platform = Platform::start_with(settings).await;
    let tenant = platform.add_tenant("one").await;
    platform.ingest(tenant, "b.md", DOCUMENT).await;
    platform.ingest(tenant, "a.md", PARKING).await;
    (platform, tenant)
}

fn contents(request: &Value) -> Vec<String> {
    let messages = request["messages"].as_array().unwrap();
    messages.iter().map(|message| message["content"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_small_base_is_read_as_a_whole_before_the_conversation() {
    let (model, generator) = Model::start(SILENCE_TIMEOUT, 200).await;
    let (platform, tenant) = with_base(generator, 2000).await;
    model.say("You can return any item within 30 days of delivery.");
    let first = ask(&platform, tenant, Value::Null, QUESTION).await;
    assert_eq!(first.body["answer"], "You can return any item within 30 days of delivery [2].", "{first:?}");
    assert_eq!(first.body["citations"], json!([{ "marker": "[2]", "source_index": 0 }]));
    assert_eq!(first.body["sources"].as_array().unwrap().len(), 1);
    let before = contents(&model.all_asked()[0]);
    assert!(before[FIRST].starts_with("[1] Parking\n") && before[FIRST].contains("\n[2] Returns\n"), "{before:?}");
    model.say(ABOUT_PARKING);
    let next = ask(&platform, tenant, first.body["session_id"].clone(), "Where can I put my van?").await;
    assert_eq!(next.body["answer"], "The car park behind the mill has room for ten cars [1].", "{next:?}");
    let requests = model.all_asked();
    let after = requests.iter().map(contents).find(|messages| messages[FIRST..].len() > 1).unwrap();
    let (texts, _) = before[FIRST].rsplit_once("\n\n").unwrap();
    assert_eq!(after[..FIRST], before[..FIRST]);
    assert_eq!(after[FIRST], format!("{texts}\n\n{QUESTION}"), "the endpoint has the texts in its cache");
    assert_eq!(after.last().unwrap(), "Question: Where can I put my van?");
    let again = requests.last().map(contents).unwrap();
    assert!(again[FIRST].starts_with("[1] Returns\n") && again[FIRST].contains("\n[2] Parking\n"), "{again:?}");
}

#[tokio::test]
async fn the_model_decides_what_the_search_does_not_find() {
    let (model, generator) = Model::start(SILENCE_TIMEOUT, 200).await;
    let (platform, tenant) = with_base(generator, 2000).await;
    let painter = "Who painted the Mona Lisa?";
    for nothing in ["NO_ANSWER", "Leonardo painted it.", "It was painted by Leonardo da Vinci [1].", ""] {
        model.say(nothing);
        let answer = ask(&platform, tenant, Value::Null, painter).await;
        assert_eq!((&answer.body["answer"], &answer.body["confidence"]), (&json!("No idea, sorry."), &json!("none")));
        assert_eq!(answer.body["sources"], json!([]), "{nothing:?}: {answer:?}");
    }
    assert_eq!(model.times_asked(), 4);
    model.say(ABOUT_PARKING);
    let answer = ask(&platform, tenant, Value::Null, "vehicles?").await;
    assert_eq!((&answer.body["confidence"], &answer.body["generated_by"]["kind"]), (&json!("high"), &json!("model")));
}

#[tokio::test]
async fn a_base_that_is_too_large_is_searched() {
    let (model, generator) = Model::start(SILENCE_TIMEOUT, 200).await;
    let (platform, tenant) = with_base(generator, 20).await;
    model.say("You can return any item within 30 days of delivery.");
    let answer = ask(&platform, tenant, Value::Null, QUESTION).await;
    assert_eq!(answer.body["answer"], "You can return any item within 30 days of delivery [1].", "{answer:?}");
    assert!(!model.last_request().to_string().contains("car park"), "{}", model.last_request());
    ask(&platform, tenant, Value::Null, "Who painted the Mona Lisa?").await;
    assert_eq!(model.times_asked(), 1, "nothing was found");
}

#[tokio::test]
async fn a_slow_endpoint_reads_a_base_in_the_background_first() {
    let (model, generator) = Model::start(SILENCE_TIMEOUT, 200).await;
    let (platform, tenant) = with_base(generator, 2000).await;
    // Five tokens a second: a base of 60 tokens takes the time in which the first word is due.
    let text = "You can return any item within 30 days of delivery.";
    let usage =
        r#"data: {"choices":[],"usage":{"prompt_tokens":700,"completion_tokens":9},"timings":{"prompt_ms":700000.0}}"#;
    let end = r#"data: {"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
    model.send(&format!("{CLOSING}{}{end}\n\n{usage}\n\n{END}", event(text)));
    // Its speed is unknown yet.
    ask(&platform, tenant, Value::Null, QUESTION).await;
    assert!(contents(&model.last_request())[FIRST].contains("car park"));
    platform.ingest(tenant, "c.md", "# Zebras\n\nNone are for sale.\n").await;
    ask(&platform, tenant, Value::Null, QUESTION).await;
    model.is_asked(3).await;
    let read = model.last_request();
    assert_eq!(read["max_tokens"], 1, "{read}");
    assert!(contents(&read)[FIRST].contains("[3] Zebras\n"), "{read}");
    let mut last = Value::Null;
    for _ in 0..100 {
        ask(&platform, tenant, Value::Null, QUESTION).await;
        last = model.last_request();
        if last["max_tokens"] != 1 && contents(&last)[FIRST].contains("[3] Zebras\n") {
            break;
        }
        moment().await;
    }
    assert_eq!(contents(&last)[FIRST], contents(&read)[FIRST], "as it was read");
}

//! The three steps of confidence with a language model: it is asked unless nothing is relevant, and may refuse.

use serde_json::{Value, json};

use super::{QUESTION, SILENCE_TIMEOUT, ask, generated_by, with_model};
use crate::support::{
    Platform,
    model::{CLOSING, Model},
};

const SHOP: &str = "# Shop\n\n## Returns\n\nYou can return any item within 30 days of delivery. Keep the receipt. The refund arrives \
                    within a week.\n\n## Delivery\n\nDelivery to the islands takes five working days and costs 12 euros.\n";
/// A question that the search is not sure about.
const UNSURE: &str = "Can I return shoes that I have worn?";

#[tokio::test]
async fn the_model_is_asked_when_the_search_is_not_sure() {
    let (model, generator) = Model::start(SILENCE_TIMEOUT, 200).await;
    let platform = Platform::start_with(|settings| settings.generator = Some(generator)).await;
    let tenant = platform.add_tenant("one").await;
    platform.ingest(tenant, "shop.md", SHOP).await;

    // Words that fail verification are replaced by what a visitor gets without a model.
    model.say("Whales sing about the deep blue sea.");
    let unusable = ask(&platform, tenant, Value::Null, UNSURE).await;
    assert_eq!(unusable.body["confidence"], "low", "{unusable:?}");
    model.say("NO_ANSWER");
    let refused = ask(&platform, tenant, Value::Null, UNSURE).await;
    assert_eq!(refused.body["confidence"], "low", "{refused:?}");
    assert!((1..=3).contains(&refused.body["sources"].as_array().unwrap().len()), "{refused:?}");
    model.say("You can return any item within 30 days of delivery.");
    let answered = ask(&platform, tenant, Value::Null, UNSURE).await;
    assert_eq!(
        (&answered.body["confidence"], &answered.body["answer"]),
        (&json!("high"), &json!("You can return any item within 30 days of delivery [1].")),
        "{answered:?}"
    );
    assert_eq!(model.times_asked(), 4, "an answer is read twice");
    let generated_by: Vec<_> = generated_by(&platform).await.into_iter().map(|(by, ..)| by.unwrap()).collect();
    assert_eq!(generated_by, ["quoted", "quoted", "generated"]);
}

#[tokio::test]
async fn a_prompt_counts_even_if_no_word_follows() {
    let (platform, tenant, model) = with_model().await;
    model.send(CLOSING);
    let answer = ask(&platform, tenant, Value::Null, QUESTION).await;
    assert!(answer.body["answer"].as_str().unwrap().contains("within 30 days of delivery"), "{answer:?}");
    assert_eq!(model.times_asked(), 1);
    let tokens: (Option<i32>, Option<i32>) =
        sqlx::query_as("select prompt_tokens, answer_tokens from chat_messages where role = 'assistant'")
            .fetch_one(platform.everything())
            .await
            .unwrap();
    assert!(tokens.0.is_some_and(|prompt| prompt > 0) && tokens.1 == Some(0), "{tokens:?}");
}

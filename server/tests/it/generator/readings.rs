//! A model's answer needs a second witness: the quotation of a search that is sure, or the model's own second reading of the
//! passages in another order.

use serde_json::{Value, json};

use super::{SILENCE_TIMEOUT, ask, generated_by};
use crate::support::{Platform, Tenant, TestResponse, model::Model};

const SHOP: &str = "# Shop\n\n## Returns\n\nYou can return any item within 30 days of delivery. Keep the receipt. The refund arrives \
                    within a week.\n\n## Delivery\n\nDelivery to the islands takes five working days and costs 12 euros. Gifts are not \
                    wrapped.\n";
/// A question that the search is sure about, and one that it is not.
const SURE: &str = "How long does the delivery to the islands take?";
const UNSURE: &str = "Can I return shoes that I have worn?";
const RETURNS: &str = "You can return any item within 30 days of delivery.";
const DELIVERY: &str = "Delivery to the islands takes five working days.";

async fn shop() -> (Platform, Tenant, Model) {
    let (model, generator) = Model::start(SILENCE_TIMEOUT, 200).await;
    let platform = Platform::start_with(|settings| settings.generator = Some(generator)).await;
    let tenant = platform.add_tenant("one").await;
    platform.ingest(tenant, "shop.md", SHOP).await;
    (platform, tenant, model)
}

fn confidence(answer: &TestResponse) -> &str {
    answer.body["confidence"].as_str().unwrap()
}

fn text(answer: &TestResponse) -> &str {
    answer.body["answer"].as_str().unwrap()
}

#[tokio::test]
async fn two_readings_must_find_the_same_where_the_search_is_not_sure() {
    let (platform, tenant, model) = shop().await;
    for (readings, confidence_expected, times) in [
        ([RETURNS, RETURNS], "high", 2),
        ([RETURNS, "The texts say that any item can be returned within 30 days of delivery."], "high", 2),
        ([RETURNS, DELIVERY], "low", 2),
        ([RETURNS, "NO_ANSWER"], "low", 2),
        ([RETURNS, "You can return any item."], "low", 2),
        (["NO_ANSWER", RETURNS], "low", 1),
        (["Whales sing.", RETURNS], "low", 1),
    ] {
        let before = model.times_asked();
        model.say_in_turn(&readings);
        let answer = ask(&platform, tenant, Value::Null, UNSURE).await;
        assert_eq!(confidence(&answer), confidence_expected, "{readings:?}: {answer:?}");
        assert_eq!(model.times_asked() - before, times, "{readings:?}");
        if confidence_expected == "high" {
            assert_eq!(text(&answer), "You can return any item within 30 days of delivery [1].");
        }
    }
    let [.., first, second] = &model.all_asked()[..2] else { unreachable!("two readings") };
    let passages = |request: &Value| request["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
    let [first, second] = [first, second].map(passages);
    let place = |text: &str, words: &str| text.find(words).unwrap();
    assert_eq!(
        place(&first, "Keep the receipt") < place(&first, "Gifts"),
        place(&second, "Keep the receipt") > place(&second, "Gifts"),
        "{first} {second}"
    );
}

#[tokio::test]
async fn an_answer_says_what_a_search_that_is_sure_would_quote() {
    let (platform, tenant, model) = shop().await;
    for (text_of_model, begins) in [
        (DELIVERY, "Delivery to the islands takes five working days [1]."),
        // True, but of another passage, of another sentence, with the opposite, or without its number.
        (RETURNS, "Delivery to the islands takes five working days and costs 12 euros."),
        ("Gifts are not wrapped.", "Delivery to the islands takes five working days and costs 12 euros."),
        ("Delivery to the islands does not cost 12 euros.", "Delivery to the islands takes five working days and"),
        ("Delivery to the islands takes some working days.", "Delivery to the islands takes five working days and"),
    ] {
        model.say(text_of_model);
        let before = model.times_asked();
        let answer = ask(&platform, tenant, Value::Null, SURE).await;
        assert_eq!(confidence(&answer), "high", "{text_of_model}: {answer:?}");
        assert!(text(&answer).starts_with(begins), "{text_of_model}: {answer:?}");
        assert_eq!(model.times_asked() - before, 1, "{text_of_model}");
    }
    let generated_by: Vec<_> = generated_by(&platform).await.into_iter().map(|(by, ..)| by.unwrap()).collect();
    assert_eq!(generated_by, ["generated", "quoted", "quoted", "quoted", "quoted"]);
}

#[tokio::test]
async fn a_refusal_is_read_again_where_the_search_is_sure() {
    let (platform, tenant, model) = shop().await;
    for (readings, expected) in [
        (["NO_ANSWER", DELIVERY], ("high", "model")),
        (["NO_ANSWER", "NO_ANSWER"], ("low", "quoted")),
        (["NO_ANSWER", RETURNS], ("low", "quoted")),
    ] {
        model.say_in_turn(&readings);
        let answer = ask(&platform, tenant, Value::Null, SURE).await;
        let kind = answer.body["generated_by"]["kind"].as_str().unwrap_or_default();
        assert_eq!((confidence(&answer), kind), expected, "{readings:?}: {answer:?}");
    }
}

#[tokio::test]
async fn both_readings_count_as_tokens() {
    let (platform, tenant, model) = shop().await;
    model.say(RETURNS);
    let answer = ask(&platform, tenant, Value::Null, UNSURE).await;
    assert_eq!(answer.body["confidence"], json!("high"));
    let spent: i32 = sqlx::query_scalar("select answer_tokens from chat_messages where role = 'assistant'")
        .fetch_one(platform.everything())
        .await
        .unwrap();
    let once = rag::chunk::estimate_tokens(RETURNS);
    assert!(usize::try_from(spent).unwrap() > once + once / 2, "{spent} of two readings with {once} each");
}

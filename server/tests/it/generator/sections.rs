//! Whole sections in a prompt: the part of a long section after the found passage, as far as the room for passages and the
//! model's window allow.

use serde_json::{Value, json};
use server::state::AppSettings;

use super::{QUESTION, SILENCE_TIMEOUT, ask};
use crate::support::{Platform, Tenant, model::Model};

/// One section of two passages: the first answers the question, the second says who stamps parcels.
const SECTION: &str = "# Shop

## Sending back

You can return any item within 30 days of delivery. The days are counted from the morning after the parcel was handed over at \
your door, and Sundays count as well as other days. An item that comes back after those 30 days stays yours.

You return an item in its own box or in any other strong box. Put the receipt on top of the item, so that we find it at once. \
Items without a receipt can be returned within the same number of days when you know the number of the order.

You can return several items in one box when they were delivered together. Write the number of items on the form, and cross out \
the items that you keep. We check each item that you return and write to you on the same day.

We pay for the parcel when an item was broken at delivery. In all other cases you pay for the way back of the item yourself. \
The money for the item is with you within ten days after we have it back in our hands.

Parcels are stamped by the clerk Ottokar at window 17. He sits in the hall behind the wooden stairs, next to the coffee machine, \
and rings a small brass bell whenever somebody waits. Please be patient, for the hall is often full in the early afternoon.

Ask him for a green label and glue it on the lid. The label names the hall, the clerk and the colour of the lorry that drives to \
the store in the evening. A red label belongs on glass, a yellow label on anything with batteries inside, and a white one on paper.

The lorry leaves at seven from the yard behind the hall. Whoever comes later leaves the parcel with the porter, who locks it into \
the cage until the next morning. The porter speaks four languages and likes to talk about the history of the building. \
He has the key to the cage, and nobody else opens it before the bell rings at six.
";

const FACT: &str = "The clerk Ottokar stamps parcels at window 17";

/// Answers the question.
const RETURNED: &str = "You can return any item within 30 days of delivery";

/// A platform that answers from the best passage alone, has this much room for it, and a model with this window.
async fn shop_with_model(model_says: &str, passage_tokens: usize, window: Option<usize>) -> (Platform, Tenant, Model) {
    let (model, generator) = Model::start(SILENCE_TIMEOUT, 200).await;
    let settings = |settings: &mut AppSettings| {
        settings.generator = Some(generator);
        settings.top_k = 1;
        settings.generation.passage_tokens = passage_tokens;
        settings.window_tokens = window;
    };
    let platform = Platform::start_with(settings).await;
    let tenant = platform.add_tenant("one").await;
    platform.ingest(tenant, "shop.md", SECTION).await;
    model.say(model_says);
    (platform, tenant, model)
}

async fn passages(platform: &Platform) -> Vec<(uuid::Uuid, String)> {
    let sql = "select id, content from passages order by ordinal";
    sqlx::query_as(sql).fetch_all(platform.everything()).await.unwrap()
}

#[tokio::test]
async fn the_whole_section_is_read_and_the_found_passage_is_cited() {
    let (platform, tenant, model) = shop_with_model(&format!("{RETURNED}. {FACT}."), 1200, None).await;
    let answer = ask(&platform, tenant, Value::Null, QUESTION).await;
    let passages = passages(&platform).await;
    assert_eq!(passages.len(), 2, "{passages:?}");
    assert!(!passages[0].1.contains("Ottokar") && passages[1].1.starts_with("…"), "{passages:?}");
    let prompt = model.last_request()["messages"].as_array().unwrap().last().unwrap()["content"].clone();
    let prompt = prompt.as_str().unwrap();
    assert!(prompt.contains("in our hands.\n\nParcels are stamped"), "{prompt}");
    assert!(!prompt.contains('…') && !prompt.contains("[2]"), "{prompt}");
    assert_eq!(answer.body["answer"], format!("{RETURNED} [1]. {FACT} [1]."), "{answer:?}");
    assert_eq!(answer.body["citations"], json!([{ "marker": "[1]", "source_index": 0 }]));
    assert_eq!(answer.body["sources"].as_array().unwrap().len(), 1);
    assert_eq!(answer.body["sources"][0]["passage_id"], json!(passages[0].0.to_string()));
}

#[tokio::test]
async fn a_section_is_completed_as_far_as_there_is_room() {
    // Rules, question and answer take 900 tokens of a window.
    for (passage_tokens, window) in [(300, None), (1200, Some(1200))] {
        let (platform, tenant, model) = shop_with_model(&format!("{FACT}."), passage_tokens, window).await;
        let answer = ask(&platform, tenant, Value::Null, QUESTION).await;
        assert!(!model.last_request().to_string().contains("Ottokar"), "{}", model.last_request());
        assert!(!answer.body["answer"].as_str().unwrap().contains("Ottokar"), "{answer:?}");
    }
}

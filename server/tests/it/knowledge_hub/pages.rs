//! The pages of a long document: by number, around a passage, and the outline of the whole.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{HUB, search, with_hub};
use crate::support::Client;

/// A document with many sections, each long enough for its own passage.
fn long() -> String {
    let mut text = "# Handbook\n\n".to_owned();
    for part in 1..=40 {
        let sentence = format!("Part {part} describes how the quux number {part} is cleaned and stored. ");
        write!(text, "## Part {part}\n\n{}\n\n", sentence.repeat(12)).unwrap();
    }
    text
}

async fn page(admin: &Client<'_>, document: &str, query: &str) -> Value {
    let answer = admin.get(&format!("{HUB}/documents/{document}?{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {answer:?}");
    answer.body
}

fn ids(page: &Value) -> Vec<Value> {
    page["passages"].as_array().unwrap().iter().map(|passage| passage["id"].clone()).collect()
}

/// A long document, and the ids of all its passages.
async fn ingested(admin: &Client<'_>) -> (String, Vec<Value>) {
    let results = search(admin, "q=quux").await;
    let document = results.body["results"][0]["document_id"].as_str().unwrap().to_owned();
    let whole = page(admin, &document, "limit=200").await;
    let all = ids(&whole);
    assert_eq!(whole["passage_total"], json!(all.len()));
    assert!(all.len() >= 40, "{}", all.len());
    (document, all)
}

#[tokio::test]
async fn a_page_around_a_passage_contains_it() {
    let (platform, tenant) = with_hub().await;
    platform.ingest(tenant, "handbook.md", &long()).await;
    let admin = platform.admin(tenant.id);
    let (document, all) = ingested(&admin).await;
    for (place, offset) in [(0, 0), (1, 0), (20, 18), (all.len() - 1, all.len() - 5)] {
        let id = all[place].as_str().unwrap();
        let page = page(&admin, &document, &format!("limit=5&around={id}")).await;
        assert_eq!(page["offset"], json!(offset), "{place}");
        assert_eq!(ids(&page), all[offset..offset + 5], "{place}");
    }
}

#[tokio::test]
async fn a_passage_of_another_document_leads_to_the_offset() {
    let (platform, tenant) = with_hub().await;
    platform.ingest(tenant, "handbook.md", &long()).await;
    let admin = platform.admin(tenant.id);
    let (document, all) = ingested(&admin).await;
    let other = search(&admin, "q=parcel").await.body["results"][0]["passage_id"].clone();
    let page = page(&admin, &document, &format!("limit=5&offset=7&around={}", other.as_str().unwrap())).await;
    assert_eq!((&page["offset"], ids(&page)), (&json!(7), all[7..12].to_vec()));
    let refused = admin.get(&format!("{HUB}/documents/{document}?around=x")).await;
    assert_eq!(refused.status, 422, "{refused:?}");
}

#[tokio::test]
async fn the_outline_names_every_heading_of_a_page() {
    let (platform, tenant) = with_hub().await;
    platform.ingest(tenant, "handbook.md", &long()).await;
    let admin = platform.admin(tenant.id);
    let (document, all) = ingested(&admin).await;
    let outline = page(&admin, &document, "limit=1").await["outline"].as_array().unwrap().clone();
    assert!(outline.len() >= 40, "{}", outline.len());
    for heading in &outline {
        let offset = usize::try_from(heading["offset"].as_u64().unwrap()).unwrap();
        assert_eq!(heading["passage_id"], all[offset], "{heading}");
    }
    assert!(outline.last().unwrap()["heading"].as_str().unwrap().ends_with("Part 40"));
}

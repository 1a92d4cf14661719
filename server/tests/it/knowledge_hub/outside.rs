//! Searches with an external vector store, and with a reranker.

use std::{fmt::Write as _, sync::Arc, time::Duration};

use contract::ChatbotId;
use futures::future::BoxFuture;
use rag::rerank::{RerankError, Reranker, Reranking};
use serde_json::json;
use server::state::AppSettings;

use super::{DELIVERY, search, switch, titles};
use crate::support::{
    Database, Platform, Tenant, new_chatbot,
    qdrant::{FakeQdrant, Fault},
};

const ABROAD: &str = "# Abroad\n\nA parcel to other countries takes a week.\n";

async fn filled(platform: &Platform) -> Tenant {
    let tenant = platform.add_tenant("one").await;
    platform.provisioned(tenant.chatbot).await;
    switch(platform, tenant.id, true).await;
    platform.ingest(tenant, "delivery.md", DELIVERY).await;
    platform.ingest(tenant, "abroad.md", ABROAD).await;
    tenant
}

#[tokio::test]
async fn an_external_store_ranks_and_its_failure_leaves_words() {
    let fake = FakeQdrant::start().await;
    let platform = Platform::start_on_vectors(Database::create().await, fake.client()).await;
    let tenant = filled(&platform).await;
    let admin = platform.admin(tenant.id);
    // No word of the query is in the passage.
    let near = search(&admin, "q=shipping+time+to+foreign+states").await;
    assert_eq!(titles(&near)[0], "Abroad", "{near:?}");
    assert_eq!(near.body["degraded"], json!([]));
    assert_eq!(*fake.memory.batches.lock().unwrap(), [1]);
    fake.fail(Some(Fault::Status(500)));
    let by_words = search(&admin, "q=parcel+countries").await;
    assert_eq!(titles(&by_words)[0], "Abroad", "{by_words:?}");
    assert_eq!(by_words.body["degraded"], json!([{ "code": "vectors_unavailable", "chatbots": [] }]));
}

#[tokio::test]
async fn chatbots_of_one_model_are_searched_in_one_call() {
    let fake = FakeQdrant::start().await;
    let platform = Platform::start_on_vectors(Database::create().await, fake.client()).await;
    let tenant = filled(&platform).await;
    let admin = platform.admin(tenant.id);
    let chatbot_response = admin.post("/api/v1/tenants/me/chatbots", &new_chatbot("second")).await;
    let chatbot: ChatbotId = chatbot_response.body["id"].as_str().unwrap().parse().unwrap();
    platform.provisioned(chatbot).await;
    let hours = "# Opening hours\n\nThe shop opens at nine in the morning.\n";
    platform.ingest(Tenant { chatbot, ..tenant }, "hours.md", hours).await;
    let results = search(&admin, "q=how+long+does+a+parcel+abroad+take").await;
    assert_eq!((titles(&results)[0], &results.body["degraded"]), ("Abroad", &json!([])), "{results:?}");
    assert_eq!(*fake.memory.batches.lock().unwrap(), [2]);
}

#[tokio::test]
async fn a_chosen_document_is_found_behind_many_nearer_ones() {
    let fake = FakeQdrant::start().await;
    let platform = Platform::start_on_vectors(Database::create().await, fake.client()).await;
    let tenant = filled(&platform).await;
    let text =
        "The shipping time to foreign states is long, and the shipping time to foreign states varies. ".repeat(10);
    let mut nearer = "# Shipping\n\n".to_owned();
    for part in 1..=60 {
        write!(nearer, "## Foreign states {part}\n\n{text}Part {part}.\n\n").unwrap();
    }
    platform.ingest(tenant, "nearer.md", &nearer).await;
    let admin = platform.admin(tenant.id);
    let all = search(&admin, "").await;
    let source = all.body["results"].as_array().unwrap().iter().find(|result| result["title"] == "Abroad").unwrap()
        ["source"]["id"]
        .as_str()
        .unwrap();
    // No word of the query is in the chosen document.
    let results = search(&admin, &format!("q=shipping+time+to+foreign+states&sources={source}")).await;
    assert_eq!((titles(&results), &results.body["degraded"]), (vec!["Abroad"], &json!([])), "{results:?}");
}

/// Prefers texts with a word, immediately or never.
struct Preferring {
    word: &'static str,
    is_late: bool,
}

impl Reranker for Preferring {
    fn model(&self) -> &str {
        "preferring"
    }

    fn scores(&self, _: String, texts: Vec<String>) -> BoxFuture<'_, Result<Vec<f32>, RerankError>> {
        Box::pin(async move {
            if self.is_late {
                std::future::pending::<()>().await;
            }
            Ok(texts.iter().map(|text| if text.contains(self.word) { 1.0 } else { 0.0 }).collect())
        })
    }
}

async fn reranked(word: &'static str, is_late: bool) -> crate::support::TestResponse {
    let reranking =
        Reranking { reranker: Arc::new(Preferring { word, is_late }), depth: 20, timeout: Duration::from_millis(200) };
    let platform = Platform::start_with(|settings: &mut AppSettings| settings.reranking = Some(reranking)).await;
    let tenant = filled(&platform).await;
    search(&platform.admin(tenant.id), "q=how+long+does+a+parcel+take&explain=true").await
}

#[tokio::test]
async fn a_reranker_orders_the_results() {
    for (word, first) in [("countries", "Abroad"), ("your door", "Delivery")] {
        let answer = reranked(word, false).await;
        assert_eq!(titles(&answer)[0], first, "{answer:?}");
        assert_eq!(answer.body["results"][0]["why"]["rerank"], 1.0);
        assert_eq!(answer.body["degraded"], json!([]));
    }
}

#[tokio::test]
async fn the_order_stays_when_the_reranker_is_late() {
    let answer = reranked("countries", true).await;
    assert_eq!(answer.body["results"].as_array().unwrap().len(), 2, "{answer:?}");
    assert_eq!(answer.body["results"][0]["why"]["rerank"], json!(null));
    assert_eq!(answer.body["degraded"], json!([{ "code": "reranker_unavailable", "chatbots": [] }]));
}

//! Vector stores: invariants of each of them, and failures of an external one. Qdrant is a fake here; a real one is
//! tested as well if `QDRANT_URL` (and `QDRANT_API_KEY`) are set.

mod conformance;
mod faults;
mod repair;

use std::{sync::Arc, time::Duration};

use server::service::knowledge::search::retrieval::{self, RetrievalRequest, TextResults};
use store::{
    Scope,
    passages::VectorKind,
    vectors::{Collection, PgVector, Qdrant, QdrantSettings, VectorSpace, VectorStore},
};

use crate::support::{Database, Platform, Tenant, qdrant::FakeQdrant};

/// A platform with a store of vectors.
struct Subject {
    name: &'static str,
    platform: Platform,
    /// The fake, which runs while this value is held.
    _fake: Option<FakeQdrant>,
}

/// A platform for each store.
async fn subjects() -> Vec<Subject> {
    let mut subjects = vec![subject("database", Arc::new(PgVector), None).await];
    let fake = FakeQdrant::start().await;
    subjects.push(subject("stand-in", fake.client(), Some(fake)).await);
    if let Ok(url) = std::env::var("QDRANT_URL") {
        let api_key = std::env::var("QDRANT_API_KEY").ok();
        let settings = QdrantSettings { url, api_key, timeout: Duration::from_secs(10) };
        subjects.push(subject("Qdrant", Arc::new(Qdrant::new(&settings).unwrap()), None).await);
    }
    subjects
}

async fn subject(name: &'static str, vectors: Arc<dyn VectorStore>, fake: Option<FakeQdrant>) -> Subject {
    let platform = Platform::start_on_vectors(Database::create().await, vectors).await;
    Subject { name, platform, _fake: fake }
}

/// A platform with its own fake, and a tenant whose chatbot is ready.
async fn on_fake() -> (FakeQdrant, Platform, Tenant) {
    let fake = FakeQdrant::start().await;
    let platform = Platform::start_on_vectors(Database::create().await, fake.client()).await;
    let tenant = ready(&platform, "one").await;
    (fake, platform, tenant)
}

/// A tenant whose chatbot is ready.
async fn ready(platform: &Platform, slug: &str) -> Tenant {
    let tenant = platform.add_tenant(slug).await;
    platform.provisioned(tenant.chatbot).await;
    tenant
}

fn collection(tenant: Tenant) -> Collection {
    Collection { tenant: tenant.id, chatbot: tenant.chatbot }
}

/// The chatbot's own vectors.
fn space(platform: &Platform, tenant: Tenant) -> VectorSpace<'_> {
    VectorSpace { collection: collection(tenant), model: platform.app.embedders.names()[0], is_own: true }
}

/// The name of the collection of the platform's first model in Qdrant.
fn name_in_qdrant(platform: &Platform) -> String {
    Qdrant::collection_name(platform.app.embedders.names()[0])
}

/// The search results of the chatbot.
async fn search(platform: &Platform, tenant: Tenant, text: &str, limit: usize) -> store::Result<TextResults> {
    let texts = [text.to_owned()];
    let vectors =
        platform.app.embedders.of_language("en").embed(texts.to_vec(), rag::embed::Purpose::Query).await.unwrap();
    let request = RetrievalRequest {
        collection: collection(tenant),
        language: "en",
        model: platform.app.embedders.names()[0],
        kind: VectorKind::Own,
        is_same_language: true,
        limit,
        texts: &texts,
        vectors: &vectors,
    };
    let results = retrieval::search(&platform.app, &Scope::widget(tenant.id), &request).await;
    results.map(|mut results| results.pop().unwrap())
}

/// Removes the collections of a test from the store, which may be a real one.
async fn clear(platform: &Platform, tenants: &[Tenant]) {
    for tenant in tenants {
        platform.app.vectors.delete(collection(*tenant)).await.unwrap();
    }
}

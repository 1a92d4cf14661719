//! Questions in other languages than the chatbot's: second vectors are created and removed in the background, and used
//! by the search.

use std::{collections::HashSet, sync::Arc};

use rag::embed::{Embedder, MULTILINGUAL_MODEL};
use serde_json::{Value, json};
use server::{eval, service::knowledge::second_vectors};
use store::vectors::{Collection, PgVector, VectorSpace, VectorStore};
use uuid::Uuid;

use crate::support::{Gated, Platform, Tenant, embedder, multilingual, qdrant::FakeQdrant};

const DELIVERY: &str = "# Delivery\n\nA parcel to the islands costs twelve euros and takes five days.\n";
const HOURS: &str = "# Opening hours\n\nThe shop opens at nine in the morning and closes at six in the evening.\n";
const GERMAN: &str = "Was kostet ein Paket auf die Inseln?";
const ENGLISH: &str = "What does a parcel to the islands cost?";

/// A platform with both models and a tenant whose English chatbot has two documents.
async fn start(vectors: Arc<dyn VectorStore>) -> (Platform, Tenant) {
    let platform = Platform::start_with_models([embedder().await, multilingual()], vectors).await;
    let tenant = platform.add_tenant("one").await;
    platform.provisioned(tenant.chatbot).await;
    platform.ingest(tenant, "delivery.md", DELIVERY).await;
    platform.ingest(tenant, "hours.md", HOURS).await;
    (platform, tenant)
}

fn path(tenant: Tenant) -> String {
    format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot)
}

async fn switch_and_model(platform: &Platform, tenant: Tenant) -> (Value, Value) {
    let body = platform.admin(tenant.id).get(&path(tenant)).await.body;
    (body["cross_language"].clone(), body["second_embedding_model"].clone())
}

async fn switch(platform: &Platform, tenant: Tenant, on: bool) {
    let changed = platform.admin(tenant.id).patch(&path(tenant), &json!({ "cross_language": on })).await;
    assert_eq!((changed.status, &changed.body["cross_language"]), (200, &json!(on)), "{changed:?}");
}

/// The words of the first passage that was found, and how sure the chatbot is.
async fn first_passage(platform: &Platform, tenant: Tenant, question: &str) -> (String, String) {
    let path = format!("{}/playground", path(tenant));
    let answer = platform.admin(tenant.id).post(&path, &json!({ "question": question })).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (text(&answer.body["passages"][0]["content"]), text(&answer.body["confidence"]))
}

async fn with_second_vector(platform: &Platform, tenant: Tenant) -> HashSet<Uuid> {
    let ids: Vec<Uuid> =
        sqlx::query_scalar("select id from passages where chatbot_id = $1 and second_embedding is not null")
            .bind(tenant.chatbot.0)
            .fetch_all(platform.everything())
            .await
            .unwrap();
    ids.into_iter().collect()
}

async fn has_index(platform: &Platform, tenant: Tenant) -> bool {
    let name = Collection { tenant: tenant.id, chatbot: tenant.chatbot }.name();
    sqlx::query_scalar("select to_regclass($1) is not null")
        .bind(format!("{name}_second"))
        .fetch_one(platform.everything())
        .await
        .unwrap()
}

#[tokio::test]
async fn with_second_vectors_english_chatbots_answer_german_questions() {
    let fake = FakeQdrant::start().await;
    let stores: [Arc<dyn VectorStore>; 2] = [Arc::new(PgVector), fake.client()];
    for vectors in stores {
        let (platform, tenant) = start(vectors).await;
        assert_eq!(switch_and_model(&platform, tenant).await, (json!(true), Value::Null));
        platform.work_off_jobs().await;
        assert_eq!(switch_and_model(&platform, tenant).await, (json!(true), json!(MULTILINGUAL_MODEL)));
        let (passage, confidence) = first_passage(&platform, tenant, GERMAN).await;
        assert!(passage.contains("twelve euros") && confidence != "none", "{confidence}: {passage}");
        let (passage, confidence) = first_passage(&platform, tenant, ENGLISH).await;
        assert!(passage.contains("twelve euros") && confidence == "high", "{confidence}: {passage}");
        let (passage, _) = first_passage(&platform, tenant, "Öffnungszeiten").await;
        assert!(passage.contains("opens at nine"), "a word without a language: {passage}");

        // Documents that are read later get their second vectors later.
        platform.ingest(tenant, "warranty.md", "# Warranty\n\nThe warranty of a tent lasts three years.\n").await;
        assert_eq!(with_second_vector(&platform, tenant).await.len(), 2);
        platform.work_off_jobs().await;
        let passage_ids = with_second_vector(&platform, tenant).await;
        assert_eq!(passage_ids.len(), 3);
        assert!(
            first_passage(&platform, tenant, "Wie lange gilt die Garantie für ein Zelt?")
                .await
                .0
                .contains("three years")
        );
        let collection = Collection { tenant: tenant.id, chatbot: tenant.chatbot };
        let space = VectorSpace { collection, model: MULTILINGUAL_MODEL, is_own: false };
        match platform.app.vectors.external() {
            Some(external) => assert_eq!(external.ids(space).await.unwrap(), passage_ids),
            None => assert!(has_index(&platform, tenant).await),
        }

        switch(&platform, tenant, false).await;
        let audit = platform.last_audit().await;
        assert_eq!(
            (&audit["action"], &audit["details"]["after"]["cross_language"]),
            (&json!("chatbot.updated"), &json!(false))
        );
        assert_eq!(first_passage(&platform, tenant, "Как вернуть товар?").await.1, "none", "at once");
        platform.work_off_jobs().await;
        assert_eq!(switch_and_model(&platform, tenant).await, (json!(false), Value::Null));
        assert!(with_second_vector(&platform, tenant).await.is_empty() && !has_index(&platform, tenant).await);
        if let Some(external) = platform.app.vectors.external() {
            assert_eq!(external.ids(space).await.unwrap(), HashSet::new());
        }
        switch(&platform, tenant, true).await;
        platform.work_off_jobs().await;
        assert!(first_passage(&platform, tenant, GERMAN).await.0.contains("twelve euros"));
    }
}

#[tokio::test]
async fn changing_the_model_removes_and_makes_second_vectors() {
    let (platform, tenant) = start(Arc::new(PgVector)).await;
    platform.work_off_jobs().await;
    let model = |model: &str| json!({ "embedding_model": model });
    platform.admin(tenant.id).patch(&path(tenant), &model(MULTILINGUAL_MODEL)).await;
    platform.work_off_jobs().await;
    assert_eq!(
        switch_and_model(&platform, tenant).await,
        (json!(true), Value::Null),
        "its own model knows all languages"
    );
    assert!(with_second_vector(&platform, tenant).await.is_empty());
    let body = json!({ "question": GERMAN });
    let answer = platform.admin(tenant.id).post(&format!("{}/playground", path(tenant)), &body).await.body;
    assert!(answer["passages"][0]["content"].as_str().unwrap().contains("twelve euros"), "{answer}");
    assert_eq!(answer["confidence"], "low", "there are few other passages: {answer}");
    assert!(answer["answer"].as_str().unwrap().starts_with("Ich bin mir nicht sicher."), "{answer}");
    assert_eq!(first_passage(&platform, tenant, "Wie heißt die Hauptstadt der Mongolei?").await.1, "none");
    platform.admin(tenant.id).patch(&path(tenant), &model(rag::embed::ENGLISH_MODEL)).await;
    platform.work_off_jobs().await;
    assert_eq!(switch_and_model(&platform, tenant).await.1, json!(MULTILINGUAL_MODEL));
    assert_eq!(with_second_vector(&platform, tenant).await.len(), 2);
}

#[tokio::test]
async fn chatbots_of_an_upgrade_are_queued_once() {
    let (platform, tenant) = start(Arc::new(PgVector)).await;
    sqlx::query("delete from jobs").execute(platform.everything()).await.unwrap();
    assert_eq!(second_vectors::queue_waiting(&platform.app).await.unwrap(), 1);
    assert_eq!(second_vectors::queue_waiting(&platform.app).await.unwrap(), 0, "a job waits");
    platform.work_off_jobs().await;
    assert_eq!(switch_and_model(&platform, tenant).await.1, json!(MULTILINGUAL_MODEL));
    assert_eq!(second_vectors::queue_waiting(&platform.app).await.unwrap(), 0);
}

#[tokio::test]
async fn a_chatbot_that_is_created_without_gets_no_second_vectors() {
    let (platform, tenant) = start(Arc::new(PgVector)).await;
    let body = json!({ "slug": "plain", "name": "Plain", "cross_language": false });
    let created = platform.admin(tenant.id).post("/api/v1/tenants/me/chatbots", &body).await;
    assert_eq!((created.status, &created.body["cross_language"]), (201, &json!(false)), "{created:?}");
    let plain = Tenant { chatbot: created.body["id"].as_str().unwrap().parse().unwrap(), ..tenant };
    platform.provisioned(plain.chatbot).await;
    platform.ingest(plain, "delivery.md", DELIVERY).await;
    platform.work_off_jobs().await;
    assert!(with_second_vector(&platform, plain).await.is_empty());
}

#[tokio::test]
async fn questions_in_the_own_language_do_not_need_the_second_model() {
    let gated = Arc::new(Gated::new(multilingual()));
    let models = [embedder().await, Arc::clone(&gated) as Arc<dyn Embedder>];
    let platform = Platform::start_with_models(models, Arc::new(PgVector)).await;
    let tenant = platform.add_tenant("one").await;
    platform.provisioned(tenant.chatbot).await;
    platform.ingest(tenant, "delivery.md", DELIVERY).await;
    platform.work_off_jobs().await;
    gated.break_down();
    assert!(first_passage(&platform, tenant, ENGLISH).await.0.contains("twelve euros"));
    assert_eq!(
        first_passage(&platform, tenant, "Öffnungszeiten").await.1,
        "none",
        "unclear: answered by the own model"
    );
    let question = json!({ "question": GERMAN });
    let refused = platform.admin(tenant.id).post(&format!("{}/playground", path(tenant)), &question).await;
    assert_eq!((refused.status, refused.detail()), (503, "generator_unavailable"), "{refused:?}");
}

#[tokio::test]
async fn an_evaluation_that_lacks_second_vectors_fails() {
    let platform = Platform::start_with_models([embedder().await, multilingual()], Arc::new(PgVector)).await;
    let mut settings = platform.app.settings.clone();
    settings.jobs.workers = 0;
    let app = platform.replica(platform.db.connect().await, settings);
    let folder = tempfile::tempdir().unwrap();
    let document = folder.path().join("hours.md");
    std::fs::write(&document, HOURS).unwrap();
    let result = eval::corpus::prepare(&app, "shop", "en", &[document]).await;
    assert!(matches!(result, Err(eval::Error::SecondVectors)), "{result:?}");
}

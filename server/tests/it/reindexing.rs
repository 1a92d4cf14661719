//! A chatbot's embedding model: chosen by language, changed in the background while the former vectors are used.

use std::{collections::HashSet, sync::Arc};

use rag::embed::{ENGLISH_MODEL, Embedder, MULTILINGUAL_MODEL};
use serde_json::{Value, json};
use server::service::knowledge::{ingestion, reindexing};
use store::vectors::{Collection, PgVector, VectorSpace, VectorStore};
use uuid::Uuid;

use crate::support::{
    Gated, Platform, Tenant, TestResponse, embedder, moment, multilingual, new_chatbot, qdrant::FakeQdrant,
};

const DELIVERY: &str = "# Delivery\n\nA parcel to the islands costs twelve euros and takes five days.\n";
const HOURS: &str = "# Hours\n\nThe shop opens at nine in the morning.\n";
const QUESTION: &str = "What does a parcel to the islands cost?";

/// A platform with both models and a tenant whose English chatbot has two documents.
async fn start(vectors: Arc<dyn VectorStore>) -> (Platform, Tenant) {
    let platform = Platform::start_with_models([embedder().await, multilingual()], vectors).await;
    let tenant = with_documents(&platform).await;
    (platform, tenant)
}

async fn with_documents(platform: &Platform) -> Tenant {
    let tenant = platform.add_tenant("one").await;
    platform.provisioned(tenant.chatbot).await;
    platform.ingest(tenant, "delivery.md", DELIVERY).await;
    platform.ingest(tenant, "hours.md", HOURS).await;
    tenant
}

fn path(tenant: Tenant) -> String {
    format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot)
}

async fn wish(platform: &Platform, tenant: Tenant, model: &str) -> TestResponse {
    platform.admin(tenant.id).patch(&path(tenant), &json!({ "embedding_model": model })).await
}

async fn model_and_move(platform: &Platform, tenant: Tenant) -> (Value, Value) {
    let body = platform.admin(tenant.id).get(&path(tenant)).await.body;
    (body["embedding_model"].clone(), body["reindexing"].clone())
}

/// The first source of the answer to [`QUESTION`].
async fn answered_from(platform: &Platform, tenant: Tenant) -> String {
    first_source(platform, tenant, QUESTION).await
}

async fn first_source(platform: &Platform, tenant: Tenant, question: &str) -> String {
    let body = json!({ "question": question });
    let answer = platform.admin(tenant.id).post(&format!("{}/playground", path(tenant)), &body).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body["sources"][0]["content_snippet"].as_str().unwrap_or_default().to_owned()
}

async fn passages(platform: &Platform, tenant: Tenant) -> HashSet<Uuid> {
    let ids: Vec<Uuid> = sqlx::query_scalar("select id from passages where chatbot_id = $1")
        .bind(tenant.chatbot.0)
        .fetch_all(platform.everything())
        .await
        .unwrap();
    ids.into_iter().collect()
}

async fn next_vectors(platform: &Platform) -> i64 {
    sqlx::query_scalar("select count(*) from next_vectors").fetch_one(platform.everything()).await.unwrap()
}

#[tokio::test]
async fn a_new_chatbot_has_the_model_of_its_language() {
    let (platform, tenant) = start(Arc::new(PgVector)).await;
    assert_eq!(model_and_move(&platform, tenant).await, (json!(ENGLISH_MODEL), Value::Null));
    let german = json!({ "slug": "hilfe", "name": "Hilfe", "language": "de" });
    let created = platform.admin(tenant.id).post("/api/v1/tenants/me/chatbots", &german).await;
    assert_eq!((created.status, &created.body["embedding_model"]), (201, &json!(MULTILINGUAL_MODEL)), "{created:?}");
    let chatbot = created.body["id"].as_str().unwrap().parse().unwrap();
    let german = Tenant { chatbot, ..tenant };
    platform.provisioned(chatbot).await;
    platform.ingest(german, "versand.md", "# Versand\n\nEin Paket auf die Inseln kostet zwölf Euro.\n").await;
    assert_eq!(model_and_move(&platform, german).await.0, json!(MULTILINGUAL_MODEL));
    let source = first_source(&platform, german, "Was kostet ein Paket auf die Inseln?").await;
    assert!(source.contains("zwölf Euro"), "{source}");
}

#[tokio::test]
async fn former_vectors_answer_until_the_new_ones_are_made() {
    let fake = FakeQdrant::start().await;
    let stores: [Arc<dyn VectorStore>; 2] = [Arc::new(PgVector), fake.client()];
    for vectors in stores {
        let (platform, tenant) = start(vectors).await;
        let before = passages(&platform, tenant).await;
        let changed = wish(&platform, tenant, MULTILINGUAL_MODEL).await;
        let under_way = json!({ "embedding_model": MULTILINGUAL_MODEL, "done": 0, "total": 2 });
        assert_eq!((changed.status, &changed.body["reindexing"]), (200, &under_way), "{changed:?}");
        assert_eq!(changed.body["embedding_model"], ENGLISH_MODEL);
        let audit = platform.last_audit().await;
        assert_eq!(
            (&audit["action"], &audit["details"]["after"]["reindexing"]),
            (&json!("chatbot.updated"), &under_way)
        );
        assert!(answered_from(&platform, tenant).await.contains("twelve euros"));
        assert_eq!(passages(&platform, tenant).await, before);

        platform.work_off_jobs().await;
        assert_eq!(model_and_move(&platform, tenant).await, (json!(MULTILINGUAL_MODEL), Value::Null));
        assert!(answered_from(&platform, tenant).await.contains("twelve euros"));
        let after = passages(&platform, tenant).await;
        assert_eq!((after.len(), next_vectors(&platform).await), (before.len(), 0));
        let collection = Collection { tenant: tenant.id, chatbot: tenant.chatbot };
        let space = |model| VectorSpace { collection, model, is_own: true };
        if let Some(external) = platform.app.vectors.external() {
            assert_eq!(external.ids(space(MULTILINGUAL_MODEL)).await.unwrap(), after);
            assert_eq!(external.ids(space(ENGLISH_MODEL)).await.unwrap(), HashSet::new(), "the former points are gone");
        }
        // Documents that are read from now on use the new model.
        platform.ingest(tenant, "hours.md", "# Hours\n\nThe shop opens at ten.\n").await;
        platform.work_off_jobs().await;
        assert_eq!(model_and_move(&platform, tenant).await, (json!(MULTILINGUAL_MODEL), Value::Null));
    }
}

#[tokio::test]
async fn reindexed_vectors_equal_those_of_a_new_chatbot() {
    let (platform, tenant) = start(Arc::new(PgVector)).await;
    wish(&platform, tenant, MULTILINGUAL_MODEL).await;
    platform.work_off_jobs().await;
    let body = json!({ "slug": "other", "name": "Other", "language": "fr" });
    let created = platform.admin(tenant.id).post("/api/v1/tenants/me/chatbots", &body).await;
    let other = Tenant { chatbot: created.body["id"].as_str().unwrap().parse().unwrap(), ..tenant };
    platform.provisioned(other.chatbot).await;
    platform.ingest(other, "delivery.md", DELIVERY).await;
    let distance: f64 = sqlx::query_scalar(
        "select a.embedding <=> b.embedding from passages a, passages b
         where a.chatbot_id = $1 and b.chatbot_id = $2 and a.content = b.content",
    )
    .bind(tenant.chatbot.0)
    .bind(other.chatbot.0)
    .fetch_one(platform.everything())
    .await
    .unwrap();
    assert!(distance < 1e-4, "{distance}");
}

#[tokio::test]
async fn a_wish_can_be_refused_withdrawn_and_repeated() {
    let (platform, tenant) = start(Arc::new(PgVector)).await;
    let refused = wish(&platform, tenant, "gpt-4").await;
    assert_eq!(
        (refused.status, &refused.body["errors"][0]["loc"]),
        (422, &json!(["body", "embedding_model"])),
        "{refused:?}"
    );
    assert!(refused.text.contains(MULTILINGUAL_MODEL), "{}", refused.text);

    let rows = platform.audit_rows().await;
    assert_eq!(wish(&platform, tenant, ENGLISH_MODEL).await.body["reindexing"], Value::Null, "it has this model");
    assert_eq!(platform.audit_rows().await, rows, "nothing changed");
    assert_eq!(wish(&platform, tenant, MULTILINGUAL_MODEL).await.status, 200);
    assert_eq!(wish(&platform, tenant, MULTILINGUAL_MODEL).await.status, 200);
    assert_eq!(platform.audit_rows().await, rows + 1, "the same wish again changes nothing");

    assert_eq!(wish(&platform, tenant, ENGLISH_MODEL).await.body["reindexing"], Value::Null, "the move ends");
    platform.work_off_jobs().await;
    assert_eq!(model_and_move(&platform, tenant).await, (json!(ENGLISH_MODEL), Value::Null));
    assert!(answered_from(&platform, tenant).await.contains("twelve euros"));
}

#[tokio::test]
async fn vectors_that_are_made_while_a_move_ends_are_not_kept() {
    let gated = Arc::new(Gated::new(multilingual()));
    let models = [embedder().await, Arc::clone(&gated) as Arc<dyn Embedder>];
    let platform = Platform::start_with_models(models, Arc::new(PgVector)).await;
    let tenant = with_documents(&platform).await;
    platform.work_off_jobs().await;
    gated.close();
    wish(&platform, tenant, MULTILINGUAL_MODEL).await;
    let ending = async {
        while gated.arrived() == 0 {
            moment().await;
        }
        wish(&platform, tenant, ENGLISH_MODEL).await;
        gated.open();
    };
    tokio::join!(platform.work_off_jobs(), ending);
    assert_eq!(model_and_move(&platform, tenant).await, (json!(ENGLISH_MODEL), Value::Null));
    assert_eq!(next_vectors(&platform).await, 0, "a move to another model would take them for its own");
}

#[tokio::test]
async fn a_move_that_failed_goes_on_and_is_given_up_at_last() {
    let gated = Arc::new(Gated::new(multilingual()));
    let models = [embedder().await, Arc::clone(&gated) as Arc<dyn Embedder>];
    let platform = Platform::start_with_models(models, Arc::new(PgVector)).await;
    let tenant = with_documents(&platform).await;
    gated.break_down();
    wish(&platform, tenant, MULTILINGUAL_MODEL).await;
    platform.work_off_jobs().await;
    assert_eq!(model_and_move(&platform, tenant).await.1["done"], 0, "it waits for its next attempt");
    assert!(answered_from(&platform, tenant).await.contains("twelve euros"));

    gated.recover();
    let again = "update jobs set run_after = now() where state = 'queued'";
    sqlx::query(again).execute(platform.everything()).await.unwrap();
    platform.work_off_jobs().await;
    assert_eq!(model_and_move(&platform, tenant).await, (json!(MULTILINGUAL_MODEL), Value::Null));

    wish(&platform, tenant, ENGLISH_MODEL).await;
    sqlx::query("update jobs set attempts = 9 where state = 'queued'").execute(platform.everything()).await.unwrap();
    platform.work_off_jobs().await;
    assert_eq!(
        model_and_move(&platform, tenant).await,
        (json!(MULTILINGUAL_MODEL), Value::Null),
        "it stays with its model"
    );
    assert_eq!(next_vectors(&platform).await, 0);
}

#[tokio::test]
async fn a_document_that_is_read_during_a_move_gets_the_new_model() {
    let gated = Arc::new(Gated::new(embedder().await));
    let models = [Arc::clone(&gated) as Arc<dyn Embedder>, multilingual()];
    let platform = Platform::start_with_models(models, Arc::new(PgVector)).await;
    let tenant = with_documents(&platform).await;
    gated.close();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("prices.md");
    std::fs::write(&file, "# Prices\n\nAnchors cost ninety euros.\n").unwrap();
    let chatbot = ingestion::find_chatbot(&platform.app, &tenant.chatbot.to_string(), None).await.unwrap();
    let files = [file];
    let reading = ingestion::run(&platform.app, &chatbot, &files, false);
    let moving = async {
        while gated.arrived() == 0 {
            moment().await;
        }
        wish(&platform, tenant, MULTILINGUAL_MODEL).await;
        platform.work_off_jobs().await;
        assert_eq!(model_and_move(&platform, tenant).await.0, json!(MULTILINGUAL_MODEL));
        gated.open();
    };
    let (report, ()) = tokio::join!(reading, moving);
    assert_eq!(report.unwrap().added, 1);
    let nearest: f64 = sqlx::query_scalar(
        "select min(a.embedding <=> b.embedding) from passages a, passages b
         where a.content like '%ninety%' and b.content not like '%ninety%'",
    )
    .fetch_one(platform.everything())
    .await
    .unwrap();
    assert!(nearest < 0.4, "vectors of two models have nothing in common: {nearest}");
}

#[tokio::test]
async fn the_upgrade_moves_chatbots_in_other_languages_once() {
    let (platform, tenant) = start(Arc::new(PgVector)).await;
    sqlx::query("update chatbots set language = 'de', moves_to_multilingual = true")
        .execute(platform.everything())
        .await
        .unwrap();
    assert_eq!(reindexing::migrate(&platform.app).await.unwrap(), 1);
    assert_eq!(reindexing::migrate(&platform.app).await.unwrap(), 0, "once");
    platform.work_off_jobs().await;
    assert_eq!(model_and_move(&platform, tenant).await, (json!(MULTILINGUAL_MODEL), Value::Null));
    let english = platform.admin(tenant.id).post("/api/v1/tenants/me/chatbots", &new_chatbot("english")).await;
    assert_eq!(english.body["embedding_model"], ENGLISH_MODEL);
    assert_eq!(reindexing::migrate(&platform.app).await.unwrap(), 0);
}

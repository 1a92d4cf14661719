//! An external store that fails: bounded waits, clear errors, and everything as before when it is back.

use std::time::{Duration, Instant};

use serde_json::json;
use store::vectors::{Collection, Nearest, NearestSearch, VectorError, VectorSpace, VectorStore};
use uuid::Uuid;

use super::{name_in_qdrant, on_fake, ready, search, space};
use crate::{
    provisioning::settled,
    support::{
        Platform, Tenant, TestResponse, new_chatbot,
        qdrant::{FakeQdrant, Fault},
    },
};

const NOWHERE: Collection =
    Collection { tenant: contract::TenantId(Uuid::nil()), chatbot: contract::ChatbotId(Uuid::nil()) };
const CHATBOTS: &str = "/api/v1/tenants/me/chatbots";
const DOCUMENT: &str = "# Returns\n\nItems can be returned within thirty days.\n";
const FAULTS: [Fault; 6] = [
    Fault::Status(500),
    Fault::Status(401),
    Fault::Silent,
    Fault::Words("<html>a proxy</html>"),
    Fault::Words(r#"{"result":{"points":[{"id":"00000000-0000-0000-0000-000000000001","score":7.0}]},"status":"ok"}"#),
    Fault::Words(r#"{"status":"ok"}"#),
];

async fn ask(platform: &Platform, tenant: Tenant) -> TestResponse {
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let body = json!({ "session_id": null, "question": "Within how many days can items be returned?" });
    platform.widget().post(&path, &body).await
}

async fn state(platform: &Platform, tenant: Tenant, id: &str) -> String {
    let chatbot = platform.admin(tenant.id).get(&format!("{CHATBOTS}/{id}")).await;
    chatbot.body["provisioning"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_failing_store_refuses_questions_in_time_until_it_is_back() {
    let (fake, platform, tenant) = on_fake().await;
    platform.ingest(tenant, "returns.md", DOCUMENT).await;
    for fault in FAULTS {
        fake.fail(Some(fault.clone()));
        let started = Instant::now();
        let refused = ask(&platform, tenant).await;
        assert_eq!((refused.status, refused.detail()), (503, "service_unavailable"), "{fault:?}");
        assert!(refused.header("retry-after").is_some(), "{fault:?}");
        assert!(started.elapsed() < Duration::from_secs(60), "{fault:?}");
        fake.fail(None);
        let answer = ask(&platform, tenant).await;
        assert_eq!(answer.status, 200, "{fault:?}: {answer:?}");
        assert!(answer.body["answer"].as_str().unwrap().contains("thirty days"), "{answer:?}");
    }
}

#[tokio::test]
async fn a_store_that_is_down_degrades_readiness_until_it_is_back() {
    let (fake, platform, tenant) = on_fake().await;
    platform.ingest(tenant, "returns.md", DOCUMENT).await;
    let ready = async |word: &str| {
        let answer = platform.ready_when("vector_store", word).await;
        (answer.status, answer.body["status"].as_str().unwrap().to_owned())
    };
    assert_eq!(ready("ok").await, (200, "ok".to_owned()));
    fake.stop().await;
    assert_eq!(ready("unavailable").await, (200, "degraded".to_owned()));
    assert_eq!(ask(&platform, tenant).await.status, 503);
    fake.restart().await;
    assert_eq!(ready("ok").await, (200, "ok".to_owned()));
    assert_eq!(ask(&platform, tenant).await.status, 200);
}

#[tokio::test]
async fn a_chatbot_created_without_the_store_waits_for_a_retry() {
    let (fake, platform, tenant) = on_fake().await;
    fake.stop().await;
    let created = platform.admin(tenant.id).post(CHATBOTS, &new_chatbot("second")).await;
    assert_eq!(created.status, 201, "{created:?}");
    let id = created.body["id"].as_str().unwrap();
    settled(&platform).await;
    assert_eq!(state(&platform, tenant, id).await, "failed");
    server::service::knowledge::provisioning::retry(&platform.app).await;
    assert_eq!(state(&platform, tenant, id).await, "failed");
    fake.restart().await;
    server::service::knowledge::provisioning::retry(&platform.app).await;
    assert_eq!(state(&platform, tenant, id).await, "ready");
    let indexed = fake.memory.collections()[&name_in_qdrant(&platform)].indexed.clone();
    let expected = [("chatbot_id", json!({ "type": "keyword", "is_tenant": true })), ("tenant_id", json!("keyword"))];
    assert_eq!(indexed, expected.map(|(field, schema)| (field.to_owned(), schema)).into());
}

#[tokio::test]
async fn an_ingestion_that_the_store_refuses_changes_nothing() {
    let (fake, platform, tenant) = on_fake().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("returns.md");
    std::fs::write(&path, DOCUMENT).unwrap();
    let chatbot = server::service::knowledge::ingestion::find_chatbot(&platform.app, &tenant.chatbot.to_string(), None)
        .await
        .unwrap();
    server::service::knowledge::ingestion::run(&platform.app, &chatbot, std::slice::from_ref(&path), false)
        .await
        .unwrap();
    std::fs::write(&path, DOCUMENT.replace("thirty", "ninety")).unwrap();
    fake.fail(Some(Fault::Status(500)));
    let failed =
        server::service::knowledge::ingestion::run(&platform.app, &chatbot, std::slice::from_ref(&path), false).await;
    assert!(failed.unwrap_err().to_string().contains("status 500"));
    fake.fail(None);
    let nearest = search(&platform, tenant, "returns", 5).await.unwrap().nearest;
    assert!(nearest.len() == 1 && nearest[0].content.contains("thirty"), "{nearest:?}");
    let again = server::service::knowledge::ingestion::run(&platform.app, &chatbot, &[path], false).await.unwrap();
    assert_eq!(again.replaced, 1, "{again}");
    let nearest = search(&platform, tenant, "returns", 5).await.unwrap().nearest;
    assert!(nearest.len() == 1 && nearest[0].content.contains("ninety"), "{nearest:?}");
}

#[tokio::test]
async fn a_wrong_key_and_a_lost_collection_are_distinguished() {
    let (fake, platform, tenant) = on_fake().await;
    for key in [None, Some("a-wrong-key")] {
        let refused = fake.client_with(key).ping().await.unwrap_err();
        assert!(matches!(refused, VectorError::Status(401)), "{refused}");
    }
    assert!(fake.client().ping().await.is_ok());
    fake.memory.collections().clear();
    let vector = platform
        .app
        .embedders
        .of_language("en")
        .embed(vec!["a question".to_owned()], rag::embed::Purpose::Query)
        .await
        .unwrap()
        .remove(0);
    let lost = fake.client().nearest(space(&platform, tenant), &vector, 5).await.unwrap_err();
    assert!(matches!(lost, VectorError::NoCollection), "{lost}");
    assert_eq!(ask(&platform, tenant).await.status, 503);
}

#[tokio::test]
async fn searches_of_many_chatbots_share_bounded_calls() {
    let (fake, platform, tenant) = on_fake().await;
    platform.ingest(tenant, "hours.md", "# Opening hours\n\nFrom nine to five.\n").await;
    let other = ready(&platform, "other").await;
    let vector = [0.1_f32; 384];
    let searches: Vec<NearestSearch<'_>> = (0..60)
        .map(|place| if place % 2 == 0 { tenant } else { other })
        .map(|of| NearestSearch { space: space(&platform, of), vector: &vector })
        .collect();
    let client = fake.client();
    let results = client.nearest_of_each(&searches, 5).await.unwrap();
    let counts: Vec<usize> = results
        .iter()
        .map(|nearest| match nearest {
            Nearest::Ranked(ranking) => ranking.len(),
            Nearest::SearchDatabase(_) => panic!("the stand-in ranks"),
        })
        .collect();
    assert!(counts.iter().enumerate().all(|(place, count)| (*count > 0) == (place % 2 == 0)), "{counts:?}");
    let mut batches = fake.memory.batches.lock().unwrap().clone();
    batches.sort_unstable();
    assert_eq!(batches, [10, 50]);
    fake.fail(Some(Fault::Words(r#"{"result":[]}"#)));
    let short = client.nearest_of_each(&searches, 5).await.unwrap_err();
    assert!(matches!(short, VectorError::Malformed(_)), "{short}");
}

#[tokio::test]
async fn a_server_that_is_too_old_is_refused() {
    let fake = FakeQdrant::start().await;
    for (version, is_good) in
        [("1.16.3", true), ("1.11.0", true), ("2.0.0-dev", true), ("1.10.1", false), ("0.9", false)]
    {
        version.clone_into(&mut fake.memory.version.lock().unwrap());
        let checked = fake.client().check_version().await;
        assert_eq!(checked.is_ok(), is_good, "{version}: {checked:?}");
    }
    let refused = fake.client().create(VectorSpace { collection: NOWHERE, model: "a", is_own: true }, 3).await;
    assert!(matches!(refused, Err(VectorError::Version(version)) if version == "0.9"), "nothing is made there");
    assert!(fake.memory.collections().is_empty());
}

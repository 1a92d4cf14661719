//! Collections of chatbots that were deactivated long ago: dropped without loss, and restored.

use std::time::{Duration, Instant};

use serde_json::json;
use server::service::knowledge::{
    idle_collections,
    search::retrieval::{self, RetrievalRequest},
};
use sqlx::{Connection, Executor};
use store::{Scope, vectors::Collection};
use tokio_util::sync::CancellationToken;

use crate::support::{Platform, Tenant, World, moment, new_chatbot};

const CHATBOTS: &str = "/api/v1/tenants/me/chatbots";
const DOCUMENT: &str = "# Häuser\n\nThe Häuser are by the lake.\n";

/// A tenant whose chatbot has a document.
async fn knowing(platform: &Platform, slug: &str) -> Tenant {
    let tenant = platform.add_tenant(slug).await;
    platform.provisioned(tenant.chatbot).await;
    platform.ingest(tenant, "a.md", DOCUMENT).await;
    tenant
}

async fn deactivate(platform: &Platform, tenant: Tenant, days_ago: i32) {
    let path = format!("{CHATBOTS}/{}", tenant.chatbot);
    assert_eq!(platform.admin(tenant.id).delete(&path).await.status, 204);
    sqlx::query("update chatbots set deactivated_at = now() - make_interval(days => $2, hours => 1) where id = $1")
        .bind(tenant.chatbot.0)
        .bind(days_ago)
        .execute(platform.everything())
        .await
        .unwrap();
}

async fn activate(platform: &Platform, tenant: Tenant) {
    sqlx::query("update chatbots set status = 'active', deactivated_at = null where id = $1")
        .bind(tenant.chatbot.0)
        .execute(platform.everything())
        .await
        .unwrap();
}

async fn drop_idle(platform: &Platform) -> u64 {
    idle_collections::run(&platform.app, 30, &CancellationToken::new()).await.unwrap()
}

/// Drops what is idle until nothing is left for later: a transaction that is about to end, or autovacuum, may keep a
/// collection locked for a moment.
async fn drop_all_idle(platform: &Platform) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while drop_idle(platform).await > 0 {
        assert!(Instant::now() < deadline, "a collection stays locked");
        moment().await;
    }
}

async fn has_collection(platform: &Platform, tenant: Tenant) -> bool {
    sqlx::query_scalar("select to_regclass('passages_' || replace($1::text, '-', '')) is not null")
        .bind(tenant.chatbot.0)
        .fetch_one(platform.everything())
        .await
        .unwrap()
}

/// How many passages of a chatbot are in its collection, and how many are stored elsewhere.
async fn passages(platform: &Platform, tenant: Tenant) -> (i64, i64) {
    sqlx::query_as(
        "select (select count(*) from passages where chatbot_id = $1),
                (select count(*) from kept_passages where chatbot_id = $1)",
    )
    .bind(tenant.chatbot.0)
    .fetch_one(platform.everything())
    .await
    .unwrap()
}

async fn provision(platform: &Platform, tenant: Tenant) {
    let path = format!("{CHATBOTS}/{}/provision", tenant.chatbot);
    let done = platform.admin(tenant.id).post(&path, &json!(null)).await;
    assert_eq!((done.status, &done.body["provisioning"]), (200, &json!("ready")), "{done:?}");
}

#[tokio::test]
async fn collections_of_long_deactivated_chatbots_are_dropped() {
    let platform = Platform::start().await;
    let (idle, young, active) =
        (knowing(&platform, "idle").await, knowing(&platform, "young").await, knowing(&platform, "active").await);
    deactivate(&platform, idle, 30).await;
    deactivate(&platform, young, 29).await;
    let rows = platform.audit_rows().await;
    drop_all_idle(&platform).await;
    assert!(!has_collection(&platform, idle).await);
    assert_eq!(passages(&platform, idle).await, (0, 1));
    for chatbot in [young, active] {
        assert!(has_collection(&platform, chatbot).await);
        assert_eq!(passages(&platform, chatbot).await, (1, 0));
    }
    assert_eq!(drop_idle(&platform).await, 0, "doing it again changes nothing");
    assert_eq!(platform.audit_rows().await, rows);
}

#[tokio::test]
async fn a_dropped_collection_frees_its_place_in_the_quota() {
    let platform = Platform::start_with(|settings| settings.quotas.chatbots = Some(1)).await;
    let tenant = knowing(&platform, "one").await;
    let admin = platform.admin(tenant.id);
    deactivate(&platform, tenant, 30).await;
    assert_eq!(admin.post(CHATBOTS, &new_chatbot("second")).await.detail(), "quota_chatbots");
    drop_all_idle(&platform).await;
    assert_eq!(admin.post(CHATBOTS, &new_chatbot("second")).await.status, 201);
    assert_eq!(admin.post(CHATBOTS, &new_chatbot("third")).await.detail(), "quota_chatbots");
    // Reactivation counts for the quota again.
    let again = format!("{CHATBOTS}/{}/reactivate", tenant.chatbot);
    let refused = admin.post(&again, &json!({})).await;
    assert_eq!((refused.status, refused.detail()), (422, "quota_chatbots"), "{refused:?}");
    let quotas = json!({ "quotas": { "chatbots": 2 } });
    let path = format!("/api/v1/platform/tenants/{}", tenant.id);
    assert_eq!(platform.operator().patch(&path, &quotas).await.status, 200);
    assert_eq!(admin.post(&again, &json!({})).await.status, 200);
}

#[tokio::test]
async fn a_chatbot_counts_while_its_collection_is_being_dropped() {
    let platform = Platform::start_with(|settings| settings.quotas.chatbots = Some(1)).await;
    let tenant = knowing(&platform, "one").await;
    deactivate(&platform, tenant, 30).await;
    drop_all_idle(&platform).await;
    // As between the batches, before the last one.
    sqlx::query("update chatbots set collection_dropped_at = null where id = $1")
        .bind(tenant.chatbot.0)
        .execute(platform.everything())
        .await
        .unwrap();
    assert_eq!(passages(&platform, tenant).await, (0, 1));
    let admin = platform.admin(tenant.id);
    assert_eq!(admin.post(CHATBOTS, &new_chatbot("second")).await.detail(), "quota_chatbots");
    let again = admin.post(&format!("{CHATBOTS}/{}/reactivate", tenant.chatbot), &json!({})).await;
    assert_eq!((again.status, &again.body["status"]), (200, &json!("active")), "{again:?}");
}

#[tokio::test]
async fn provisioning_makes_a_dropped_collection_again() {
    let platform = Platform::start().await;
    let tenant = knowing(&platform, "one").await;
    // More than two batches, with words of a language that changed while the chatbot was active.
    sqlx::query(
        "insert into passages (id, tenant_id, chatbot_id, document_id, ordinal, heading, content, embedding, keywords)
         select gen_random_uuid(), tenant_id, chatbot_id, document_id, n, '', 'Text ' || n, embedding, ''
         from (select * from passages limit 1) p, generate_series(1, 1200) n",
    )
    .execute(platform.everything())
    .await
    .unwrap();
    let path = format!("{CHATBOTS}/{}", tenant.chatbot);
    assert_eq!(platform.admin(tenant.id).patch(&path, &json!({ "language": "de" })).await.status, 200);
    deactivate(&platform, tenant, 31).await;
    drop_all_idle(&platform).await;
    assert_eq!((passages(&platform, tenant).await, has_collection(&platform, tenant).await), ((0, 1201), false));
    activate(&platform, tenant).await;
    provision(&platform, tenant).await;
    assert_eq!(passages(&platform, tenant).await, (1201, 0));
    let collection = Collection { tenant: tenant.id, chatbot: tenant.chatbot };
    let texts = ["Haus".to_owned()];
    let vectors = platform
        .app
        .embedders
        .of_language("en")
        .embed(vec!["Häuser by the lake".to_owned()], rag::embed::Purpose::Query)
        .await
        .unwrap();
    let request = RetrievalRequest {
        collection,
        language: "de",
        model: platform.app.embedders.names()[0],
        kind: store::passages::VectorKind::Own,
        is_same_language: true,
        limit: 6,
        texts: &texts,
        vectors: &vectors,
    };
    let results = retrieval::search(&platform.app, &Scope::widget(tenant.id), &request).await.unwrap().remove(0);
    assert!(results.nearest.iter().any(|passage| passage.content.starts_with("The Häuser")), "{results:?}");
    assert!(!results.matching.is_empty(), "words are those of the language of today");
    let indexes: i64 =
        sqlx::query_scalar("select count(*) from pg_indexes where tablename = $1 and indexname ~ 'hnsw|words'")
            .bind(collection.name())
            .fetch_one(platform.everything())
            .await
            .unwrap();
    assert_eq!(indexes, 2);
}

#[tokio::test]
async fn a_chatbot_activated_half_way_gets_all_its_passages_back() {
    let platform = Platform::start().await;
    let tenant = knowing(&platform, "one").await;
    sqlx::query(
        "insert into kept_passages (id, tenant_id, chatbot_id, document_id, ordinal, heading, content, embedding)
         select gen_random_uuid(), tenant_id, chatbot_id, document_id, 1, heading, content, embedding from passages",
    )
    .execute(platform.everything())
    .await
    .unwrap();
    sqlx::query("update chatbots set provisioning = 'pending'").execute(platform.everything()).await.unwrap();
    provision(&platform, tenant).await;
    assert_eq!(passages(&platform, tenant).await, (2, 0));
}

#[tokio::test]
async fn what_is_removed_or_replaced_meanwhile_does_not_come_back() {
    let platform = Platform::start().await;
    let tenant = knowing(&platform, "one").await;
    platform.ingest(tenant, "b.md", "# Gone\n\nThis goes away.\n").await;
    let faq = format!("{CHATBOTS}/{}/faq", tenant.chatbot);
    let entry = platform.admin(tenant.id).post(&faq, &json!({ "question": "Who?", "answer": "We." })).await;
    assert_eq!(entry.status, 201, "{entry:?}");
    deactivate(&platform, tenant, 31).await;
    drop_all_idle(&platform).await;
    assert_eq!(passages(&platform, tenant).await, (0, 3));
    let entry = format!("{faq}/{}", entry.body["id"].as_str().unwrap());
    assert_eq!(platform.admin(tenant.id).delete(&entry).await.status, 204);
    assert_eq!(passages(&platform, tenant).await, (0, 2));
    platform.ingest(tenant, "c.md", "# New\n\nThis is new.\n").await;
    assert_eq!(passages(&platform, tenant).await, (1, 2), "an administrator may feed it nevertheless");
    drop_all_idle(&platform).await;
    assert_eq!((passages(&platform, tenant).await, has_collection(&platform, tenant).await), ((0, 3), false));
}

#[tokio::test]
async fn collections_of_tenants_deleted_long_ago_are_dropped() {
    let platform = Platform::start().await;
    let tenant = knowing(&platform, "one").await;
    let path = format!("/api/v1/platform/tenants/{}", tenant.id);
    assert_eq!(platform.operator().delete(&path).await.status, 204);
    drop_all_idle(&platform).await;
    assert!(has_collection(&platform, tenant).await);
    sqlx::query("update tenants set deleted_at = now() - interval '31 days'")
        .execute(platform.everything())
        .await
        .unwrap();
    drop_all_idle(&platform).await;
    assert_eq!((passages(&platform, tenant).await, has_collection(&platform, tenant).await), ((0, 1), false));
}

#[tokio::test]
async fn a_collection_that_others_keep_locked_is_dropped_later() {
    let platform = Platform::start().await;
    let (tenant, other) = (knowing(&platform, "one").await, knowing(&platform, "other").await);
    deactivate(&platform, tenant, 31).await;
    let mut search = sqlx::PgConnection::connect(&platform.db.superuser_url()).await.unwrap();
    search.execute("begin").await.unwrap();
    sqlx::query("select count(*) from passages where chatbot_id = $1")
        .bind(other.chatbot.0)
        .execute(&mut search)
        .await
        .unwrap();
    let mut at_once = false;
    // Other locks are waited for five seconds; on a busy machine the attempt itself may take as long.
    for _ in 0..5 {
        let started = Instant::now();
        assert_eq!(drop_idle(&platform).await, 1, "it is left for later");
        at_once = started.elapsed() < Duration::from_secs(5);
        if at_once {
            break;
        }
    }
    assert!(at_once, "nobody waits behind it");
    assert!(has_collection(&platform, tenant).await);
    search.execute("rollback").await.unwrap();
    drop_all_idle(&platform).await;
    assert_eq!((passages(&platform, tenant).await, has_collection(&platform, tenant).await), ((0, 1), false));
}

#[tokio::test]
async fn only_an_own_and_empty_collection_can_be_dropped() {
    let World { platform, one, other } = World::start().await;
    let mut connection = platform.db.connect_as("svc_tenant", Some(&one.tenant.to_string())).await;
    for (chatbot, reason) in [(other.chatbot, "is not of this tenant"), (one.chatbot, "holds passages")] {
        let refused = sqlx::query("select drop_collection($1)").bind(chatbot.0).execute(&mut connection).await;
        assert!(refused.unwrap_err().to_string().contains(reason), "{reason}");
    }
}

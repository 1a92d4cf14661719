//! The provisioning of a chatbot's collection, and the chatbot's behaviour while it is pending.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use sqlx::PgPool;

use crate::{
    mutations::template,
    support::{Gated, Platform, Tenant, new_chatbot},
};

const CHATBOTS: &str = "/api/v1/tenants/me/chatbots";

/// The chatbot once its collection is ready; the background work is awaited, not slept for.
pub async fn when_ready(platform: &Platform, tenant: Tenant, id: &str) -> Value {
    let admin = platform.admin(tenant.id);
    let answer = admin.post(&format!("/api/v1/tenants/me/chatbots/{id}/provision"), &json!(null)).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body
}

/// A chatbot whose provisioning waits for a blocked embedder.
async fn with_pending_chatbot() -> (Platform, Arc<Gated>, Tenant, String) {
    let (platform, embedder) = Platform::start_breakable().await;
    let tenant = platform.add_tenant("one").await;
    assert_eq!(platform.operator().post("/api/v1/operator/templates", &template("support-en")).await.status, 201);
    embedder.close();
    let body = json!({ "slug": "support", "name": "Support", "template_id": "support-en" });
    let created = platform.admin(tenant.id).post(CHATBOTS, &body).await;
    let id = created.body["id"].as_str().unwrap().to_owned();
    (platform, embedder, tenant, id)
}

/// The state of its provisioning as seen by its tenant.
async fn state_of(platform: &Platform, tenant: Tenant, id: &str) -> Value {
    platform.admin(tenant.id).get(&format!("{CHATBOTS}/{id}")).await.body["provisioning"].clone()
}

/// Waits until no background work is left.
pub async fn settled(platform: &Platform) {
    let tasks = &platform.app.tasks;
    tasks.close();
    tokio::time::timeout(std::time::Duration::from_secs(60), tasks.wait()).await.unwrap();
    tasks.reopen();
}

async fn count(pool: &PgPool, table: &str, id: &str) -> i64 {
    let sql = format!("select count(*) from {table} where chatbot_id = $1");
    let id = uuid::Uuid::parse_str(id).unwrap();
    sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(id).fetch_one(pool).await.unwrap()
}

#[tokio::test]
async fn the_background_task_completes_what_failed() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    assert_eq!(platform.operator().post("/api/v1/operator/templates", &template("support-en")).await.status, 201);
    let body = json!({ "slug": "support", "name": "Support", "template_id": "support-en" });
    let created = platform.admin(tenant.id).post("/api/v1/tenants/me/chatbots", &body).await;
    let id = created.body["id"].as_str().unwrap();
    when_ready(&platform, tenant, id).await;
    sqlx::query("update chatbots set provisioning = 'failed'").execute(platform.everything()).await.unwrap();
    server::service::knowledge::provisioning::retry(&platform.app).await;
    let response = platform.admin(tenant.id).get(&format!("/api/v1/tenants/me/chatbots/{id}")).await;
    assert_eq!(response.body["provisioning"], "ready");
    let documents: i64 = sqlx::query_scalar("select count(*) from documents where chatbot_id = $1")
        .bind(uuid::Uuid::parse_str(id).unwrap())
        .fetch_one(platform.everything())
        .await
        .unwrap();
    assert_eq!(documents, 1, "doing it twice leaves the same state");
}

#[tokio::test]
async fn a_failing_embedder_leaves_the_chatbot_failed_until_a_retry() {
    let (platform, embedder) = Platform::start_breakable().await;
    let tenant = platform.add_tenant("one").await;
    assert_eq!(platform.operator().post("/api/v1/operator/templates", &template("support-en")).await.status, 201);
    embedder.break_down();
    let body = json!({ "slug": "support", "name": "Support", "template_id": "support-en" });
    let created = platform.admin(tenant.id).post(CHATBOTS, &body).await;
    assert_eq!(created.status, 201, "the creation does not wait for the embedder: {created:?}");
    let id = created.body["id"].as_str().unwrap();
    settled(&platform).await;
    let rows = platform.audit_rows().await;
    assert_eq!(state_of(&platform, tenant, id).await, "failed");
    assert_eq!(count(platform.everything(), "documents", id).await, 0, "nothing is half-made");

    assert_eq!(when_ready(&platform, tenant, id).await["provisioning"], "failed", "a retry that fails says so");
    server::service::knowledge::provisioning::retry(&platform.app).await;
    assert_eq!(state_of(&platform, tenant, id).await, "failed");
    embedder.recover();
    server::service::knowledge::provisioning::retry(&platform.app).await;
    assert_eq!(state_of(&platform, tenant, id).await, "ready");
    assert_eq!(count(platform.everything(), "passages", id).await, 1);
    assert_eq!(platform.audit_rows().await, rows + 1, "the requested retry");
}

#[tokio::test]
async fn a_second_provisioning_request_waits_for_the_running_task() {
    let (platform, embedder, tenant, id) = with_pending_chatbot().await;
    let id = id.as_str();
    let ask = async || when_ready(&platform, tenant, id).await["provisioning"].clone();
    let open = async {
        // Long enough for a call with its own background work to reach the embedder.
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        embedder.open();
    };
    let (one, two, three, (), ()) =
        tokio::join!(ask(), ask(), ask(), server::service::knowledge::provisioning::retry(&platform.app), open);
    assert_eq!((one, two, three), (json!("ready"), json!("ready"), json!("ready")));
    assert_eq!(embedder.arrived(), 1, "the questions were embedded once");

    for sql in ["update chatbots set provisioning = 'failed'", "update chatbot_faq set state = 'failed'"] {
        sqlx::query(sql).execute(platform.everything()).await.unwrap();
    }
    assert_eq!(ask().await, "ready");
    assert_eq!(embedder.arrived(), 2, "work that has ended keeps nobody from trying again");
}

#[tokio::test]
async fn a_failing_collection_leaves_the_chatbot_failed_until_retry() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let function = "function provision_collection(uuid, integer)";
    let sql = format!("revoke execute on {function} from svc_tenant");
    sqlx::query(sqlx::AssertSqlSafe(sql)).execute(platform.everything()).await.unwrap();
    let rows = platform.audit_rows().await;
    let created = platform.admin(tenant.id).post(CHATBOTS, &new_chatbot("second")).await;
    assert_eq!((created.status, &created.body["provisioning"]), (201, &json!("failed")), "{created:?}");
    assert_eq!(platform.audit_rows().await, rows + 1, "the chatbot and its audit row are kept");
    let id = created.body["id"].as_str().unwrap();
    assert_eq!(when_ready(&platform, tenant, id).await["provisioning"], "failed");
    let sql = format!("grant execute on {function} to svc_tenant");
    sqlx::query(sqlx::AssertSqlSafe(sql)).execute(platform.everything()).await.unwrap();
    assert_eq!(when_ready(&platform, tenant, id).await["provisioning"], "ready");
    let has_collection: bool = sqlx::query_scalar("select to_regclass($1) is not null")
        .bind(created.body["vector_collection"].as_str().unwrap())
        .fetch_one(platform.everything())
        .await
        .unwrap();
    assert!(has_collection);
}

#[tokio::test]
async fn an_answer_that_cannot_be_indexed_leaves_nothing_behind() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let mut two = template("support-en");
    two["faq_seed"] =
        json!([{ "question": "When?", "answer": "At nine." }, { "question": "Where?", "answer": "Here." }]);
    assert_eq!(platform.operator().post("/api/v1/operator/templates", &two).await.status, 201);
    sqlx::query("alter table documents add constraint no_second check (characters <> 5)")
        .execute(platform.everything())
        .await
        .unwrap();
    let body = json!({ "slug": "support", "name": "Support", "template_id": "support-en" });
    let created = platform.admin(tenant.id).post(CHATBOTS, &body).await;
    let id = created.body["id"].as_str().unwrap();
    settled(&platform).await;
    assert_eq!(state_of(&platform, tenant, id).await, "failed");
    assert_eq!(
        count(platform.everything(), "documents", id).await,
        1,
        "one answer is complete, nothing is left of the other"
    );
    sqlx::query("alter table documents drop constraint no_second").execute(platform.everything()).await.unwrap();
    assert_eq!(when_ready(&platform, tenant, id).await["provisioning"], "ready");
    assert_eq!(count(platform.everything(), "passages", id).await, 2);
}

#[tokio::test]
async fn a_deactivated_chatbot_is_not_provisioned() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let admin = platform.admin(tenant.id);
    sqlx::query("update chatbots set provisioning = 'failed'").execute(platform.everything()).await.unwrap();
    let path = format!("{CHATBOTS}/{}", tenant.chatbot);
    assert_eq!(admin.delete(&path).await.status, 204);
    let refused = admin.post(&format!("{path}/provision"), &json!({})).await;
    assert_eq!((refused.status, refused.detail()), (409, "chatbot_not_active"));
    server::service::knowledge::provisioning::retry(&platform.app).await;
    assert_eq!(state_of(&platform, tenant, &tenant.chatbot.to_string()).await, "failed");
}

#[tokio::test]
async fn the_models_of_active_chatbots_are_counted() {
    let (platform, one, _) = Platform::with_tenants().await;
    let embedder = platform.app.embedders.of_language("en");
    let (model, dimensions) = (embedder.model().to_owned(), i32::try_from(embedder.dimensions()).unwrap());
    let in_use = async || {
        let mut tx = platform.app.db.read(&store::Scope::system()).await.unwrap();
        store::chatbots::embeddings_in_use(&mut tx).await.unwrap()
    };
    assert_eq!(in_use().await, [(model.clone(), dimensions, 2)]);
    let chatbot = format!("/api/v1/tenants/me/chatbots/{}", one.chatbot);
    assert_eq!(platform.admin(one.id).delete(&chatbot).await.status, 204);
    assert_eq!(in_use().await, [(model, dimensions, 1)], "a deactivated one does not count");
}

#[tokio::test]
async fn a_call_waits_ten_seconds_at_most_for_a_collection() {
    let (platform, embedder, tenant, id) = with_pending_chatbot().await;
    let id = id.as_str();
    let started = Instant::now();
    let chatbot = tokio::time::timeout(Duration::from_secs(90), when_ready(&platform, tenant, id)).await;
    let waited = started.elapsed();
    assert_eq!(chatbot.unwrap()["provisioning"], "pending");
    assert!(waited >= Duration::from_secs(9), "{waited:?}");
    embedder.open();
    assert_eq!(when_ready(&platform, tenant, id).await["provisioning"], "ready", "the work went on");
}

#[tokio::test]
async fn chatbots_that_fail_slowly_do_not_keep_others_waiting() {
    let (platform, embedder) = Platform::start_breakable().await;
    let (slow, quick) = (platform.add_tenant("slow").await, platform.add_tenant("quick").await);
    assert_eq!(platform.operator().post("/api/v1/operator/templates", &template("support-en")).await.status, 201);
    embedder.close();
    for n in 0..9 {
        let body = json!({ "slug": format!("slow-{n}"), "name": "Support", "template_id": "support-en" });
        assert_eq!(platform.admin(slow.id).post(CHATBOTS, &body).await.status, 201);
    }
    sqlx::query("update chatbots set provisioning = 'failed', updated_at = now() + interval '1 day' where id = $1")
        .bind(quick.chatbot.0)
        .execute(platform.everything())
        .await
        .unwrap();
    let round = server::service::knowledge::provisioning::retry_within(&platform.app, Duration::from_millis(200));
    tokio::time::timeout(Duration::from_secs(60), round).await.expect("a round ends while nine chatbots hang");
    platform.provisioned(quick.chatbot).await;
    embedder.open();
    settled(&platform).await;
}

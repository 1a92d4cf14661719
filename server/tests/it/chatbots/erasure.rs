//! Permanently deleted chatbots: who may delete them, what is removed, and what stays.

use std::{collections::BTreeSet, fs, sync::Arc};

use serde_json::{Value, json};
use server::{service::worker, storage::Storage};
use sqlx::{AssertSqlSafe, query_scalar};
use uuid::Uuid;

use super::CHATBOTS;
use crate::{
    matrix::lines::picture,
    support::{Database, Platform, Tenant, TestResponse, World, embedder, new_chatbot, qdrant::FakeQdrant, send},
};

async fn erase(platform: &Platform, tenant: Tenant, slug: &str) -> TestResponse {
    let path = format!("{CHATBOTS}/{}/erase", tenant.chatbot);
    platform.admin(tenant.id).post(&path, &json!({ "slug": slug })).await
}

async fn deactivate(platform: &Platform, tenant: Tenant) {
    assert_eq!(platform.admin(tenant.id).delete(&format!("{CHATBOTS}/{}", tenant.chatbot)).await.status, 204);
}

/// The tables with rows of the chatbot, but for the audit log and the output-filter audit.
async fn tables_with_rows(platform: &Platform, tenant: Tenant) -> BTreeSet<String> {
    let tables: Vec<String> = query_scalar(
        "select c.relname::text
         from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'chatbot_id'
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
           and c.relname not like 'platform_audit_log%' and c.relname <> 'output_filter_audit'",
    )
    .fetch_all(platform.everything())
    .await
    .unwrap();
    let mut tables_found = BTreeSet::new();
    for (table, column) in tables.iter().map(|table| (table.as_str(), "chatbot_id")).chain([("chatbots", "id")]) {
        let sql = format!("select exists (select from {table} where {column} = '{}')", tenant.chatbot);
        if query_scalar::<_, bool>(AssertSqlSafe(sql)).fetch_one(platform.everything()).await.unwrap() {
            tables_found.insert(table.to_owned());
        }
    }
    tables_found
}

#[tokio::test]
async fn only_a_deactivated_chatbot_is_erased_and_only_by_its_slug() {
    let (platform, one, other) = Platform::with_tenants().await;
    let rows = platform.audit_rows().await;
    let active = erase(&platform, one, "help").await;
    assert_eq!((active.status, active.detail()), (409, "chatbot_active"));
    deactivate(&platform, one).await;
    for slug in ["", "Help", "helper"] {
        let wrong = erase(&platform, one, slug).await;
        assert_eq!((wrong.status, wrong.loc()), (422, vec!["body", "slug"]), "{wrong:?}");
    }
    let path = format!("{CHATBOTS}/{}/erase", one.chatbot);
    let viewer = platform.viewer(one.id).post(&path, &json!({ "slug": "help" })).await;
    assert_eq!((viewer.status, viewer.detail()), (403, "tenant_admin_required"));
    let foreign = platform.admin(other.id).post(&path, &json!({ "slug": "help" })).await;
    assert_eq!((foreign.status, foreign.detail()), (404, "chatbot_not_found"));
    assert_eq!(platform.audit_rows().await, rows + 1, "the deactivation");
    let response = platform.admin(one.id).get(&format!("{CHATBOTS}/{}", one.chatbot)).await;
    assert_eq!((response.status, &response.body["slug"]), (200, &json!("help")));
}

#[tokio::test]
async fn delete_only_deactivates_and_never_erases() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (path, admin) = (format!("{CHATBOTS}/{}", one.chatbot), platform.admin(one.id));
    assert_eq!(admin.delete(&path).await.status, 204);
    let rows = platform.audit_rows().await;
    for again in [path.clone(), format!("{path}?purge=true")] {
        assert_eq!(admin.delete(&again).await.status, 204, "{again}");
    }
    assert_eq!(platform.audit_rows().await, rows, "it was deactivated already");
    assert_eq!(admin.get(&path).await.body["status"], "deactivated");
}

/// Stores matches of the output filter: `count` for the chatbot.
async fn store_matches(platform: &Platform, tenant: Tenant, count: i32) {
    sqlx::query(
        "insert into output_filter_audit (id, tenant_id, chatbot_id, session_id, user_question, matched_pattern, category,
                                          filter_layer, language, excerpt, full_output)
         select gen_random_uuid(), $1, $2, gen_random_uuid(), 'canary question', 'pii.email', 'pii', 'inline', 'en',
                'canary excerpt', 'canary output'
         from generate_series(1, $3)",
    )
    .bind(tenant.id.0)
    .bind(tenant.chatbot.0)
    .bind(count)
    .execute(platform.everything())
    .await
    .unwrap();
}

#[tokio::test]
async fn matches_of_the_output_filter_stay_without_their_texts() {
    const PATH: &str = "/api/v1/platform/output-filter-audit";
    let (platform, one, other) = Platform::with_tenants().await;
    // More than one transaction erases.
    store_matches(&platform, one, 1_200).await;
    store_matches(&platform, other, 1).await;
    let operator = platform.operator();
    let texts = async |tenant: Tenant| -> Vec<(i64, String, String, String, String)> {
        let sql = "select count(*), user_question, excerpt, full_output, matched_pattern from output_filter_audit
                   where tenant_id = $1 group by 2, 3, 4, 5";
        sqlx::query_as(sql).bind(tenant.id.0).fetch_all(platform.everything()).await.unwrap()
    };
    let summary = operator.get(&format!("{PATH}/summary")).await.body;
    deactivate(&platform, one).await;
    assert_eq!(erase(&platform, one, "help").await.status, 204);
    assert_eq!(platform.last_audit().await["details"]["before"]["filter_rows"], 1_200);

    // No job has run yet: an answer that ends now leaves no text behind.
    store_matches(&platform, one, 1).await;
    platform.work_off_jobs().await;
    assert_eq!(tables_with_rows(&platform, one).await, BTreeSet::new());
    let erased = || "[erased]".to_owned();
    assert_eq!(texts(one).await, [(1_201, erased(), erased(), erased(), "pii.email".to_owned())]);
    assert_eq!(texts(other).await[0].1, "canary question");
    let after = operator.get(&format!("{PATH}/summary")).await.body;
    assert_eq!(after["total"].as_i64(), summary["total"].as_i64().map(|total| total + 1));
    let csv = operator.get(&format!("{PATH}/export?tenant={}", one.id)).await;
    assert_eq!(csv.text.matches(&one.chatbot.to_string()).count(), 1_201);
    assert!(!csv.text.contains("canary"), "{}", &csv.text[..500]);
    let listed = operator.get(&format!("{PATH}?tenant={}&limit=1", one.id)).await;
    assert_eq!(listed.body["items"][0]["chatbot_id"], json!(one.chatbot));
    assert_eq!(listed.body["items"][0]["chatbot_name"], Value::Null);
}

#[tokio::test]
async fn a_match_names_a_chatbot_of_its_tenant() {
    let (platform, one, other) = Platform::with_tenants().await;
    let mut widget = platform.db.connect_as("svc_widget", Some(&one.id.to_string())).await;
    for chatbot in [other.chatbot, contract::ChatbotId(Uuid::new_v4())] {
        let sql =
            "insert into output_filter_audit (id, tenant_id, chatbot_id, user_question, matched_pattern, category,
                                                    filter_layer, excerpt, full_output)
                   values (gen_random_uuid(), $1, $2, '?', 'pii.email', 'pii', 'inline', '!', '!')";
        let refused = sqlx::query(sql).bind(one.id.0).bind(chatbot.0).execute(&mut widget).await.unwrap_err();
        let refused = refused.into_database_error().unwrap();
        assert_eq!(refused.constraint(), Some("output_filter_audit_chatbot_fkey"), "{refused}");
    }
}

#[tokio::test]
async fn an_erased_chatbot_is_gone_at_once_for_everybody() {
    let (platform, one, _) = Platform::with_tenants().await;
    deactivate(&platform, one).await;
    assert_eq!(erase(&platform, one, "help").await.status, 204);
    let row = platform.last_audit().await;
    assert_eq!((&row["action"], &row["entity_id"]), (&json!("chatbot.deleted"), &json!(one.chatbot)));
    assert_eq!((&row["actor_user"], &row["chatbot_id"]), (&json!("tenant-admin"), &json!(one.chatbot)));
    let before = json!({ "slug": "help", "documents": 0, "own_answers": 0, "conversations": 0, "messages": 0, "feedback": 0,
                "filter_rows": 0 });
    assert_eq!(row["details"], json!({ "before": before, "after": null }));

    // No job has run yet.
    assert!(tables_with_rows(&platform, one).await.contains("chatbots"));
    let (admin, path) = (platform.admin(one.id), format!("{CHATBOTS}/{}", one.chatbot));
    for answer in [
        admin.get(&path).await,
        admin.post(&format!("{path}/reactivate"), &json!({})).await,
        erase(&platform, one, "help").await,
    ] {
        assert_eq!((answer.status, answer.detail()), (404, "chatbot_not_found"), "{answer:?}");
    }
    let config = async |id: &str| platform.widget().get(&format!("/api/v1/widget/config/{id}")).await;
    let (erased, unknown) = (config(&one.chatbot.to_string()).await, config(&Uuid::new_v4().to_string()).await);
    assert_eq!((erased.status, &erased.text), (unknown.status, &unknown.text));
    assert_eq!(admin.get(CHATBOTS).await.body["items"], json!([]));
    let list = format!("/api/v1/tenants/{}/chatbots", one.id);
    assert_eq!(platform.operator().get(&list).await.body["items"], json!([]));
    // Its slug is free, and it no longer counts.
    assert_eq!(admin.post(CHATBOTS, &new_chatbot("help")).await.status, 201);
}

#[tokio::test]
async fn all_rows_of_the_chatbot_go_and_the_audit_log_stays() {
    let (database, seeded, other) = World::database().await;
    // Every copy of the world names the same files, so that this one needs a storage of its own.
    let storage = tempfile::tempdir().unwrap();
    let file = storage.path().join(seeded.tenant.to_string()).join(seeded.file.to_string());
    fs::create_dir(file.parent().unwrap()).unwrap();
    fs::write(&file, "x").unwrap();
    sqlx::query("update originals set storage_id = null").execute(&database.superuser).await.unwrap();
    let own_storage = Arc::new(Storage::in_folder(storage.path().to_owned()));
    let change = |settings: &mut server::state::AppSettings| settings.uploads.storage = own_storage;
    let platform = &Platform::start_on(database, embedder().await, change).await;
    let one = Tenant { id: seeded.tenant, chatbot: seeded.chatbot };
    let sibling = Tenant { chatbot: seeded.sibling, ..one };
    let other = Tenant { id: other.tenant, chatbot: other.chatbot };
    let (sibling_tables, foreign) =
        (tables_with_rows(platform, sibling).await, tables_with_rows(platform, other).await);
    assert!(tables_with_rows(platform, one).await.len() > 20);
    let slug = platform.admin(one.id).get(&format!("{CHATBOTS}/{}", one.chatbot)).await.body["slug"].clone();
    deactivate(platform, one).await;
    assert_eq!(erase(platform, one, slug.as_str().unwrap()).await.status, 204);
    let rows = platform.audit_rows().await;
    let details = platform.last_audit().await["details"]["before"].clone();
    assert!(details["documents"].as_i64() > Some(0) && details["messages"].as_i64() > Some(0), "{details}");

    platform.work_off_jobs().await;
    assert_eq!(tables_with_rows(platform, one).await, BTreeSet::new());
    let collection: Option<String> =
        query_scalar("select to_regclass('passages_' || replace($1::text, '-', ''))::text")
            .bind(one.chatbot.0)
            .fetch_one(platform.everything())
            .await
            .unwrap();
    assert_eq!(collection, None);
    assert_eq!(tables_with_rows(platform, sibling).await, sibling_tables);
    assert_eq!(tables_with_rows(platform, other).await, foreign);
    assert_eq!(platform.audit_rows().await, rows, "the job writes no row, and removes none");

    worker::clean_up(&platform.app).await.unwrap();
    let files: i64 = query_scalar("select count(*) from originals where tenant_id = $1")
        .bind(one.id.0)
        .fetch_one(platform.everything())
        .await
        .unwrap();
    assert_eq!(files, 0, "the uploaded file");
    assert!(!file.exists(), "its bytes");
}

#[tokio::test]
async fn external_points_are_deleted_and_failures_retried() {
    let fake = FakeQdrant::start().await;
    let platform = Platform::start_on_vectors(Database::create().await, fake.client()).await;
    let tenant = platform.add_tenant("one").await;
    platform.provisioned(tenant.chatbot).await;
    platform.ingest(tenant, "a.md", "# Hours\n\nFrom nine to five.\n").await;
    let points = || {
        let collections = fake.memory.collections();
        let own = |(_, payload): &&(Vec<f32>, Value)| payload["chatbot_id"] == json!(tenant.chatbot);
        collections.values().flat_map(|collection| collection.points.values()).filter(own).count()
    };
    assert_eq!(points(), 1);
    deactivate(&platform, tenant).await;
    assert_eq!(erase(&platform, tenant, "help").await.status, 204);
    // An erasure is never given up.
    let attempts = "update jobs set attempts = 20, run_after = now() where kind = 'erase_chatbot'";
    sqlx::query(attempts).execute(platform.everything()).await.unwrap();
    fake.fail(Some(crate::support::qdrant::Fault::Status(500)));
    platform.work_off_jobs().await;
    let state: String = query_scalar("select state from jobs where kind = 'erase_chatbot'")
        .fetch_one(platform.everything())
        .await
        .unwrap();
    assert_eq!((state.as_str(), points()), ("queued", 1));
    fake.fail(None);
    sqlx::query(attempts).execute(platform.everything()).await.unwrap();
    platform.work_off_jobs().await;
    assert_eq!(points(), 0);
    assert_eq!(tables_with_rows(&platform, tenant).await, BTreeSet::new());
}

#[tokio::test]
async fn a_job_that_is_reading_for_the_chatbot_ends() {
    let (platform, one, _) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let sources = format!("{CHATBOTS}/{}/sources", one.chatbot);
    let source = admin.post(&sources, &json!({ "kind": "upload", "name": "Manuals" })).await;
    let path = format!("{sources}/{}/documents/a.md", source.body["id"].as_str().unwrap());
    let put = send(admin.request("PUT", &path).body("# Hours\n\nFrom nine to five.\n")).await;
    assert_eq!(put.status, 200, "{put:?}");
    deactivate(&platform, one).await;
    assert_eq!(erase(&platform, one, "help").await.status, 204);
    let open: Vec<String> = query_scalar("select kind from jobs where state in ('queued', 'running')")
        .fetch_all(platform.everything())
        .await
        .unwrap();
    assert_eq!(open, ["erase_chatbot"]);
    platform.work_off_jobs().await;
    assert_eq!(tables_with_rows(&platform, one).await, BTreeSet::new());
}

#[tokio::test]
async fn an_uploaded_picture_goes_with_its_chatbot() {
    let (platform, one, _) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    let path = format!("{CHATBOTS}/{}/branding/pictures/avatar", one.chatbot);
    let put = send(admin.request("PUT", &path).header("content-type", "image/png").body(picture())).await;
    let address = put.body["avatar_url"].as_str().unwrap().to_owned();
    assert_eq!(platform.widget().get(&address).await.status, 200);
    deactivate(&platform, one).await;
    assert_eq!(erase(&platform, one, "help").await.status, 204);
    platform.work_off_jobs().await;
    assert_eq!(tables_with_rows(&platform, one).await, BTreeSet::new());
    assert_eq!(platform.widget().get(&address).await.status, 404);
}

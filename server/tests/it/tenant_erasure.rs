//! The erasure of a tenant's knowledge some time after its deletion.

use serde_json::json;
use server::service::{tenants::erasure, usage::recording, worker};

use crate::support::{Platform, Tenant, send, uploads_folder};

const TABLES: [&str; 6] = ["documents", "document_versions", "passages", "kept_passages", "uploads", "originals"];

/// Creates an uploaded document and one of the command line.
async fn fill(platform: &Platform, tenant: Tenant) {
    platform.ingest(tenant, "hours.md", "# Hours\n\nNine to five.\n").await;
    let sources = format!("/api/v1/tenants/me/chatbots/{}/sources", tenant.chatbot);
    let admin = platform.admin(tenant.id);
    let source = admin.post(&sources, &json!({ "kind": "upload", "name": "Manuals" })).await;
    let path = format!("{sources}/{}/documents/boats.md", source.body["id"].as_str().unwrap());
    let put = send(admin.request("PUT", &path).body("# Boats\n\nTwelve euros a week.\n")).await;
    assert_eq!(put.status, 200, "{put:?}");
    platform.work_off_jobs().await;
}

async fn rows(platform: &Platform, tenant: Tenant) -> Vec<i64> {
    let mut counts = Vec::new();
    for table in TABLES {
        let sql = sqlx::AssertSqlSafe(format!("select count(*) from {table} where tenant_id = $1"));
        let count = sqlx::query_scalar(sql).bind(tenant.id.0).fetch_one(platform.everything()).await.unwrap();
        counts.push(count);
    }
    counts
}

#[tokio::test]
async fn knowledge_of_a_deleted_tenant_is_erased_after_some_days() {
    let (platform, deleted, active) = Platform::with_tenants().await;
    fill(&platform, deleted).await;
    fill(&platform, active).await;
    let before = rows(&platform, deleted).await;
    assert_eq!(before, [2, 2, 2, 0, 1, 1]);
    let path = format!("/api/v1/platform/tenants/{}", deleted.id);
    assert_eq!(platform.operator().delete(&path).await.status, 204);
    erasure::run(&platform.app, 30).await.unwrap();
    assert_eq!(rows(&platform, deleted).await, before, "it was deleted today");
    let long_ago = "update tenants set deleted_at = now() - interval '31 days' where id = $1";
    sqlx::query(long_ago).bind(deleted.id.0).execute(platform.everything()).await.unwrap();
    erasure::run(&platform.app, 30).await.unwrap();
    worker::clean_up(&platform.app).await.unwrap();
    assert_eq!(rows(&platform, deleted).await, [0; 6]);
    assert_eq!(rows(&platform, active).await, before);
    let folder = |tenant: Tenant| uploads_folder(&platform.app).join(tenant.id.to_string());
    let files = |tenant| std::fs::read_dir(folder(tenant)).unwrap().count();
    assert_eq!((files(deleted), files(active)), (0, 1));
}

/// Deletes tenants so long ago that they are due, the first one first.
async fn delete_long_ago(platform: &Platform, tenants: [Tenant; 2]) {
    for (tenant, days) in tenants.into_iter().zip([32, 31]) {
        assert_eq!(platform.operator().delete(&format!("/api/v1/platform/tenants/{}", tenant.id)).await.status, 204);
        let long_ago = "update tenants set deleted_at = now() - make_interval(days => $2) where id = $1";
        sqlx::query(long_ago).bind(tenant.id.0).bind(days).execute(platform.everything()).await.unwrap();
    }
}

#[tokio::test]
async fn a_tenant_that_is_restored_during_a_run_keeps_its_knowledge() {
    let (platform, deleted, restored) = Platform::with_tenants().await;
    fill(&platform, deleted).await;
    fill(&platform, restored).await;
    let before = rows(&platform, restored).await;
    delete_long_ago(&platform, [deleted, restored]).await;
    let mut held = platform.everything().begin().await.unwrap();
    let documents = sqlx::query("select from documents where tenant_id = $1 for update").bind(deleted.id.0);
    documents.execute(&mut *held).await.unwrap();
    let restoring = async {
        platform.until_somebody_waits().await;
        let restore = sqlx::query("update tenants set deleted_at = null where id = $1").bind(restored.id.0);
        restore.execute(platform.everything()).await.unwrap();
        held.rollback().await.unwrap();
    };
    let (failed, ()) = tokio::join!(erasure::run(&platform.app, 30), restoring);
    assert_eq!(failed.unwrap(), 0);
    assert_eq!(rows(&platform, deleted).await[..4], [0; 4]);
    assert_eq!(rows(&platform, restored).await, before);
}

#[tokio::test]
async fn a_tenant_whose_erasure_fails_does_not_stop_others() {
    let (platform, failing, other) = Platform::with_tenants().await;
    fill(&platform, failing).await;
    fill(&platform, other).await;
    let before = rows(&platform, failing).await;
    delete_long_ago(&platform, [failing, other]).await;
    let trigger = format!(
        "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
         create trigger refuse before delete on documents for each row when (old.tenant_id = '{}')
         execute function refuse()",
        failing.id
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(trigger)).execute(platform.everything()).await.unwrap();
    assert_eq!(erasure::run(&platform.app, 30).await.unwrap(), 1);
    assert_eq!(rows(&platform, failing).await, before);
    assert_eq!(rows(&platform, other).await[..4], [0; 4]);
}

/// Creates a website whose preview was fetched but never read.
async fn preview(platform: &Platform, tenant: Tenant) {
    let (source, page) = (uuid::Uuid::new_v4(), uuid::Uuid::new_v4());
    for sql in [
        "insert into chatbot_sources (id, tenant_id, chatbot_id, kind, name) values ($1, $2, $3, 'website', 'https://a.example')",
        "insert into websites (source_id, tenant_id, chatbot_id, url, max_pages, max_depth, schedule, token)
         values ($1, $2, $3, 'https://a.example', 10, 2, 'manual', 'token')",
    ] {
        let insert = sqlx::query(sql).bind(source).bind(tenant.id.0).bind(tenant.chatbot.0);
        insert.execute(platform.everything()).await.unwrap();
    }
    sqlx::query(
        "insert into website_pages (id, tenant_id, chatbot_id, source_id, url, depth)
         values ($1, $2, $3, $4, 'https://a.example/', 0)",
    )
    .bind(page)
    .bind(tenant.id.0)
    .bind(tenant.chatbot.0)
    .bind(source)
    .execute(platform.everything())
    .await
    .unwrap();
    sqlx::query(
        "insert into website_bodies (page_id, tenant_id, chatbot_id, file_type, body) values ($1, $2, $3, 'html', '')",
    )
    .bind(page)
    .bind(tenant.id.0)
    .bind(tenant.chatbot.0)
    .execute(platform.everything())
    .await
    .unwrap();
}

/// Creates an own answer that was never indexed.
async fn answer(platform: &Platform, tenant: Tenant) {
    sqlx::query(
        "insert into chatbot_faq (id, tenant_id, chatbot_id, question, answer, created_by)
         values (gen_random_uuid(), $1, $2, 'Open?', 'Yes.', 'somebody')",
    )
    .bind(tenant.id.0)
    .bind(tenant.chatbot.0)
    .execute(platform.everything())
    .await
    .unwrap();
}

#[tokio::test]
async fn previewed_pages_and_own_answers_are_erased_without_documents() {
    let (platform, previewed, answered) = Platform::with_tenants().await;
    preview(&platform, previewed).await;
    answer(&platform, answered).await;
    let remaining_rows = async || -> i64 {
        let sql = "select (select count(*) from website_bodies) + (select count(*) from website_pages)
                        + (select count(*) from websites) + (select count(*) from chatbot_faq)";
        sqlx::query_scalar(sql).fetch_one(platform.everything()).await.unwrap()
    };
    assert_eq!(remaining_rows().await, 4);
    for tenant in [previewed, answered] {
        assert_eq!(platform.operator().delete(&format!("/api/v1/platform/tenants/{}", tenant.id)).await.status, 204);
    }
    erasure::run(&platform.app, 30).await.unwrap();
    assert_eq!(remaining_rows().await, 4, "they were deleted today");
    let long_ago = "update tenants set deleted_at = now() - interval '31 days' where deleted_at is not null";
    sqlx::query(long_ago).execute(platform.everything()).await.unwrap();
    erasure::run(&platform.app, 30).await.unwrap();
    assert_eq!(remaining_rows().await, 0);
}

#[tokio::test]
async fn how_much_a_deleted_tenant_had_by_day_is_erased() {
    let (platform, deleted, active) = Platform::with_tenants().await;
    recording::run(&platform.app, &platform.stopped).await.unwrap();
    let recorded = async |of: Tenant| -> i64 {
        let sql = "select count(*) from stored_days where tenant_id = $1";
        sqlx::query_scalar(sql).bind(of.id.0).fetch_one(platform.everything()).await.unwrap()
    };
    assert_eq!((recorded(deleted).await, recorded(active).await), (1, 1));
    assert_eq!(platform.operator().delete(&format!("/api/v1/platform/tenants/{}", deleted.id)).await.status, 204);
    erasure::run(&platform.app, 30).await.unwrap();
    assert_eq!(recorded(deleted).await, 1, "it was deleted today");
    let long_ago = "update tenants set deleted_at = now() - interval '31 days' where deleted_at is not null";
    sqlx::query(long_ago).execute(platform.everything()).await.unwrap();
    erasure::run(&platform.app, 30).await.unwrap();
    assert_eq!((recorded(deleted).await, recorded(active).await), (0, 1));
}

#[tokio::test]
async fn matches_of_a_deleted_tenant_stay_without_their_texts() {
    let (platform, deleted, active) = Platform::with_tenants().await;
    for tenant in [deleted, active] {
        sqlx::query(
            "insert into output_filter_audit (id, tenant_id, chatbot_id, user_question, matched_pattern, category,
                                              filter_layer, excerpt, full_output)
             select gen_random_uuid(), $1, $2, 'Question?', 'pii.email', 'pii', 'inline', 'Excerpt', 'Output'
             from generate_series(1, 1100)",
        )
        .bind(tenant.id.0)
        .bind(tenant.chatbot.0)
        .execute(platform.everything())
        .await
        .unwrap();
    }
    let texts = async |of: Tenant| -> Vec<(i64, String, String, String)> {
        let sql = "select count(*), user_question, excerpt, full_output from output_filter_audit
                   where tenant_id = $1 group by 2, 3, 4";
        sqlx::query_as(sql).bind(of.id.0).fetch_all(platform.everything()).await.unwrap()
    };
    let whole = [(1100, "Question?".to_owned(), "Excerpt".to_owned(), "Output".to_owned())];
    assert_eq!(platform.operator().delete(&format!("/api/v1/platform/tenants/{}", deleted.id)).await.status, 204);
    erasure::run(&platform.app, 30).await.unwrap();
    assert_eq!(texts(deleted).await, whole, "it was deleted today");
    let long_ago = "update tenants set deleted_at = now() - interval '31 days' where deleted_at is not null";
    sqlx::query(long_ago).execute(platform.everything()).await.unwrap();
    assert_eq!(erasure::run(&platform.app, 30).await.unwrap(), 0);
    let erased = || "[erased]".to_owned();
    assert_eq!(texts(deleted).await, [(1100, erased(), erased(), erased())]);
    assert_eq!(texts(active).await, whole);
}

/// Creates a bookmark, a search and a saved search of a person.
async fn keep_in_hub(platform: &Platform, tenant: Tenant) {
    for sql in [
        "insert into kh_bookmarks (id, tenant_id, realm, user_id, document_id, title)
         values (gen_random_uuid(), $1, 'svc-tenants', 'anna', gen_random_uuid(), 'Boats')",
        "insert into kh_search_history (tenant_id, realm, user_id, query, result_count)
         values ($1, 'svc-tenants', 'anna', 'boats', 1)",
        "insert into kh_saved_searches (id, tenant_id, realm, user_id, name, query)
         values (gen_random_uuid(), $1, 'svc-tenants', 'anna', 'Boats', 'boats')",
    ] {
        sqlx::query(sql).bind(tenant.id.0).execute(platform.everything()).await.unwrap();
    }
}

#[tokio::test]
async fn what_people_of_a_deleted_tenant_kept_in_the_hub_is_erased() {
    let (platform, deleted, active) = Platform::with_tenants().await;
    keep_in_hub(&platform, deleted).await;
    keep_in_hub(&platform, active).await;
    let records = async |of: Tenant| -> i64 {
        let sql = "select (select count(*) from kh_bookmarks where tenant_id = $1)
                        + (select count(*) from kh_saved_searches where tenant_id = $1)
                        + (select count(*) from kh_search_history where tenant_id = $1)";
        sqlx::query_scalar(sql).bind(of.id.0).fetch_one(platform.everything()).await.unwrap()
    };
    assert_eq!(platform.operator().delete(&format!("/api/v1/platform/tenants/{}", deleted.id)).await.status, 204);
    erasure::run(&platform.app, 30).await.unwrap();
    assert_eq!(records(deleted).await, 3, "it was deleted today");
    let long_ago = "update tenants set deleted_at = now() - interval '31 days' where deleted_at is not null";
    sqlx::query(long_ago).execute(platform.everything()).await.unwrap();
    erasure::run(&platform.app, 30).await.unwrap();
    assert_eq!((records(deleted).await, records(active).await), (0, 3));
}

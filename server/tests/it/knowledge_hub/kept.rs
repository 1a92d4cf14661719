//! Bookmarks, history and summaries.

use std::sync::Arc;

use rag::embed::{ENGLISH_MODEL, MULTILINGUAL_MODEL};
use serde_json::{Value, json};
use store::vectors::PgVector;
use tokio_util::sync::CancellationToken;

use super::{DELIVERY, HUB, click, first_document, search, switch, with_hub};
use crate::support::{Platform, Tenant, embedder, multilingual, send};

/// Uploads a document, or its next version, to the first source for uploads.
async fn upload(platform: &Platform, tenant: Tenant, text: &str) {
    let admin = platform.admin(tenant.id);
    let sources = format!("/api/v1/tenants/me/chatbots/{}/sources", tenant.chatbot);
    let all = admin.get(&sources).await;
    let upload_source = all.body["items"].as_array().unwrap().iter().find(|source| source["kind"] == "upload");
    let source = match upload_source {
        Some(source) => source.clone(),
        None => admin.post(&sources, &json!({ "kind": "upload", "name": "Manuals" })).await.body,
    };
    let path = format!("{sources}/{}/documents/delivery.md", source["id"].as_str().unwrap());
    let put = send(admin.request("PUT", &path).header("content-type", "text/markdown").body(text.to_owned())).await;
    assert_eq!(put.status, 200, "{put:?}");
    platform.work_off_jobs().await;
}

/// A platform with a tenant whose only document was uploaded.
async fn with_upload() -> (Platform, Tenant) {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    platform.provisioned(tenant.chatbot).await;
    switch(&platform, tenant.id, true).await;
    upload(&platform, tenant, DELIVERY).await;
    (platform, tenant)
}

async fn list(client: &crate::support::Client<'_>, what: &str) -> Value {
    client.get(&format!("{HUB}/{what}")).await.body["items"].clone()
}

#[tokio::test]
async fn a_bookmark_says_when_its_document_changed_or_is_gone() {
    let (platform, tenant) = with_upload().await;
    let admin = platform.admin(tenant.id);
    let document = first_document(&admin).await;
    let body = json!({ "document_id": document, "note": " Look. " });
    let bookmark = admin.post(&format!("{HUB}/bookmarks"), &body).await;
    assert_eq!(
        (bookmark.status, &bookmark.body["note"], &bookmark.body["state"]),
        (201, &json!("Look."), &json!("current"))
    );
    let again = admin.post(&format!("{HUB}/bookmarks"), &body).await;
    assert_eq!((again.status, again.detail()), (409, "bookmark_exists"));
    upload(&platform, tenant, &DELIVERY.replace("two days", "three days")).await;
    let changed = list(&admin, "bookmarks").await;
    assert_eq!((&changed[0]["state"], &changed[0]["title"]), (&json!("changed"), &json!("Delivery")), "{changed}");
    let newest = changed[0]["newest_document_id"].as_str().unwrap();
    let old = admin.get(&format!("{HUB}/documents/{}", document.as_str().unwrap())).await;
    assert_eq!((&old.body["superseded_by"], &old.body["version"]), (&json!(newest), &json!(1)));
    assert!(old.body["passages"].to_string().contains("three days"), "{old:?}");
    assert_eq!(old.body["bookmark_id"], bookmark.body["id"]);
    sqlx::query("delete from documents").execute(platform.everything()).await.unwrap();
    let bookmarks = list(&admin, "bookmarks").await;
    assert_eq!((&bookmarks[0]["state"], &bookmarks[0]["title"]), (&json!("gone"), &json!("Delivery")));
    assert_eq!(admin.get(&format!("{HUB}/documents/{newest}")).await.detail(), "document_not_found");
}

#[tokio::test]
async fn a_bookmark_of_a_deactivated_chatbot_leads_nowhere() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    let body = json!({ "document_id": first_document(&admin).await });
    let created_bookmark = admin.post(&format!("{HUB}/bookmarks"), &body).await;
    let bookmark = created_bookmark.header("location").unwrap();
    assert_eq!(admin.delete(&format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot)).await.status, 204);
    let bookmark_now = admin.get(bookmark).await;
    assert_eq!(
        (&bookmark_now.body["state"], &bookmark_now.body["title"]),
        (&json!("gone"), &json!("Delivery")),
        "{bookmark_now:?}"
    );
    assert_eq!(bookmark_now.body["newest_document_id"], Value::Null);
    let other = platform.viewer(tenant.id).post(&format!("{HUB}/bookmarks"), &body).await;
    assert_eq!(other.detail(), "document_not_found", "{other:?}");
}

#[tokio::test]
async fn the_audit_log_never_shows_what_a_user_keeps() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    let bookmark = json!({ "document_id": first_document(&admin).await, "note": "hushhush" });
    let bookmark = admin.post(&format!("{HUB}/bookmarks"), &bookmark).await;
    admin.patch(bookmark.header("location").unwrap(), &json!({ "note": "hushhush again" })).await;
    let saved = json!({ "name": "hushhush", "query": "hushhush", "filters": { "languages": "en" } });
    let saved = admin.post(&format!("{HUB}/saved-searches"), &saved).await;
    assert_eq!(admin.delete(saved.header("location").unwrap()).await.status, 204);
    assert_eq!(admin.delete(bookmark.header("location").unwrap()).await.status, 204);
    admin.get(&format!("{HUB}/search?q=hushhush")).await;
    let mentions: i64 = sqlx::query_scalar("select count(*) from platform_audit_log where details::text ~ 'hushhush'")
        .fetch_one(platform.everything())
        .await
        .unwrap();
    let rows: i64 = sqlx::query_scalar("select count(*) from platform_audit_log where action like 'knowledge\\_%'")
        .fetch_one(platform.everything())
        .await
        .unwrap();
    assert_eq!((mentions, rows), (0, 5));
}

#[tokio::test]
async fn history_has_finished_searches_and_can_be_cleared() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    search(&admin, "q=parc").await;
    assert_eq!(admin.get(&format!("{HUB}/search?q=")).await.body["search_id"], Value::Null);
    let searched = admin.get(&format!("{HUB}/search?q=+parcel+")).await;
    let id = &searched.body["search_id"];
    let document = &searched.body["results"][0]["document_id"];
    for _ in 0..2 {
        let clicked = click(&admin, &searched, document).await;
        assert_eq!(clicked.status, 204, "{clicked:?}");
    }
    let history = list(&admin, "history").await;
    assert_eq!((history.as_array().unwrap().len(), &history[0]["query"]), (1, &json!("parcel")), "{history}");
    assert_eq!((&history[0]["id"], &history[0]["clicked_doc_ids"]), (id, &json!([document])));
    assert_eq!(list(&platform.viewer(tenant.id), "history").await, json!([]));
    assert_eq!(admin.delete(&format!("{HUB}/history")).await.status, 204);
    assert_eq!(list(&admin, "history").await, json!([]));
    let click_response = click(&admin, &searched, document).await;
    assert_eq!(click_response.detail(), "search_not_found");
}

#[tokio::test]
async fn further_pages_of_a_search_are_not_noted() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    for offset in [0, 1, 2] {
        let page = admin.get(&format!("{HUB}/search?q=parcel&limit=1&offset={offset}")).await;
        assert_eq!((page.status, page.body["search_id"].is_null()), (200, offset > 0), "{page:?}");
    }
    assert_eq!(list(&admin, "history").await.as_array().unwrap().len(), 1);
    let counted: i64 =
        sqlx::query_scalar("select searches from kh_usage").fetch_one(platform.everything()).await.unwrap();
    assert_eq!(counted, 1);
}

#[tokio::test]
async fn a_search_is_noted_without_running_again() {
    let (platform, tenant) = with_hub().await;
    let (admin, viewer) = (platform.admin(tenant.id), platform.viewer(tenant.id));
    let path = format!("{HUB}/history");
    let results = search(&admin, "q=parcel").await;
    let document = &results.body["results"][0]["document_id"];
    assert_eq!(list(&admin, "history").await, json!([]));
    assert_eq!(click(&admin, &results, document).await.detail(), "search_not_found", "not noted yet");
    let body = json!({ "search_id": results.body["search_id"], "q": " parcel " });
    for _ in 0..2 {
        let noted = admin.post(&path, &body).await;
        assert_eq!((noted.status, &noted.body["search_id"]), (200, &results.body["search_id"]), "{noted:?}");
    }
    let history = list(&admin, "history").await;
    assert_eq!((&history[0]["id"], &history[0]["query"]), (&results.body["search_id"], &json!("parcel")), "{history}");
    assert_eq!((&history[0]["result_count"], history.as_array().unwrap().len()), (&results.body["total"], 1));
    assert_eq!(list(&viewer, "history").await, json!([]));
    assert_eq!(click(&admin, &results, document).await.status, 204);
    for body in [json!({ "q": "x" }), json!({ "search_id": results.body["search_id"], "q": "" })] {
        assert_eq!(admin.post(&path, &body).await.status, 422, "{body}");
    }
}

#[tokio::test]
async fn only_own_searches_that_took_place_are_noted() {
    let (platform, tenant) = with_hub().await;
    let (admin, viewer) = (platform.admin(tenant.id), platform.viewer(tenant.id));
    let others_results = search(&viewer, "q=parcel").await;
    let own = search(&admin, "q=parcel").await;
    let nobody = json!(uuid::Uuid::new_v4());
    for (id, q) in
        [(&nobody, "parcel"), (&others_results.body["search_id"], "parcel"), (&own.body["search_id"], "a guess")]
    {
        let noted = admin.post(&format!("{HUB}/history"), &json!({ "search_id": id, "q": q })).await;
        assert_eq!((noted.status, noted.detail()), (404, "search_not_found"), "{noted:?}");
    }
    let words: i64 = sqlx::query_scalar("select count(*) from kh_search_history where query <> ''")
        .fetch_one(platform.everything())
        .await
        .unwrap();
    assert_eq!(words, 0, "the words of searches outside the history are not stored");
}

#[tokio::test]
async fn a_user_adds_one_search_a_second_and_keeps_a_thousand() {
    let (platform, tenant) = with_hub().await;
    let (admin, viewer) = (platform.admin(tenant.id), platform.viewer(tenant.id));
    let fill = "insert into kh_search_history (tenant_id, realm, user_id, query, result_count, searched_at)
                select $1, 'svc-tenants', 'tenant-admin', 'old ' || n, 1, now() - make_interval(mins => n)
                from generate_series(1, 1100) n";
    sqlx::query(fill).bind(tenant.id.0).execute(platform.everything()).await.unwrap();
    let path = format!("{HUB}/search?q=parcel&limit=1");
    for _ in 0..10 {
        assert_eq!(admin.get(&path).await.status, 200);
    }
    // On a slow machine the ten seconds of the first ones are over.
    let now = "update kh_search_history set searched_at = now() where query = 'parcel'";
    sqlx::query(now).execute(platform.everything()).await.unwrap();
    let results = admin.get(&path).await;
    assert_eq!(results.status, 200, "{results:?}");
    let body = json!({ "search_id": results.body["search_id"], "q": "parcel" });
    let refused = admin.post(&format!("{HUB}/history"), &body).await;
    assert_eq!((refused.status, refused.detail()), (429, "rate_limited"), "{refused:?}");
    assert_eq!(viewer.get(&format!("{HUB}/search?q=parcel")).await.status, 200);
    let count =
        "select count(*) from kh_search_history where user_id = $1 and pending_sha256 is null and query like $2";
    for (user, like, expected) in
        [("tenant-admin", "parcel", 10), ("tenant-admin", "%", 1000), ("tenant-viewer", "%", 1)]
    {
        let rows: i64 = sqlx::query_scalar(count).bind(user).bind(like).fetch_one(platform.everything()).await.unwrap();
        assert_eq!(rows, expected, "{user} {like}");
    }
    for number in 0..25 {
        search(&admin, &format!("q=typed{number}")).await;
    }
    let pending = "select count(*) from kh_search_history where pending_sha256 is not null";
    let pending: i64 = sqlx::query_scalar(pending).fetch_one(platform.everything()).await.unwrap();
    assert_eq!(pending, 20);
}

#[tokio::test]
async fn a_user_has_at_most_1000_bookmarks_and_200_saved_searches() {
    let (platform, tenant) = with_hub().await;
    let (admin, viewer) = (platform.admin(tenant.id), platform.viewer(tenant.id));
    let rows = "insert into kh_bookmarks (id, tenant_id, realm, user_id, document_id, title)
                select gen_random_uuid(), $1, 'svc-tenants', 'tenant-admin', gen_random_uuid(), 'x' from generate_series(1, 1000)";
    sqlx::query(rows).bind(tenant.id.0).execute(platform.everything()).await.unwrap();
    let rows = "insert into kh_saved_searches (id, tenant_id, realm, user_id, name, query)
                select gen_random_uuid(), $1, 'svc-tenants', 'tenant-admin', 'x', 'x' from generate_series(1, 200)";
    sqlx::query(rows).bind(tenant.id.0).execute(platform.everything()).await.unwrap();
    let bookmark = json!({ "document_id": first_document(&admin).await });
    let saved = json!({ "name": "x", "query": "x" });
    for (what, body, code, limit) in
        [("bookmarks", bookmark, "quota_bookmarks", 1000), ("saved-searches", saved, "quota_saved_searches", 200)]
    {
        let full = admin.post(&format!("{HUB}/{what}"), &body).await;
        assert_eq!((full.status, full.detail()), (422, code), "{full:?}");
        let error = &full.body["errors"][0];
        assert_eq!((&error["limit"], &error["used"]), (&json!(limit), &json!(limit)));
        assert_eq!(viewer.post(&format!("{HUB}/{what}"), &body).await.status, 201);
    }
}

#[tokio::test]
async fn old_searches_are_removed_and_young_ones_stay() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    for query in ["old", "young"] {
        admin.get(&format!("{HUB}/search?q={query}")).await;
    }
    sqlx::query("update kh_search_history set searched_at = now() - interval '91 days' where query = 'old'")
        .execute(platform.everything())
        .await
        .unwrap();
    let stop = CancellationToken::new();
    let removed = server::service::knowledge_hub::retention::run(&platform.app, 90, &stop).await.unwrap();
    assert_eq!((removed, &list(&admin, "history").await[0]["query"]), (1, &json!("young")));
}

async fn summary(platform: &Platform, tenant: Tenant, document: &Value) -> crate::support::TestResponse {
    let path = format!("{HUB}/documents/{}/summary", document.as_str().unwrap());
    for _ in 0..3000 {
        let answer = platform.viewer(tenant.id).get(&path).await;
        if answer.status != 202 {
            return answer;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("no summary");
}

#[tokio::test]
async fn a_summary_quotes_the_document_and_goes_with_its_version() {
    let (platform, tenant) = with_upload().await;
    let document = first_document(&platform.admin(tenant.id)).await;
    let first = summary(&platform, tenant, &document).await;
    assert_eq!((first.status, &first.body["language"]), (200, &json!("en")), "{first:?}");
    assert!(first.body["summary"].as_str().unwrap().contains("A parcel takes two days to arrive at your door."));
    assert!(first.body["model_version"].as_str().unwrap().starts_with("extractive-1:"));
    assert_eq!(summary(&platform, tenant, &document).await.body, first.body, "kept");
    upload(&platform, tenant, &DELIVERY.replace("two days", "three days")).await;
    let summaries: i64 = sqlx::query_scalar("select count(*) from kh_document_summaries")
        .fetch_one(platform.everything())
        .await
        .unwrap();
    assert_eq!(summaries, 0, "a newer version removes the summary");
    let second = summary(&platform, tenant, &document).await;
    assert!(second.body["summary"].as_str().unwrap().contains("three days"), "{second:?}");
    assert_ne!(second.body["document_id"], document);
}

#[tokio::test]
async fn another_embedding_model_removes_the_summaries() {
    let platform = Platform::start_with_models([embedder().await, multilingual()], Arc::new(PgVector)).await;
    let tenant = platform.add_tenant("one").await;
    platform.provisioned(tenant.chatbot).await;
    switch(&platform, tenant.id, true).await;
    platform.ingest(tenant, "delivery.md", DELIVERY).await;
    let admin = platform.admin(tenant.id);
    let document = first_document(&admin).await;
    let first = summary(&platform, tenant, &document).await;
    assert_eq!(first.body["model_version"], format!("extractive-1:{ENGLISH_MODEL}"), "{first:?}");
    let chatbot = format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot);
    let moved = admin.patch(&chatbot, &json!({ "embedding_model": MULTILINGUAL_MODEL })).await;
    assert_eq!(moved.status, 200, "{moved:?}");
    platform.work_off_jobs().await;
    let second = summary(&platform, tenant, &document).await;
    assert_eq!(second.body["model_version"], format!("extractive-1:{MULTILINGUAL_MODEL}"), "{second:?}");
}

//! Copies of chatbots: their contents, and who may create them.

use serde_json::{Value, json};
use server::service::{knowledge::faq, worker};
use sqlx::query_scalar;

use super::CHATBOTS;
use crate::support::{Platform, Tenant, TestResponse, send, uploads_folder};

const HOURS: &str = "# Opening hours\n\nThe shop opens at nine in the morning and closes at five in the afternoon.\n";

async fn duplicate(platform: &Platform, tenant: Tenant, slug: &str) -> TestResponse {
    let path = format!("{CHATBOTS}/{}/duplicate", tenant.chatbot);
    platform.admin(tenant.id).post(&path, &json!({ "slug": slug, "name": " Second help " })).await
}

/// Creates a source, and returns its path.
async fn source(platform: &Platform, tenant: Tenant, body: Value) -> String {
    let sources = format!("{CHATBOTS}/{}/sources", tenant.chatbot);
    let source = platform.admin(tenant.id).post(&sources, &body).await;
    assert_eq!(source.status, 201, "{source:?}");
    format!("{sources}/{}", source.body["id"].as_str().unwrap())
}

/// A chatbot with a file that was read; returns the path of the file.
async fn with_file(platform: &Platform, tenant: Tenant) -> String {
    let path = source(platform, tenant, json!({ "kind": "upload", "name": "Manuals" })).await;
    let file = format!("{path}/documents/hours.md");
    let put = send(platform.admin(tenant.id).request("PUT", &file).body(HOURS)).await;
    assert_eq!(put.status, 200, "{put:?}");
    platform.work_off_jobs().await;
    file
}

async fn sources(platform: &Platform, tenant: Tenant) -> Vec<Value> {
    let path = format!("{CHATBOTS}/{}/sources", tenant.chatbot);
    platform.viewer(tenant.id).get(&path).await.body["items"].as_array().unwrap().clone()
}

async fn ask(platform: &Platform, tenant: Tenant, question: &str) -> Value {
    let path = format!("{CHATBOTS}/{}/playground", tenant.chatbot);
    platform.viewer(tenant.id).post(&path, &json!({ "question": question })).await.body
}

async fn count(platform: &Platform, sql: &'static str, tenant: Tenant) -> i64 {
    query_scalar(sql).bind(tenant.chatbot.0).fetch_one(platform.everything()).await.unwrap()
}

#[tokio::test]
async fn a_copy_answers_like_its_origin_and_knows_no_conversation() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (admin, path) = (platform.admin(one.id), format!("{CHATBOTS}/{}", one.chatbot));
    platform.provisioned(one.chatbot).await;
    let patch = json!({ "language": "de", "system_prompt": "Be brief.", "small_talk": { "greeting": "Moin!" },
                        "cross_language": false });
    assert_eq!(admin.patch(&path, &patch).await.status, 200);
    let branding = json!({ "header_title": "Own title" });
    assert_eq!(admin.patch(&format!("{path}/branding"), &branding).await.status, 200);
    let own = json!({ "question": "Who are you?", "answer": "We are the harbour shop." });
    assert_eq!(admin.post(&format!("{path}/faq"), &own).await.status, 201);
    let file = with_file(&platform, one).await;
    let query = format!("/api/v1/widget/chatbots/{}/query", one.chatbot);
    let reply = platform.widget().post(&query, &json!({ "session_id": null, "question": "Who are you?" })).await;
    assert_eq!(reply.status, 200, "{reply:?}");

    let rows = platform.audit_rows().await;
    let duplicate_response = duplicate(&platform, one, "second").await;
    assert_eq!(
        (duplicate_response.status, &duplicate_response.body["name"]),
        (201, &json!("Second help")),
        "{duplicate_response:?}"
    );
    let copy = Tenant { chatbot: duplicate_response.body["id"].as_str().unwrap().parse().unwrap(), ..one };
    assert_eq!(duplicate_response.header("location"), Some(format!("{CHATBOTS}/{}", copy.chatbot).as_str()));
    assert_eq!(platform.audit_rows().await, rows + 1);
    let row = platform.last_audit().await;
    let after = &row["details"]["after"];
    assert_eq!((&row["action"], &row["entity_id"]), (&json!("chatbot.duplicated"), &json!(copy.chatbot)));
    assert_eq!((&after["copy_of"], &after["slug"]), (&json!(one.chatbot), &json!("second")));
    assert_eq!((&after["own_answers"], &after["sources"], &after["files"]), (&json!(1), &json!(1), &json!(1)));

    let origin = admin.get(&path).await.body;
    for field in
        ["language", "system_prompt", "small_talk", "cross_language", "welcome_message", "fallback_message", "status"]
    {
        assert_eq!(duplicate_response.body[field], origin[field], "{field}");
    }
    assert_eq!(duplicate_response.body["embedding_model"], origin["embedding_model"]);
    let branding = admin.get(&format!("{CHATBOTS}/{}/branding", copy.chatbot)).await;
    assert_eq!(branding.body["header_title"], "Own title", "{branding:?}");
    faq::retry(&platform.app).await;
    platform.work_off_jobs().await;
    assert!(ask(&platform, copy, "Who are you?").await["answer"].as_str().unwrap().contains("harbour shop"));
    // The file stays when the origin's is deleted.
    assert_eq!(admin.delete(&file).await.status, 204);
    worker::clean_up(&platform.app).await.unwrap();
    assert!(ask(&platform, copy, "When does the shop open?").await["answer"].as_str().unwrap().contains("nine"));
    let copied_sources = &sources(&platform, copy).await;
    let manuals = copied_sources.iter().find(|source| source["kind"] == "upload").unwrap();
    let original =
        format!("{CHATBOTS}/{}/sources/{}/documents/hours.md/original", copy.chatbot, manuals["id"].as_str().unwrap());
    assert_eq!(platform.viewer(one.id).get(&original).await.text, HOURS);
    assert_eq!(count(&platform, "select count(*) from chat_sessions where chatbot_id = $1", copy).await, 0);
    assert_eq!(count(&platform, "select count(*) from chat_sessions where chatbot_id = $1", one).await, 1);
}

#[tokio::test]
async fn copied_websites_keep_settings_and_are_checked_again() {
    let (platform, one, _) = Platform::with_tenants().await;
    // Nothing listens there.
    let site = |name: &str| {
        json!({ "kind": "website", "name": name,
                "website": { "url": "http://127.0.0.1:1/", "schedule": "daily", "include": ["/help"], "max_pages": 7 } })
    };
    source(&platform, one, site("Read")).await;
    let paused = source(&platform, one, site("Paused")).await;
    let pause = json!({ "website": { "paused": true } });
    assert_eq!(platform.admin(one.id).patch(&paused, &pause).await.status, 200);
    platform.work_off_jobs().await;
    let duplicate_response = duplicate(&platform, one, "second").await;
    assert_eq!(duplicate_response.status, 201, "{duplicate_response:?}");
    let copy = Tenant { chatbot: duplicate_response.body["id"].as_str().unwrap().parse().unwrap(), ..one };
    let copied = sources(&platform, copy).await;
    assert_eq!(copied.len(), 2, "{copied:?}");
    for source in &copied {
        let website = &source["website"];
        assert_eq!((&website["url"], &website["max_pages"]), (&json!("http://127.0.0.1:1/"), &json!(7)), "{source}");
        assert_eq!((&website["schedule"], &website["include"]), (&json!("daily"), &json!(["/help"])), "{source}");
        let is_paused = source["name"] == "Paused";
        assert_eq!(website["paused"], json!(is_paused));
        assert_eq!(website["state"] == "checking", !is_paused, "{source}");
    }
    let jobs = "select count(*) from jobs where chatbot_id = $1 and kind = 'crawl' and state = 'queued'";
    assert_eq!(count(&platform, jobs, copy).await, 1);
    let tokens: i64 =
        query_scalar("select count(distinct token) from websites w join chatbot_sources s on s.id = w.source_id")
            .fetch_one(platform.everything())
            .await
            .unwrap();
    assert_eq!(tokens, 2, "what proves a site proves it for the copy");
}

/// The origin's file is in another storage, so a copy that comes to link it is unavailable.
#[tokio::test]
async fn copies_beyond_the_quota_link_no_files() {
    let (platform, one, _) = Platform::with_tenants().await;
    with_file(&platform, one).await;
    let moved = "update originals set storage_id = gen_random_uuid()";
    sqlx::query(moved).execute(platform.everything()).await.unwrap();
    assert_eq!(duplicate(&platform, one, "second").await.status, 503, "the file is needed");
    assert_eq!(duplicate(&platform, one, "help").await.detail(), "chatbot_slug_taken");
    let tenant = format!("/api/v1/platform/tenants/{}", one.id);
    for (quota, limit, code) in [
        ("documents", json!(1), "quota_documents"),
        ("bytes", json!(HOURS.len()), "quota_bytes"),
        ("chatbots", json!(1), "quota_chatbots"),
    ] {
        let set = platform.operator().patch(&tenant, &json!({ "quotas": { quota: limit } })).await;
        assert_eq!(set.status, 200, "{set:?}");
        let refused = duplicate(&platform, one, "second").await;
        assert_eq!((refused.status, refused.detail()), (422, code), "{refused:?}");
        let unset = platform.operator().patch(&tenant, &json!({ "quotas": { quota: null } })).await;
        assert_eq!(unset.status, 200, "{unset:?}");
    }
}

#[tokio::test]
async fn a_copy_that_is_refused_leaves_nothing() {
    let platform = Platform::start_with(|settings| settings.quotas.chatbots = Some(2)).await;
    let (one, other) = (platform.add_tenant("one").await, platform.add_tenant("other").await);
    with_file(&platform, one).await;
    let rows = platform.audit_rows().await;
    let taken = duplicate(&platform, one, "help").await;
    assert_eq!((taken.status, taken.detail()), (409, "chatbot_slug_taken"));
    let wrong = duplicate(&platform, one, "No slug").await;
    assert_eq!((wrong.status, wrong.loc()), (422, vec!["body", "slug"]));
    let path = format!("{CHATBOTS}/{}/duplicate", one.chatbot);
    let body = json!({ "slug": "second", "name": "Second" });
    let viewer = platform.viewer(one.id).post(&path, &body).await;
    assert_eq!((viewer.status, viewer.detail()), (403, "tenant_admin_required"));
    let foreign = platform.admin(other.id).post(&path, &body).await;
    assert_eq!((foreign.status, foreign.detail()), (404, "chatbot_not_found"));
    assert_eq!(platform.audit_rows().await, rows);
    assert_eq!(duplicate(&platform, one, "second").await.status, 201);
    let full = duplicate(&platform, one, "third").await;
    assert_eq!((full.status, full.detail()), (422, "quota_chatbots"));
    let stored: i64 = query_scalar("select count(*) from originals").fetch_one(platform.everything()).await.unwrap();
    assert_eq!(stored, 2, "the file and its copy");
    let folder = uploads_folder(&platform.app).join(one.id.to_string());
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 2);
}

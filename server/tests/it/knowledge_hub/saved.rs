//! Saved searches: what is new since their results were last shown.

use serde_json::{Value, json};

use super::{HUB, search, titles, with_hub};
use crate::support::{Client, Platform, Tenant};

/// Saves a search and returns its id.
async fn save(client: &Client<'_>, query: &str, filters: Value) -> String {
    let body = json!({ "name": "Mine", "query": query, "filters": filters });
    let saved = client.post(&format!("{HUB}/saved-searches"), &body).await;
    assert_eq!((saved.status, &saved.body["filters"]), (201, &filters), "{saved:?}");
    saved.body["id"].as_str().unwrap().to_owned()
}

/// The titles of the new results.
async fn new(client: &Client<'_>, id: &str) -> Vec<String> {
    let answer = client.get(&format!("{HUB}/saved-searches/{id}/new")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    titles(&answer).into_iter().map(str::to_owned).collect()
}

/// Adds a document that a search for `parcel` finds.
async fn add_document(platform: &Platform, tenant: Tenant, title: &str) {
    let text = format!("# {title}\n\nA parcel to {title} takes a week.\n");
    platform.ingest(tenant, &format!("{title}.md"), &text).await;
}

#[tokio::test]
async fn a_saved_search_shows_what_came_since_it_ran() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    let id = save(&admin, "parcel", json!({ "kinds": "files" })).await;
    assert!(new(&admin, &id).await.is_empty());
    add_document(&platform, tenant, "Norway").await;
    assert_eq!(new(&admin, &id).await, ["Norway"]);
    search(&admin, &format!("q=+parcel+&kinds=files&saved_search={id}")).await;
    assert!(new(&admin, &id).await.is_empty(), "seen");
    add_document(&platform, tenant, "Iceland").await;
    assert_eq!(new(&admin, &id).await, ["Iceland"]);
}

#[tokio::test]
async fn a_saved_search_of_filters_alone_is_seen_when_it_ran() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    let id = save(&admin, "", json!({ "kinds": "files,upload" })).await;
    add_document(&platform, tenant, "Norway").await;
    assert_eq!(new(&admin, &id).await, ["Norway"]);
    search(&admin, &format!("kinds=upload,files&saved_search={id}")).await;
    assert!(new(&admin, &id).await.is_empty());
}

#[tokio::test]
async fn results_stay_seen_when_the_history_is_cleared() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    let id = save(&admin, "parcel", json!({})).await;
    add_document(&platform, tenant, "Norway").await;
    admin.get(&format!("{HUB}/search?q=parcel&saved_search={id}")).await;
    assert_eq!(admin.delete(&format!("{HUB}/history")).await.status, 204);
    assert!(new(&admin, &id).await.is_empty());
}

#[tokio::test]
async fn other_searches_leave_a_saved_searchs_new_results() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    let id = save(&admin, "parcel", json!({ "kinds": "files" })).await;
    add_document(&platform, tenant, "Norway").await;
    let unknown = uuid::Uuid::new_v4();
    for query in [
        "q=parcel&kinds=files".to_owned(),
        format!("q=parcel&saved_search={id}"),
        format!("q=parcels&kinds=files&saved_search={id}"),
        format!("q=parcel&kinds=files&offset=1&saved_search={id}"),
        format!("q=parcel&kinds=files&saved_search={unknown}"),
    ] {
        search(&admin, &query).await;
        assert_eq!(new(&admin, &id).await, ["Norway"], "{query}");
    }
    // A colleague's run.
    search(&platform.viewer(tenant.id), &format!("q=parcel&kinds=files&saved_search={id}")).await;
    assert_eq!(new(&admin, &id).await, ["Norway"]);
}

#[tokio::test]
async fn what_a_running_job_stores_stays_new_until_the_job_ends() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    let id = save(&admin, "parcel", json!({})).await;
    // It may store further documents whose times are before that of a run.
    sqlx::query(
        "insert into jobs (id, tenant_id, chatbot_id, kind, state, worker, leased_until, started_at)
         values (gen_random_uuid(), $1, $2, 'read_upload', 'running', gen_random_uuid(), now() + interval '1 hour',
                 clock_timestamp())",
    )
    .bind(tenant.id.0)
    .bind(tenant.chatbot.0)
    .execute(platform.everything())
    .await
    .unwrap();
    add_document(&platform, tenant, "Norway").await;
    search(&admin, &format!("q=parcel&saved_search={id}")).await;
    assert_eq!(new(&admin, &id).await, ["Norway"]);
    let end = "update jobs set state = 'done', worker = null, leased_until = null, finished_at = now() where state = 'running'";
    sqlx::query(end).execute(platform.everything()).await.unwrap();
    search(&admin, &format!("q=parcel&saved_search={id}")).await;
    assert!(new(&admin, &id).await.is_empty());
}

async fn set_model(platform: &Platform, model: &str) {
    let set = "update chatbots set embedding_model = $1";
    sqlx::query(set).bind(model).execute(platform.everything()).await.unwrap();
}

#[tokio::test]
async fn what_a_run_could_not_search_stays_new() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    let id = save(&admin, "parcel", json!({})).await;
    add_document(&platform, tenant, "Norway").await;
    let model: String = sqlx::query_scalar("select embedding_model from chatbots where id = $1")
        .bind(tenant.chatbot.0)
        .fetch_one(platform.everything())
        .await
        .unwrap();
    set_model(&platform, "unheard-of").await;
    let run = search(&admin, &format!("q=parcel&saved_search={id}")).await;
    assert_eq!(run.body["degraded"][0]["code"], "model_unavailable", "{run:?}");
    set_model(&platform, &model).await;
    assert_eq!(new(&admin, &id).await, ["Norway"]);
}

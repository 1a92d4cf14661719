//! Further data on a document's page and on the operators' overview.

use serde_json::{Value, json};

use super::{
    HUB, click, first_document,
    insights::{LAST_WEEK, move_searches_to, person_token, record_day},
    search, switch, with_hub,
};
use crate::support::{Client, Platform, Tenant, moment, send};

#[tokio::test]
async fn a_document_names_the_answers_that_it_was_a_source_of() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    let path = format!("{HUB}/documents/{}", first_document(&admin).await.as_str().unwrap());
    assert_eq!(admin.get(&path).await.body["quoted_in"], json!([]));
    let question = json!({ "session_id": null, "question": "How many days does a parcel take?" });
    let ask = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let reply = platform.widget().post(&ask, &question).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    let quoted = admin.get(&path).await.body["quoted_in"].clone();
    assert_eq!(quoted.as_array().unwrap().len(), 1, "{quoted}");
    assert_eq!((&quoted[0]["question"], &quoted[0]["session_id"]), (&question["question"], &reply.body["session_id"]));
    assert_eq!(quoted[0]["message_id"], reply.body["message_id"]);

    // Stored later, as conversations of the past are.
    let past = platform.widget().post(&ask, &question).await.body["message_id"].clone();
    sqlx::query("update chat_messages set created_at = now() - interval '1 year' where id::text = $1")
        .bind(past.as_str().unwrap())
        .execute(platform.everything())
        .await
        .unwrap();
    let quoted = admin.get(&path).await.body["quoted_in"].clone();
    assert_eq!((&quoted[0]["message_id"], &quoted[1]["message_id"]), (&reply.body["message_id"], &past), "{quoted}");
}

/// The popular sources by name, and how often each was opened.
async fn popular(client: &Client<'_>) -> Vec<(String, i64)> {
    let sources = client.get(&format!("{HUB}/popular-sources")).await;
    let item = |of: &Value| (of["source"]["name"].as_str().unwrap().to_owned(), of["opened"].as_i64().unwrap());
    sources.body["items"].as_array().unwrap().iter().map(item).collect()
}

#[tokio::test]
async fn popular_sources_are_those_that_people_open() {
    let (platform, tenant) = with_hub().await;
    platform.ingest(tenant, "abroad.md", "# Abroad\n\nA parcel to other countries takes a week.\n").await;
    let (admin, viewer) = (platform.admin(tenant.id), platform.viewer(tenant.id));
    let unopened = [("abroad.md".to_owned(), 0), ("delivery.md".to_owned(), 0)];
    assert_eq!(popular(&admin).await, unopened);
    let results = viewer.get(&format!("{HUB}/search?q=arrive+at+your+door")).await;
    let first = &results.body["results"][0];
    assert_eq!(first["title"], "Delivery", "{results:?}");
    assert_eq!(click(&viewer, &results, &first["document_id"]).await.status, 204);
    for person in ["anna", "ben", "carla", "dora"] {
        let client = platform.bearer(&person_token(&platform, tenant, person));
        let results = client.get(&format!("{HUB}/search?q=arrive+at+your+door")).await;
        assert_eq!(click(&client, &results, &first["document_id"]).await.status, 204);
    }
    move_searches_to(&platform, LAST_WEEK).await;
    assert_eq!(popular(&admin).await, unopened, "nobody was active on another day");
    for person in ["anna", "ben", "carla", "dora"] {
        record_day(&platform, tenant, person).await;
    }
    assert_eq!(popular(&admin).await, unopened, "four people are too few");
    record_day(&platform, tenant, "tenant-viewer").await;
    for client in [&admin, &viewer] {
        assert_eq!(popular(client).await, [("delivery.md".to_owned(), 5), ("abroad.md".to_owned(), 0)]);
    }
    let text = admin.get(&format!("{HUB}/popular-sources")).await.text;
    assert!(!text.contains("tenant-viewer") && !text.contains("door"), "{text}");
    // Old searches do not count.
    move_searches_to(&platform, "5 weeks").await;
    assert_eq!(popular(&admin).await, unopened);
}

#[tokio::test]
async fn openings_are_counted_within_one_tenant() {
    let (platform, tenant) = with_hub().await;
    let other = platform.add_tenant("other").await;
    let admin = platform.admin(tenant.id);
    let results = admin.get(&format!("{HUB}/search?q=parcel")).await;
    let document = &results.body["results"][0]["document_id"];
    assert_eq!(click(&admin, &results, document).await.status, 204);
    let copies = "insert into kh_search_history (tenant_id, realm, user_id, query, result_count, clicked_doc_ids, searched_at)
                  select tenant_id, realm, 'person ' || p, query, result_count, case d when 0 then clicked_doc_ids else '{}' end,
                         date_trunc('week', now() at time zone 'UTC') at time zone 'UTC' - make_interval(days => 2 + d)
                  from kh_search_history, generate_series(1, 5) p, generate_series(0, 1) d";
    sqlx::query(copies).execute(platform.everything()).await.unwrap();
    let counted = "select coalesce(sum(opened), 0)::bigint from knowledge_popular_sources()";
    for (id, expected) in [(tenant.id, 5), (other.id, 0)] {
        let mut connection = platform.db.connect_as("svc_tenant", Some(&id.to_string())).await;
        let opened: i64 = sqlx::query_scalar(counted).fetch_one(&mut connection).await.unwrap();
        assert_eq!(opened, expected);
    }
    let mut nobody = platform.db.connect_as("svc_tenant", None).await;
    assert_eq!(sqlx::query_scalar::<_, i64>(counted).fetch_one(&mut nobody).await.unwrap(), 0);
    let mut operator = platform.db.connect_as("svc_operator", None).await;
    assert!(sqlx::query(counted).execute(&mut operator).await.is_err());
}

#[tokio::test]
async fn a_search_without_results_names_the_nearest_passages() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    let nothing = search(&admin, "q=zzyzx+qwrtp").await;
    let nearest = nothing.body["nearest"].as_array().unwrap();
    assert!((1..=3).contains(&nearest.len()) && nearest[0]["title"] == "Delivery", "{nothing:?}");
    for query in ["q=parcel", ""] {
        assert_eq!(search(&admin, query).await.body["nearest"], json!([]), "{query}");
    }
}

#[tokio::test]
async fn operators_see_numbers_of_the_hub_and_no_texts() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    search(&admin, "q=typed").await;
    let results = admin.get(&format!("{HUB}/search?q=parcel")).await;
    admin.get(&format!("{HUB}/search?q=zzyzx+qwrtp")).await;
    let document = &results.body["results"][0]["document_id"];
    // A result counts once, however often it is opened from one search.
    for _ in 0..2 {
        assert_eq!(click(&admin, &results, document).await.status, 204);
    }
    let overview = platform.operator().get("/admin/operator/_fn/overview").await;
    let usage = json!({ "tenants": 1, "searching": 1, "searches": 2, "without_result": 1, "opened": 1 });
    assert_eq!(overview.body["hub"], usage, "{overview:?}");
    let texts: Vec<Value> =
        sqlx::query_scalar("select to_jsonb(u) from kh_usage u").fetch_all(platform.everything()).await.unwrap();
    assert!(texts.iter().all(|row| !row.to_string().contains("parcel")));
}

#[tokio::test]
async fn operators_see_the_use_of_a_hub_that_is_always_on() {
    let (platform, tenant) = with_hub().await;
    platform.add_tenant("two").await;
    let results = platform.admin(tenant.id).get(&format!("{HUB}/search?q=parcel")).await;
    assert_eq!(results.status, 200, "{results:?}");
    switch(&platform, tenant.id, false).await;
    let hub = async || platform.operator().get("/admin/operator/_fn/overview").await.body["hub"].clone();
    assert_eq!(hub().await["tenants"], 0);
    let module = "/api/v1/platform/modules/knowledge_hub";
    assert_eq!(platform.operator().patch(module, &json!({ "is_always_on": true })).await.status, 200);
    let usage = json!({ "tenants": 2, "searching": 1, "searches": 1, "without_result": 0, "opened": 0 });
    assert_eq!(hub().await, usage);
}

#[tokio::test]
async fn what_nobody_waits_for_any_more_is_not_searched_on() {
    let (platform, tenant) = with_hub().await;
    // PostgreSQL itself ends the wait after five seconds: on a busy machine, the end of a search may take as long.
    for _ in 0..5 {
        if search_ends_with_its_caller(&platform, tenant).await {
            return;
        }
    }
    panic!("the search goes on");
}

/// Whether a search ended before the time limit of its wait, because nobody waited for it.
async fn search_ends_with_its_caller(platform: &Platform, tenant: Tenant) -> bool {
    // A lock that a search waits for, as it would for much work.
    let mut blocking = platform.everything().begin().await.unwrap();
    sqlx::query("lock table documents in access exclusive mode").execute(&mut *blocking).await.unwrap();
    let admin = platform.admin(tenant.id);
    let search = tokio::spawn(send(admin.request("GET", &format!("{HUB}/search?record=false&q=parcel"))));
    platform.until_somebody_waits().await;
    search.abort();
    assert!(search.await.unwrap_err().is_cancelled());
    let waiting = "select count(*) from pg_locks l join pg_stat_activity a using (pid)
                   where not l.granted and a.datname = current_database()";
    let started = std::time::Instant::now();
    while sqlx::query_scalar::<_, i64>(waiting).fetch_one(&mut *blocking).await.unwrap() > 0 {
        if started.elapsed() > std::time::Duration::from_secs(4) {
            return false;
        }
        moment().await;
    }
    true
}

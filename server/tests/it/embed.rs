//! The embed record: which websites requested a chatbot, visible to its tenant only.

use serde_json::{Value, json};
use server::service::embed::flush_task;
use uuid::Uuid;

use crate::support::{ORIGIN, Platform, Tenant, TestResponse, send, within_one_day};

const STRANGER: &str = "https://other.example.net";

fn config(tenant: Tenant) -> String {
    format!("/api/v1/widget/config/{}", tenant.chatbot)
}

async fn report(platform: &Platform, tenant: Tenant, query: &str) -> TestResponse {
    flush_task::flush(&platform.app).await;
    let path = format!("/api/v1/tenants/me/chatbots/{}/embed-report{query}", tenant.chatbot);
    platform.viewer(tenant.id).get(&path).await
}

async fn origins(platform: &Platform, tenant: Tenant) -> Vec<Value> {
    let answer = report(platform, tenant, "").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body["origins"].as_array().unwrap().clone()
}

/// Origin and outcome of each entry, the last first.
async fn outcomes(platform: &Platform, tenant: Tenant) -> Vec<(Value, String)> {
    let pair = |of: &Value| (of["origin"].clone(), of["outcome"].as_str().unwrap().to_owned());
    origins(platform, tenant).await.iter().map(pair).collect()
}

async fn execute(platform: &Platform, sql: &str) {
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned())).execute(platform.everything()).await.unwrap();
}

#[tokio::test]
async fn a_website_with_requests_is_listed_with_their_result() {
    within_one_day().await;
    let (platform, one, other) = Platform::with_tenants().await;
    for origin in [ORIGIN, STRANGER, ORIGIN] {
        platform.widget_on(origin).get(&config(one)).await;
    }
    let listed_origins = origins(&platform, one).await;
    let names: Vec<_> = listed_origins.iter().map(|of| of["origin"].as_str().unwrap()).collect();
    assert_eq!(names, [ORIGIN, STRANGER], "the last first");
    assert_eq!(
        (&listed_origins[0]["outcome"], &listed_origins[1]["outcome"]),
        (&json!("accepted"), &json!("origin_not_listed"))
    );
    assert_eq!((&listed_origins[0]["is_allowed"], &listed_origins[1]["is_allowed"]), (&json!(true), &json!(false)));
    let day = &listed_origins[0]["days"][0];
    assert_eq!((&day["requests"], &day["outcome"]), (&json!(2), &json!("accepted")));
    assert_eq!(outcomes(&platform, other).await, [], "the other tenant's chatbot was not asked");
}

#[tokio::test]
async fn every_refusal_is_recorded_with_its_own_reason() {
    let (platform, one, _) = Platform::with_tenants().await;
    platform.anonymous().get(&config(one)).await;
    assert_eq!(outcomes(&platform, one).await[0], (Value::Null, "origin_missing".to_owned()));
    for (origin, reason) in [
        ("null", "origin_opaque"),
        ("https://Shop.example.com", "origin_malformed"),
        ("http://x/y?z", "origin_malformed"),
    ] {
        platform.widget_on(origin).get(&config(one)).await;
        assert_eq!(outcomes(&platform, one).await[0], (Value::Null, reason.to_owned()), "{origin}");
    }
    let none = json!({ "allowed_origins": [] });
    assert_eq!(platform.admin(one.id).patch("/api/v1/tenants/me/branding", &none).await.status, 200);
    platform.widget().get(&config(one)).await;
    assert_eq!(outcomes(&platform, one).await[0], (json!(ORIGIN), "no_origins_listed".to_owned()));
    let chatbot = format!("/api/v1/tenants/me/chatbots/{}", one.chatbot);
    assert_eq!(platform.admin(one.id).delete(&chatbot).await.status, 204);
    platform.widget().get(&config(one)).await;
    assert_eq!(outcomes(&platform, one).await[0], (json!(ORIGIN), "chatbot_deactivated".to_owned()));
}

#[tokio::test]
async fn a_chatbot_that_does_not_exist_leaves_nothing() {
    let (platform, ..) = Platform::with_tenants().await;
    platform.widget().get(&format!("/api/v1/widget/config/{}", Uuid::new_v4())).await;
    platform.widget().get("/api/v1/widget/config/garbage").await;
    flush_task::flush(&platform.app).await;
    let rows: i64 =
        sqlx::query_scalar("select count(*) from widget_origins").fetch_one(platform.everything()).await.unwrap();
    assert_eq!(rows, 0);
}

#[tokio::test]
async fn the_snippets_version_comes_from_the_first_request_alone() {
    within_one_day().await;
    let (platform, one, _) = Platform::with_tenants().await;
    let version = async |query: &str| {
        platform.widget().get(&(config(one) + query)).await;
        origins(&platform, one).await[0]["widget_version"].clone()
    };
    assert_eq!(version("").await, Value::Null);
    assert_eq!(version("?v=1.2.0").await, "1.2.0");
    let ask = json!({ "session_id": null, "question": "Hello?" });
    let path = format!("/api/v1/widget/chatbots/{}/query", one.chatbot);
    assert_eq!(platform.widget().post(&path, &ask).await.status, 200);
    assert_eq!(origins(&platform, one).await[0]["widget_version"], "1.2.0", "a question does not say");
    assert_eq!(version("?v=%3Cscript%3E").await, Value::Null);
    assert_eq!(origins(&platform, one).await[0]["days"][0]["requests"], 4);
}

#[tokio::test]
async fn the_report_shows_whether_cors_covers_an_origin() {
    let platform = Platform::start_with(|settings| settings.cors_origins = vec![ORIGIN.to_owned()]).await;
    let one = platform.add_tenant("one").await;
    let report_of = async |origin: &str| report(&platform, one, &format!("?origin={origin}")).await;
    assert_eq!(report_of(ORIGIN).await.body["asked"], json!({ "is_allowed": true, "is_covered": true }));
    assert_eq!(report_of(STRANGER).await.body["asked"], json!({ "is_allowed": false, "is_covered": false }));
    let refused = report_of("shop.example.com/page").await;
    assert_eq!((refused.status, refused.loc()), (422, vec!["query", "origin"]));
    assert_eq!(report(&platform, one, "").await.body["asked"], Value::Null);
    let open = Platform::start_with(|settings| settings.cors_tenant_origins = true).await;
    let two = open.add_tenant("two").await;
    let answer = report(&open, two, &format!("?origin={STRANGER}")).await;
    assert_eq!(answer.body["asked"], json!({ "is_allowed": false, "is_covered": true }));
}

#[tokio::test]
async fn the_record_of_a_chatbot_is_bounded() {
    within_one_day().await;
    let (platform, one, _) = Platform::with_tenants().await;
    platform.widget().get(&config(one)).await;
    flush_task::flush(&platform.app).await;
    for number in 0..60 {
        platform.widget_on(&format!("https://made-up-{number}.example")).get(&config(one)).await;
        if number % 30 == 29 {
            flush_task::flush(&platform.app).await;
        }
    }
    let recorded = outcomes(&platform, one).await;
    assert_eq!(recorded.len(), 26, "25 that were refused, and the one that was accepted");
    assert_eq!(recorded[0].0, "https://made-up-59.example");
    assert_eq!(recorded[25], (json!(ORIGIN), "accepted".to_owned()));
}

#[tokio::test]
async fn embed_records_expire_after_thirty_days() {
    within_one_day().await;
    let (platform, one, _) = Platform::with_tenants().await;
    platform.widget().get(&config(one)).await;
    flush_task::flush(&platform.app).await;
    execute(&platform, "update widget_origins set day = day - 29").await;
    assert_eq!(outcomes(&platform, one).await.len(), 1, "the thirtieth day is shown");
    assert_eq!(flush_task::expire(&platform.app).await.unwrap(), 0);
    execute(&platform, "update widget_origins set day = day - 1").await;
    assert_eq!(outcomes(&platform, one).await, []);
    assert_eq!(flush_task::expire(&platform.app).await.unwrap(), 1);
}

#[tokio::test]
async fn a_failed_write_of_the_record_loses_nothing() {
    within_one_day().await;
    let (platform, one, _) = Platform::with_tenants().await;
    execute(&platform, "alter table widget_origins rename to gone").await;
    assert_eq!(platform.widget().get(&config(one)).await.status, 200);
    flush_task::flush(&platform.app).await;
    assert_eq!(platform.widget().get(&config(one)).await.status, 200);
    execute(&platform, "alter table gone rename to widget_origins").await;
    assert_eq!(origins(&platform, one).await[0]["days"][0]["requests"], 2);
}

#[tokio::test]
async fn embed_records_have_no_visitor_data() {
    let (platform, one, _) = Platform::with_tenants().await;
    let id = Uuid::new_v4();
    execute(
        &platform,
        &format!(
            "insert into chatbots (id, tenant_id, slug, name, language, vector_collection)
             values ('{id}', '{}', 'gone', 'Gone', 'en', 'x')",
            one.id
        ),
    )
    .await;
    let request = platform.widget().request("GET", &format!("/api/v1/widget/config/{id}?v=1.0.0&page=secret"));
    let answer =
        send(request.header("referer", "https://shop.example.com/secret").header("user-agent", "secret")).await;
    assert_eq!(answer.status, 200);
    flush_task::flush(&platform.app).await;
    let row: String =
        sqlx::query_scalar("select w::text from widget_origins w").fetch_one(platform.everything()).await.unwrap();
    assert!(row.contains(ORIGIN) && !row.contains("secret") && !row.contains("127.0.0.1"), "{row}");
    execute(&platform, &format!("delete from chatbots where id = '{id}'")).await;
    let rows: i64 =
        sqlx::query_scalar("select count(*) from widget_origins").fetch_one(platform.everything()).await.unwrap();
    assert_eq!(rows, 0);
}

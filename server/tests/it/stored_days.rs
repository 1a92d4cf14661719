//! Stored amounts of tenants by day: what is recorded, how long it is kept, and who can read it.

use futures::future::join;
use serde_json::{Value, json};
use server::service::usage::recording;

use crate::support::{Platform, Tenant, within_one_day};

/// Records the tenant's number of documents on an earlier day.
async fn insert(platform: &Platform, tenant: Tenant, days: &[(i32, i64)]) {
    for (ago, documents) in days {
        sqlx::query(
            "insert into stored_days (tenant_id, day, documents, bytes, passages, pages, chatbots)
             values ($1, (now() at time zone 'UTC')::date - $2, $3, 0, 0, 0, 0)",
        )
        .bind(tenant.id.0)
        .bind(ago)
        .bind(documents)
        .execute(platform.everything())
        .await
        .unwrap();
    }
}

/// The recorded days of a tenant: how many days ago, and with how many documents.
async fn recorded(platform: &Platform, tenant: Tenant) -> Vec<(i32, i64)> {
    sqlx::query_as(
        "select (now() at time zone 'UTC')::date - day, documents from stored_days where tenant_id = $1 order by day",
    )
    .bind(tenant.id.0)
    .fetch_all(platform.everything())
    .await
    .unwrap()
}

async fn record(platform: &Platform) {
    assert_eq!(recording::run(&platform.app, &platform.stopped).await.unwrap(), 0);
}

/// The last seven days as seen by the tenant.
async fn week(platform: &Platform, tenant: Tenant) -> Vec<Value> {
    let usage = platform.viewer(tenant.id).get("/api/v1/tenants/me/usage?days=7").await;
    assert_eq!(usage.status, 200, "{usage:?}");
    usage.body["stored"].as_array().unwrap().clone()
}

fn documents(days: &[Value]) -> Vec<i64> {
    days.iter().map(|day| day["documents"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn a_new_tenant_has_its_first_day_without_a_record() {
    within_one_day().await;
    let (platform, tenant, _) = Platform::with_tenants().await;
    platform.ingest(tenant, "hours.md", "# Hours\n\nNine to five.\n").await;
    assert!(recorded(&platform, tenant).await.is_empty());
    let days = week(&platform, tenant).await;
    let today = chrono::Utc::now().date_naive().to_string();
    assert_eq!(days.len(), 1, "{days:?}");
    assert_eq!((&days[0]["date"], &days[0]["documents"]), (&json!(today), &json!(1)));
    assert_eq!((&days[0]["chatbots"], &days[0]["bytes"], &days[0]["pages"]), (&json!(1), &json!(0), &json!(0)));
    assert!(days[0]["passages"].as_i64().unwrap() > 0, "{days:?}");
    assert!(recorded(&platform, tenant).await.is_empty(), "reading writes nothing");
}

#[tokio::test]
async fn a_day_without_a_record_has_the_numbers_before_it() {
    within_one_day().await;
    let (platform, tenant, other) = Platform::with_tenants().await;
    insert(&platform, tenant, &[(20, 3), (4, 5), (1, 6), (0, 9)]).await;
    assert_eq!(documents(&week(&platform, tenant).await), [3, 3, 5, 5, 5, 6, 0], "today is counted");
    insert(&platform, other, &[(2, 8)]).await;
    assert_eq!(documents(&week(&platform, other).await), [8, 8, 0], "from the first record on");
}

#[tokio::test]
async fn operators_and_vendors_see_the_numbers_of_a_tenant() {
    within_one_day().await;
    let (platform, tenant, other) = Platform::with_tenants().await;
    insert(&platform, tenant, &[(1, 6)]).await;
    let path = |tenant: Tenant| format!("/api/v1/platform/tenants/{}/usage", tenant.id);
    for caller in [platform.operator(), platform.vendor()] {
        let stored = async |of: Tenant| caller.get(&path(of)).await.body["stored"].as_array().unwrap().clone();
        assert_eq!(documents(&stored(tenant).await), [6, 0]);
        assert_eq!(documents(&stored(other).await), [0], "another tenant's");
    }
}

#[tokio::test]
async fn the_role_of_a_tenant_reaches_its_own_days_only() {
    let (platform, tenant, other) = Platform::with_tenants().await;
    insert(&platform, tenant, &[(1, 6)]).await;
    for (of, count) in [(tenant, 1), (other, 0)] {
        let mut connection = platform.db.connect_as("svc_tenant", Some(&of.id.to_string())).await;
        let days: i64 =
            sqlx::query_scalar("select count(*) from stored_days").fetch_one(&mut connection).await.unwrap();
        assert_eq!(days, count);
    }
}

#[tokio::test]
async fn two_processes_record_one_row_for_each_active_tenant() {
    within_one_day().await;
    let (platform, tenant, deleted) = Platform::with_tenants().await;
    platform.ingest(tenant, "hours.md", "# Hours\n\nNine to five.\n").await;
    let path = format!("/api/v1/platform/tenants/{}", deleted.id);
    assert_eq!(platform.operator().delete(&path).await.status, 204);
    join(record(&platform), record(&platform)).await;
    assert_eq!(recorded(&platform, tenant).await, [(0, 1)]);
    assert!(recorded(&platform, deleted).await.is_empty());
}

#[tokio::test]
async fn a_day_is_counted_again_after_some_hours() {
    within_one_day().await;
    let (platform, tenant, _) = Platform::with_tenants().await;
    record(&platform).await;
    platform.ingest(tenant, "hours.md", "# Hours\n\nNine to five.\n").await;
    record(&platform).await;
    assert_eq!(recorded(&platform, tenant).await, [(0, 0)], "the count is fresh");
    let hours_ago = "update stored_days set recorded_at = recorded_at - interval '7 hours'";
    sqlx::query(hours_ago).execute(platform.everything()).await.unwrap();
    record(&platform).await;
    assert_eq!(recorded(&platform, tenant).await, [(0, 1)]);
}

#[tokio::test]
async fn days_are_kept_for_400_days() {
    within_one_day().await;
    let (platform, tenant, _) = Platform::with_tenants().await;
    insert(&platform, tenant, &[(401, 1), (400, 2), (399, 3)]).await;
    record(&platform).await;
    assert_eq!(recorded(&platform, tenant).await, [(399, 3), (0, 0)]);
}

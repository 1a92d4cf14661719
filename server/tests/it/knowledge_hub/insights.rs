//! Statistics about a tenant's searches, and that they tell nothing about one person.

use serde_json::{Value, json};

use super::{HUB, with_hub};
use crate::support::{Platform, Tenant};

/// Within the last four complete weeks, on whichever day of the week the test runs.
pub const LAST_WEEK: &str = "2 days";

/// A token of a person of the tenant.
pub fn person_token(platform: &Platform, tenant: Tenant, person: &str) -> String {
    platform.keys.tenant(tenant.id, "tenant-viewer").with("preferred_username", json!(person)).encode()
}

/// Moves every search to a time before the current week.
pub async fn move_searches_to(platform: &Platform, before: &str) {
    sqlx::query(
        "update kh_search_history
         set searched_at = date_trunc('week', now() at time zone 'UTC') at time zone 'UTC' - $1::interval",
    )
    .bind(before)
    .execute(platform.everything())
    .await
    .unwrap();
}

/// Stores a search of a person on another day.
pub async fn record_day(platform: &Platform, tenant: Tenant, person: &str) {
    sqlx::query(
        "insert into kh_search_history (tenant_id, realm, user_id, query, result_count, searched_at)
         values ($1, 'svc-tenants', $2, 'something else ' || $2, 1, now() - interval '20 days')",
    )
    .bind(tenant.id.0)
    .bind(person)
    .execute(platform.everything())
    .await
    .unwrap();
}

async fn search_as(platform: &Platform, tenant: Tenant, person: &str, query: &str) {
    let results =
        platform.bearer(&person_token(platform, tenant, person)).get(&format!("{HUB}/search?q={query}")).await;
    assert_eq!(results.status, 200, "{results:?}");
}

#[tokio::test]
async fn insights_list_queries_of_five_active_people() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    let people = ["anna", "ben", "carla", "dora", "emil"];
    for (count, person) in people.iter().enumerate() {
        search_as(&platform, tenant, person, "Zzyzx").await;
        if count < 4 {
            search_as(&platform, tenant, person, "qwrtp").await;
        }
    }
    for person in people {
        record_day(&platform, tenant, person).await;
    }
    let insights = async || admin.get(&format!("{HUB}/insights")).await;
    assert_eq!(insights().await.body["items"], json!([]), "the current week does not count");
    sqlx::query("update kh_search_history set searched_at = searched_at - interval '1 week'")
        .execute(platform.everything())
        .await
        .unwrap();
    let insights = insights().await;
    assert_eq!(insights.body["items"].as_array().unwrap().len(), 1, "{insights:?}");
    let insight = &insights.body["items"][0];
    assert_eq!(
        (&insight["query"], &insight["searches"], &insight["without_result"]),
        (&json!("zzyzx"), &json!(5), &json!(5))
    );
    assert_eq!(insight["last_searched_on"].as_str().unwrap().len(), 10, "a date without a time: {insight}");
    let mut names: Vec<&str> = insight.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["last_searched_on", "query", "searches", "without_click", "without_result"]);
    assert!(people.iter().all(|person| !insights.text.contains(person)));
    let days = |name: &str| insights.body[name].as_str().unwrap().parse::<chrono::NaiveDate>().unwrap();
    assert_eq!((days("to") - days("from")).num_days(), 27);
    let (any, other) = (admin.get(&format!("{HUB}/insights?days=1")).await, insights.body);
    assert_eq!(any.body, other, "the window cannot be chosen");
}

#[tokio::test]
async fn accounts_that_search_for_a_guess_learn_nothing() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    search_as(&platform, tenant, "anna", "works+council+lawyer").await;
    record_day(&platform, tenant, "anna").await;
    let insights = async || admin.get(&format!("{HUB}/insights")).await.body["items"].clone();
    // Two accounts note the guess as often as they want.
    for (decoy, _) in ["one", "two"].iter().cycle().zip(0..6) {
        search_as(&platform, tenant, decoy, "works+council+lawyer").await;
    }
    for decoy in ["one", "two"] {
        record_day(&platform, tenant, decoy).await;
    }
    move_own_week(&platform).await;
    assert_eq!(insights().await, json!([]));
    // Nor do four that were made for the guess.
    for decoy in ["three", "four", "five", "six"] {
        search_as(&platform, tenant, decoy, "works+council+lawyer").await;
    }
    move_own_week(&platform).await;
    assert_eq!(insights().await, json!([]));
}

/// Moves the searches of the current week to the last one.
async fn move_own_week(platform: &Platform) {
    sqlx::query(
        "update kh_search_history set searched_at = searched_at - interval '1 week'
         where searched_at >= date_trunc('week', now() at time zone 'UTC') at time zone 'UTC'",
    )
    .execute(platform.everything())
    .await
    .unwrap();
}

#[tokio::test]
async fn insights_count_people_of_one_tenant() {
    let (platform, one) = with_hub().await;
    let other = platform.add_tenant("other").await;
    // Four people of the first tenant and five of the other one, each on two days.
    for (tenant, people) in [(one, 4), (other, 5)] {
        sqlx::query(
            "insert into kh_search_history (tenant_id, realm, user_id, query, result_count, searched_at)
             select $1, 'svc-tenants', 'person ' || p, 'refund ' || d, 0,
                    date_trunc('week', now() at time zone 'UTC') at time zone 'UTC' - make_interval(days => d)
             from generate_series(1, $2) p, generate_series(1, 2) d",
        )
        .bind(tenant.id.0)
        .bind(people)
        .execute(platform.everything())
        .await
        .unwrap();
    }
    let count_of_unmet = "select coalesce(sum(searches), 0)::bigint from knowledge_unmet_searches()";
    for (tenant, searches) in [(one, 0), (other, 10)] {
        let mut connection = platform.db.connect_as("svc_tenant", Some(&tenant.id.to_string())).await;
        let counted: i64 = sqlx::query_scalar(count_of_unmet).fetch_one(&mut connection).await.unwrap();
        assert_eq!(counted, searches);
    }
    let mut nobody = platform.db.connect_as("svc_tenant", None).await;
    assert_eq!(sqlx::query_scalar::<_, i64>(count_of_unmet).fetch_one(&mut nobody).await.unwrap(), 0);
    for role in ["svc_operator", "svc_vendor", "svc_widget", "svc_system"] {
        let mut connection = platform.db.connect_as(role, Some(&other.id.to_string())).await;
        assert!(sqlx::query(count_of_unmet).execute(&mut connection).await.is_err(), "{role}");
    }
    // Processes of the previous version get nothing.
    for former in ["select count(*) from knowledge_insights(30)", "select count(*) from knowledge_opened_sources(30)"] {
        let mut connection = platform.db.connect_as("svc_tenant", Some(&other.id.to_string())).await;
        assert_eq!(sqlx::query_scalar::<_, i64>(former).fetch_one(&mut connection).await.unwrap(), 0);
    }
}

#[test]
fn no_response_has_a_number_as_an_id() {
    fn check(schema: &Value, place: &str, paths: &mut Vec<String>) {
        match schema {
            Value::Object(fields) => {
                for (name, value) in fields {
                    let here = format!("{place}/{name}");
                    let is_id = place.ends_with("/properties")
                        && (name == "id" || name.ends_with("_id") || name.ends_with("_ids"));
                    if is_id && value.to_string().contains("\"integer\"") {
                        paths.push(here.clone());
                    }
                    check(value, &here, paths);
                }
            }
            Value::Array(values) => values.iter().for_each(|value| check(value, place, paths)),
            _ => {}
        }
    }
    let text = include_str!("../../../../docs/openapi.json");
    let document: Value = serde_json::from_str(text).unwrap();
    let mut paths = Vec::new();
    check(&document, "", &mut paths);
    assert_eq!(paths, Vec::<String>::new());
    assert!(text.contains("\"search_id\""));
}

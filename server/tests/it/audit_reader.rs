//! The audit log for operators and vendors.

mod names;
mod neighbours;
mod search;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Client, Platform, TestResponse};

const PATH: &str = "/api/v1/platform/audit";

/// Appends `count` rows, one per second, with distinct ids and details.
pub async fn append(platform: &Platform, action: &str, count: i64) {
    sqlx::query(
        "insert into platform_audit_log (id, occurred_at, actor_role, actor_user, tenant_id, action, entity_type,
                                         entity_id, details)
         select gen_random_uuid(), timestamptz '2026-03-01 00:00Z' + n * interval '1 second', 'operator', 'olivia',
                gen_random_uuid(), $1, 'thing', n::text, jsonb_build_object('note', 'entry ' || n, 'text', repeat('lorem ', 60))
         from generate_series(1, $2) n",
    )
    .bind(action)
    .bind(count)
    .execute(platform.everything())
    .await
    .unwrap();
}

fn ids(answer: &TestResponse) -> Vec<String> {
    let items = answer.body["items"].as_array().unwrap_or_else(|| panic!("{answer:?}"));
    items.iter().map(|item| item["entity_id"].as_str().unwrap().to_owned()).collect()
}

async fn matching_ids(client: &Client<'_>, query: &str) -> Vec<String> {
    ids(&client.get(&format!("{PATH}?{query}")).await)
}

#[tokio::test]
async fn pages_are_gapless_and_newest_first_while_rows_are_added() {
    let platform = Platform::start().await;
    let vendor = platform.vendor();
    append(&platform, "thing.made", 25).await;
    let mut all_ids = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = vendor.get(&format!("{PATH}?limit=10{cursor}")).await;
        all_ids.extend(ids(&page));
        append_newer(&platform).await;
        let Some(next) = page.body["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    let expected: Vec<String> = (1..=25).rev().map(|n: i64| n.to_string()).collect();
    assert_eq!(all_ids, expected);
}

async fn append_newer(platform: &Platform) {
    sqlx::query(
        "insert into platform_audit_log (id, actor_role, actor_user, action, entity_type, entity_id)
         values (gen_random_uuid(), 'operator', 'olivia', 'thing.made', 'thing', 'newer')",
    )
    .execute(platform.everything())
    .await
    .unwrap();
}

#[tokio::test]
async fn rows_of_one_moment_are_not_lost_or_repeated_between_pages() {
    let platform = Platform::start().await;
    append(&platform, "thing.made", 9).await;
    sqlx::query("update platform_audit_log set occurred_at = '2026-03-01'")
        .execute(platform.everything())
        .await
        .unwrap();
    let operator = platform.operator();
    let mut all_ids = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = operator.get(&format!("{PATH}?limit=2{cursor}")).await;
        all_ids.extend(ids(&page));
        let Some(next) = page.body["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    all_ids.sort();
    assert_eq!(all_ids, (1..=9).map(|n: i64| n.to_string()).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_page_that_takes_the_last_row_has_no_next_one() {
    let platform = Platform::start().await;
    append(&platform, "thing.made", 3).await;
    let page = platform.operator().get(&format!("{PATH}?limit=3")).await;
    assert_eq!((ids(&page).len(), &page.body["next_cursor"]), (3, &Value::Null));
    let page = platform.operator().get(&format!("{PATH}?limit=2")).await;
    assert!(page.body["next_cursor"].is_string());
}

#[tokio::test]
async fn an_invalid_cursor_limit_or_date_is_a_422_that_names_it() {
    let platform = Platform::start().await;
    let operator = platform.operator();
    for (query, field) in [
        ("cursor=nonsense", "cursor"),
        ("cursor=", "cursor"),
        ("cursor=f39_f39_f39_f39_f39_f39_f39_f39_", "cursor"),
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=many", "limit"),
        ("date_from=yesterday", "date_from"),
        ("date_to=%2B200000-01-01", "date_to"),
        ("tenant_id=1", "tenant_id"),
        ("json_search=%00", "json_search"),
    ] {
        let answer = operator.get(&format!("{PATH}?{query}")).await;
        assert_eq!((answer.status, answer.detail()), (422, "validation_error"), "{query}: {answer:?}");
        assert_eq!(answer.loc(), ["query", field], "{query}");
    }
}

#[tokio::test]
async fn every_filter_finds_its_rows_alone_and_together() {
    let (platform, one, other) = Platform::with_tenants().await;
    let operator = platform.operator();
    let chatbot = one.chatbot.to_string();
    assert_eq!(matching_ids(&operator, &format!("entity_id={chatbot}")).await, [chatbot.as_str()]);
    assert_eq!(matching_ids(&operator, "action=chatbot.created").await.len(), 2);
    assert_eq!(
        matching_ids(&operator, &format!("action=chatbot.created&tenant_id={}", one.id)).await,
        [chatbot.as_str()]
    );
    assert_eq!(matching_ids(&operator, "entity_type=tenant").await, [other.id.to_string(), one.id.to_string()]);
    assert_eq!(matching_ids(&operator, "actor_role=tenant").await.len(), 4);
    assert_eq!(matching_ids(&operator, "actor_user=olivia").await.len(), 2);
    assert_eq!(matching_ids(&operator, &format!("chatbot_id={chatbot}&actor_role=tenant")).await, [chatbot.as_str()]);
    assert!(matching_ids(&operator, "actor_role=tenant&action=tenant.created").await.is_empty());
    assert!(matching_ids(&operator, &format!("tenant_id={}", Uuid::new_v4())).await.is_empty());
}

#[tokio::test]
async fn a_range_includes_both_ends_and_whole_days() {
    let platform = Platform::start().await;
    append(&platform, "thing.made", 3).await;
    let operator = platform.operator();
    let range = "date_from=2026-03-01T00:00:02Z&date_to=2026-03-01T01:00:02%2B01:00";
    assert_eq!(matching_ids(&operator, range).await, ["2"]);
    assert_eq!(matching_ids(&operator, "date_from=2026-03-01&date_to=2026-03-01").await.len(), 3);
    assert!(matching_ids(&operator, "date_to=2026-02-28").await.is_empty());
    let answer = operator.get(&format!("{PATH}?date_from=2026-03-02&date_to=2026-03-01")).await;
    assert_eq!((answer.status, answer.detail()), (422, "date_from_after_date_to"));
}

#[tokio::test]
async fn a_row_is_shown_whole_and_an_unknown_one_is_a_404() {
    let (platform, one, _) = Platform::with_tenants().await;
    let vendor = platform.vendor();
    let listed =
        vendor.get(&format!("{PATH}?action=chatbot.created&tenant_id={}", one.id)).await.body["items"][0].clone();
    let row = vendor.get(&format!("{PATH}/{}", listed["id"].as_str().unwrap())).await;
    assert_eq!((row.status, &row.body), (200, &listed));
    assert_eq!(listed["actor_role"], "tenant");
    assert_eq!(listed["actor_user"], "tenant-admin");
    assert_eq!((&listed["actor_idp_id"], &listed["ip_address"]), (&Value::Null, &json!("127.0.0.1")));
    assert_eq!((&listed["session_id"], &listed["details"]["before"]), (&json!("session-1"), &Value::Null));
    assert_eq!(listed["details"]["after"]["slug"], "help");
    let unknown = vendor.get(&format!("{PATH}/{}", Uuid::new_v4())).await;
    assert_eq!((unknown.status, unknown.detail()), (404, "audit_entry_not_found"));
    let malformed = vendor.get(&format!("{PATH}/1")).await;
    assert_eq!((malformed.status, malformed.loc()), (422, vec!["path", "audit_id"]));
}

#[tokio::test]
async fn a_bulk_event_is_found_by_action_and_by_an_id_in_its_details() {
    let (platform, one, other) = Platform::with_tenants().await;
    let operator = platform.operator();
    let details = json!({ "before": {}, "after": { "tenant_ids": [one.id, other.id] } });
    sqlx::query(
        "insert into platform_audit_log (id, actor_role, actor_user, action, entity_type, entity_id, details)
         values (gen_random_uuid(), 'operator', 'olivia', 'tenant.bulk_soft_deleted', 'tenant', 'bulk:2', $1)",
    )
    .bind(&details)
    .execute(platform.everything())
    .await
    .unwrap();
    assert_eq!(matching_ids(&operator, "action=tenant.bulk_soft_deleted").await, ["bulk:2"]);
    let by_search = matching_ids(&operator, &format!("action=tenant.bulk_soft_deleted&json_search={}", other.id)).await;
    assert_eq!(by_search, ["bulk:2"]);
}

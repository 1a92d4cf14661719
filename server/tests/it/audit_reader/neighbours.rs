//! From a page of the audit log to the one before it, and from a row to its neighbours.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{PATH, append, ids};
use crate::support::{Client, Platform};

async fn id_of(client: &Client<'_>, entity: &str) -> String {
    let answer = client.get(&format!("{PATH}?entity_id={entity}")).await;
    answer.body["items"][0]["id"].as_str().unwrap_or_else(|| panic!("{answer:?}")).to_owned()
}

/// The entities of the neighbours of `entity`'s row: newer and older.
async fn neighbours_of(client: &Client<'_>, entity: &str, query: &str) -> [Value; 2] {
    let id = id_of(client, entity).await;
    let answer = client.get(&format!("{PATH}/{id}/neighbours{query}")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let mut entities = [Value::Null, Value::Null];
    for (place, side) in entities.iter_mut().zip(["newer", "older"]) {
        if let Some(id) = answer.body[side].as_str() {
            *place = client.get(&format!("{PATH}/{id}")).await.body["entity_id"].clone();
        }
    }
    entities
}

#[tokio::test]
async fn the_way_back_shows_the_same_pages_also_in_a_search() {
    let platform = Platform::start().await;
    append(&platform, "thing.made", 7).await;
    let operator = platform.operator();
    for search in ["", "&json_search=entry"] {
        let page = async |cursor: &Value| {
            let cursor = cursor.as_str().map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
            operator.get(&format!("{PATH}?limit=3{search}{cursor}")).await
        };
        let first = page(&Value::Null).await;
        let second = page(&first.body["next_cursor"]).await;
        let third = page(&second.body["next_cursor"]).await;
        assert_eq!((ids(&third), &first.body["previous_cursor"]), (vec!["1".into()], &Value::Null));
        let back = page(&third.body["previous_cursor"]).await;
        assert_eq!(ids(&back), ids(&second));
        let back = page(&back.body["previous_cursor"]).await;
        assert_eq!((ids(&back), &back.body["previous_cursor"]), (ids(&first), &Value::Null));
        assert_eq!(ids(&page(&back.body["next_cursor"]).await), ids(&second));
    }
}

#[tokio::test]
async fn a_row_has_neighbours_within_the_filters() {
    let platform = Platform::start().await;
    append(&platform, "thing.made", 3).await;
    let vendor = platform.vendor();
    assert_eq!(neighbours_of(&vendor, "2", "").await, [json!("3"), json!("1")]);
    assert_eq!(neighbours_of(&vendor, "3", "").await, [Value::Null, json!("2")]);
    assert_eq!(neighbours_of(&vendor, "1", "?json_search=entry").await, [json!("2"), Value::Null]);
    assert_eq!(neighbours_of(&vendor, "2", "?json_search=entry%203").await, [json!("3"), Value::Null]);
    assert_eq!(neighbours_of(&vendor, "2", "?action=thing.broken").await, [Value::Null, Value::Null]);
    assert_eq!(neighbours_of(&vendor, "2", "?date_to=2026-03-01T00:00:02Z").await, [Value::Null, json!("1")]);
}

#[tokio::test]
async fn neighbours_of_one_moment_follow_the_order_of_the_list() {
    let platform = Platform::start().await;
    append(&platform, "thing.made", 3).await;
    sqlx::query("update platform_audit_log set occurred_at = '2026-03-01'")
        .execute(platform.everything())
        .await
        .unwrap();
    let operator = platform.operator();
    let listed = ids(&operator.get(PATH).await);
    assert_eq!(neighbours_of(&operator, &listed[1], "").await, [json!(listed[0]), json!(listed[2])]);
}

#[tokio::test]
async fn an_unknown_row_and_a_reversed_range_have_no_neighbours() {
    let platform = Platform::start().await;
    let operator = platform.operator();
    let path = format!("{PATH}/{}/neighbours", Uuid::new_v4());
    let unknown = operator.get(&path).await;
    assert_eq!((unknown.status, unknown.detail()), (404, "audit_entry_not_found"));
    let range = operator.get(&format!("{path}?date_from=2026-03-02&date_to=2026-03-01")).await;
    assert_eq!((range.status, range.detail()), (422, "date_from_after_date_to"));
}

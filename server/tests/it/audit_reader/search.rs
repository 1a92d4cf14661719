//! `json_search`: its results, and that it uses an index.

use contract::audit::AuditFilter;
use serde_json::{Value, json};
use store::Scope;

use super::{PATH, append, ids, matching_ids};
use crate::support::Platform;

async fn append_with(platform: &Platform, entity_id: &str, details: &Value) {
    sqlx::query(
        "insert into platform_audit_log (id, actor_role, actor_user, action, entity_type, entity_id, details)
         values (gen_random_uuid(), 'operator', 'olivia', 'thing.made', 'thing', $1, $2)",
    )
    .bind(entity_id)
    .bind(details)
    .execute(platform.everything())
    .await
    .unwrap();
}

#[tokio::test]
async fn a_search_is_a_case_insensitive_substring_of_the_details_text() {
    let platform = Platform::start().await;
    append_with(&platform, "a", &json!({ "after": { "name": "Harbor Supply", "city": "MÜNCHEN" } })).await;
    append_with(&platform, "b", &json!({ "after": { "name": "Alpine" } })).await;
    let operator = platform.operator();
    for query in ["harbor", "HARBOR%20SUPPLY", "r%20s", "m%C3%BCnchen", "%22name%22:%20%22Har", "bor"] {
        assert_eq!(matching_ids(&operator, &format!("json_search={query}")).await, ["a"], "{query}");
    }
    assert_eq!(matching_ids(&operator, "json_search=after").await, ["b", "a"]);
    assert_eq!(matching_ids(&operator, "json_search=").await.len(), 2);
    assert!(matching_ids(&operator, "json_search=harbour").await.is_empty());
}

#[tokio::test]
async fn wildcards_in_a_search_mean_themselves() {
    let platform = Platform::start().await;
    for (id, text) in [("percent", "100% sure"), ("under", "a_b"), ("slash", r"c\d"), ("plain", "100x sure axb")] {
        append_with(&platform, id, &json!({ "note": text })).await;
    }
    let operator = platform.operator();
    // A backslash is doubled in the text of a JSON value.
    for (query, id) in [("100%25", "percent"), ("a_b", "under"), (r"c%5C%5Cd", "slash"), ("%25%20s", "percent")] {
        assert_eq!(matching_ids(&operator, &format!("json_search={query}")).await, [id], "{query}");
    }
    assert!(matching_ids(&operator, "json_search=c_d").await.is_empty());
}

#[tokio::test]
async fn operators_and_vendors_search_many_rows_through_the_index() {
    let platform = Platform::start().await;
    append(&platform, "thing.made", 20_000).await;
    sqlx::query("analyze platform_audit_log").execute(platform.everything()).await.unwrap();
    let search = AuditFilter { json_search: Some("ENTRY 12345".to_owned()), ..AuditFilter::default() };
    for scope in [Scope::operator(), Scope::vendor()] {
        let mut tx = platform.app.db.read(&scope).await.unwrap();
        let plan = store::audit::read::explain_list(&mut tx, &search, 51).await.unwrap();
        assert!(plan.contains("platform_audit_log_details_idx"), "{plan}");
        assert!(!plan.contains("Seq Scan"), "{plan}");
    }
    assert_eq!(ids(&platform.operator().get(&format!("{PATH}?json_search=entry%2012345")).await), ["12345"]);
}

#[tokio::test]
async fn pages_of_hits_are_gapless_from_newest_to_oldest() {
    let platform = Platform::start().await;
    append(&platform, "thing.made", 9_000).await;
    let operator = platform.operator();
    let (mut all_ids, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = operator.get(&format!("{PATH}?json_search=entry%2077&limit=50{cursor}")).await;
        all_ids.extend(ids(&page));
        let Some(next) = page.body["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    let expected = (7_700..=7_799).rev().chain((770..=779).rev()).chain([77]);
    assert_eq!(all_ids, expected.map(|n: i64| n.to_string()).collect::<Vec<_>>());
}

#[tokio::test]
async fn filters_are_served_by_indexes_in_the_order_of_the_list() {
    let platform = Platform::start().await;
    append(&platform, "thing.made", 20_000).await;
    append(&platform, "thing.lost", 20).await;
    sqlx::query("analyze platform_audit_log").execute(platform.everything()).await.unwrap();
    let text = |text: &str| Some(text.to_owned());
    let none = AuditFilter::default;
    for (filter, index) in [
        (none(), "platform_audit_log_recent_idx"),
        (AuditFilter { action: text("thing.lost"), ..none() }, "platform_audit_log_action_idx"),
        (AuditFilter { entity_id: text("77"), ..none() }, "platform_audit_log_entity_idx"),
        (AuditFilter { actor_user: text("nobody"), ..none() }, "platform_audit_log_user_idx"),
        (AuditFilter { actor_role: text("vendor"), ..none() }, "platform_audit_log_role_idx"),
        (AuditFilter { entity_type: text("tenant"), ..none() }, "platform_audit_log_type_idx"),
        (AuditFilter { chatbot_id: Some(contract::ChatbotId(uuid::Uuid::nil())), ..none() }, "_chatbot_idx"),
        (AuditFilter { tenant_id: Some(contract::TenantId(uuid::Uuid::nil())), ..none() }, "_tenant_idx"),
    ] {
        let mut tx = platform.app.db.read(&Scope::operator()).await.unwrap();
        let plan = store::audit::read::explain_list(&mut tx, &filter, 51).await.unwrap();
        assert!(plan.contains(index) && !plan.contains("Seq Scan"), "{filter:?}: {plan}");
    }
}

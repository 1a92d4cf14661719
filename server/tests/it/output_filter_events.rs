//! The events of the output filter for operators and vendors.

use serde_json::{Value, json};

use crate::support::{Client, Platform, Tenant, TestResponse};

const PATH: &str = "/api/v1/platform/output-filter-audit";
/// A word in every text of a trigger.
const WORD: &str = "canaryzebra";

/// Stores `count` triggers of a tenant, one a second from 2026-01-01 00:00:01, with the rule `rule-<n>`.
async fn fill(platform: &Platform, tenant: Tenant, category: &str, count: i64) {
    sqlx::query(
        "insert into output_filter_audit (id, tenant_id, chatbot_id, user_question, matched_pattern, category,
                                          filter_layer, language, created_at, excerpt, full_output)
         select gen_random_uuid(), $1, $2, $5, 'rule-' || n, $4, 'inline', 'en',
                timestamptz '2026-01-01 00:00Z' + n * interval '1 second', $5, $5
         from generate_series(1, $3) n",
    )
    .bind(tenant.id.0)
    .bind(tenant.chatbot.0)
    .bind(count)
    .bind(category)
    .bind(WORD)
    .execute(platform.everything())
    .await
    .unwrap();
}

fn rules(answer: &TestResponse) -> Vec<String> {
    let items = answer.body["items"].as_array().unwrap_or_else(|| panic!("{answer:?}"));
    items.iter().map(|item| item["matched_pattern"].as_str().unwrap().replace("rule-", "")).collect()
}

async fn matching_rules(client: &Client<'_>, query: &str) -> Vec<String> {
    rules(&client.get(&format!("{PATH}?{query}")).await)
}

#[tokio::test]
async fn pages_lead_from_the_newest_event_to_the_oldest_and_back() {
    let (platform, one, _) = Platform::with_tenants().await;
    fill(&platform, one, "pii", 5).await;
    let vendor = platform.vendor();
    let page = async |cursor: &Value| {
        let cursor = cursor.as_str().map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
        vendor.get(&format!("{PATH}?limit=2{cursor}")).await
    };
    let first = page(&Value::Null).await;
    assert_eq!((rules(&first), &first.body["previous_cursor"]), (vec!["5".into(), "4".into()], &Value::Null));
    let second = page(&first.body["next_cursor"]).await;
    let third = page(&second.body["next_cursor"]).await;
    assert_eq!((rules(&second), rules(&third)), (vec!["3".into(), "2".into()], vec!["1".into()]));
    assert_eq!(third.body["next_cursor"], Value::Null);
    let back = page(&third.body["previous_cursor"]).await;
    assert_eq!(rules(&back), rules(&second));
    let back = page(&back.body["previous_cursor"]).await;
    assert_eq!((rules(&back), &back.body["previous_cursor"]), (rules(&first), &Value::Null));
    assert_eq!(rules(&page(&back.body["next_cursor"]).await), rules(&second));
}

#[tokio::test]
async fn an_event_names_tenant_chatbot_and_rule_and_no_text() {
    let (platform, one, _) = Platform::with_tenants().await;
    fill(&platform, one, "pii", 1).await;
    let answer = platform.operator().get(PATH).await;
    let event = &answer.body["items"][0];
    let expected = json!({
        "id": event["id"], "created_at": "2026-01-01T00:00:01Z", "tenant_id": one.id, "tenant_name": "one",
        "chatbot_id": one.chatbot, "chatbot_name": "Help", "session_id": null, "matched_pattern": "rule-1",
        "category": "pii", "filter_layer": "inline", "language": "en",
    });
    assert_eq!(event, &expected);
    for path in ["", "/summary"] {
        let answer = platform.operator().get(&format!("{PATH}{path}")).await;
        assert!(answer.status == 200 && !answer.text.contains(WORD), "{answer:?}");
    }
}

#[tokio::test]
async fn range_tenant_and_category_filter_events_alone_and_combined() {
    let (platform, one, other) = Platform::with_tenants().await;
    fill(&platform, one, "pii", 3).await;
    fill(&platform, other, "secret", 2).await;
    let operator = platform.operator();
    assert_eq!(matching_rules(&operator, &format!("tenant={}", one.id)).await, ["3", "2", "1"]);
    assert_eq!(matching_rules(&operator, "category=secret").await, ["2", "1"]);
    assert_eq!(matching_rules(&operator, "from=2026-01-01T00:00:02Z&to=2026-01-01T01:00:02%2B01:00").await, ["2", "2"]);
    let together = format!("category=secret&tenant={}", one.id);
    assert!(matching_rules(&operator, &together).await.is_empty());
    assert_eq!(
        matching_rules(&operator, &format!("category=pii&tenant={}&to=2026-01-01T00:00:01Z", one.id)).await,
        ["1"]
    );
}

#[tokio::test]
async fn the_summary_counts_what_the_export_would_hold() {
    let (platform, one, other) = Platform::with_tenants().await;
    fill(&platform, one, "pii", 3).await;
    fill(&platform, one, "secret", 1).await;
    fill(&platform, other, "pii", 2).await;
    let vendor = platform.vendor();
    let all = vendor.get(&format!("{PATH}/summary")).await;
    let expected = json!({ "total": 6, "is_complete": true,
        "categories": [{ "category": "pii", "count": 5 }, { "category": "secret", "count": 1 }],
        "watched": [] });
    assert_eq!(all.body, expected);
    for filter in [format!("tenant={}", one.id), "from=2026-01-01T00:00:02Z".into(), "to=2025-01-01T00:00Z".into()] {
        let counted = vendor.get(&format!("{PATH}/summary?{filter}")).await.body["total"].as_u64().unwrap();
        let exported = vendor.get(&format!("{PATH}/export?{filter}")).await;
        assert_eq!(counted, exported.text.lines().count() as u64 - 1, "{filter}");
    }
}

#[tokio::test]
async fn events_of_a_deleted_tenant_are_gone_and_its_id_is_a_404() {
    let (platform, one, other) = Platform::with_tenants().await;
    fill(&platform, one, "pii", 3).await;
    fill(&platform, other, "secret", 1).await;
    let operator = platform.operator();
    assert_eq!(operator.delete(&format!("/api/v1/platform/tenants/{}", one.id)).await.status, 204);
    assert_eq!(matching_rules(&operator, "").await, ["1"]);
    for path in ["", "/summary"] {
        assert!(!operator.get(&format!("{PATH}{path}")).await.text.contains("pii"));
        let answer = operator.get(&format!("{PATH}{path}?tenant={}", one.id)).await;
        assert_eq!((answer.status, answer.detail()), (404, "tenant_not_found"));
    }
}

#[tokio::test]
async fn bad_ranges_are_refused_as_by_the_export() {
    let platform = Platform::start().await;
    let operator = platform.operator();
    for (query, code) in [
        ("from=2026-01-01T00:00:00", "date_must_be_timezone_aware"),
        ("from=2026-01-02T00:00Z&to=2026-01-01T00:00Z", "date_from_after_date_to"),
        ("to=never", "validation_error"),
        ("tenant=1", "validation_error"),
    ] {
        for path in ["", "/summary", "/export"] {
            let answer = operator.get(&format!("{PATH}{path}?{query}")).await;
            assert_eq!((answer.status, answer.detail()), (422, code), "{path} {query}");
        }
    }
    for (query, field) in [("limit=201", "limit"), ("cursor=nonsense", "cursor"), ("category=%00", "category")] {
        let answer = operator.get(&format!("{PATH}?{query}")).await;
        assert_eq!((answer.status, answer.loc()), (422, vec!["query", field]), "{query}");
    }
}

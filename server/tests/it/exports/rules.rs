//! The contents of the output-filter audit's file, and of its audit row.

use serde_json::json;
use sqlx::Row;

use super::{HEADER, PATH, audit_details, fill};
use crate::support::{Platform, Tenant, TestResponse};

/// One trigger with texts of every awkward kind; its id and session.
async fn store_awkward(platform: &Platform, tenant: Tenant) -> (String, String) {
    let row = sqlx::query(
        "insert into output_filter_audit (id, tenant_id, chatbot_id, session_id, user_question, matched_pattern,
                                          category, filter_layer, language, created_at, excerpt, full_output)
         values (gen_random_uuid(), $1, $2, gen_random_uuid(), '=cmd()', '+1', 'pii', 'post_stream', null,
                 '2026-01-02 03:04:05.678901Z', '-a, \"b\"', E'@x\\r\\n\"\"\ty')
         returning id::text, session_id::text",
    )
    .bind(tenant.id.0)
    .bind(tenant.chatbot.0)
    .fetch_one(platform.everything())
    .await
    .unwrap();
    (row.get(0), row.get(1))
}

fn rows(answer: &TestResponse) -> Vec<&str> {
    answer.text.strip_suffix("\r\n").unwrap().split("\r\n").collect()
}

#[tokio::test]
async fn every_field_is_quoted_and_formulas_are_escaped() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (id, session) = store_awkward(&platform, one).await;
    let answer = platform.vendor().get(PATH).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/csv; charset=utf-8")));
    let (tenant, chatbot) = (one.id, one.chatbot);
    let expected = format!(
        "{HEADER}\r\n\"{id}\",\"{tenant}\",\"{chatbot}\",\"{session}\",\"'=cmd()\",\"'+1\",\"pii\",\"post_stream\",\"\",\
         \"2026-01-02T03:04:05.678901Z\",\"'-a, \"\"b\"\"\",\"'@x\r\n\"\"\"\"\ty\"\r\n"
    );
    assert_eq!(answer.text, expected);
}

#[tokio::test]
async fn an_export_without_full_output_has_eleven_columns() {
    let (platform, one, _) = Platform::with_tenants().await;
    fill(&platform, one, 2, 10).await;
    let answer = platform.operator().get(&format!("{PATH}?include_full_output=false&max_rows=2")).await;
    let rows = rows(&answer);
    assert_eq!(rows[0], HEADER.strip_suffix(",\"full_output\"").unwrap());
    assert!(rows[1].ends_with(",\"excerpt\"") && rows[1].split(',').count() == 11, "{}", rows[1]);
    assert_eq!(rows[3], format!("\"#TRUNCATED\"{}", ",\"\"".repeat(10)));
}

#[tokio::test]
async fn the_marker_row_exists_when_the_rows_reach_the_limit() {
    let (platform, one, _) = Platform::with_tenants().await;
    fill(&platform, one, 3, 10).await;
    let marker = format!("\"#TRUNCATED\"{}", ",\"\"".repeat(11));
    for (max_rows, data, truncated) in [(1, 1, true), (3, 3, true), (4, 3, false), (500_000, 3, false)] {
        let answer = platform.operator().get(&format!("{PATH}?max_rows={max_rows}")).await;
        let rows = rows(&answer);
        assert_eq!(rows.len(), 1 + data + usize::from(truncated), "{max_rows}");
        assert_eq!(rows.last() == Some(&marker.as_str()), truncated, "{max_rows}");
        let details = audit_details(&platform).await.pop().unwrap();
        assert_eq!((&details["returned"], &details["truncated"]), (&json!(data), &json!(truncated)));
        assert!(details.get("truncated_by_disconnect").is_none());
    }
}

#[tokio::test]
async fn rows_come_oldest_first_and_both_bounds_are_inclusive() {
    let (platform, one, other) = Platform::with_tenants().await;
    fill(&platform, one, 4, 10).await;
    fill(&platform, other, 4, 10).await;
    let range = "from=2026-01-01T00:00:02Z&to=2026-01-01T01:00:03%2B01:00";
    let answer = platform.operator().get(&format!("{PATH}?{range}")).await;
    let questions: Vec<_> = rows(&answer)[1..].iter().map(|row| row.split(',').nth(4).unwrap()).collect();
    assert_eq!(questions, ["\"question 2\"", "\"question 2\"", "\"question 3\"", "\"question 3\""]);
}

#[tokio::test]
async fn exports_of_one_tenant_have_only_its_rows() {
    let (platform, one, other) = Platform::with_tenants().await;
    fill(&platform, one, 2, 10).await;
    fill(&platform, other, 3, 10).await;
    let answer = platform.vendor().get(&format!("{PATH}?tenant={}", one.id)).await;
    assert_eq!(rows(&answer).len(), 3);
    assert!(rows(&answer)[1..].iter().all(|row| row.contains(&one.id.to_string())));
    let name = answer.header("content-disposition").unwrap();
    let stamp = name
        .strip_prefix(&format!("attachment; filename=\"svc-output-filter-audit-{}-", one.id))
        .and_then(|rest| rest.strip_suffix(".csv\""))
        .unwrap_or_else(|| panic!("{name}"));
    chrono::NaiveDateTime::parse_from_str(stamp, "%Y%m%d-%H%M%S").unwrap();
    let row = platform.last_audit().await;
    assert_eq!((&row["entity_id"], &row["tenant_id"]), (&json!(one.id), &json!(one.id)));
    assert_eq!((&row["actor_role"], &row["actor_user"]), (&json!("vendor"), &json!("victor")));
    assert_eq!(row["details"]["scope"], "single_tenant");
}

#[tokio::test]
async fn a_clean_export_leaves_one_row_with_exactly_eight_keys() {
    let (platform, one, _) = Platform::with_tenants().await;
    fill(&platform, one, 2, 10).await;
    let before = platform.audit_rows().await;
    let query = "from=2025-01-01T00:00:00Z&to=2027-01-01T01:00:00%2B01:00&include_full_output=0&max_rows=7";
    let answer = platform.operator().get(&format!("{PATH}?{query}")).await;
    let name = answer.header("content-disposition").unwrap();
    assert!(name.starts_with("attachment; filename=\"svc-output-filter-audit-20"), "{name}");
    assert_eq!(platform.audit_rows().await, before + 1);
    let expected = json!({
        "action": "output_filter_audit.exported", "actor_role": "operator", "actor_user": "olivia",
        "tenant_id": null, "entity_type": "output_filter_audit", "entity_id": "all",
        "details": {
            "scope": "cross_tenant", "target_tenant_id": null, "date_from": "2025-01-01T00:00:00Z",
            "date_to": "2027-01-01T00:00:00Z", "returned": 2, "truncated": false, "include_full_output": false,
            "max_rows": 7,
        },
    });
    let row = platform.last_audit().await;
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(row[key], *value, "{key}");
    }
}

#[tokio::test]
async fn an_empty_export_is_a_header_and_one_row_in_the_log() {
    let platform = Platform::start().await;
    let answer = platform.operator().get(PATH).await;
    assert_eq!((answer.status, answer.text), (200, format!("{HEADER}\r\n")));
    let details = audit_details(&platform).await.pop().unwrap();
    assert_eq!((&details["returned"], &details["max_rows"]), (&json!(0), &json!(50_000)));
    assert_eq!((&details["date_from"], &details["date_to"]), (&json!(null), &json!(null)));
}

#[tokio::test]
async fn a_large_export_arrives_whole() {
    let (platform, one, _) = Platform::with_tenants().await;
    fill(&platform, one, 5000, 900).await;
    let answer = platform.operator().get(PATH).await;
    let rows = rows(&answer);
    assert_eq!(rows.len(), 5001);
    assert!(rows[1..].iter().enumerate().all(|(n, row)| row.contains(&format!("\"question {}\"", n + 1))));
    assert_eq!(audit_details(&platform).await[0]["returned"], 5000);
}

#[tokio::test]
async fn the_triggers_of_a_deleted_tenant_are_gone_with_it() {
    let (platform, one, other) = Platform::with_tenants().await;
    fill(&platform, one, 2, 10).await;
    fill(&platform, other, 1, 10).await;
    assert_eq!(platform.operator().delete(&format!("/api/v1/platform/tenants/{}", one.id)).await.status, 204);
    let answer = platform.operator().get(PATH).await;
    assert_eq!(rows(&answer).len(), 2);
    assert!(rows(&answer)[1].contains(&other.id.to_string()));
}

#[tokio::test]
async fn a_widget_stores_a_trigger_of_its_own_tenant_only() {
    use store::{Exemption, Scope, output_filter};
    let (platform, one, other) = Platform::with_tenants().await;
    let trigger = |tenant: Tenant| output_filter::Trigger {
        tenant_id: tenant.id,
        chatbot_id: tenant.chatbot,
        session_id: None,
        user_question: "What is the password?".to_owned(),
        matched_pattern: "secret-1".to_owned(),
        category: "secret".to_owned(),
        filter_layer: output_filter::FilterLayer::Inline,
        language: Some("en".to_owned()),
        excerpt: "hunter2".to_owned(),
        full_output: "It is hunter2.".to_owned(),
    };
    let mut tx = platform.app.db.write(&Scope::widget(one.id)).await.unwrap();
    output_filter::insert(&mut tx, &trigger(one)).await.unwrap();
    tx.commit_exempt(Exemption::Conversation).await.unwrap();
    let mut tx = platform.app.db.write(&Scope::widget(one.id)).await.unwrap();
    assert!(output_filter::insert(&mut tx, &trigger(other)).await.is_err());
    let answer = platform.operator().get(PATH).await;
    assert!(rows(&answer)[1].ends_with("\"hunter2\",\"It is hunter2.\""));
}

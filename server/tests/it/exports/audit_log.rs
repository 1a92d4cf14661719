//! The CSV of the audit log.

use serde_json::{Value, json};

use crate::{
    audit_reader::append,
    support::{Platform, TestResponse, send},
};

const PATH: &str = "/api/v1/platform/audit/export.csv";
const HEADER: &str = r#""id","occurred_at","actor_role","actor_user","actor_idp_id","tenant_id","chatbot_id","action","entity_type","entity_id","ip_address","session_id""#;

async fn store(platform: &Platform, entity_id: &str, details: Value) {
    sqlx::query(
        "insert into platform_audit_log (id, occurred_at, actor_role, actor_user, action, entity_type, entity_id, details)
         values ('b7d4f1a2-6c3e-4f58-8a90-2e1d7c5b4f33', '2026-03-01 01:02:03Z', 'operator', '-olivia', 'thing.made',
                 'thing', $1, $2)",
    )
    .bind(entity_id)
    .bind(details)
    .execute(platform.everything())
    .await
    .unwrap();
}

fn rows(answer: &TestResponse) -> Vec<&str> {
    answer.text.strip_suffix("\r\n").unwrap().split("\r\n").collect()
}

#[tokio::test]
async fn the_file_has_the_specified_header_and_optional_details() {
    let platform = Platform::start().await;
    store(&platform, "+1", json!({ "after": { "name": "a \"b\"" } })).await;
    let vendor = platform.vendor();
    let answer = vendor.get(PATH).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/csv; charset=utf-8")));
    assert!(answer.header("content-disposition").unwrap().starts_with("attachment; filename=\"svc-audit-20"));
    let row = r#""b7d4f1a2-6c3e-4f58-8a90-2e1d7c5b4f33","2026-03-01T01:02:03Z","operator","'-olivia","","","","thing.made","thing","'+1","","""#;
    assert_eq!(answer.text, format!("{HEADER}\r\n{row}\r\n"));
    assert_eq!(vendor.get(&format!("{PATH}?include_details=false")).await.text, answer.text);
    let answer = vendor.get(&format!("{PATH}?include_details=true")).await;
    let details = r#""{""after"": {""name"": ""a \""b\""""}}""#;
    assert_eq!(answer.text, format!("{HEADER},\"details\"\r\n{row},{details}\r\n"));
}

#[tokio::test]
async fn the_file_has_the_rows_that_the_list_has_in_its_order() {
    let (platform, one, _) = Platform::with_tenants().await;
    append(&platform, "thing.made", 300).await;
    let operator = platform.operator();
    for query in [
        String::new(),
        "action=thing.made&date_from=2026-03-01T00:00:10Z&date_to=2026-03-01T00:01:00Z".to_owned(),
        format!("tenant_id={}&actor_role=tenant&actor_user=tenant-admin", one.id),
        format!("chatbot_id={}&entity_type=chatbot&entity_id={}", one.chatbot, one.chatbot),
        "json_search=ENTRY%207".to_owned(),
    ] {
        let list = operator.get(&format!("/api/v1/platform/audit?limit=200&{query}")).await;
        let ids: Vec<_> = list.body["items"].as_array().unwrap().iter().map(|item| item["id"].to_string()).collect();
        let answer = operator.get(&format!("{PATH}?{query}")).await;
        let exported: Vec<_> = rows(&answer)[1..].iter().map(|row| row[..38].to_owned()).collect();
        assert!(!ids.is_empty() && exported[..ids.len()] == ids, "{query}");
        assert_eq!(exported.len() > ids.len(), query.is_empty(), "{query}");
    }
}

#[tokio::test]
async fn a_filter_is_a_value_and_never_a_part_of_the_statement() {
    let platform = Platform::start().await;
    let awkward = r"' or 1=1 --\' %_$1";
    store(&platform, awkward, json!({ "note": "100%" })).await;
    append(&platform, "thing.made", 5).await;
    for (name, value, count) in [
        ("entity_id", awkward, 1),
        ("entity_id", "' or 1=1 --", 0),
        ("action", "\\", 0),
        ("json_search", "100%", 1),
        ("json_search", "' or '1'='1", 0),
        ("json_search", "_", 0),
    ] {
        let answer = send(platform.operator().request("GET", PATH).query(&[(name, value)])).await;
        assert_eq!((answer.status, rows(&answer).len()), (200, 1 + count), "{name}={value}");
    }
}

#[tokio::test]
async fn a_bad_filter_is_refused_and_no_row_is_written() {
    let platform = Platform::start().await;
    let operator = platform.operator();
    let turned = operator.get(&format!("{PATH}?date_from=2026-03-02&date_to=2026-03-01")).await;
    assert_eq!((turned.status, turned.detail()), (422, "date_from_after_date_to"));
    for (query, field) in
        [("date_from=soon", "date_from"), ("tenant_id=1", "tenant_id"), ("include_details=perhaps", "include_details")]
    {
        let answer = operator.get(&format!("{PATH}?{query}")).await;
        assert_eq!((answer.status, answer.loc()), (422, vec!["query", field]), "{query}");
    }
    assert_eq!(operator.get(PATH).await.status, 200);
    assert_eq!(platform.audit_rows().await, 0);
}

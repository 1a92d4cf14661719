//! Refusals before the stream starts: in the specification's order, and without an audit row.

use serde_json::json;
use uuid::Uuid;

use super::{BOUND, PATH, audit_details, fill, open_as, read};
use crate::support::{Platform, send};

#[tokio::test]
async fn what_does_not_fit_is_refused_in_the_order_of_the_checks() {
    let platform = Platform::start().await;
    let operator = platform.operator();
    let unknown = format!("tenant={}", Uuid::new_v4());
    let naive = "from=2026-01-02T00:00:00";
    let turned = "from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z";
    for (query, status, code) in [
        ("max_rows=0&fmt=xml".to_owned(), 422, "validation_error"),
        (format!("from=yesterday&fmt=xml&{unknown}"), 422, "validation_error"),
        (format!("fmt=xml&{naive}&{unknown}"), 422, "unsupported_export_format"),
        ("fmt=CSV".to_owned(), 422, "unsupported_export_format"),
        (format!("{naive}&to=2026-01-01T00:00:00Z&{unknown}"), 422, "date_must_be_timezone_aware"),
        ("to=2026-01-01".to_owned(), 422, "date_must_be_timezone_aware"),
        (format!("{turned}&{unknown}"), 422, "date_from_after_date_to"),
        (unknown, 404, "tenant_not_found"),
    ] {
        let answer = operator.get(&format!("{PATH}?{query}")).await;
        assert_eq!((answer.status, answer.detail()), (status, code), "{query}: {answer:?}");
    }
    assert!(audit_details(&platform).await.is_empty());
}

#[tokio::test]
async fn a_malformed_parameter_is_named() {
    let platform = Platform::start().await;
    for (query, field) in [
        ("max_rows=0", "max_rows"),
        ("max_rows=500001", "max_rows"),
        ("max_rows=many", "max_rows"),
        ("tenant=1", "tenant"),
        ("from=soon", "from"),
        ("to=2026-13-01T00:00:00Z", "to"),
        ("include_full_output=perhaps", "include_full_output"),
    ] {
        let answer = platform.vendor().get(&format!("{PATH}?{query}")).await;
        assert_eq!((answer.status, answer.detail()), (422, "validation_error"), "{query}");
        assert_eq!(answer.loc(), ["query", field], "{query}");
    }
}

#[tokio::test]
async fn a_deleted_tenant_and_a_tenants_own_token_are_refused() {
    let (platform, one, other) = Platform::with_tenants().await;
    assert_eq!(platform.operator().delete(&format!("/api/v1/platform/tenants/{}", one.id)).await.status, 204);
    let of_deleted = platform.vendor().get(&format!("{PATH}?tenant={}", one.id)).await;
    assert_eq!((of_deleted.status, of_deleted.detail()), (404, "tenant_not_found"));
    let own = platform.admin(other.id).get(&format!("{PATH}?max_rows=0&tenant={}", other.id)).await;
    assert_eq!((own.status, own.detail()), (403, "operator_or_vendor_required"));
    assert!(audit_details(&platform).await.is_empty());
}

#[tokio::test]
async fn only_get_starts_an_export() {
    let platform = Platform::start().await;
    let answer = send(platform.operator().request("HEAD", PATH)).await;
    assert_eq!((answer.status, answer.header("allow")), (405, Some("GET")));
    for path in [PATH, "/api/v1/platform/audit/export.csv"] {
        for method in ["POST", "DELETE", "OPTIONS"] {
            let answer = send(platform.operator().request(method, path)).await;
            assert_eq!((answer.status, answer.detail()), (405, "method_not_allowed"), "{method} {path}");
            assert_eq!(answer.header("allow"), Some("GET"), "HEAD is refused, too: {method} {path}");
        }
    }
    assert!(audit_details(&platform).await.is_empty());
}

#[tokio::test]
async fn one_export_too_many_is_a_503_with_retry_after() {
    let (platform, one, _) = Platform::with_tenants().await;
    fill(&platform, one, 3000, 4000).await;
    let mut running = Vec::new();
    let address = platform.base_url.strip_prefix("http://").unwrap();
    for number in 0..platform.db.settings().max_exports {
        let operator = platform.keys.operator().with("preferred_username", json!(format!("operator-{number}")));
        let mut stream = open_as(&operator, address, PATH).await;
        assert!(read(&mut stream, 15).await.starts_with(b"HTTP/1.1 200"));
        running.push(stream);
    }
    let answer = platform.operator().get(PATH).await;
    assert_eq!((answer.status, answer.detail()), (503, "service_unavailable"));
    assert!(answer.header("retry-after").is_some());
    assert_eq!(platform.operator().get("/api/v1/platform/audit").await.status, 200);
    assert!(audit_details(&platform).await.is_empty());
    running.pop();
    assert_eq!(platform.operator().get(PATH).await.status, 200);
}

#[tokio::test]
async fn an_operator_and_a_vendor_run_two_exports_each_and_not_more() {
    let (platform, one, _) = Platform::with_tenants().await;
    fill(&platform, one, 3000, 4000).await;
    let address = platform.base_url.strip_prefix("http://").unwrap();
    let mut running = Vec::new();
    for token in [platform.keys.operator(), platform.keys.vendor()] {
        for _ in 0..2 {
            let mut stream = open_as(&token, address, PATH).await;
            assert!(read(&mut stream, 15).await.starts_with(b"HTTP/1.1 200"));
            running.push(stream);
        }
        for path in [PATH, "/api/v1/platform/audit/export.csv"] {
            let third = platform.bearer(&token.encode()).get(path).await;
            assert_eq!((third.status, third.detail()), (429, "rate_limited"), "{path}");
            assert!(third.header("retry-after").is_some());
        }
    }
    drop(running);
    let started = std::time::Instant::now();
    while platform.operator().get(PATH).await.status != 200 {
        assert!(started.elapsed() < BOUND, "what was left does not count");
    }
}

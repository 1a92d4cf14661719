//! HTTP semantics that REST clients rely on: validators, HEAD, OPTIONS, Allow.

use serde_json::json;

use crate::support::{Platform, send};

#[tokio::test]
async fn a_resource_that_did_not_change_is_not_sent_again() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let operator = platform.operator();
    for path in [
        format!("/api/v1/platform/tenants/{}", tenant.id),
        "/api/v1/platform/tenants?limit=1".to_owned(),
        "/api/v1/me".to_owned(),
    ] {
        let first = operator.get(&path).await;
        assert_eq!((first.status, first.header("cache-control")), (200, Some("private, no-cache")), "{path}");
        assert_eq!(first.header("content-type"), Some("application/json"), "{path}");
        let tag = first.header("etag").unwrap().to_owned();
        for listed in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
            let again = send(operator.request("GET", &path).header("if-none-match", &listed)).await;
            assert_eq!((again.status, again.text.as_str()), (304, ""), "{path} {listed}");
            assert_eq!(again.header("etag"), Some(tag.as_str()), "{path}");
        }
    }
    let path = format!("/api/v1/platform/tenants/{}", tenant.id);
    let tag = operator.get(&path).await.header("etag").unwrap().to_owned();
    assert_eq!(operator.patch(&path, &json!({ "display_name": "Other" })).await.status, 200);
    let changed = send(operator.request("GET", &path).header("if-none-match", &tag)).await;
    assert_eq!((changed.status, &changed.body["display_name"]), (200, &json!("Other")));
    assert_ne!(changed.header("etag"), Some(tag.as_str()));
}

#[tokio::test]
async fn a_validator_tells_nothing_to_somebody_who_may_not_read() {
    let (platform, one, other) = Platform::with_tenants().await;
    let path = format!("/api/v1/tenants/me/chatbots/{}", one.chatbot);
    let tag = platform.admin(one.id).get(&path).await.header("etag").unwrap().to_owned();
    let foreign = send(platform.admin(other.id).request("GET", &path).header("if-none-match", &tag)).await;
    assert_eq!((foreign.status, foreign.header("etag")), (404, None));
    let anonymous = send(platform.anonymous().request("GET", &path).header("if-none-match", "*")).await;
    assert_eq!(anonymous.status, 401);
}

#[tokio::test]
async fn head_answers_as_get_without_its_body() {
    let platform = Platform::start().await;
    let got = platform.operator().get("/api/v1/me").await;
    let head = send(platform.operator().request("HEAD", "/api/v1/me")).await;
    assert_eq!((head.status, head.text.as_str()), (200, ""));
    assert_eq!(head.header("content-length"), Some(got.text.len().to_string().as_str()));
    assert_eq!(head.header("content-type"), Some("application/json"));
    assert_eq!(send(platform.anonymous().request("HEAD", "/api/v1/me")).await.status, 401);
    assert_eq!(send(platform.anonymous().request("HEAD", "/health/live")).await.status, 200);
}

#[tokio::test]
async fn a_method_that_does_not_exist_is_a_405_that_says_which_do() {
    let platform = Platform::start().await;
    for (method, path, allowed) in [
        ("PUT", "/api/v1/platform/tenants", vec!["GET", "HEAD", "POST"]),
        ("OPTIONS", "/api/v1/platform/tenants", vec!["GET", "HEAD", "POST"]),
        ("DELETE", "/api/v1/me", vec!["GET", "HEAD"]),
        ("GET", "/api/v1/feedback", vec!["POST"]),
        ("TRACE", "/health/live", vec!["GET", "HEAD"]),
    ] {
        let answer = send(platform.operator().request(method, path)).await;
        assert_eq!((answer.status, answer.detail()), (405, "method_not_allowed"), "{method} {path}");
        let mut allow: Vec<_> = answer.header("allow").unwrap().split(',').map(str::trim).collect();
        allow.sort_unstable();
        assert_eq!(allow, allowed, "{method} {path}");
    }
}

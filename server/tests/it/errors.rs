//! Bad input gets a clear error with a machine-readable code, never a 400 or a 500.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::{Platform, moment, send};

const TENANTS: &str = "/api/v1/platform/tenants";

#[tokio::test]
async fn bodies_that_do_not_fit_are_a_422_that_says_where() {
    let platform = Platform::start().await;
    let operator = platform.operator();
    for (body, loc) in [
        ("", vec!["body"]),
        ("{", vec!["body"]),
        ("[]", vec!["body"]),
        ("{} x", vec!["body", "slug"]),
        (r#"{"slug": "a", "display_name": "A"} x"#, vec!["body"]),
        (r#"{"slug": 7, "display_name": "A"}"#, vec!["body", "slug"]),
        (r#"{"display_name": "A"}"#, vec!["body", "slug"]),
        (r#"{"slug": "a", "display_name": "\ud800"}"#, vec!["body", "display_name"]),
        ("\u{feff}{}", vec!["body"]),
    ] {
        let request = operator.request("POST", TENANTS).header("content-type", "application/json").body(body);
        let answer = send(request).await;
        assert_eq!((answer.status, answer.detail()), (422, "validation_error"), "{body}: {}", answer.text);
        assert_eq!(answer.loc(), loc, "{body}: {}", answer.text);
        let error = &answer.body["errors"][0];
        assert!(error["msg"].is_string() && error["type"].is_string(), "{body}");
    }
    let in_an_unknown_field = b"{\"slug\": \"a\", \"display_name\": \"A\", \"unknown\": \"\xff\"}";
    for body in [&b"\"\xff\""[..], in_an_unknown_field] {
        let invalid = operator.request("POST", TENANTS).header("content-type", "application/json").body(body.to_vec());
        let answer = send(invalid).await;
        assert_eq!((answer.status, answer.loc()), (422, vec!["body"]), "{answer:?}");
    }
}

#[tokio::test]
async fn bad_filters_of_lists_are_named() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let (operator, viewer) = (platform.operator(), platform.viewer(tenant.id));
    for (client, path, parameter) in [
        (&operator, "/api/v1/platform/audit?limit=5&tenant_id=x", "tenant_id"),
        (&operator, "/api/v1/platform/audit/export.csv?chatbot_id=x&include_details=true", "chatbot_id"),
        (&viewer, "/api/v1/tenants/me/conversations?q=a&outcome=x", "outcome"),
        (&viewer, "/api/v1/tenants/me/chatbots?q=a&status=x", "status"),
        (&viewer, "/api/v1/tenants/me/chatbots?limit=x", "limit"),
    ] {
        let answer = client.get(path).await;
        assert_eq!((answer.status, answer.loc()), (422, vec!["query", parameter]), "{path}: {}", answer.text);
    }
}

#[tokio::test]
async fn repeated_parameters_and_fields_are_named() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    for others in [10, 20_000] {
        let query = format!("{}limit=1&limit=1", "a&".repeat(others));
        let answer = platform.viewer(tenant.id).get(&format!("/api/v1/tenants/me/chatbots?{query}")).await;
        assert_eq!((answer.status, answer.loc()), (422, vec!["query", "limit"]), "{others}: {}", answer.text);
        assert_eq!(answer.body["errors"][0]["msg"], "must appear only once");
    }
    let request = platform.operator().request("POST", TENANTS).header("content-type", "application/json");
    let answer = send(request.body(r#"{"slug": "a", "slug": "b", "display_name": "A"}"#)).await;
    assert_eq!((answer.status, answer.loc()), (422, vec!["body", "slug"]), "{}", answer.text);
}

#[tokio::test]
async fn a_bad_field_is_named_in_small_and_large_bodies() {
    let platform = Platform::start_with(|settings| settings.body_limit = 1 << 20).await;
    for characters in [10, 100_000] {
        let mut body = json!({ "id": "support", "language": "en", "name": "x".repeat(characters) });
        body["welcome_message"] = json!(7);
        let answer = platform.operator().post("/api/v1/operator/templates", &body).await;
        assert_eq!(
            (answer.status, answer.loc()),
            (422, vec!["body", "welcome_message"]),
            "{characters}: {}",
            answer.text
        );
        body["welcome_message"] = json!("Hello");
        body["faq_seed"] = json!([{ "question": "Why?", "answer": 7 }]);
        let answer = platform.operator().post("/api/v1/operator/templates", &body).await;
        assert_eq!((answer.status, answer.loc()), (422, vec!["body", "faq_seed", "0", "answer"]), "{}", answer.text);
    }
    let answer = platform.widget().post("/api/v1/feedback", &json!({ "0": vec![json!({}); 300_000] })).await;
    assert_eq!((answer.status, answer.loc()), (422, vec!["body", "chatbot_id"]), "{}", answer.text);
}

#[tokio::test]
async fn a_wrong_content_type_is_a_422() {
    let platform = Platform::start().await;
    for content_type in ["text/plain", "application/x-www-form-urlencoded", ""] {
        let request = platform.operator().request("POST", TENANTS).header("content-type", content_type);
        let answer = send(request.body(r#"{"slug":"a","display_name":"A"}"#)).await;
        assert_eq!((answer.status, answer.loc()), (422, vec!["body"]), "{content_type}");
    }
    let request =
        platform.operator().request("POST", TENANTS).header("content-type", "application/json; charset=utf-8");
    assert_eq!(send(request.body(r#"{"slug":"a","display_name":"A"}"#)).await.status, 201);
}

#[tokio::test]
async fn a_huge_body_is_a_413() {
    let platform = Platform::start().await;
    let body = json!({ "slug": "a", "display_name": "x".repeat(100_000) });
    let answer = platform.operator().post(TENANTS, &body).await;
    assert_eq!((answer.status, answer.detail()), (413, "payload_too_large"));
}

#[tokio::test]
async fn malformed_ids_are_a_422_that_names_the_argument() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let answer = platform.operator().get(&format!("{TENANTS}/not-an-id")).await;
    assert_eq!((answer.status, answer.loc()), (422, vec!["path", "tenant_id"]), "{}", answer.text);
    let answer = platform.operator().get("/api/v1/operator/templates/NOT%20AN%20ID").await;
    assert_eq!((answer.status, answer.loc()), (422, vec!["path", "template_id"]), "{}", answer.text);
    let path = format!("/api/v1/widget/chatbots/{}/sessions/nope/messages", tenant.chatbot);
    let answer = platform.widget().get(&path).await;
    assert_eq!((answer.status, answer.loc()), (422, vec!["path", "session_id"]), "{}", answer.text);
}

#[tokio::test]
async fn unknown_paths_and_wrong_methods_have_the_same_shape() {
    let platform = Platform::start().await;
    for path in ["/nope", "/api/v1/nope", "/auth/realms/svc-platform", "/auth/", "/docs/nope", "/redoc", "/static/nope"]
    {
        let answer = platform.operator().get(path).await;
        assert_eq!((answer.status, answer.text.as_str()), (404, r#"{"detail":"Not Found"}"#), "{path}");
        assert!(answer.header("x-request-id").is_some());
    }
    let answer = platform.operator().delete(TENANTS).await;
    assert_eq!((answer.status, answer.detail()), (405, "method_not_allowed"));
    let allow = answer.header("allow").unwrap();
    assert!(allow.contains("GET") && allow.contains("POST"), "{allow}");
}

#[tokio::test]
async fn a_database_that_is_down_is_a_503_and_comes_back() {
    let platform = Platform::start().await;
    sqlx::query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'svc_app' and datname = current_database()")
        .execute(platform.everything())
        .await
        .unwrap();
    let mut statuses = Vec::new();
    let deadline = Instant::now() + Duration::from_secs(60);
    while statuses.len() < 8 || statuses.last() != Some(&200) {
        assert!(Instant::now() < deadline, "it does not come back: {statuses:?}");
        statuses.push(platform.operator().get(TENANTS).await.status);
        moment().await;
    }
    assert!(statuses.iter().all(|status| [200, 503].contains(status)), "{statuses:?}");
}

//! The events that the audit poller reads, and the rotation of keys over HTTP.

use axum::{
    body::Body,
    http::{Method, Request, StatusCode},
};

use super::world::{Browser, PASSWORD, TestResponse, World, auth_path, text};

const EVENTS: &str = "/admin/realms/svc-platform/events";

async fn call(world: &World, method: Method, path: &str, token: Option<&str>, address: [u8; 4]) -> TestResponse {
    let mut request = Request::builder().method(method).uri(path);
    if let Some(token) = token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    world.send_from(address, request.body(Body::empty()).unwrap()).await
}

async fn events(world: &World, query: &str) -> Vec<serde_json::Value> {
    let token = world.audit_token().await;
    let answer = call(world, Method::GET, &format!("{EVENTS}{query}"), Some(&token), [127, 0, 0, 1]).await;
    answer.json(StatusCode::OK).as_array().unwrap().clone()
}

#[tokio::test]
async fn a_login_is_an_event_with_user_client_time_and_address() {
    let world = World::new();
    world.password_grant("svc-platform", "victor").await;
    let events = events(&world, "?type=LOGIN").await;
    assert_eq!(events.len(), 1);
    let event = &events[0];
    assert_eq!(event["type"], "LOGIN");
    assert_eq!(event["time"], world.now() * 1_000);
    assert_eq!(event["realmId"], "svc-platform");
    assert_eq!(event["clientId"], "svc-api");
    assert_eq!(event["ipAddress"], "127.0.0.1");
    assert_eq!(event["details"]["username"], "victor");
    for name in ["id", "userId", "sessionId"] {
        assert!(event[name].is_string(), "{name}");
    }
}

#[tokio::test]
async fn failures_and_sign_outs_are_events_of_their_own_type() {
    let world = World::new();
    let mut browser = Browser::default();
    browser.sign_in(&world, &auth_path(&[]), "olivia", "wrong").await;
    let answer = world.sign_in(&mut browser, "olivia").await;
    let hint = text(&answer, "id_token");
    world.get(&format!("/realms/svc-platform/protocol/openid-connect/logout?id_token_hint={hint}")).await;
    let types: Vec<_> = events(&world, "").await.iter().map(|event| text(event, "type")).collect();
    assert_eq!(types, ["LOGOUT", "LOGIN", "LOGIN_ERROR"]);
    assert!(!format!("{:?}", events(&world, "").await).contains(PASSWORD));
}

#[tokio::test]
async fn events_can_be_paged_and_cut_by_time() {
    let world = World::new();
    for _ in 0..3 {
        world.password_grant("svc-platform", "victor").await;
        world.pass(10);
    }
    assert_eq!(events(&world, "?max=2").await.len(), 2);
    assert_eq!(events(&world, "?first=2&max=2").await.len(), 1);
    assert_eq!(events(&world, &format!("?dateFrom={}", (world.now() - 10) * 1_000)).await.len(), 1);
    assert_eq!(events(&world, "?dateFrom=2023-11-14").await.len(), 3);
    assert_eq!(events(&world, "?dateFrom=2023-11-16").await.len(), 0);
}

#[tokio::test]
async fn events_of_the_other_realm_stay_apart() {
    let world = World::new();
    world.password_grant("svc-tenants", "hanna").await;
    assert!(events(&world, "").await.is_empty());
    let token = world.audit_token().await;
    let path = "/admin/realms/svc-tenants/events";
    let answer = call(&world, Method::GET, path, Some(&token), [127, 0, 0, 1]).await;
    answer.error(StatusCode::UNAUTHORIZED, "invalid_token");
}

#[tokio::test]
async fn only_the_audit_poller_may_read_events() {
    let world = World::new();
    call(&world, Method::GET, EVENTS, None, [127, 0, 0, 1]).await.error(StatusCode::UNAUTHORIZED, "invalid_token");
    call(&world, Method::GET, EVENTS, Some("x.y.z"), [127, 0, 0, 1])
        .await
        .error(StatusCode::UNAUTHORIZED, "invalid_token");
    let oscar = text(&world.password_grant("svc-platform", "oscar").await, "access_token");
    call(&world, Method::GET, EVENTS, Some(&oscar), [127, 0, 0, 1]).await.error(StatusCode::FORBIDDEN, "access_denied");
    let audit = world.audit_token().await;
    world.pass(300);
    let expired = call(&world, Method::GET, EVENTS, Some(&audit), [127, 0, 0, 1]).await;
    expired.error(StatusCode::UNAUTHORIZED, "invalid_token");
}

#[tokio::test]
async fn a_malformed_event_filter_is_refused() {
    let world = World::new();
    let token = world.audit_token().await;
    let path = format!("{EVENTS}?dateFrom=yesterday");
    let answer = call(&world, Method::GET, &path, Some(&token), [127, 0, 0, 1]).await;
    answer.error(StatusCode::BAD_REQUEST, "invalid_request");
}

#[tokio::test]
async fn keys_are_rotated_only_locally_and_with_the_pollers_token() {
    let world = World::new();
    let rotate = "/admin/realms/svc-tenants/rotate-keys";
    let certs = "/realms/svc-tenants/protocol/openid-connect/certs";
    let before = world.get(certs).await.body;
    let audit = world.audit_token().await;
    let oscar = text(&world.password_grant("svc-platform", "oscar").await, "access_token");
    call(&world, Method::POST, rotate, None, [127, 0, 0, 1]).await.error(StatusCode::UNAUTHORIZED, "invalid_token");
    call(&world, Method::POST, rotate, Some(&oscar), [127, 0, 0, 1])
        .await
        .error(StatusCode::UNAUTHORIZED, "invalid_token");
    call(&world, Method::POST, rotate, Some(&audit), [192, 0, 2, 1])
        .await
        .error(StatusCode::FORBIDDEN, "access_denied");
    assert_eq!(world.get(certs).await.body, before);
    let body = call(&world, Method::POST, rotate, Some(&audit), [127, 0, 0, 1]).await.json(StatusCode::OK);
    let keys = world.get(certs).await.json(StatusCode::OK);
    assert_eq!(keys["keys"][0]["kid"], body["kid"]);
    assert_eq!(keys["keys"].as_array().unwrap().len(), 2);
}

//! Client authentication, password grant, client credentials, userinfo.

use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use base64::{Engine, engine::general_purpose::STANDARD};

use super::world::{Browser, PASSWORD, World, claims, endpoint, post, text};

#[tokio::test]
async fn no_access_token_carries_a_subject() {
    let world = World::new();
    let tokens = [
        text(&world.password_grant("svc-platform", "oscar").await, "access_token"),
        text(&world.password_grant("svc-tenants", "dora").await, "access_token"),
        text(&world.sign_in(&mut Browser::default(), "olivia").await, "access_token"),
        world.audit_token().await,
    ];
    for token in tokens {
        assert_eq!(claims(&token).get("sub"), None);
    }
}

#[tokio::test]
async fn the_password_grant_gives_the_users_roles_and_tenant() {
    let world = World::new();
    let dora = claims(&text(&world.password_grant("svc-tenants", "dora").await, "access_token"));
    assert_eq!(dora["tenant_id"], "8c0b7e94-2f3d-4e61-b6a8-5d9e4c1a7b22");
    assert_eq!(dora["realm_access"]["roles"], serde_json::json!(["tenant-admin"]));
    let oscar = claims(&text(&world.password_grant("svc-platform", "oscar").await, "access_token"));
    assert_eq!(oscar["realm_access"]["roles"], serde_json::json!(["operator", "vendor"]));
    assert_eq!(oscar.get("tenant_id"), None);
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_user_get_the_same_answer() {
    let world = World::new();
    let send = async |username: &str, password: &str| {
        let form = [
            ("grant_type", "password"),
            ("client_id", "svc-api"),
            ("client_secret", "api-secret"),
            ("username", username),
            ("password", password),
        ];
        world.token("svc-platform", &form).await
    };
    let wrong = send("olivia", "wrong").await;
    wrong.error(StatusCode::BAD_REQUEST, "invalid_grant");
    assert_eq!(send("nobody", "wrong").await.body, wrong.body);
    assert_eq!(send("hanna", PASSWORD).await.body, wrong.body, "a user of the other realm");
    assert_eq!(send("service-account-svc-platform-audit", "x").await.body, wrong.body);
}

#[tokio::test]
async fn the_password_grant_is_refused_to_every_other_client() {
    let world = World::new();
    for (client, secret) in [
        ("operator-ui", ""),
        ("svc-api-vendor-breakglass", "breakglass-secret"),
        ("svc-api-vendor-tunnel", "tunnel-secret"),
        ("svc-platform-audit", "audit secret & more: 100%"),
    ] {
        let form = [
            ("grant_type", "password"),
            ("client_id", client),
            ("client_secret", secret),
            ("username", "olivia"),
            ("password", PASSWORD),
        ];
        world.token("svc-platform", &form).await.error(StatusCode::BAD_REQUEST, "unauthorized_client");
    }
}

#[tokio::test]
async fn clients_authenticate_by_header_too() {
    let world = World::new();
    let mut request = post(&endpoint("svc-platform", "token"), &[("grant_type", "client_credentials")]);
    let credentials = STANDARD.encode("svc-platform-audit:audit+secret+%26+more%3A+100%25");
    request.headers_mut().insert("authorization", format!("Basic {credentials}").parse().unwrap());
    world.send(request).await.json(StatusCode::OK);
}

#[tokio::test]
async fn a_client_that_is_unknown_or_has_no_good_secret_is_401() {
    let world = World::new();
    for (client, secret) in
        [("nobody", "x"), ("svc-api", "wrong"), ("svc-api", ""), ("svc-api", "tenants-secret"), ("operator-ui", "x")]
    {
        let form = [("grant_type", "client_credentials"), ("client_id", client), ("client_secret", secret)];
        let answer = world.token("svc-platform", &form).await;
        answer.error(StatusCode::UNAUTHORIZED, "invalid_client");
        assert!(answer.header("www-authenticate").is_some());
    }
}

#[tokio::test]
async fn client_credentials_are_for_service_accounts_only() {
    let world = World::new();
    let token = claims(&world.audit_token().await);
    assert_eq!(token["azp"], "svc-platform-audit");
    assert_eq!(token["preferred_username"], "service-account-svc-platform-audit");
    assert_eq!(token.get("sid"), None);
    let of = |client, secret| [("grant_type", "client_credentials"), ("client_id", client), ("client_secret", secret)];
    for (realm, secret) in [("svc-platform", "api-secret"), ("svc-tenants", "tenants-secret")] {
        let answer = world.token(realm, &of("svc-api", secret)).await.json(StatusCode::OK);
        let token = claims(answer["access_token"].as_str().unwrap());
        assert_eq!(
            (&token["preferred_username"], &token["azp"]),
            (&"service-account-svc-api".into(), &"svc-api".into())
        );
        assert_eq!((token.get("tenant_id"), answer.get("refresh_token")), (None, None));
    }
    let vendors = of("svc-api-vendor-tunnel", "tunnel-secret");
    world.token("svc-platform", &vendors).await.error(StatusCode::BAD_REQUEST, "unauthorized_client");
}

#[tokio::test]
async fn malformed_token_requests_get_the_right_error() {
    let world = World::new();
    let client = [("client_id", "svc-api"), ("client_secret", "api-secret")];
    let with = |more: &[(&'static str, &'static str)]| [&client[..], more].concat();
    for (form, error) in [
        (with(&[]), "invalid_request"),
        (with(&[("grant_type", "magic")]), "unsupported_grant_type"),
        (with(&[("grant_type", "password"), ("username", "olivia")]), "invalid_request"),
        (with(&[("grant_type", "refresh_token")]), "invalid_request"),
        (with(&[("grant_type", "password"), ("scope", "offline_access")]), "invalid_scope"),
        (vec![("grant_type", "password")], "invalid_request"),
    ] {
        world.token("svc-platform", &form).await.error(StatusCode::BAD_REQUEST, error);
    }
    let json = Request::post(endpoint("svc-platform", "token")).header("content-type", "application/json");
    let answer = world.send(json.body(Body::from("{}")).unwrap()).await;
    answer.error(StatusCode::BAD_REQUEST, "invalid_request");
}

#[tokio::test]
async fn a_body_over_the_limit_is_413() {
    let world = World::new();
    let large = "x".repeat(100_000);
    let answer = world.token("svc-platform", &[("grant_type", &large)]).await;
    answer.error(StatusCode::PAYLOAD_TOO_LARGE, "invalid_request");
}

#[tokio::test]
async fn token_answers_are_never_stored() {
    let world = World::new();
    let form = [("grant_type", "client_credentials"), ("client_id", "svc-api"), ("client_secret", "x")];
    assert_eq!(world.token("svc-platform", &form).await.header("cache-control"), Some("no-store"));
    let form = [
        ("grant_type", "client_credentials"),
        ("client_id", "svc-platform-audit"),
        ("client_secret", "audit secret & more: 100%"),
    ];
    assert_eq!(world.token("svc-platform", &form).await.header("cache-control"), Some("no-store"));
}

#[tokio::test]
async fn ten_failures_close_the_door_for_a_minute() {
    let world = World::new();
    let form = |password: &'static str| {
        [
            ("grant_type", "password"),
            ("client_id", "svc-api"),
            ("client_secret", "api-secret"),
            ("username", "olivia"),
            ("password", password),
        ]
    };
    for _ in 0..10 {
        world.token("svc-platform", &form("wrong")).await.error(StatusCode::BAD_REQUEST, "invalid_grant");
    }
    let closed = world.token("svc-platform", &form(PASSWORD)).await;
    closed.error(StatusCode::TOO_MANY_REQUESTS, "invalid_grant");
    assert_eq!(closed.header("retry-after"), Some("60"));
    let elsewhere = post(&endpoint("svc-platform", "token"), &form(PASSWORD));
    world.send_from([192, 0, 2, 7], elsewhere).await.json(StatusCode::OK);
    world.pass(60);
    world.token("svc-platform", &form(PASSWORD)).await.json(StatusCode::OK);
}

#[tokio::test]
async fn userinfo_answers_while_token_and_session_live() {
    let world = World::new();
    let answer = world.password_grant("svc-tenants", "hanna").await;
    let ask = async |token: &str| {
        let request =
            Request::get(endpoint("svc-tenants", "userinfo")).header("authorization", format!("Bearer {token}"));
        world.send(request.body(Body::empty()).unwrap()).await
    };
    let token = text(&answer, "access_token");
    let body = ask(&token).await.json(StatusCode::OK);
    assert_eq!(body["preferred_username"], "hanna");
    assert_eq!(body["sub"], claims(&text(&answer, "id_token"))["sub"]);
    ask(&text(&answer, "id_token")).await.error(StatusCode::UNAUTHORIZED, "invalid_token");
    let foreign = text(&world.password_grant("svc-platform", "olivia").await, "access_token");
    ask(&foreign).await.error(StatusCode::UNAUTHORIZED, "invalid_token");
    world.pass(300);
    ask(&token).await.error(StatusCode::UNAUTHORIZED, "invalid_token");
}

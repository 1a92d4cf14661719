//! Refresh tokens: rotation, reuse, idle and maximum lifetime, caps, revocation.

use axum::http::StatusCode;
use serde_json::Value;

use super::world::{Browser, PASSWORD, TestResponse, VERIFIER, World, auth_path, claims, endpoint, post, text};

async fn refresh(world: &World, token: &str) -> TestResponse {
    let form = [("grant_type", "refresh_token"), ("client_id", "operator-ui"), ("refresh_token", token)];
    world.token("svc-platform", &form).await
}

fn refresh_token(answer: &Value) -> String {
    text(answer, "refresh_token")
}

/// Signs victor in with the break-glass client, whose sessions are capped at two hours.
async fn break_glass(world: &World) -> Value {
    let redirect = "http://127.0.0.1/callback";
    let path = auth_path(&[("client_id", "svc-api-vendor-breakglass"), ("redirect_uri", redirect)]);
    let answer = Browser::default().sign_in(world, &path, "victor", PASSWORD).await;
    let form = [
        ("grant_type", "authorization_code"),
        ("client_id", "svc-api-vendor-breakglass"),
        ("client_secret", "breakglass-secret"),
        ("code", &answer.redirect_param("code").unwrap()),
        ("redirect_uri", redirect),
        ("code_verifier", VERIFIER),
    ];
    world.token("svc-platform", &form).await.json(StatusCode::OK)
}

async fn refresh_break_glass(world: &World, token: &str) -> TestResponse {
    let form = [
        ("grant_type", "refresh_token"),
        ("client_id", "svc-api-vendor-breakglass"),
        ("client_secret", "breakglass-secret"),
        ("refresh_token", token),
    ];
    world.token("svc-platform", &form).await
}

#[tokio::test]
async fn every_use_gives_a_new_refresh_token_of_the_same_session() {
    let world = World::new();
    let first = world.sign_in(&mut Browser::default(), "olivia").await;
    let signed_in = world.now();
    world.pass(100);
    let second = refresh(&world, &refresh_token(&first)).await.json(StatusCode::OK);
    assert_ne!(second["refresh_token"], first["refresh_token"]);
    let access = claims(&text(&second, "access_token"));
    assert_eq!(access["sid"], first["session_state"]);
    assert_eq!(access["auth_time"], signed_in);
    assert_eq!(access["iat"], signed_in + 100);
    refresh(&world, &refresh_token(&second)).await.json(StatusCode::OK);
}

#[tokio::test]
async fn a_refresh_token_used_twice_ends_the_session() {
    let world = World::new();
    let mut browser = Browser::default();
    let first = world.sign_in(&mut browser, "olivia").await;
    let second = refresh(&world, &refresh_token(&first)).await.json(StatusCode::OK);
    refresh(&world, &refresh_token(&first)).await.error(StatusCode::BAD_REQUEST, "invalid_grant");
    refresh(&world, &refresh_token(&second)).await.error(StatusCode::BAD_REQUEST, "invalid_grant");
    let silent = browser.get(&world, &auth_path(&[("prompt", "none")])).await;
    assert_eq!(silent.redirect_param("error").as_deref(), Some("login_required"));
}

#[tokio::test]
async fn a_refresh_token_belongs_to_its_client() {
    let world = World::new();
    let answer = world.sign_in(&mut Browser::default(), "olivia").await;
    let token = refresh_token(&answer);
    let form = [
        ("grant_type", "refresh_token"),
        ("client_id", "svc-api"),
        ("client_secret", "api-secret"),
        ("refresh_token", token.as_str()),
    ];
    world.token("svc-platform", &form).await.error(StatusCode::BAD_REQUEST, "invalid_grant");
    refresh(&world, &token).await.json(StatusCode::OK);
}

#[tokio::test]
async fn half_an_hour_of_silence_ends_a_session() {
    let world = World::new();
    let idle = world.sign_in(&mut Browser::default(), "olivia").await;
    let busy = world.sign_in(&mut Browser::default(), "oscar").await;
    world.pass(1_799);
    let busy = refresh(&world, &refresh_token(&busy)).await.json(StatusCode::OK);
    world.pass(1);
    refresh(&world, &refresh_token(&idle)).await.error(StatusCode::BAD_REQUEST, "invalid_grant");
    refresh(&world, &refresh_token(&busy)).await.json(StatusCode::OK);
}

#[tokio::test]
async fn ten_hours_end_a_session_however_busy() {
    let world = World::new();
    let mut answer = world.sign_in(&mut Browser::default(), "olivia").await;
    for _ in 0..23 {
        world.pass(1_500);
        answer = refresh(&world, &refresh_token(&answer)).await.json(StatusCode::OK);
    }
    world.pass(1_400);
    let last = refresh(&world, &refresh_token(&answer)).await.json(StatusCode::OK);
    assert_eq!(last["expires_in"], 100);
    assert_eq!(last["refresh_expires_in"], 100);
    world.pass(100);
    refresh(&world, &refresh_token(&last)).await.error(StatusCode::BAD_REQUEST, "invalid_grant");
}

#[tokio::test]
async fn two_hours_end_a_break_glass_session_however_busy() {
    let world = World::new();
    let mut answer = break_glass(&world).await;
    for _ in 0..4 {
        world.pass(1_750);
        answer = refresh_break_glass(&world, &refresh_token(&answer)).await.json(StatusCode::OK);
    }
    assert_eq!(answer["expires_in"], 200);
    world.pass(200);
    refresh_break_glass(&world, &refresh_token(&answer)).await.error(StatusCode::BAD_REQUEST, "invalid_grant");
}

#[tokio::test]
async fn a_revoked_refresh_token_is_refused() {
    let world = World::new();
    let token = refresh_token(&world.sign_in(&mut Browser::default(), "olivia").await);
    let revoke = post(&endpoint("svc-platform", "revoke"), &[("client_id", "operator-ui"), ("token", &token)]);
    assert_eq!(world.send(revoke).await.status, StatusCode::OK);
    refresh(&world, &token).await.error(StatusCode::BAD_REQUEST, "invalid_grant");
}

#[tokio::test]
async fn revoking_an_unknown_token_is_fine_and_an_access_token_is_not() {
    let world = World::new();
    let access = text(&world.sign_in(&mut Browser::default(), "olivia").await, "access_token");
    let revoke = async |token: &str| {
        world.send(post(&endpoint("svc-platform", "revoke"), &[("client_id", "operator-ui"), ("token", token)])).await
    };
    assert_eq!(revoke("unknown").await.status, StatusCode::OK);
    revoke(&access).await.error(StatusCode::BAD_REQUEST, "unsupported_token_type");
}

//! Signing out.

use axum::http::StatusCode;

use super::world::{Browser, REDIRECT, World, auth_path, endpoint, post, text};

fn logout_path(params: &[(&str, &str)]) -> String {
    format!("{}?{}", endpoint("svc-platform", "logout"), serde_urlencoded::to_string(params).unwrap())
}

async fn is_signed_in(world: &World, browser: &mut Browser) -> bool {
    browser.get(world, &auth_path(&[("prompt", "none")])).await.redirect_param("code").is_some()
}

async fn can_refresh(world: &World, token: &str) -> bool {
    let form = [("grant_type", "refresh_token"), ("client_id", "operator-ui"), ("refresh_token", token)];
    world.token("svc-platform", &form).await.status == StatusCode::OK
}

#[tokio::test]
async fn signing_out_ends_session_and_refresh_tokens_and_redirects() {
    let world = World::new();
    let mut browser = Browser::default();
    let answer = world.sign_in(&mut browser, "olivia").await;
    world.pass(3_00);
    let hint = text(&answer, "id_token");
    let path = logout_path(&[("id_token_hint", &hint), ("post_logout_redirect_uri", REDIRECT), ("state", "s")]);
    let out = browser.get(&world, &path).await;
    assert_eq!(out.location(), format!("{REDIRECT}?state=s"));
    assert!(!is_signed_in(&world, &mut browser).await);
    assert!(!can_refresh(&world, &text(&answer, "refresh_token")).await);
}

#[tokio::test]
async fn the_id_token_alone_is_enough_to_sign_out() {
    let world = World::new();
    let mut browser = Browser::default();
    let answer = world.sign_in(&mut browser, "olivia").await;
    let out = world.get(&logout_path(&[("id_token_hint", &text(&answer, "id_token"))])).await;
    assert!(out.body.contains("Signed out"));
    assert!(!is_signed_in(&world, &mut browser).await);
}

#[tokio::test]
async fn an_unknown_post_logout_address_is_refused_and_nothing_ends() {
    let world = World::new();
    let mut browser = Browser::default();
    let answer = world.sign_in(&mut browser, "olivia").await;
    let hint = text(&answer, "id_token");
    for params in [
        vec![("id_token_hint", hint.as_str()), ("post_logout_redirect_uri", "https://evil.example/")],
        vec![("post_logout_redirect_uri", REDIRECT)],
        vec![("id_token_hint", hint.as_str()), ("client_id", "svc-api"), ("post_logout_redirect_uri", REDIRECT)],
    ] {
        let out = browser.get(&world, &logout_path(&params)).await;
        assert_eq!(out.status, StatusCode::BAD_REQUEST, "{params:?}");
    }
    assert!(is_signed_in(&world, &mut browser).await);
}

#[tokio::test]
async fn without_a_hint_the_person_is_asked_first() {
    let world = World::new();
    let mut browser = Browser::default();
    world.sign_in(&mut browser, "olivia").await;
    let params = [("client_id", "operator-ui"), ("post_logout_redirect_uri", REDIRECT)];
    let page = browser.get(&world, &logout_path(&params)).await;
    assert!(page.body.contains("Sign out?"));
    assert!(is_signed_in(&world, &mut browser).await);
    let confirmed = [&params[..], &[("confirmed", "true")]].concat();
    let out = browser.post(&world, &endpoint("svc-platform", "logout"), &confirmed).await;
    assert_eq!(out.location(), REDIRECT);
    assert!(!is_signed_in(&world, &mut browser).await);
}

#[tokio::test]
async fn a_client_can_end_the_session_of_its_refresh_token() {
    let world = World::new();
    let mut browser = Browser::default();
    let token = text(&world.sign_in(&mut browser, "olivia").await, "refresh_token");
    let out = post(&endpoint("svc-platform", "logout"), &[("client_id", "operator-ui"), ("refresh_token", &token)]);
    assert_eq!(world.send(out).await.status, StatusCode::NO_CONTENT);
    assert!(!is_signed_in(&world, &mut browser).await);
    assert!(!can_refresh(&world, &token).await);
}

#[tokio::test]
async fn a_forged_hint_ends_nothing() {
    let world = World::new();
    let mut browser = Browser::default();
    let answer = world.sign_in(&mut browser, "olivia").await;
    let good = text(&answer, "id_token");
    let forged = format!("{}.{}", good.rsplit_once('.').unwrap().0, "A".repeat(342));
    world.get(&logout_path(&[("id_token_hint", &forged)])).await;
    let access = text(&answer, "access_token");
    world.get(&logout_path(&[("id_token_hint", &access)])).await;
    assert!(is_signed_in(&world, &mut browser).await);
}

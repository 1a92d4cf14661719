//! The authorization code flow with PKCE.

use axum::http::StatusCode;

use super::world::{AUTH, BASE, Browser, PASSWORD, REDIRECT, VERIFIER, World, auth_path, claims, endpoint, text};

async fn code(world: &World) -> String {
    let answer = Browser::default().sign_in(world, &auth_path(&[]), "olivia", PASSWORD).await;
    answer.redirect_param("code").unwrap()
}

#[tokio::test]
async fn a_sign_in_ends_at_the_client_with_code_state_and_issuer() {
    let world = World::new();
    let answer = Browser::default().sign_in(&world, &auth_path(&[]), "olivia", PASSWORD).await;
    assert!(answer.location().starts_with(&format!("{REDIRECT}?")));
    assert_eq!(answer.redirect_param("state").as_deref(), Some("st&te"));
    assert_eq!(answer.redirect_param("iss").unwrap(), format!("{AUTH}/realms/svc-platform"));
    assert_eq!(answer.redirect_param("code").unwrap().len(), 43);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}

#[tokio::test]
async fn the_code_gives_tokens_with_the_decided_claims() {
    let world = World::new();
    let answer = world.sign_in(&mut Browser::default(), "olivia").await;
    assert_eq!(answer["token_type"], "Bearer");
    assert_eq!(answer["expires_in"], 300);
    assert_eq!(answer["refresh_expires_in"], 1_800);
    assert_eq!(answer["scope"], "openid svc-scope");
    let access = claims(&text(&answer, "access_token"));
    assert_eq!(access["iss"], format!("{AUTH}/realms/svc-platform"));
    assert_eq!(access["azp"], "operator-ui");
    assert_eq!(access["preferred_username"], "olivia");
    assert_eq!(access["realm_access"]["roles"], serde_json::json!(["operator"]));
    assert_eq!(access["typ"], "Bearer");
    assert_eq!(access["scope"], "openid svc-scope");
    assert_eq!(access["iat"], world.now());
    assert_eq!(access["auth_time"], world.now());
    assert_eq!(access["exp"], world.now() + 300);
    assert_eq!(access["sid"], answer["session_state"]);
    assert!(access["jti"].is_string());
    let mut names: Vec<_> = access.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    let expected =
        ["auth_time", "azp", "exp", "iat", "iss", "jti", "preferred_username", "realm_access", "scope", "sid", "typ"];
    assert_eq!(names, expected);
}

#[tokio::test]
async fn the_id_token_carries_subject_nonce_and_session() {
    let world = World::new();
    let answer = world.sign_in(&mut Browser::default(), "olivia").await;
    let id = claims(&text(&answer, "id_token"));
    assert!(!text(&id, "sub").is_empty());
    assert_eq!(id["aud"], "operator-ui");
    assert_eq!(id["nonce"], "n0nce");
    assert_eq!(id["sid"], answer["session_state"]);
    assert_eq!(id["preferred_username"], "olivia");
    assert_eq!(id["typ"], "ID");
}

#[tokio::test]
async fn a_wrong_verifier_is_refused_and_uses_the_code_up() {
    let world = World::new();
    let code = code(&world).await;
    let wrong = "w".repeat(43);
    world.exchange(&code, &wrong).await.error(StatusCode::BAD_REQUEST, "invalid_grant");
    world.exchange(&code, VERIFIER).await.error(StatusCode::BAD_REQUEST, "invalid_grant");
}

#[tokio::test]
async fn a_missing_verifier_is_refused() {
    let world = World::new();
    let code = code(&world).await;
    world.exchange(&code, "").await.error(StatusCode::BAD_REQUEST, "invalid_grant");
}

#[tokio::test]
async fn a_code_used_twice_revokes_the_tokens_of_its_first_use() {
    let world = World::new();
    let code = code(&world).await;
    let first = world.exchange(&code, VERIFIER).await.json(StatusCode::OK);
    world.exchange(&code, VERIFIER).await.error(StatusCode::BAD_REQUEST, "invalid_grant");
    let form = [
        ("grant_type", "refresh_token"),
        ("client_id", "operator-ui"),
        ("refresh_token", first["refresh_token"].as_str().unwrap()),
    ];
    world.token("svc-platform", &form).await.error(StatusCode::BAD_REQUEST, "invalid_grant");
}

#[tokio::test]
async fn a_code_is_good_for_a_minute() {
    let world = World::new();
    let late = code(&world).await;
    world.pass(60);
    world.exchange(&late, VERIFIER).await.error(StatusCode::BAD_REQUEST, "invalid_grant");
    let timely = code(&world).await;
    world.pass(59);
    world.exchange(&timely, VERIFIER).await.json(StatusCode::OK);
}

#[tokio::test]
async fn a_code_is_bound_to_its_redirect_address() {
    let world = World::new();
    let code = code(&world).await;
    let form = [
        ("grant_type", "authorization_code"),
        ("client_id", "operator-ui"),
        ("code", &code),
        ("redirect_uri", "http://127.0.0.1:8080/admin/operator/other"),
        ("code_verifier", VERIFIER),
    ];
    world.token("svc-platform", &form).await.error(StatusCode::BAD_REQUEST, "invalid_grant");
}

#[tokio::test]
async fn a_code_is_bound_to_its_client() {
    let world = World::new();
    let code = code(&world).await;
    let form = [
        ("grant_type", "authorization_code"),
        ("client_id", "svc-api-vendor-tunnel"),
        ("client_secret", "tunnel-secret"),
        ("code", &code),
        ("redirect_uri", REDIRECT),
        ("code_verifier", VERIFIER),
    ];
    world.token("svc-platform", &form).await.error(StatusCode::BAD_REQUEST, "invalid_grant");
}

#[tokio::test]
async fn a_code_of_one_realm_is_unknown_in_the_other() {
    let world = World::new();
    let code = code(&world).await;
    let form = [
        ("grant_type", "authorization_code"),
        ("client_id", "tenant-ui"),
        ("code", &code),
        ("redirect_uri", REDIRECT),
        ("code_verifier", VERIFIER),
    ];
    world.token("svc-tenants", &form).await.error(StatusCode::BAD_REQUEST, "invalid_grant");
}

#[tokio::test]
async fn an_unknown_redirect_uri_or_client_gets_an_error_page() {
    let world = World::new();
    for change in [
        ("redirect_uri", "https://evil.example/"),
        ("redirect_uri", "http://127.0.0.1:8080/tenant/"),
        ("redirect_uri", ""),
        ("client_id", "nobody"),
        ("client_id", ""),
    ] {
        let answer = world.get(&auth_path(&[change])).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{change:?}");
        assert_eq!(answer.header("location"), None);
        assert!(answer.body.contains("<h1"));
    }
}

#[tokio::test]
async fn faults_behind_a_good_redirect_address_are_sent_to_the_client() {
    let world = World::new();
    for (change, error) in [
        (("code_challenge", ""), "invalid_request"),
        (("code_challenge_method", "plain"), "invalid_request"),
        (("code_challenge", "short"), "invalid_request"),
        (("response_type", "token"), "unsupported_response_type"),
        (("response_mode", "form_post"), "invalid_request"),
        (("scope", "openid profile"), "invalid_scope"),
        (("prompt", "none login"), "invalid_request"),
        (("max_age", "soon"), "invalid_request"),
        (("request", "x"), "request_not_supported"),
    ] {
        let answer = world.get(&auth_path(&[change])).await;
        assert_eq!(answer.redirect_param("error").as_deref(), Some(error), "{change:?}");
        assert_eq!(answer.redirect_param("state").as_deref(), Some("st&te"));
        assert!(answer.redirect_param("iss").is_some());
    }
}

#[tokio::test]
async fn a_client_without_the_standard_flow_gets_no_sign_in_page() {
    let answer = World::new().get(&auth_path(&[("client_id", "svc-api")])).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_repeated_parameter_is_refused() {
    let answer = World::new().get(&format!("{}&client_id=operator-ui", auth_path(&[]))).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn the_answer_can_go_to_the_fragment() {
    let world = World::new();
    let path = auth_path(&[("response_mode", "fragment")]);
    let answer = Browser::default().sign_in(&world, &path, "olivia", PASSWORD).await;
    let url = url::Url::parse(answer.location()).unwrap();
    assert_eq!(url.query(), None);
    assert!(url.fragment().unwrap().contains("code="));
}

#[tokio::test]
async fn the_break_glass_client_signs_in_on_any_loopback_port() {
    let world = World::new();
    let redirect = "http://127.0.0.1:53682/callback";
    let path = auth_path(&[("client_id", "svc-api-vendor-breakglass"), ("redirect_uri", redirect)]);
    let answer = Browser::default().sign_in(&world, &path, "victor", PASSWORD).await;
    let form = [
        ("grant_type", "authorization_code"),
        ("client_id", "svc-api-vendor-breakglass"),
        ("client_secret", "breakglass-secret"),
        ("code", &answer.redirect_param("code").unwrap()),
        ("redirect_uri", redirect),
        ("code_verifier", VERIFIER),
    ];
    let body = world.token("svc-platform", &form).await.json(StatusCode::OK);
    assert_eq!(claims(&text(&body, "access_token"))["azp"], "svc-api-vendor-breakglass");
}

#[tokio::test]
async fn the_tenant_console_gets_the_users_tenant() {
    let world = World::new();
    let redirect = format!("{BASE}/tenant/");
    let path = auth_path(&[("client_id", "tenant-ui"), ("redirect_uri", &redirect)]);
    let path = path.replace(&endpoint("svc-platform", "auth"), &endpoint("svc-tenants", "auth"));
    let answer = Browser::default().sign_in(&world, &path, "henry", PASSWORD).await;
    let form = [
        ("grant_type", "authorization_code"),
        ("client_id", "tenant-ui"),
        ("code", &answer.redirect_param("code").unwrap()),
        ("redirect_uri", &redirect),
        ("code_verifier", VERIFIER),
    ];
    let body = world.token("svc-tenants", &form).await.json(StatusCode::OK);
    let access = claims(&text(&body, "access_token"));
    assert_eq!(access["tenant_id"], "6f1e2a8c-0d5b-4c47-9a57-1c2f7f0b3a11");
    assert_eq!(access["realm_access"]["roles"], serde_json::json!(["tenant-viewer"]));
}

//! Discovery, keys, CORS, health.

use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use serde_json::json;

use super::world::{AUTH, BASE, World, claims, endpoint, jose_header, post, text};

#[tokio::test]
async fn the_configuration_names_endpoints_below_the_issuer() {
    let answer = World::new().get("/realms/svc-tenants/.well-known/openid-configuration").await;
    let body = answer.json(StatusCode::OK);
    assert_eq!(body["issuer"], format!("{AUTH}/realms/svc-tenants"));
    for (key, name) in [
        ("authorization_endpoint", "auth"),
        ("token_endpoint", "token"),
        ("jwks_uri", "certs"),
        ("userinfo_endpoint", "userinfo"),
        ("end_session_endpoint", "logout"),
        ("revocation_endpoint", "revoke"),
    ] {
        assert_eq!(body[key], format!("{AUTH}{}", endpoint("svc-tenants", name)));
    }
    assert_eq!(body["code_challenge_methods_supported"], json!(["S256"]));
    assert_eq!(body["scopes_supported"], json!(["openid", "svc-scope"]));
    assert_eq!(body["authorization_response_iss_parameter_supported"], true);
}

#[tokio::test]
async fn an_unknown_realm_is_not_found() {
    let answer = World::new().get("/realms/master/.well-known/openid-configuration").await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn tokens_are_signed_by_a_published_key_of_their_realm() {
    let world = World::new();
    let token = text(&world.password_grant("svc-tenants", "hanna").await, "access_token");
    let header = jose_header(&token);
    assert_eq!(header["alg"], "RS256");
    let jwks: jsonwebtoken::jwk::JwkSet =
        serde_json::from_value(world.get(&endpoint("svc-tenants", "certs")).await.json(StatusCode::OK)).unwrap();
    let key = jsonwebtoken::DecodingKey::from_jwk(jwks.find(header["kid"].as_str().unwrap()).unwrap()).unwrap();
    let mut validation = jsonwebtoken::Validation::new(jsonwebtoken::Algorithm::RS256);
    validation.validate_exp = false;
    let data = jsonwebtoken::decode::<serde_json::Value>(&token, &key, &validation).unwrap();
    assert_eq!(data.claims, claims(&token));
    let others = world.get(&endpoint("svc-platform", "certs")).await.json(StatusCode::OK);
    assert_ne!(others["keys"][0]["kid"], header["kid"]);
}

#[tokio::test]
async fn rotated_keys_sign_new_tokens_while_old_ones_stay_published() {
    let world = World::new();
    let old = text(&world.password_grant("svc-platform", "olivia").await, "access_token");
    world.pass(10);
    let kid = world.provider.rotate_keys("svc-platform").unwrap();
    let new = text(&world.password_grant("svc-platform", "olivia").await, "access_token");
    assert_eq!(jose_header(&new)["kid"], kid);
    let kids = async || {
        let body = world.get(&endpoint("svc-platform", "certs")).await.json(StatusCode::OK);
        body["keys"].as_array().unwrap().iter().map(|key| key["kid"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(kids().await, [jose_header(&new)["kid"].clone(), jose_header(&old)["kid"].clone()]);
    world.pass(361);
    assert_eq!(kids().await, [jose_header(&new)["kid"].clone()]);
}

#[tokio::test]
async fn a_restart_keeps_the_signing_key() {
    let world = World::new();
    let before = world.get(&endpoint("svc-platform", "certs")).await.body;
    let again = World::in_folder(world.folder);
    assert_eq!(again.get(&endpoint("svc-platform", "certs")).await.body, before);
}

#[tokio::test]
async fn a_preflight_from_a_console_is_allowed() {
    let request = Request::options(endpoint("svc-platform", "token"))
        .header("origin", BASE)
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type")
        .body(Body::empty())
        .unwrap();
    let answer = World::new().send(request).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT);
    assert_eq!(answer.header("access-control-allow-origin"), Some(BASE));
    assert_eq!(answer.header("access-control-allow-methods"), Some("GET, POST, OPTIONS"));
    assert_eq!(answer.header("access-control-allow-headers"), Some("authorization, content-type"));
    assert_eq!(answer.header("access-control-max-age"), Some("600"));
    assert_eq!(answer.header("vary"), Some("Origin"));
    assert_eq!(answer.header("access-control-allow-credentials"), None);
}

#[tokio::test]
async fn other_origins_get_no_cors_header() {
    let world = World::new();
    for origin in ["http://127.0.0.1:9999", "https://evil.example", "null"] {
        let request = Request::options(endpoint("svc-platform", "token"))
            .header("origin", origin)
            .header("access-control-request-method", "POST")
            .body(Body::empty())
            .unwrap();
        let answer = world.send(request).await;
        let cors = answer.headers.keys().filter(|name| name.as_str().starts_with("access-control-"));
        assert_eq!(cors.count(), 0, "{origin}");
    }
}

#[tokio::test]
async fn a_token_answer_is_readable_for_its_own_clients_pages_only() {
    let world = World::new();
    let send = async |client: &str| {
        let mut request = post(
            &endpoint("svc-platform", "token"),
            &[
                ("grant_type", "refresh_token"),
                ("refresh_token", "x.y"),
                ("client_id", client),
                ("client_secret", if client == "svc-api" { "api-secret" } else { "" }),
            ],
        );
        request.headers_mut().insert("origin", BASE.parse().unwrap());
        world.send(request).await
    };
    let console = send("operator-ui").await;
    console.error(StatusCode::BAD_REQUEST, "invalid_grant");
    assert_eq!(console.header("access-control-allow-origin"), Some(BASE));
    assert_eq!(send("svc-api").await.header("access-control-allow-origin"), None);
}

#[tokio::test]
async fn keys_and_configuration_are_readable_for_consoles() {
    let world = World::new();
    for path in [endpoint("svc-tenants", "certs"), "/realms/svc-tenants/.well-known/openid-configuration".to_owned()] {
        let answer = world.send(Request::get(&path).header("origin", BASE).body(Body::empty()).unwrap()).await;
        assert_eq!(answer.header("access-control-allow-origin"), Some(BASE), "{path}");
    }
}

#[tokio::test]
async fn the_provider_says_that_it_is_ready() {
    let answer = World::new().get("/health/ready").await;
    assert_eq!(answer.json(StatusCode::OK)["status"], "UP");
}

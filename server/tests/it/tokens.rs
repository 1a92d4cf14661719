//! Invalid tokens are refused with the same response; valid ones without a subject are accepted.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use contract::ErrorCode;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};

use crate::support::{Log, Platform, Token};

fn base64(value: &Value) -> String {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    URL_SAFE_NO_PAD.encode(value.to_string())
}

/// Every kind of bad token with its name.
fn bad_tokens(good: &Token, auth_url: &str) -> Vec<(String, String)> {
    let now = chrono::Utc::now().timestamp();
    let mut bad: Vec<(String, String)> = Vec::new();
    let mut claim = |name: &str, claim: &str, value: Value| {
        bad.push((name.to_owned(), good.clone().with(claim, value).encode()));
    };
    claim("expired", "exp", json!(now - 31));
    claim("issued in the future", "iat", json!(now + 60));
    claim("not valid yet", "nbf", json!(now + 60));
    for name in ["exp", "iat", "iss", "azp", "typ", "preferred_username", "realm_access"] {
        claim(&format!("without {name}"), name, Value::Null);
    }
    claim("expiry as text", "exp", json!("tomorrow"));
    claim("foreign issuer", "iss", json!("https://evil.example.com/realms/svc-platform"));
    claim("issuer with a suffix", "iss", json!(format!("{auth_url}/realms/svc-platform-evil")));
    claim("issuer with a slash", "iss", json!(format!("{auth_url}/realms/svc-platform/")));
    claim("issuer as a list", "iss", json!([format!("{auth_url}/realms/svc-platform")]));
    claim("unknown realm", "iss", json!(format!("{auth_url}/realms/master")));
    claim("client of the other realm", "azp", json!("tenant-ui"));
    claim("unknown client", "azp", json!("account"));
    claim("audit poller", "azp", json!("svc-platform-audit"));
    claim("id token", "typ", json!("ID"));
    claim("refresh token", "typ", json!("Refresh"));
    claim("no user name", "preferred_username", json!(""));
    claim("endless user name", "preferred_username", json!("x".repeat(256)));
    claim("user name as a number", "preferred_username", json!(7));
    claim("no roles", "realm_access", json!({ "roles": [] }));
    claim("roles of the other realm", "realm_access", json!({ "roles": ["tenant-admin"] }));
    claim("roles as text", "realm_access", json!({ "roles": "operator" }));
    claim("far too long", "padding", json!("x".repeat(20_000)));
    bad.push(("signed with a foreign key".to_owned(), good.clone().forged().encode()));
    bad.extend(bad_headers(good));
    bad.extend(bad_shapes(&good.encode()));
    bad
}

fn bad_headers(good: &Token) -> Vec<(String, String)> {
    let signed = good.encode();
    let parts: Vec<&str> = signed.split('.').collect();
    let mut bad = Vec::new();
    for (name, header) in [
        ("algorithm none", json!({ "alg": "none", "kid": "test" })),
        ("critical header", json!({ "alg": "ES256", "kid": "test", "crit": ["exp"] })),
        ("key in the header", json!({ "alg": "ES256", "kid": "test", "jwk": {} })),
        ("key address in the header", json!({ "alg": "ES256", "kid": "test", "jku": "https://evil.example.com" })),
        ("certificate address", json!({ "alg": "ES256", "kid": "test", "x5u": "https://evil.example.com" })),
        ("no key id", json!({ "alg": "ES256" })),
        ("key id as a number", json!({ "alg": "ES256", "kid": 1 })),
        ("another algorithm of the same key", json!({ "alg": "RS256", "kid": "test" })),
    ] {
        bad.push((name.to_owned(), format!("{}.{}.{}", base64(&header), parts[1], parts[2])));
    }
    let mut header = Header::new(Algorithm::HS256);
    header.kid = Some("test".to_owned());
    let secret = EncodingKey::from_secret(b"the public key as a secret");
    bad.push(("symmetric".to_owned(), jsonwebtoken::encode(&header, &good.claims, &secret).unwrap()));
    bad
}

fn bad_shapes(signed: &str) -> Vec<(String, String)> {
    let parts: Vec<&str> = signed.split('.').collect();
    let shape = |name: &str, token: String| (name.to_owned(), token);
    vec![
        shape("two parts", format!("{}.{}", parts[0], parts[1])),
        shape("four parts", format!("{signed}.x")),
        shape("no signature", format!("{}.{}.", parts[0], parts[1])),
        shape("no JSON", format!("eA.{}.{}", parts[1], parts[2])),
        shape("not base64url", format!("{}.+++.{}", parts[0], parts[2])),
        shape("changed claims", format!("{}.{}x.{}", parts[0], &parts[1][..parts[1].len() - 1], parts[2])),
        shape("garbage", "garbage".to_owned()),
    ]
}

#[tokio::test]
async fn forty_bad_tokens_are_refused_with_the_same_answer() {
    let platform = Platform::start().await;
    let good = platform.keys.operator();
    let bad = bad_tokens(&good, &platform.keys.auth_url);
    assert!(bad.len() >= 40, "{}", bad.len());
    for (name, token) in bad {
        let answer = platform.bearer(&token).get("/api/v1/me").await;
        assert_eq!((answer.status, answer.text.as_str()), (401, r#"{"detail":"not_authenticated"}"#), "{name}");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{name}");
    }
    assert_eq!(platform.operator().get("/api/v1/me").await.status, 200);
}

#[tokio::test]
async fn tokens_of_a_provider_five_minutes_off_are_invalid() {
    let platform = Platform::start().await;
    let now = chrono::Utc::now().timestamp();
    let dated = |offset: i64, life: i64| {
        let issued_at = now + offset;
        platform.keys.operator().with("iat", json!(issued_at)).with("exp", json!(issued_at + life)).encode()
    };
    for within in [dated(-25, 60), dated(25, 60)] {
        assert_eq!(platform.bearer(&within).get("/api/v1/me").await.status, 200);
    }
    for (token, reason) in [(dated(300, 300), "issued in the future"), (dated(-300, 60), "expired")] {
        let log = Log::default();
        let listening = log.listen();
        assert_eq!(platform.bearer(&token).get("/api/v1/me").await.status, 401);
        drop(listening);
        let lines = log.events("token.refused");
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0]["reason"].as_str().unwrap().contains(reason), "{lines:?}");
    }
}

#[tokio::test]
async fn bad_tokens_cost_no_query() {
    let platform = Platform::start().await;
    platform.app.db.close().await;
    let expired = platform.keys.operator().with("exp", json!(1)).encode();
    assert_eq!(platform.bearer(&expired).get("/api/v1/platform/tenants").await.status, 401);
    let tenant = platform.keys.tenant(contract::TenantId(uuid::Uuid::nil()), "tenant-admin").encode();
    let refused = platform.bearer(&tenant).get("/api/v1/platform/tenants").await;
    assert_eq!((refused.status, refused.detail()), (403, "operator_or_vendor_required"));
    assert_eq!(platform.operator().get("/api/v1/platform/tenants").await.status, 503);
}

#[tokio::test]
async fn a_token_tells_who_the_caller_is_without_a_subject() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let answer = platform.operator().get("/api/v1/me").await;
    for (key, value) in [
        ("realm", json!("svc-platform")),
        ("username", json!("olivia")),
        ("scope", json!("operator")),
        ("roles", json!(["operator"])),
        ("tenant_id", Value::Null),
        ("client_id", json!("operator-ui")),
        ("session_id", json!("session-1")),
    ] {
        assert_eq!(answer.body[key], value, "{key}");
    }
    assert!(answer.body["expires_at"].as_str().unwrap().ends_with('Z'));
    let viewer = platform.viewer(tenant.id).get("/api/v1/whoami").await;
    assert_eq!(viewer.body["tenant_id"], json!(tenant.id.to_string()));
    assert_eq!(viewer.body["scope"], "tenant");
}

#[tokio::test]
async fn operator_wins_over_vendor_and_roles_decide_the_scope() {
    let platform = Platform::start().await;
    let both = platform.keys.vendor().with("realm_access", json!({ "roles": ["vendor", "operator"] })).encode();
    assert_eq!(platform.bearer(&both).get("/api/v1/me").await.body["scope"], "operator");
    assert_eq!(platform.vendor().get("/api/v1/me").await.body["scope"], "vendor");
}

#[tokio::test]
async fn break_glass_and_tunnel_sessions_end_after_two_hours() {
    let platform = Platform::start().await;
    let now = chrono::Utc::now().timestamp();
    for client in ["svc-api-vendor-breakglass", "svc-api-vendor-tunnel"] {
        let token = platform.keys.vendor().with("azp", json!(client));
        let fresh = token.clone().with("auth_time", json!(now - 7100)).encode();
        assert_eq!(platform.bearer(&fresh).get("/api/v1/me").await.status, 200);
        let old = token.with("auth_time", json!(now - 7300)).encode();
        let answer = platform.bearer(&old).get("/api/v1/me").await;
        assert_eq!((answer.status, answer.detail()), (401, "session_cap_exceeded"));
    }
    let ordinary = platform.keys.vendor().with("auth_time", json!(now - 7300)).encode();
    assert_eq!(platform.bearer(&ordinary).get("/api/v1/me").await.status, 200);
}

#[tokio::test]
async fn unknown_keys_are_asked_for_at_most_twice() {
    let platform = Platform::start().await;
    let started = Instant::now();
    assert_eq!(platform.operator().get("/api/v1/me").await.status, 200);
    let fetched = platform.keys.fetches.load(Ordering::Relaxed);
    for number in 0..300 {
        let mut token = platform.keys.operator();
        token.header.kid = Some(format!("unknown-{number}"));
        assert_eq!(platform.bearer(&token.encode()).get("/api/v1/me").await.status, 401);
    }
    // The first key of all was unknown, too. After ten seconds, unknown keys are asked for again.
    let all = platform.keys.fetches.load(Ordering::Relaxed);
    let most = 2 * (1 + usize::try_from(started.elapsed().as_secs()).unwrap() / 10);
    assert!(fetched == 1 && (2..=most).contains(&all), "{fetched}, {all} of {most}");
    assert_eq!(platform.operator().get("/api/v1/me").await.status, 200);
}

#[tokio::test]
async fn an_identity_provider_that_was_never_reached_is_a_503() {
    let platform = Platform::start_with(|settings| settings.auth_url = "http://127.0.0.1:9".to_owned()).await;
    let mut token = platform.keys.operator();
    token.claims["iss"] = json!("http://127.0.0.1:9/realms/svc-platform");
    let answer = platform.bearer(&token.encode()).get("/api/v1/me").await;
    assert_eq!((answer.status, answer.detail()), (503, "service_unavailable"));
    assert!(answer.header("retry-after").is_some());
}

#[tokio::test]
async fn concurrent_requests_share_one_fetch_of_keys() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let auth_url = format!("http://{}", listener.local_addr().unwrap());
    let requests = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&requests);
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            count.fetch_add(1, Ordering::Relaxed);
            held.push(stream);
        }
    });
    let platform = Platform::start_with(|settings| settings.auth_url = auth_url.clone()).await;
    let token = platform.keys.operator().with("iss", json!(format!("{auth_url}/realms/svc-platform"))).encode();
    let operator = platform.bearer(&token);
    let answers = futures::future::join_all((0..6).map(|_| operator.get("/api/v1/me"))).await;
    assert!(answers.iter().all(|answer| answer.status == 503), "{answers:?}");
    assert_eq!(requests.load(Ordering::Relaxed), 1, "everybody waited for the same answer");
}

#[tokio::test]
async fn a_capped_token_without_the_time_of_sign_in_is_refused() {
    let platform = Platform::start().await;
    let of = |client: &str| platform.keys.vendor().with("azp", json!(client)).with("auth_time", Value::Null).encode();
    for client in ["svc-api-vendor-breakglass", "svc-api-vendor-tunnel"] {
        let answer = platform.bearer(&of(client)).get("/api/v1/me").await;
        assert_eq!((answer.status, answer.detail()), (401, "not_authenticated"), "{client}");
    }
    assert_eq!(platform.bearer(&of("svc-api")).get("/api/v1/me").await.status, 200, "a client without a cap");
}

#[tokio::test]
async fn an_accepted_token_is_refused_after_it_expires() {
    let platform = Platform::start().await;
    // Both are issued in the same second.
    let ordinary = platform.keys.operator();
    let now = ordinary.claims["iat"].as_i64().unwrap();
    let capped = platform.keys.vendor().with("azp", json!("svc-api-vendor-tunnel"));
    let capped = capped.with("auth_time", json!(now)).with("iat", json!(now)).with("exp", json!(now + 9000));
    let (ordinary, capped) = (ordinary.encode(), capped.encode());
    let code =
        async |token: &str, at: i64| platform.app.tokens.verify(token, at).await.err().map(|refusal| refusal.code);
    for _ in 0..2 {
        assert_eq!(code(&ordinary, now).await, None);
        assert_eq!(code(&ordinary, now + 331).await, Some(ErrorCode::NotAuthenticated), "expired");
        assert_eq!(code(&ordinary, now - 60).await, Some(ErrorCode::NotAuthenticated), "not issued yet");
        assert_eq!(code(&capped, now).await, None);
        assert_eq!(code(&capped, now + 7201).await, Some(ErrorCode::SessionCapExceeded));
    }
}

#[tokio::test]
async fn an_altered_copy_of_an_accepted_token_is_refused() {
    let platform = Platform::start().await;
    let token = platform.keys.operator().encode();
    assert_eq!(platform.bearer(&token).get("/api/v1/me").await.status, 200);
    let (head, signature) = token.rsplit_once('.').unwrap();
    let other = platform.keys.vendor().encode();
    let foreign = other.rsplit_once('.').unwrap().1;
    assert_eq!(platform.bearer(&format!("{head}.{foreign}")).get("/api/v1/me").await.status, 401);
    let claims = other.split('.').nth(1).unwrap();
    let header = head.split('.').next().unwrap();
    assert_eq!(platform.bearer(&format!("{header}.{claims}.{signature}")).get("/api/v1/me").await.status, 401);
    assert_eq!(platform.bearer(&token).get("/api/v1/me").await.status, 200);
}

//! Liveness, readiness and metrics.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::support::{Keys, Platform, TestResponse, moment, provider::forward};

/// Waits until readiness has these checks: on a busy machine a dependency may not answer a probe in its two seconds.
async fn ready_with(platform: &Platform, checks: &Value) -> TestResponse {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let ready = platform.anonymous().get("/health/ready").await;
        if ready.body["checks"] == *checks {
            return ready;
        }
        assert!(Instant::now() < deadline, "not {checks}: {}", ready.text);
        moment().await;
    }
}

#[tokio::test]
async fn a_healthy_platform_is_alive_and_ready() {
    let platform = Platform::start().await;
    assert_eq!(platform.anonymous().get("/health/live").await.body, json!({ "status": "ok" }));
    let checks = json!({ "database": "ok", "cache": "ok", "identity_provider": "ok", "upload_space": "ok" });
    let ready = ready_with(&platform, &checks).await;
    assert_eq!((ready.status, &ready.body["status"]), (200, &json!("ok")));
    let details = json!({
        "document_reader": "unknown", "text_recognition": "unknown", "missing_programs": [], "recognised_languages": [],
    });
    assert_eq!(ready.body["details"], details);
}

/// An identity provider that can go away and come back at the same address.
struct Provider {
    address: std::net::SocketAddr,
    keys: Keys,
    stop_provider: CancellationToken,
}

impl Provider {
    /// An address at which nobody listens yet.
    async fn away() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        Self { address, keys: Keys::serve().await, stop_provider: CancellationToken::new() }
    }

    async fn arrive(&mut self) {
        let listener = tokio::net::TcpListener::bind(self.address).await.unwrap();
        let keys = self.keys.auth_url.clone();
        let hand_on = async move |request: axum::extract::Request| forward(&keys, request).await;
        self.stop_provider = CancellationToken::new();
        let stop = self.stop_provider.clone().cancelled_owned();
        let serving = axum::serve(listener, axum::Router::new().fallback(hand_on)).with_graceful_shutdown(stop);
        tokio::spawn(serving.into_future());
    }

    fn leave(&self) {
        self.stop_provider.cancel();
    }
}

#[tokio::test]
async fn replicas_without_provider_keys_are_not_ready() {
    let mut provider = Provider::away().await;
    let auth_url = format!("http://{}", provider.address);
    let platform = Platform::start_with(|settings| settings.auth_url = auth_url).await;
    let checks = |provider: &str| json!({ "database": "ok", "cache": "ok", "identity_provider": provider, "upload_space": "ok" });
    let ready = ready_with(&platform, &checks("unavailable")).await;
    assert_eq!((ready.status, &ready.body["status"]), (503, &json!("unavailable")), "{ready:?}");
    assert_eq!(platform.anonymous().get("/health/live").await.status, 200);
    provider.arrive().await;
    let ready = ready_with(&platform, &checks("ok")).await;
    assert_eq!((ready.status, &ready.body["status"]), (200, &json!("ok")), "it recovers without a restart");
    // A replica that has the keys still verifies tokens.
    provider.leave();
    let ready = ready_with(&platform, &checks("unavailable")).await;
    assert_eq!((ready.status, &ready.body["status"]), (200, &json!("degraded")), "{ready:?}");
}

#[tokio::test]
async fn strict_readiness_is_503_for_any_dependency() {
    let platform = Platform::start_with(|settings| {
        settings.auth_url = "http://127.0.0.1:9".to_owned();
        settings.strict_health = true;
    })
    .await;
    let ready = platform.ready_when("database", "ok").await;
    assert_eq!((ready.status, &ready.body["status"]), (503, &json!("unavailable")));
}

#[tokio::test]
async fn without_its_database_the_platform_is_alive_and_not_ready() {
    let platform = Platform::start().await;
    platform.app.db.close().await;
    let ready = platform.anonymous().get("/health/ready").await;
    assert_eq!((ready.status, &ready.body["status"]), (503, &json!("unavailable")));
    assert_eq!(ready.body["checks"]["database"], "unavailable");
    assert_eq!(platform.anonymous().get("/health/live").await.status, 200);
}

#[tokio::test]
async fn a_database_that_lost_migrations_is_not_ready() {
    let platform = Platform::start().await;
    assert_eq!(platform.ready_when("database", "ok").await.status, 200);
    let newest = "delete from _sqlx_migrations where version = (select max(version) from _sqlx_migrations)";
    sqlx::query(newest).execute(platform.everything()).await.unwrap();
    assert_eq!(platform.ready_when("database", "unavailable").await.status, 503);
}

#[tokio::test]
async fn metrics_are_for_listed_addresses_only() {
    let platform = Platform::start().await;
    platform.anonymous().get("/health/live").await;
    let metrics = platform.anonymous().get("/metrics").await;
    assert_eq!(metrics.status, 200);
    assert!(metrics.text.contains("svc_http_requests_total{class=\"2xx\"}"), "{}", metrics.text);
    for refusal in ["address", "full"] {
        let line = format!("svc_http_connections_refused_total{{reason=\"{refusal}\"}} ");
        assert!(metrics.text.contains(&line), "{}", metrics.text);
    }
    assert!(!metrics.text.contains("svc_http_connections 0\n"), "this connection is open: {}", metrics.text);
    let closed = Platform::start_with(|settings| settings.metrics_allowlist.clear()).await;
    let refused = closed.anonymous().get("/metrics").await;
    assert_eq!((refused.status, refused.detail()), (403, "forbidden"));
}

#[tokio::test]
async fn a_forwarded_address_is_believed_from_trusted_proxies_only() {
    let allow = |settings: &mut server::state::AppSettings| {
        settings.metrics_allowlist = vec!["10.1.0.0/16".parse().unwrap()];
    };
    let plain = Platform::start_with(allow).await;
    let forwarded = |platform: &Platform, chain: &str| {
        platform.anonymous().request("GET", "/metrics").header("x-forwarded-for", chain)
    };
    assert_eq!(forwarded(&plain, "10.1.2.3").send().await.unwrap().status(), 403);
    let proxied = Platform::start_with(|settings| {
        allow(settings);
        settings.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    })
    .await;
    assert_eq!(forwarded(&proxied, "10.1.2.3").send().await.unwrap().status(), 200);
    assert_eq!(forwarded(&proxied, "10.1.2.3, 192.0.2.1").send().await.unwrap().status(), 403);
    let everyone = Platform::start_with(|settings| {
        settings.metrics_allowlist = vec!["0.0.0.0/0".parse().unwrap(), "::/0".parse().unwrap()];
        settings.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    })
    .await;
    let unreadable = everyone.anonymous().request("GET", "/metrics").header("x-forwarded-for", &b"10.1.2.3, \xff"[..]);
    assert_eq!(unreadable.send().await.unwrap().status(), 403, "an address that nobody knows is never allowed");
}

#[tokio::test]
async fn audit_rows_have_the_clients_address_or_none() {
    let proxied =
        Platform::start_with(|settings| settings.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()]).await;
    let chains: [(&[u8], _); 2] = [(b"\xff, 203.0.113.5", json!("203.0.113.5")), (b"203.0.113.5, \xff", Value::Null)];
    for (number, (chain, address)) in chains.into_iter().enumerate() {
        let body = json!({ "slug": format!("tenant-{number}"), "display_name": "One" });
        let call = proxied.operator().request("POST", "/api/v1/platform/tenants").header("x-forwarded-for", chain);
        assert_eq!(call.json(&body).send().await.unwrap().status(), 201);
        assert_eq!(proxied.last_audit().await["ip_address"], address);
    }
}

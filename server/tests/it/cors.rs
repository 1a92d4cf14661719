//! Browser CORS as the specification says.

use std::time::Instant;

use futures::future::join_all;

use crate::support::{ORIGIN, Platform, TestResponse, World, embedder, send};

async fn preflight(platform: &Platform, path: &str, origin: &str) -> TestResponse {
    let request = platform.widget_on(origin).request("OPTIONS", path).header("access-control-request-method", "POST");
    send(request).await
}

fn allow_headers(answer: &TestResponse) -> usize {
    answer.headers.keys().filter(|name| name.as_str().starts_with("access-control-")).count()
}

#[tokio::test]
async fn without_a_list_nothing_is_mounted() {
    let platform = Platform::start().await;
    let answer = platform.widget_on(ORIGIN).get("/health/live").await;
    assert_eq!((answer.status, allow_headers(&answer)), (200, 0));
    assert_eq!(preflight(&platform, "/health/live", ORIGIN).await.status, 405);
}

#[tokio::test]
async fn a_listed_origin_is_echoed_and_another_gets_no_header_at_all() {
    let origins = vec![ORIGIN.to_owned(), String::new(), "  https://other.example.com ".to_owned()];
    let platform = Platform::start_with(|settings| settings.cors_origins = origins).await;
    for origin in [ORIGIN, "https://other.example.com"] {
        let answer = platform.widget_on(origin).get("/health/live").await;
        assert_eq!(answer.header("access-control-allow-origin"), Some(origin));
        assert!(answer.headers.get_all("vary").iter().any(|value| value == "Origin"));
        assert_eq!(answer.header("access-control-allow-credentials"), None);
        let answer = preflight(&platform, "/api/v1/feedback", origin).await;
        assert_eq!(answer.header("access-control-allow-methods"), Some("GET, POST, OPTIONS"));
        assert_eq!(answer.header("access-control-allow-headers"), Some("content-type, x-loadtest-bypass"));
        assert_eq!(answer.header("access-control-max-age"), Some("600"));
    }
    for path in ["/health/live", "/static/widget/chat-widget.min.js"] {
        let answer = platform.widget_on("https://evil.example.com").get(path).await;
        assert_eq!(allow_headers(&answer), 0);
        assert_eq!(allow_headers(&preflight(&platform, path, "https://evil.example.com").await), 0);
    }
}

#[tokio::test]
async fn tenant_origins_apply_to_widget_endpoints_when_enabled() {
    let platform = Platform::start_with(|settings| settings.cors_tenant_origins = true).await;
    let tenant = platform.add_tenant("one").await;
    let path = format!("/api/v1/widget/config/{}", tenant.chatbot);
    let answer = platform.widget().get(&path).await;
    assert_eq!(answer.header("access-control-allow-origin"), Some(ORIGIN));
    assert_eq!(preflight(&platform, &path, ORIGIN).await.header("access-control-allow-origin"), Some(ORIGIN));
    assert_eq!(allow_headers(&platform.widget_on("https://evil.example.com").get(&path).await), 0);
    assert_eq!(allow_headers(&platform.widget().get("/api/v1/platform/tenants").await), 0);
}

/// Number of chatbot reads in the scope for public calls. Each leaves a lock, because a read-only transaction that is
/// rolled back leaves no other trace.
async fn lookups(platform: &Platform) -> i64 {
    sqlx::query_scalar(
        "select count(*) from pg_locks l join pg_database d on d.oid = l.database
         where l.locktype = 'advisory' and d.datname = current_database()",
    )
    .fetch_one(platform.everything())
    .await
    .unwrap()
}

/// Leaves a lock for each lookup.
async fn note_lookups(platform: &Platform) {
    for statement in [
        "create function note_lookup() returns boolean language sql volatile
             as 'select pg_try_advisory_lock((random() * 9e18)::bigint)'",
        "create policy noted on chatbots as restrictive for select to svc_system using (note_lookup())",
    ] {
        sqlx::query(statement).execute(platform.everything()).await.unwrap();
    }
}

#[tokio::test]
async fn origin_lookups_are_rate_limited_and_refusals_stay_readable() {
    const BURST: i64 = 5;
    let platform = Platform::start_with(|settings| {
        settings.cors_tenant_origins = true;
        settings.rate_limit.limits.public = server::admission::rate_limit::Quota::new(1, 5);
    })
    .await;
    let tenant = platform.add_tenant("one").await;
    let config = format!("/api/v1/widget/config/{}", tenant.chatbot);
    let file = format!("/static/widget/chat-widget.min.js?chatbot={}", tenant.chatbot);
    assert_eq!(platform.widget().get(&config).await.header("access-control-allow-origin"), Some(ORIGIN));
    note_lookups(&platform).await;
    let evil = platform.widget_on("https://evil.example.com");
    let started = Instant::now();
    for _ in 0..4 * BURST {
        assert_eq!(preflight(&platform, &config, "https://evil.example.com").await.status, 204);
        assert_eq!(allow_headers(&evil.get(&file).await), 0);
    }
    // The burst and one a second; for preflights beyond them, one in five seconds.
    let seconds = i64::try_from(started.elapsed().as_secs()).unwrap();
    let (count, most) = (lookups(&platform).await, BURST + seconds + seconds / 5 + 2);
    assert!(count <= most, "{count} of at most {most}");
    let widget = platform.widget();
    let mut readable = false;
    // An origin is known for five seconds. On a busy machine it must be looked up again, which takes a token.
    for _ in 0..20 {
        let calls = join_all((0..4 * BURST).map(|_| widget.get(&config))).await;
        let mut refused = calls.iter().filter(|call| call.status == 429);
        readable = refused.any(|call| call.header("access-control-allow-origin") == Some(ORIGIN));
        if readable {
            break;
        }
    }
    assert!(readable, "no refusal is readable");
    assert_eq!(preflight(&platform, &config, ORIGIN).await.header("access-control-allow-origin"), Some(ORIGIN));
    let other = platform.add_tenant("other").await;
    let unseen = format!("/api/v1/widget/config/{}", other.chatbot);
    let answer = preflight(&platform, &unseen, ORIGIN).await;
    assert_eq!(answer.header("access-control-allow-origin"), Some(ORIGIN), "preflights bypass the limit");
}

#[tokio::test]
async fn changed_origins_take_effect_at_once() {
    const NEW: &str = "https://new.example.com";
    let platform = Platform::start_with(|settings| settings.cors_tenant_origins = true).await;
    let tenant = platform.add_tenant("one").await;
    let config = format!("/api/v1/widget/config/{}", tenant.chatbot);
    assert_eq!(allow_headers(&platform.widget_on(NEW).get(&config).await), 0);
    assert_eq!(platform.widget().get(&config).await.status, 200);
    let listed = serde_json::json!({ "allowed_origins": [NEW] });
    assert_eq!(platform.admin(tenant.id).patch("/api/v1/tenants/me/branding", &listed).await.status, 200);
    let added = platform.widget_on(NEW).get(&config).await;
    assert_eq!((added.status, added.header("access-control-allow-origin")), (200, Some(NEW)));
    assert_eq!(platform.widget().get(&config).await.status, 403);
}

#[tokio::test]
async fn a_widget_call_looks_its_chatbot_up_once() {
    let mut counts = Vec::new();
    for switched_on in [false, true] {
        let platform = Platform::start_with(|settings| settings.cors_tenant_origins = switched_on).await;
        let tenant = platform.add_tenant("one").await;
        note_lookups(&platform).await;
        let config = format!("/api/v1/widget/config/{}", tenant.chatbot);
        assert_eq!(platform.widget().get(&config).await.status, 200);
        let allowed = lookups(&platform).await;
        assert_eq!(platform.widget_on("https://evil.example.com").get(&config).await.status, 403);
        let refused = lookups(&platform).await - allowed;
        let path = format!("/api/v1/feedback?chatbot={}", tenant.chatbot);
        let feedback = serde_json::json!({ "chatbot_id": tenant.chatbot, "rating": "up" });
        assert_eq!(platform.widget().post(&path, &feedback).await.status, 201);
        counts.push((allowed, refused, lookups(&platform).await - allowed - refused));
    }
    assert_eq!(counts, [(1, 1, 1); 2]);
}

#[tokio::test]
async fn a_widget_may_read_the_liveness_check_of_its_platform() {
    let platform = Platform::start_with(|settings| settings.cors_tenant_origins = true).await;
    let tenant = platform.add_tenant("one").await;
    let path = format!("/health/live?chatbot={}", tenant.chatbot);
    let live = platform.widget().get(&path).await;
    assert_eq!((live.status, live.header("access-control-allow-origin")), (200, Some(ORIGIN)));
    assert_eq!(live.body, serde_json::json!({ "status": "ok" }));
    let unknown = format!("/health/live?chatbot={}", uuid::Uuid::new_v4());
    for (origin, path) in
        [("https://evil.example.com", &path), (ORIGIN, &unknown), (ORIGIN, &"/health/live".to_owned())]
    {
        let live = platform.widget_on(origin).get(path).await;
        assert_eq!((live.status, allow_headers(&live)), (200, 0), "{origin} {path}");
    }
}

#[tokio::test]
async fn feedback_of_an_older_widget_names_its_chatbot_in_the_address() {
    let platform = Platform::start_with(|settings| settings.cors_tenant_origins = true).await;
    let tenant = platform.add_tenant("one").await;
    let path = format!("/api/feedback?chatbot={}", tenant.chatbot);
    let response = preflight(&platform, &path, ORIGIN).await;
    assert_eq!(response.header("access-control-allow-origin"), Some(ORIGIN));
    assert_eq!(allow_headers(&preflight(&platform, &path, "https://evil.example.com").await), 0);
    assert_eq!(allow_headers(&preflight(&platform, "/api/feedback", ORIGIN).await), 0, "no chatbot is known");
}

#[tokio::test]
async fn a_legacy_page_has_the_origins_of_the_configured_chatbot() {
    let (database, one, _) = World::database().await;
    let settings = |settings: &mut server::state::AppSettings| {
        settings.cors_tenant_origins = true;
        settings.legacy_chatbot = Some(one.chatbot);
    };
    let platform = Platform::start_on(database, embedder().await, settings).await;
    for path in ["/api/query", "/api/feedback", "/health/live", "/static/widget/chat-widget.wasm?chatbot="] {
        let answer = preflight(&platform, path, ORIGIN).await;
        assert_eq!(answer.header("access-control-allow-origin"), Some(ORIGIN), "{path}");
        assert_eq!(allow_headers(&preflight(&platform, path, "https://evil.example.com").await), 0, "{path}");
    }
    assert_eq!(allow_headers(&preflight(&platform, "/api/v1/feedback", ORIGIN).await), 0);
}

//! The rate limit: which calls count for whom, and the exemptions.

mod redis;

use std::{
    fmt::Debug,
    time::{Duration, Instant},
};

use futures::future::join_all;
use serde_json::json;
use server::{
    admission::rate_limit::{Quota, RateLimits},
    config::{Config, Secret, Values},
    state::AppSettings,
};

use crate::support::{Client, ORIGIN, Platform, Tenant, TestResponse, send};

const ME: &str = "/api/v1/me";
const BURST: u32 = 5;
const SECRET: &str = "0123456789abcdef0123456789abcdef";
/// The longest wait for something that must happen, also on a busy machine.
const BOUND: Duration = Duration::from_secs(60);
/// Attempts to come before the next token, or to be answered by Redis in time.
const ATTEMPTS: usize = 10;

/// A quota that a test can use up, and that fills up slowly.
fn tight() -> Option<Quota> {
    Quota::new(1, BURST)
}

fn public(settings: &mut AppSettings) {
    settings.rate_limit.limits.public = tight();
}

fn principal(settings: &mut AppSettings) {
    settings.rate_limit.limits.principal = tight();
}

fn failed(settings: &mut AppSettings) {
    settings.rate_limit.limits.failed = tight();
}

/// Calls until the limit is met; how often it was not.
async fn use_up(client: &Client<'_>, path: &str) -> (u32, TestResponse) {
    for passed in 0..BURST * 10 {
        let answer = client.get(path).await;
        if answer.status == 429 {
            return (passed, answer);
        }
    }
    panic!("{path} is not limited");
}

/// Uses the limit up and makes an attempt, until its result is as expected: a token may flow in before the attempt.
async fn after_use_up<T: PartialEq + Debug>(
    (client, path): (&Client<'_>, &str),
    attempt: impl AsyncFn() -> T,
    expected: T,
) {
    let mut outcome = None;
    for _ in 0..ATTEMPTS {
        use_up(client, path).await;
        outcome = Some(attempt().await);
        if outcome.as_ref() == Some(&expected) {
            break;
        }
    }
    assert_eq!(outcome, Some(expected));
}

/// As many as a bucket of this burst and rate lets through since then.
fn most(since: Instant, burst: u32, per_second: u32) -> u32 {
    burst + per_second * (u32::try_from(since.elapsed().as_secs()).unwrap() + 1)
}

/// The burst, and what may have flowed in since then.
fn is_about_a_burst(passed: u32, since: Instant) -> bool {
    (BURST..=most(since, BURST, 1)).contains(&passed)
}

#[tokio::test]
async fn a_principal_is_limited_after_its_burst() {
    let platform = Platform::start_with(principal).await;
    let operator = platform.operator();
    let started = Instant::now();
    let (passed, refused) = use_up(&operator, ME).await;
    assert!(is_about_a_burst(passed, started), "{passed}");
    assert_eq!((refused.detail(), refused.header("retry-after")), ("rate_limited", Some("1")));
    assert_eq!(refused.body, json!({ "detail": "rate_limited", "retry_after_seconds": 1 }));
    assert!(refused.header("x-request-id").is_some());
    assert_eq!(platform.vendor().get(ME).await.status, 200, "another principal is not limited");
    // Every endpoint counts.
    after_use_up((&operator, ME), async || operator.get("/api/v1/platform/tenants").await.status, 429).await;
    let started = Instant::now();
    while operator.get(ME).await.status == 429 {
        assert!(started.elapsed() < BOUND, "tokens flow in again");
    }
}

#[tokio::test]
async fn a_refusal_is_sent_after_a_pause() {
    let platform = Platform::start_with(principal).await;
    let operator = platform.operator();
    let paused = async || {
        let started = Instant::now();
        (operator.get(ME).await.status, started.elapsed() >= Duration::from_millis(250))
    };
    after_use_up((&operator, ME), paused, (429, true)).await;
}

#[tokio::test]
async fn public_endpoints_are_limited_by_address_and_before_any_query() {
    let platform = Platform::start_with(public).await;
    let path = format!("/api/v1/widget/config/{}", uuid::Uuid::new_v4());
    let started = Instant::now();
    let (passed, refused) = use_up(&platform.widget(), &path).await;
    assert!(is_about_a_burst(passed, started), "{passed}");
    assert_eq!(refused.detail(), "rate_limited");
    platform.app.db.close().await;
    let paths = ["/api/v1/feedback", "/api/feedback", "/api/v1/widget/chatbots/x/query"];
    let (widget, body) = (platform.widget(), serde_json::json!({ "chatbot_id": "x" }));
    let ask = async |path: &str| widget.post(path, &body).await.status;
    after_use_up((&widget, path.as_str()), async || join_all(paths.map(ask)).await, vec![429; 3]).await;
    assert_eq!(platform.operator().get(ME).await.status, 200, "principals have buckets of their own");
}

#[tokio::test]
async fn clients_behind_a_trusted_proxy_are_counted_apart() {
    let path = format!("/api/v1/widget/config/{}", uuid::Uuid::new_v4());
    let behind = async |platform: &Platform, chain: &str| {
        let request = platform.widget().request("GET", &path).header("x-forwarded-for", chain);
        send(request).await.status
    };
    // A token may flow in before the last call. That comes from a new host each time, which has not used up a bucket alone.
    let is_limited = async |platform: &Platform, flood: &dyn Fn(u32) -> String, last: &dyn Fn(usize) -> String| {
        for attempt in 0..ATTEMPTS {
            for host in 0..BURST * 2 {
                behind(platform, &flood(host)).await;
            }
            if behind(platform, &last(attempt)).await == 429 {
                return true;
            }
        }
        false
    };
    let trusting = Platform::start_with(|settings| {
        public(settings);
        settings.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    })
    .await;
    let flood = |host: u32| format!("198.51.100.7, 2001:db8:1:2::{host:x}");
    let last = |attempt: usize| format!("2001:db8:1:2:ffff::{attempt:x}");
    assert!(is_limited(&trusting, &flood, &last).await);
    assert_eq!(behind(&trusting, "2001:db8:1:3::1").await, 403);
    assert_eq!(behind(&trusting, "198.51.100.7").await, 403, "addresses further left do not count");
    let plain = Platform::start_with(public).await;
    let flood = |host: u32| format!("192.0.2.{host}");
    let last = |attempt: usize| format!("198.51.100.{attempt}");
    assert!(is_limited(&plain, &flood, &last).await, "anybody can write this header");
}

#[tokio::test]
async fn health_metrics_files_pages_and_preflights_are_not_limited() {
    let platform = Platform::start_with(|settings| {
        public(settings);
        settings.cors_origins = vec![ORIGIN.to_owned()];
    })
    .await;
    let path = format!("/api/v1/widget/config/{}", uuid::Uuid::new_v4());
    let (_, refused) = use_up(&platform.widget(), &path).await;
    assert_eq!(refused.header("access-control-allow-origin"), Some(ORIGIN), "a page can read the refusal");
    for path in ["/health/live", "/health/ready", "/metrics", "/", "/static/widget/chat-widget.min.js"] {
        for _ in 0..BURST * 2 {
            assert_ne!(platform.anonymous().get(path).await.status, 429, "{path}");
        }
    }
    for _ in 0..BURST * 2 {
        let preflight =
            platform.widget().request("OPTIONS", &path).header("access-control-request-method", "POST").send().await;
        assert_eq!(preflight.unwrap().status(), 204);
    }
}

#[tokio::test]
async fn the_load_test_secret_bypasses_and_nothing_else_does() {
    let platform = Platform::start_with(|settings| {
        principal(settings);
        failed(settings);
        settings.rate_limit.loadtest_secret = Some(Secret::new(SECRET));
    })
    .await;
    let operator = platform.operator();
    let with = async |secret: &str| send(operator.request("GET", ME).header("x-loadtest-bypass", secret)).await.status;
    for _ in 0..BURST * 2 {
        assert_eq!(with(SECRET).await, 200);
    }
    // All at once: refusals are delayed, and tokens are refilled meanwhile.
    let (upper, longer) = (SECRET.to_uppercase(), format!("{SECRET}0"));
    let wrong = ["", "0", &SECRET[1..], &upper, &longer];
    after_use_up((&operator, ME), async || join_all(wrong.map(with)).await, vec![429; 5]).await;
    assert_eq!(with(SECRET).await, 200);
}

#[tokio::test]
async fn a_short_load_test_secret_does_not_count() {
    let short = &SECRET[1..];
    let platform = Platform::start_with(|settings| {
        principal(settings);
        settings.rate_limit.loadtest_secret = Some(Secret::new(short));
    })
    .await;
    let operator = platform.operator();
    let with = async || send(operator.request("GET", ME).header("x-loadtest-bypass", short)).await.status;
    after_use_up((&operator, ME), with, 429).await;
}

#[tokio::test]
async fn a_flood_of_bad_tokens_is_refused_before_they_are_verified() {
    let platform = Platform::start_with(failed).await;
    let forged = platform.bearer(&platform.keys.operator().forged().encode());
    let started = Instant::now();
    let (passed, refused) = use_up(&forged, ME).await;
    // The first refused call is the one after the bucket was empty, and after each pause one more finds it empty.
    assert!((BURST..=most(started, BURST, 2)).contains(&passed), "{passed}");
    assert_eq!((refused.detail(), refused.header("retry-after")), ("rate_limited", Some("1")));
    let started = Instant::now();
    while platform.operator().get(ME).await.status == 429 {
        assert!(started.elapsed() < BOUND, "the address may try again");
    }
}

#[tokio::test]
async fn calls_without_a_token_do_not_block_others() {
    let platform = Platform::start_with(failed).await;
    for _ in 0..BURST * 10 {
        let answer = platform.anonymous().get(ME).await;
        assert_eq!((answer.status, answer.detail()), (401, "not_authenticated"));
        assert_eq!(platform.operator().get(ME).await.status, 200);
    }
}

#[tokio::test]
async fn only_wrong_signatures_count_as_failures() {
    let platform = Platform::start_with(failed).await;
    let expired = platform.keys.operator().with("exp", json!(1)).encode();
    let mut unknown = platform.keys.operator();
    unknown.header.kid = Some("unknown".to_owned());
    let role = platform.keys.operator().with("realm_access", json!({ "roles": [] })).encode();
    for token in ["garbage", &expired, &unknown.encode(), &role] {
        for _ in 0..BURST * 3 {
            assert_eq!(platform.bearer(token).get(ME).await.status, 401, "{token}");
        }
    }
    assert_eq!(platform.operator().get(ME).await.status, 200);
}

#[tokio::test]
async fn a_token_that_was_good_lately_is_not_blocked() {
    let platform = Platform::start_with(failed).await;
    let (accepted, new) = (platform.keys.operator(), platform.keys.vendor());
    assert_eq!(platform.bearer(&accepted.encode()).get(ME).await.status, 200);
    let accepted = accepted.encode();
    let forged = platform.bearer(&platform.keys.operator().forged().encode());
    let both = async || {
        // A token that was accepted is known from then on, so each attempt needs another one.
        let another = new.clone().with("jti", json!(uuid::Uuid::new_v4()));
        let calls = [platform.bearer(&accepted), platform.bearer(&another.encode())];
        let answers = join_all(calls.iter().map(|client| client.get(ME))).await;
        answers.iter().map(|answer| answer.status).collect::<Vec<u16>>()
    };
    after_use_up((&forged, ME), both, vec![200, 429]).await;
}

/// A platform behind a proxy, with a chatbot and the default limits.
async fn behind_proxy() -> (Platform, Tenant) {
    let values = Values::collect(None, std::iter::empty()).unwrap();
    let limits = RateLimits::of(&Config::from_values(&values).unwrap().rate_limit);
    let platform = Platform::start_with(|settings| {
        settings.rate_limit.limits = limits;
        settings.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    })
    .await;
    let tenant = platform.add_tenant("one").await;
    (platform, tenant)
}

/// The status of a question from this address; an empty one costs no answer, but counts.
async fn ask(platform: &Platform, tenant: Tenant, address: &str) -> u16 {
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let body = json!({ "session_id": uuid::Uuid::new_v4(), "question": "Who?" });
    send(platform.widget().request("POST", &path).header("x-forwarded-for", address).json(&body)).await.status
}

#[tokio::test]
async fn a_flood_from_one_address_leaves_the_chatbot_to_others() {
    let (platform, tenant) = behind_proxy().await;
    let started = Instant::now();
    let flood = join_all((0..300).map(|_| ask(&platform, tenant, "192.0.2.1"))).await;
    let passed = u32::try_from(flood.iter().filter(|status| **status != 429).count()).unwrap();
    assert!((60..=most(started, 60, 3)).contains(&passed), "{passed}");
    assert_eq!(ask(&platform, tenant, "192.0.2.2").await, 404, "the session is unknown, the visitor is not refused");
}

#[tokio::test]
async fn a_class_behind_one_address_asks_at_once() {
    let (platform, tenant) = behind_proxy().await;
    let class = join_all((0..50).map(|_| ask(&platform, tenant, "192.0.2.1"))).await;
    assert!(class.iter().all(|status| *status == 404), "{class:?}");
}

#[tokio::test]
async fn feedback_to_one_chatbot_is_limited_whoever_sends_it() {
    let platform = Platform::start_with(|settings| {
        settings.rate_limit.limits.feedback = tight();
        settings.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    })
    .await;
    let (one, other) = (platform.add_tenant("one").await, platform.add_tenant("other").await);
    let rate = async |tenant: Tenant, host: u32| {
        let body = json!({ "chatbot_id": tenant.chatbot, "session_id": null, "message_id": null, "rating": "up" });
        let request = platform.widget().request("POST", "/api/v1/feedback").json(&body);
        send(request.header("x-forwarded-for", format!("192.0.2.{host}"))).await.status
    };
    let rows = platform.audit_rows().await;
    let started = Instant::now();
    let statuses = join_all((0..BURST * 4).map(|host| rate(one, host))).await;
    let taken = statuses.iter().filter(|status| **status == 201).count();
    assert!(is_about_a_burst(u32::try_from(taken).unwrap(), started), "{statuses:?}");
    assert!(statuses.iter().all(|status| [201, 429].contains(status)), "{statuses:?}");
    assert_eq!(platform.audit_rows().await - rows, i64::try_from(taken).unwrap());
    assert_eq!(rate(other, 1).await, 201, "another chatbot has a bucket of its own");
}

#[tokio::test]
async fn the_networks_of_an_ipv6_site_have_a_limit_together() {
    let platform = Platform::start_with(|settings| {
        public(settings);
        settings.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    })
    .await;
    let path = format!("/api/v1/widget/config/{}", uuid::Uuid::new_v4());
    let from = async |address: String| {
        send(platform.widget().request("GET", &path).header("x-forwarded-for", address)).await.status
    };
    let started = Instant::now();
    let answers = join_all((0..BURST * 40).map(|network| from(format!("2001:db8:1:{network:x}::1")))).await;
    let passed = answers.iter().filter(|status| **status != 429).count();
    // The burst of eight networks, and eight a second while the machine answers.
    let most = 40 + 8 * (usize::try_from(started.elapsed().as_secs()).unwrap() + 1);
    assert!((40..=most).contains(&passed), "{passed} of {}", answers.len());
    assert_eq!(from("2001:db8:2:1::1".to_owned()).await, 403, "another site");
}

#[tokio::test]
async fn a_busy_console_and_a_busy_page_never_meet_the_defaults() {
    let values = Values::collect(None, std::iter::empty()).unwrap();
    let limits = RateLimits::of(&Config::from_values(&values).unwrap().rate_limit);
    let platform = Platform::start_with(|settings| settings.rate_limit.limits = limits).await;
    let path = format!("/api/v1/widget/config/{}", uuid::Uuid::new_v4());
    for _ in 0..300 {
        assert_eq!(platform.operator().get(ME).await.status, 200);
        assert_eq!(platform.widget().get(&path).await.status, 403);
    }
}

#[tokio::test]
async fn a_limit_of_nothing_is_no_limit() {
    assert_eq!(Quota::new(0, 10), None);
    let platform = Platform::start().await;
    for _ in 0..BURST * 10 {
        assert_eq!(platform.anonymous().get(ME).await.status, 401);
    }
}

#[tokio::test]
async fn answers_tell_what_is_left_of_the_quota() {
    let platform = Platform::start_with(principal).await;
    let client = platform.operator();
    let standing = |answer: &TestResponse| {
        ["limit", "remaining", "reset"].map(|name| {
            let value = answer.header(&format!("ratelimit-{name}"));
            value.and_then(|value| value.parse::<u32>().ok()).unwrap_or_else(|| panic!("{name}: {answer:?}"))
        })
    };
    let [limit, remaining, reset] = standing(&client.get(ME).await);
    assert_eq!((limit, remaining), (BURST, BURST - 1));
    assert!((1..=BURST).contains(&reset), "{reset}");
    let [_, after_error, _] = standing(&client.get("/api/v1/platform/tenants/x").await);
    assert!((BURST - 2..BURST).contains(&after_error), "errors tell it, too: {after_error}");
    let (_, refused) = use_up(&client, ME).await;
    let [limit, remaining, reset] = standing(&refused);
    assert_eq!((limit, remaining), (BURST, 0));
    assert_eq!(refused.header("retry-after"), Some(reset.to_string().as_str()));
    assert_eq!(platform.anonymous().get("/health/live").await.header("ratelimit-limit"), None);
}

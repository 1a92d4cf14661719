//! A limit that platforms share through Redis, and what happens without it.

use std::time::{Duration, Instant};

use server::config::Secret;

use super::{ATTEMPTS, BOUND, BURST, ME, most, principal, use_up};
use crate::support::{Log, Platform, valkey::Valkey};

/// Waits until the platform uses Redis, which readiness reports soon after.
async fn until_shared(platform: &Platform) {
    let started = Instant::now();
    loop {
        let ready = platform.anonymous().get("/health/ready").await;
        if ready.body["checks"]["cache"] == "ok" && platform.app.limiter.is_shared() {
            return;
        }
        assert!(started.elapsed() < BOUND, "Redis is used again: {}", ready.text);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn with_redis(url: &str) -> Platform {
    let platform = Platform::start_with(|settings| {
        principal(settings);
        settings.rate_limit.redis_url = Some(Secret::new(url));
    })
    .await;
    until_shared(&platform).await;
    platform
}

/// Uses the limit up at one platform and expects that the other one meets it. On a busy machine Redis may answer a call
/// too late, and then each platform counts for itself: it is tried again once both would let a burst through.
async fn until_limited_together(one: &Platform, other: &Platform) {
    for attempt in 1.. {
        until_shared(one).await;
        until_shared(other).await;
        use_up(&one.operator(), ME).await;
        let (passed, _) = use_up(&other.operator(), ME).await;
        if passed < BURST {
            return;
        }
        assert!(attempt < ATTEMPTS, "the other platform let {passed} more through");
        tokio::time::sleep(Duration::from_secs(BURST.into())).await;
    }
}

#[tokio::test]
async fn platforms_share_a_limit_through_redis_across_its_restart() {
    let mut valkey = Valkey::start();
    let (one, other) = (with_redis(&valkey.url()).await, with_redis(&valkey.url()).await);
    let started = Instant::now();
    let (passed, _) = use_up(&one.operator(), ME).await;
    // When Redis answers too late, the platform counts for itself, too.
    assert!((BURST..=most(started, 2 * BURST, 1)).contains(&passed), "{passed}");
    until_limited_together(&one, &other).await;

    for attempt in 1.. {
        valkey.kill();
        let (passed, refused) = use_up(&one.operator(), ME).await;
        assert_eq!(refused.detail(), "rate_limited");
        if passed < BURST {
            break;
        }
        // A whole burst may have flowed in before.
        assert!(attempt < ATTEMPTS, "alone, the platform goes on with what it has counted: {passed}");
        valkey.restart();
        until_limited_together(&one, &other).await;
    }
    let ready = one.ready_when("cache", "unavailable").await;
    assert_eq!(
        (ready.status, ready.body["status"].as_str()),
        (200, Some("degraded")),
        "calls are served without Redis"
    );

    valkey.restart();
    until_limited_together(&one, &other).await;
}

#[tokio::test]
async fn a_hanging_redis_delays_one_request_and_limits_stay() {
    let valkey = Valkey::start();
    let platform = with_redis(&valkey.url()).await;
    valkey.hang();
    let started = Instant::now();
    let (passed, _) = use_up(&platform.operator(), ME).await;
    assert!((BURST..=most(started, BURST, 1)).contains(&passed), "{passed}");
    assert!(!platform.app.limiter.is_shared(), "the requests after the first one do not ask Redis");
    assert_eq!(platform.ready_when("cache", "unavailable").await.status, 200);
}

#[tokio::test]
async fn a_start_without_redis_is_logged_once() {
    const DOWN: &str = "redis.down: rates are limited by each process for itself";
    let mut valkey = Valkey::start();
    valkey.kill();
    let url = valkey.url();
    let log = Log::default();
    let _listening = log.listen();
    let platform = Platform::start_with(|settings| settings.rate_limit.redis_url = Some(Secret::new(&url))).await;
    let started = Instant::now();
    while log.events(DOWN).is_empty() {
        assert!(started.elapsed() < BOUND, "the log says that Redis is missing");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // In this time there are further attempts.
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(log.events(DOWN).len(), 1);
    valkey.restart();
    until_shared(&platform).await;
}

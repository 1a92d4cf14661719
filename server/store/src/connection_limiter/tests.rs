//! Shares and bursts of tenants, and the connections reserved from consoles.

use futures::FutureExt;

use super::*;

fn limiter(shares: ConnectionShares) -> Arc<ConnectionLimiter> {
    ConnectionLimiter::new(16, &shares, Duration::from_millis(200))
}

fn tenant(number: u128) -> ShareOwner {
    ShareOwner::Tenant(TenantId(Uuid::from_u128(number)))
}

fn short_timeout() -> ConnectionShares {
    ConnectionShares { queue_timeout: Duration::from_millis(50), waiting: 2, ..ConnectionShares::of(16) }
}

#[test]
fn consoles_leave_room_in_every_pool() {
    let rooms: Vec<_> = [1, 2, 3, 5, 16, 100].map(|pool| (pool, ConnectionShares::consoles_of(pool))).into();
    assert_eq!(rooms, [(1, 1), (2, 2), (3, 2), (5, 4), (16, 10), (100, 63)]);
}

#[tokio::test]
async fn a_tenant_holds_its_share_and_others_theirs() {
    let limiter = limiter(short_timeout());
    let mut held = Vec::new();
    for _ in 0..4 {
        held.push(limiter.acquire(tenant(1)).await.unwrap());
    }
    assert!(matches!(limiter.acquire(tenant(1)).await, Err(Error::TenantBusy)));
    held.push(limiter.acquire(tenant(2)).await.unwrap());
    held.push(limiter.acquire(ShareOwner::Server).await.unwrap());
    held.remove(0);
    assert!(limiter.acquire(tenant(1)).await.is_ok());
    held.clear();
    assert!(limiter.shares.lock().by_owner.is_empty(), "a share that nobody uses is forgotten");
}

#[tokio::test]
async fn searches_have_half_a_share_of_their_own() {
    let limiter = limiter(short_timeout());
    let searches = ShareOwner::Searches(TenantId(Uuid::from_u128(1)));
    let mut held = vec![limiter.acquire(searches).await.unwrap(), limiter.acquire(searches).await.unwrap()];
    assert!(matches!(limiter.acquire(searches).await, Err(Error::TenantBusy)));
    for _ in 0..4 {
        held.push(limiter.acquire(tenant(1)).await.unwrap());
    }
}

#[tokio::test]
async fn consoles_leave_room_for_visitors_and_the_server() {
    let limiter = limiter(short_timeout());
    let mut held = Vec::new();
    for number in 0..10 {
        held.push(limiter.acquire(tenant(number)).await.unwrap());
    }
    assert!(matches!(limiter.acquire(tenant(10)).await, Err(Error::Unavailable(_))));
    for number in 0..3 {
        held.push(limiter.acquire(ShareOwner::Widget(TenantId(Uuid::from_u128(number)))).await.unwrap());
        held.push(limiter.acquire(ShareOwner::Server).await.unwrap());
    }
    assert!(matches!(limiter.acquire(ShareOwner::Server).await, Err(Error::Unavailable(_))), "16 are all");
}

#[tokio::test]
async fn lookups_share_half_of_the_connections_fairly() {
    let limiter = limiter(short_timeout());
    let lookup = |number| ShareOwner::Lookups(Uuid::from_u128(number));
    let mut held = Vec::new();
    for _ in 0..4 {
        held.push(limiter.acquire(lookup(1)).await.unwrap());
    }
    assert!(matches!(limiter.acquire(lookup(1)).await, Err(Error::TenantBusy)));
    for number in 2..6 {
        held.push(limiter.acquire(lookup(number)).await.unwrap());
    }
    assert!(matches!(limiter.acquire(lookup(6)).await, Err(Error::Unavailable(_))));
    for number in 0..4 {
        held.push(limiter.acquire(tenant(number)).await.unwrap());
        held.push(limiter.acquire(ShareOwner::Server).await.unwrap());
    }
}

#[tokio::test]
async fn lookups_do_not_reduce_the_share_of_a_tenant() {
    let limiter = limiter(short_timeout());
    drop(limiter.acquire(tenant(1)).await.unwrap());
    drop(limiter.acquire(ShareOwner::Lookups(Uuid::nil())).await.unwrap());
    assert!(!limiter.shares.lock().others_are_active(tenant(1)));
    assert!(limiter.shares.lock().others_are_active(ShareOwner::Lookups(Uuid::nil())));
}

#[tokio::test]
async fn who_waits_beyond_the_bound_is_refused_at_once() {
    let limiter = limiter(ConnectionShares { queue_timeout: Duration::from_secs(5), ..short_timeout() });
    let mut held = Vec::new();
    for _ in 0..4 {
        held.push(limiter.acquire(tenant(1)).await.unwrap());
    }
    let waits = |limiter: &Arc<ConnectionLimiter>| {
        let limiter = Arc::clone(limiter);
        tokio::spawn(async move { limiter.acquire(tenant(1)).await })
    };
    let waiting = [waits(&limiter), waits(&limiter)];
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert!(matches!(limiter.acquire(tenant(1)).now_or_never(), Some(Err(Error::TenantBusy))));
    held.clear();
    for waiting in waiting {
        assert!(waiting.await.unwrap().is_ok());
    }
}

#[tokio::test]
async fn a_burst_keeps_one_connection_while_others_are_active() {
    let limiter = limiter(ConnectionShares::of(16));
    let mut held = Vec::new();
    for _ in 0..4 {
        held.push(limiter.acquire(tenant(1)).await.unwrap());
    }
    let (sender, mut served) = tokio::sync::mpsc::unbounded_channel();
    for _ in 0..8 {
        let (limiter, sender) = (Arc::clone(&limiter), sender.clone());
        tokio::spawn(async move { sender.send(limiter.acquire(tenant(1)).await.unwrap()) });
    }
    tokio::time::sleep(Duration::from_millis(10)).await;
    drop(limiter.acquire(tenant(2)).await.unwrap());
    held.truncate(1);
    tokio::time::sleep(Duration::from_millis(10)).await;
    assert!(served.try_recv().is_err(), "three permits are gone");
    held.clear();
    let one = served.recv().await.unwrap();
    tokio::time::sleep(Duration::from_millis(10)).await;
    assert!(served.try_recv().is_err(), "one is left");
    // As if no other owner had called for a while.
    limiter.shares.lock().latest = None;
    limiter.shares.lock().latest_other = None;
    drop(one);
    for _ in 0..4 {
        held.push(served.recv().await.unwrap());
    }
    tokio::time::sleep(Duration::from_millis(10)).await;
    assert!(served.try_recv().is_err(), "the share is whole again");
}

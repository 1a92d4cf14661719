//! The queue of searches: who enters it, and in which order it is served.

use std::{cell::RefCell, time::Duration};

use contract::TenantId;
use futures::FutureExt;
use server::admission::search_queue::SearchPermit;
use uuid::Uuid;

use super::{HUB, search, switch, with_hub};
use crate::support::{Platform, Tenant};

/// Takes all permits to search, in the name of a further tenant.
fn occupy(platform: &Platform) -> Vec<SearchPermit> {
    let other = TenantId(Uuid::from_u128(1));
    let permits = std::iter::from_fn(|| platform.app.searches().acquire(other).now_or_never());
    permits.map(Result::unwrap).collect()
}

/// Waits until so many searches wait.
async fn wait_for(platform: &Platform, waiting: usize) {
    for _ in 0..6000 {
        if platform.app.searches().load().waiting == waiting {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never {waiting}: {:?}", platform.app.searches().load());
}

#[tokio::test]
async fn a_tenant_without_the_module_does_not_wait_for_a_permit() {
    let (platform, tenant) = with_hub().await;
    switch(&platform, tenant.id, false).await;
    let permits = occupy(&platform);
    let admin = platform.admin(tenant.id);
    let refused = admin.get(&format!("{HUB}/search?q=parcel")).await;
    assert_eq!((refused.status, refused.detail()), (403, "module_not_enabled"), "{refused:?}");
    assert!(!permits.is_empty());
}

#[tokio::test]
async fn tenants_take_turns_in_the_queue_of_searches() {
    let (platform, one) = with_hub().await;
    let other = platform.add_tenant("other").await;
    switch(&platform, other.id, true).await;
    let mut permits = occupy(&platform);
    let order = RefCell::new(Vec::new());
    let run = async |name: &'static str, tenant: Tenant| {
        search(&platform.admin(tenant.id), "q=parcel").await;
        order.borrow_mut().push(name);
    };
    let late = async {
        wait_for(&platform, 3).await;
        run("other", other).await;
    };
    let release = async {
        wait_for(&platform, 4).await;
        permits.pop();
    };
    tokio::join!(run("one", one), run("one", one), run("one", one), late, release);
    assert_eq!(order.into_inner(), ["one", "other", "one", "one"]);
}

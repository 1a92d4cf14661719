//! Calls of the platform do not multiply calls of the identity provider, and invitations are limited.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use axum::{Router, extract::Request};
use futures::future::join_all;
use tokio::time::{Duration, sleep};

use super::{PEOPLE, admin, names, new_person, path, provider::serving, serve_app};
use crate::support::{Platform, TestResponse, provider::forward, send};

/// Counts the calls of the administration interface, and the most at the same time.
#[derive(Default)]
struct Counter {
    now: AtomicUsize,
    most: AtomicUsize,
    lists: AtomicUsize,
}

/// The address of a provider that counts, and hands everything on.
async fn counting(provider: &str) -> (String, Arc<Counter>) {
    let (counter, provider) = (Arc::new(Counter::default()), provider.to_owned());
    let counted = Arc::clone(&counter);
    let hand_on = async move |request: Request| {
        if !request.uri().path().starts_with("/admin/") {
            return forward(&provider, request).await;
        }
        counted.most.fetch_max(counted.now.fetch_add(1, SeqCst) + 1, SeqCst);
        let is_list = request.uri().query().is_some_and(|query| query.starts_with("q=tenant_id"));
        counted.lists.fetch_add(usize::from(is_list), SeqCst);
        sleep(Duration::from_millis(20)).await;
        let answer = forward(&provider, request).await;
        counted.now.fetch_sub(1, SeqCst);
        answer
    };
    (serving(Router::new().fallback(hand_on)).await, counter)
}

#[tokio::test]
async fn fifty_parallel_lists_make_at_most_two_rounds_of_calls() {
    let (platform, one, _) = Platform::with_tenants().await;
    for number in 0..30 {
        platform.add_person(one.id, &format!("p{number:02}"), "Meyer", "tenant-viewer").await;
    }
    let (provider, counter) = counting(&platform.app.settings.auth_url).await;
    let address = serve_app(&platform, &provider, false).await;
    let token = platform.keys.tenant(one.id, "tenant-viewer").encode();
    let list = || send(platform.http.get(format!("{address}{PEOPLE}?limit=5")).bearer_auth(&token));
    let answers: Vec<TestResponse> = join_all((0..50).map(|_| list())).await;
    assert!(answers.iter().all(|answer| answer.status == 200 && answer.body["total"] == 30), "{answers:?}");
    assert!(counter.lists.load(SeqCst) <= 2, "{} rounds", counter.lists.load(SeqCst));
}

#[tokio::test]
async fn reads_of_a_tenants_people_make_at_most_two_calls_at_once() {
    let (platform, one, _) = Platform::with_tenants().await;
    let mut people = Vec::new();
    for number in 0..30 {
        people.push(platform.add_person(one.id, &format!("p{number:02}"), "Meyer", "tenant-viewer").await);
    }
    let (provider, counter) = counting(&platform.app.settings.auth_url).await;
    let address = serve_app(&platform, &provider, false).await;
    let token = platform.keys.tenant(one.id, "tenant-viewer").encode();
    let reads = people.iter().map(|id| send(platform.http.get(format!("{address}{}", path(id))).bearer_auth(&token)));
    assert!(join_all(reads).await.iter().all(|answer| answer.status == 200));
    assert!((1..=2).contains(&counter.most.load(SeqCst)), "{} calls at once", counter.most.load(SeqCst));
}

#[tokio::test]
async fn a_change_shows_in_the_next_list() {
    let (platform, one, _) = Platform::with_tenants().await;
    let client = platform.admin(one.id);
    assert_eq!(names(&client.get(PEOPLE).await), [""; 0]);
    assert_eq!(client.post(PEOPLE, &new_person("anna", "viewer")).await.status, 201);
    assert_eq!(names(&client.get(PEOPLE).await), ["anna"]);
}

#[tokio::test]
async fn the_21st_invitation_of_an_hour_is_refused_on_every_replica() {
    let (platform, one, other) = Platform::with_tenants().await;
    let client = platform.admin(one.id);
    for number in 0..20 {
        let invited = client.post(PEOPLE, &new_person(&format!("anna-{number}"), "viewer")).await;
        assert_eq!(invited.status, 201, "{invited:?}");
    }
    let replica = serve_app(&platform, &platform.app.settings.auth_url, false).await;
    let token = platform.keys.tenant(one.id, "tenant-admin").encode();
    let refused = [
        client.post(PEOPLE, &new_person("berta", "viewer")).await,
        send(platform.http.post(format!("{replica}{PEOPLE}")).bearer_auth(&token).json(&new_person("berta", "viewer")))
            .await,
    ];
    for answer in refused {
        assert_eq!((answer.status, answer.detail()), (429, "rate_limited"), "{answer:?}");
        let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
        assert!((3_000..=3_600).contains(&wait), "{wait}");
    }
    assert_eq!(platform.admin(other.id).post(PEOPLE, &new_person("berta", "viewer")).await.status, 201);
    let people = format!("/api/v1/platform/tenants/{}/people", one.id);
    assert_eq!(platform.operator().post(&people, &new_person("carla", "viewer")).await.status, 201);
    sqlx::query("update people_changes set begun_at = begun_at - interval '61 minutes'")
        .execute(platform.everything())
        .await
        .unwrap();
    assert_eq!(client.post(PEOPLE, &new_person("dorit", "viewer")).await.status, 201);
}

#[tokio::test]
async fn a_name_that_was_never_used_is_free_again() {
    let (platform, one, other) = Platform::with_tenants().await;
    let client = platform.admin(one.id);
    for tenant in [one.id, other.id, one.id] {
        let client = platform.admin(tenant);
        let invited = client.post(PEOPLE, &new_person("anna", "viewer")).await;
        assert_eq!(invited.status, 201, "{invited:?}");
        assert_eq!(client.delete(&path(invited.body["id"].as_str().unwrap())).await.status, 204);
    }
    // A person who signed in and then got a new first password was active.
    let invited = client.post(PEOPLE, &new_person("anna", "viewer")).await;
    let id = invited.body["id"].as_str().unwrap().to_owned();
    assert_eq!(admin(&platform, one.id, "anna").get(PEOPLE).await.status, 200);
    server::service::people::activity::flush(&platform.app).await;
    assert_eq!(client.delete(&path(id)).await.status, 204);
    assert_eq!(client.post(PEOPLE, &new_person("anna", "viewer")).await.detail(), "username_taken");
}

//! Requests to a site: with delays, and by one job at a time.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use server::service::worker;
use store::vectors::PgVector;
use tokio_util::sync::CancellationToken;

use super::{
    Website, numbered_site,
    site::{Page, Site},
    small_site, start_with, with_tenants,
};

#[tokio::test]
async fn every_request_waits_from_robots_to_the_last_page() {
    const CRAWL_DELAY: Duration = Duration::from_millis(300);
    let platform = start_with(|settings| settings.crawl.delay = Duration::from_millis(100)).await;
    let tenant = platform.add_tenant("one").await;
    let site = small_site(tenant).await;
    site.set("/robots.txt", Page::text("User-agent: *\nCrawl-delay: 0.3\nSitemap: /a.xml\nSitemap: /b.xml"));
    let website = Website::add(&platform, tenant, &site.url, json!({})).await;
    assert_eq!(website.state().await, ("previewed".to_owned(), None));
    let requests = site.requests();
    assert_eq!(requests[..4], ["/robots.txt", "/", "/a.xml", "/b.xml"], "{requests:?}");
    let pauses = site.pauses();
    // With the page that no site has.
    assert_eq!(pauses.len(), requests.len());
    assert!(pauses.iter().all(|pause| *pause >= CRAWL_DELAY), "{pauses:?}");
}

#[tokio::test]
async fn two_tenants_and_two_replicas_ask_a_host_one_after_the_other() {
    let (platform, tenant, other) = with_tenants().await;
    let site = numbered_site(tenant, 8).await;
    site.slow_down(Duration::from_millis(20));
    let hosts = format!("/api/v1/platform/tenants/{}/allowed-hosts", other.id);
    assert_eq!(platform.operator().post(&hosts, &json!({ "host": "127.0.0.1" })).await.status, 201);
    let websites = [
        Website::create(&platform, tenant, &site.url, json!({})).await,
        Website::create(&platform, other, &site.url, json!({})).await,
    ];
    let stop = CancellationToken::new();
    let replica = tokio::spawn(worker::run_until(platform.other_process(Arc::new(PgVector)).await, stop.clone()));
    platform.work_off_jobs().await;
    stop.cancel();
    replica.await.unwrap();
    for website in &websites {
        assert_eq!(website.state().await, ("previewed".to_owned(), None));
    }
    assert_eq!(site.most_at_once(), 1);
    let attempts: Vec<i32> = sqlx::query_scalar("select attempts from jobs where kind = 'crawl'")
        .fetch_all(platform.everything())
        .await
        .unwrap();
    assert_eq!(attempts, [1, 1], "waiting counts no attempt");
}

#[tokio::test]
async fn a_site_that_leads_to_another_host_takes_its_turn_there() {
    let (platform, tenant, _) = with_tenants().await;
    let site = small_site(tenant).await;
    let former = Site::start().await;
    former.set("/", Page::redirect(&format!("{}/", site.url.replace("127.0.0.1", "localhost"))));
    let website = Website::add(&platform, tenant, &former.url, json!({})).await;
    assert_eq!(website.state().await, ("previewed".to_owned(), None));
    website.read().await;
    assert_eq!(website.state().await, ("ready".to_owned(), None));
    // The first job has found out, the second one knew.
    let jobs: Vec<(String, i32)> = sqlx::query_as("select host, attempts from jobs where kind = 'crawl' order by id")
        .fetch_all(platform.everything())
        .await
        .unwrap();
    assert_eq!(jobs, [("localhost".to_owned(), 2), ("localhost".to_owned(), 1)]);
}

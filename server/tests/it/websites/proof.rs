//! A website is read once its tenant has proven that it is its own, or an operator has allowed its host.

use serde_json::json;

use super::{
    Website, html,
    site::{Page, Site},
    snippet,
};
use crate::support::Platform;

#[tokio::test]
async fn only_a_site_that_shows_whose_it_is_is_read() {
    let (platform, tenant, other) = Platform::with_tenants().await;
    let site = Site::start().await;
    // Another tenant's snippet proves nothing.
    site.set("/", html("Shop", &format!("<p>Welcome.</p><a href='/a'>A</a>{}", snippet(other))));
    site.set("/a", html("A", "<p>Some text.</p>"));
    let website = Website::add(&platform, tenant, &site.url, json!({})).await;
    assert_eq!(website.state().await, ("unproven".to_owned(), None));
    assert_eq!(site.requests(), ["/robots.txt", "/", "/.well-known/chatbot-verification.txt"], "no page is fetched");
    let token = website.get().await["token"].as_str().unwrap().to_owned();
    site.set("/.well-known/chatbot-verification.txt", Page::text(&format!("{token}\n")));
    assert_eq!(website.ask_to_read(true).await.status, 200);
    platform.work_off_jobs().await;
    let shown = website.get().await;
    assert_eq!((&shown["state"], &shown["proven_by"]), (&json!("previewed"), &json!("file")));
    // The proof is looked at with every sync.
    website.read().await;
    assert_eq!(website.state().await.0, "ready");
    site.set("/.well-known/chatbot-verification.txt", Page::text("another token"));
    website.read().await;
    assert_eq!(website.state().await.0, "unproven");
    assert_eq!(website.count("documents").await, 2, "what was read stays");
    let meta = format!(
        "<html><head><meta name='chatbot-verification' content='{token}'></head><body><p>Hi.</p></body></html>"
    );
    site.set("/", Page::html(&meta));
    website.read().await;
    assert_eq!(website.get().await["proven_by"], "meta_tag");
}

#[tokio::test]
async fn an_operator_can_allow_a_host() {
    let (platform, tenant, other) = Platform::with_tenants().await;
    let site = Site::start().await;
    site.set("/", html("Shop", "<p>Welcome to the shop.</p>"));
    let path = format!("/api/v1/platform/tenants/{}/allowed-hosts", tenant.id);
    let allowed = platform.operator().post(&path, &json!({ "host": "127.0.0.1" })).await;
    assert_eq!((allowed.status, &allowed.body["hosts"][0]["host"]), (200, &json!("127.0.0.1")), "{allowed:?}");
    assert_eq!(platform.admin(tenant.id).get(&path).await.status, 403);
    for (tenant, state) in [(tenant, "previewed"), (other, "unproven")] {
        let website = Website::add(&platform, tenant, &site.url, json!({})).await;
        assert_eq!(website.state().await.0, state);
    }
    assert_eq!(platform.operator().delete(&format!("{path}/127.0.0.1")).await.status, 204);
    assert_eq!(platform.operator().delete(&format!("{path}/127.0.0.1")).await.status, 404);
    assert_eq!(platform.operator().post(&path, &json!({ "host": "http://x/" })).await.status, 422);
}

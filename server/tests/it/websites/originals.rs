//! Pages that name another page as the original: which of these are believed.

use serde_json::json;

use super::{
    Website, html,
    site::{Page, Site},
    snippet, with_tenants,
};

const PAGES: usize = 8;

/// A page about a berth that names this original.
fn berth(number: usize, original: &str) -> Page {
    Page::html(&format!(
        "<head><title>Berth {number}</title><link rel=canonical href=\"{original}\"></head>
         <body><main><h1>Berth {number}</h1><p>Berth {number} costs {number}00 euros.</p></main></body>"
    ))
}

/// A site whose pages name the originals that `original` gives.
async fn marina(tenant: crate::support::Tenant, original: impl Fn(usize) -> String) -> Site {
    let site = Site::start().await;
    let links: String = (0..PAGES).map(|number| format!("<a href=/p{number}>{number}</a> ")).collect();
    site.set("/", html("Marina", &format!("<p>The marina has berths for guests.</p>{links}{}", snippet(tenant))));
    for number in 0..PAGES {
        site.set(&format!("/p{number}"), berth(number, &original(number)));
    }
    site
}

#[tokio::test]
async fn originals_without_reason_are_ignored() {
    type Original = fn(usize) -> String;
    let kinds: [(&str, Original); 4] = [
        ("the first page", |_| "/".to_owned()),
        ("pages that do not exist", |number| format!("/gone{number}")),
        ("another host", |number| format!("https://www.example.org/p{number}")),
        ("an address that is no page", |number| format!("/p{number}.jpg")),
    ];
    let (platform, tenant, _) = with_tenants().await;
    for (kind, original) in kinds {
        let site = marina(tenant, original).await;
        let website = Website::add(&platform, tenant, &site.url, json!({ "schedule": "hourly" })).await;
        website.read().await;
        for number in 0..PAGES {
            let page = website.page(&format!("/p{number}")).await;
            assert_eq!(page, ("ready".to_owned(), String::new()), "{kind}: {:?}", website.pages().await);
        }
        // The next sync does not forget it.
        site.clear();
        website.after_minutes(70).await;
        assert_eq!(website.page("/p1").await.0, "ready", "{kind}");
        let requests = site.requests().iter().filter(|path| *path == "/p1").count();
        assert_eq!(requests, 1, "{kind}: {:?}", site.requests());
        assert_eq!(platform.admin(tenant.id).delete(&website.path).await.status, 204);
    }
}

#[tokio::test]
async fn an_original_that_is_read_is_believed() {
    let (platform, tenant, _) = with_tenants().await;
    let site = marina(tenant, |number| if number == 1 { "/p0".to_owned() } else { format!("p{number}") }).await;
    let website = Website::add(&platform, tenant, &site.url, json!({})).await;
    website.read().await;
    assert_eq!(website.page("/p1").await, ("left_out".to_owned(), "canonical".to_owned()));
    assert_eq!(website.page("/p0").await.0, "ready");
    assert_eq!(website.count("documents").await, i64::try_from(PAGES).unwrap());
}

#[tokio::test]
async fn an_original_that_comes_later_takes_nothing_away_at_once() {
    let (platform, tenant, _) = with_tenants().await;
    let site = marina(tenant, |number| format!("/p{number}")).await;
    let website = Website::add(&platform, tenant, &site.url, json!({ "schedule": "hourly" })).await;
    website.read().await;
    let documents = website.count("documents").await;
    for number in 0..PAGES {
        site.set(&format!("/p{number}"), berth(number, "/"));
    }
    for _ in 0..3 {
        website.after_minutes(70).await;
        assert_eq!((website.state().await.0, website.count("documents").await), ("ready".to_owned(), documents));
    }
}

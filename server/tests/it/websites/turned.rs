//! A site that shows no page of its own for a while: the visit is refused, and everything that was read stays.

use serde_json::json;

use super::{
    Website, html, numbered_page, numbered_site,
    site::{Page, Site},
    snippet, with_tenants,
};
use crate::support::Tenant;

const PAGES: usize = 5;

/// Lets every page answer in this way; the number makes each answer different.
fn turn(site: &Site, tenant: Tenant, body: impl Fn(usize) -> String) {
    site.set("/", Page::html(&format!("{}{}", body(99), snippet(tenant))));
    for number in 0..PAGES {
        site.set(&format!("/seite-{number}"), Page::html(&body(number)));
    }
}

#[tokio::test]
async fn a_site_that_shows_none_of_its_pages_keeps_them() {
    type Body = fn(usize) -> String;
    let kinds: [(&str, Body); 6] = [
        ("pages_alike", |_| "<title>Wartung</title><p>Wir sind bald zurück.</p>".to_owned()),
        ("pages_alike", |id| {
            format!("<title>Wartung</title><p>Wir sind bald zurück.</p><p>Vorgang 8f3a1c0{id}d, 10:0{id}</p>")
        }),
        ("bot_check", |id| format!("<title>Just a moment...</title><p>Checking your browser. Ray {id}</p>")),
        ("login_page", |_| "<title>Anmeldung</title><form><input name=u><input type=password></form>".to_owned()),
        ("pages_alike", |_| "<body></body>".to_owned()),
        ("pages_alike", |_| "<title>Seite nicht gefunden</title><p>Zur Startseite</p>".to_owned()),
    ];
    let (platform, tenant, _) = with_tenants().await;
    for (code, body) in kinds {
        let site = numbered_site(tenant, PAGES).await;
        let first = site.remove("/").unwrap();
        site.set("/", first.clone());
        let website = Website::add(&platform, tenant, &site.url, json!({ "schedule": "hourly" })).await;
        website.read().await;
        let passages = async || -> Vec<String> {
            let sql = "select content from passages where tenant_id = $1 order by content";
            sqlx::query_scalar(sql).bind(tenant.id.0).fetch_all(platform.everything()).await.unwrap()
        };
        let read = passages().await;
        turn(&site, tenant, body);
        for _ in 0..3 {
            website.after_minutes(70).await;
            let problem = website.get().await["problem"].clone();
            assert_eq!(website.state().await, ("failed".to_owned(), Some(code.to_owned())), "{problem}");
            assert_eq!(passages().await, read, "{code}: {:?}", website.pages().await);
        }
        let detail = website.get().await["problem"]["detail"].clone();
        assert_eq!(detail, "6 of 6 pages do not show their own text");
        site.set("/", first);
        (0..PAGES).for_each(|number| site.set(&format!("/seite-{number}"), numbered_page(number, 30)));
        website.after_minutes(70).await;
        assert_eq!(website.state().await, ("ready".to_owned(), None), "{code}");
        assert!(passages().await != read, "{code}: changes are read again");
        assert!(website.pages().await.iter().all(|page| page.1 == "ready" && page.2.is_empty()), "{code}");
        assert_eq!(platform.admin(tenant.id).delete(&website.path).await.status, 204);
    }
}

#[tokio::test]
async fn a_bot_check_instead_of_the_proof_is_named() {
    let (platform, tenant, _) = with_tenants().await;
    let site = numbered_site(tenant, PAGES).await;
    let website = Website::add(&platform, tenant, &site.url, json!({ "schedule": "hourly" })).await;
    website.read().await;
    site.set("/", html("Just a moment...", "<p>Checking your browser.</p>"));
    for _ in 0..2 {
        website.after_minutes(70).await;
        assert_eq!(website.state().await, ("failed".to_owned(), Some("bot_check".to_owned())));
        assert_eq!(website.count("documents").await, 6);
    }
}

#[tokio::test]
async fn pages_that_all_change_are_read_when_they_differ() {
    let (platform, tenant, _) = with_tenants().await;
    let site = numbered_site(tenant, PAGES).await;
    let website = Website::add(&platform, tenant, &site.url, json!({ "schedule": "hourly" })).await;
    website.read().await;
    turn(&site, tenant, |number| format!("<title>Neu {number}</title><p>Die neue Seite Nummer {number} hat Text.</p>"));
    website.after_minutes(70).await;
    assert_eq!(website.state().await, ("ready".to_owned(), None));
    let changed = "select count(*) from documents where tenant_id = $1 and version = 2";
    let changed: i64 = sqlx::query_scalar(changed).bind(tenant.id.0).fetch_one(platform.everything()).await.unwrap();
    assert_eq!(changed, 6, "{:?}", website.pages().await);
}

#[tokio::test]
async fn a_bot_check_on_the_first_visit_is_named() {
    let (platform, tenant, _) = with_tenants().await;
    let site = numbered_site(tenant, PAGES).await;
    for number in 0..PAGES {
        site.set(&format!("/seite-{number}"), html("Just a moment...", "<p>Verify you are human.</p>"));
    }
    let website = Website::add(&platform, tenant, &site.url, json!({})).await;
    assert_eq!(website.state().await, ("failed".to_owned(), Some("bot_check".to_owned())));
    assert_eq!(website.page("/seite-1").await, ("failed".to_owned(), "bot_check".to_owned()));
}

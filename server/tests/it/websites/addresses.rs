//! How pages are found and requested: their addresses as written, sitemaps, types of files, cookies and refreshes.

use serde_json::json;

use super::{
    Website, html,
    site::{Page, Site},
    snippet, with_tenants,
};

/// A site whose first page has this text.
async fn site_with(first: &str, tenant: crate::support::Tenant) -> Site {
    let site = Site::start().await;
    site.set("/", html("Shop", &format!("<p>Welcome to the shop.</p>{first}{}", snippet(tenant))));
    site
}

#[tokio::test]
async fn pages_are_requested_as_their_links_are_written() {
    let (platform, tenant, _) = with_tenants().await;
    let written =
        ["/M%FCsli?q=M%FCsli", "/print?print", "/sorted?b=1&a=2", "/semicolon?a=1;b=2", "/many?a=1&b=2&c=3&d=4&e=5"];
    let links: String =
        written.iter().map(|path| format!("<a href=\"{}\">x</a> ", path.replace('&', "&amp;"))).collect();
    let site = site_with(&format!("{links}<a href='/sorted?a=2&amp;b=1'>y</a> <a href=/dead>z</a>"), tenant).await;
    for (number, path) in written.iter().enumerate() {
        site.set(path, html(&format!("Page {number}"), &format!("<p>The text of page {number} alone.</p>")));
    }
    site.set("/sorted?a=2&b=1", html("Sorted", "<p>Not the page that is linked first.</p>"));
    let website = Website::add(&platform, tenant, &site.url, json!({ "schedule": "hourly" })).await;
    website.read().await;
    for path in written.iter().filter(|path| !path.starts_with("/sorted")) {
        assert_eq!(website.page(path).await, ("ready".to_owned(), String::new()), "{path}");
    }
    let pages = website.pages().await;
    let sorted = pages.iter().filter(|page| page.0.starts_with("/sorted") && page.1 == "ready").count();
    assert_eq!(sorted, 1, "two orders of parameters are one page: {pages:?}");
    // A link that leads to nothing stays in the list.
    for _ in 0..2 {
        assert_eq!(website.page("/dead").await, ("failed".to_owned(), "not_found".to_owned()));
        website.after_minutes(70).await;
    }
    sqlx::query("update website_pages set created_at = created_at - interval '31 days'")
        .execute(platform.everything())
        .await
        .unwrap();
    website.after_minutes(70).await;
    assert!(!website.pages().await.iter().any(|page| page.0 == "/dead"));
}

#[tokio::test]
async fn a_parameter_is_dropped_when_the_page_without_it_is_the_same() {
    let (platform, tenant, _) = with_tenants().await;
    let products: String = (0..6).map(|number| format!("<a href='/product?ref={number}'>{number}</a> ")).collect();
    let others = "<a href='/view?sid=7'>7</a> <a href='/view?sid=8'>8</a> <a href='/doc?source=manual'>Manual</a>";
    let articles: String = ["one", "two", "three", "four"]
        .map(|name| format!("<a href='/{name}?share=top'>{name}</a> <a href='/{name}?share=end'>x</a> "))
        .concat();
    let site = site_with(&format!("{products}{others}{articles}"), tenant).await;
    site.set("/product", html("Catalogue", "<p>Please choose a product from our list.</p>"));
    for number in 0..6 {
        let text = format!("<p>The hook with number {number} carries {number} kilograms.</p>");
        site.set(&format!("/product?ref={number}"), html(&format!("Hook {number}"), &text));
    }
    for number in [7, 8] {
        let text = format!("<p>Camping site {number} lies beside the brook.</p>");
        site.set(&format!("/view?sid={number}"), html(&format!("Site {number}"), &text));
    }
    site.set("/doc?source=manual", html("Manual", "<p>The handbook explains knots.</p>"));
    for name in ["one", "two", "three", "four"] {
        for query in ["", "?share=top", "?share=end"] {
            site.set(&format!("/{name}{query}"), html(name, &format!("<p>The article about {name} has one text.</p>")));
        }
    }
    let website = Website::add(&platform, tenant, &site.url, json!({})).await;
    let mut paths: Vec<String> =
        website.pages().await.into_iter().filter(|page| page.1 == "found").map(|page| page.0).collect();
    paths.sort();
    let mut expected: Vec<String> = (0..6).map(|number| format!("/product?ref={number}")).collect();
    expected.extend(
        ["/", "/view?sid=7", "/view?sid=8", "/doc?source=manual", "/one", "/two", "/three", "/four"].map(str::to_owned),
    );
    expected.sort();
    assert_eq!(paths, expected, "{:?}", website.pages().await);
    assert_eq!(website.page("/one?share=top").await, ("left_out".to_owned(), "duplicate".to_owned()));
    // After some pages, the parameter is known to mean nothing, and is requested no more.
    let shared = site.requests().iter().filter(|path| path.contains("share=")).count();
    assert!((3..8).contains(&shared), "{:?}", site.requests());
}

#[tokio::test]
async fn sitemaps_may_name_the_host_in_another_way() {
    let (platform, tenant, _) = with_tenants().await;
    let site = site_with("", tenant).await;
    let named_url = site.url.replace("127.0.0.1", "localhost");
    let [www, secure] = [named_url.replace("://", "://www."), named_url.replace("http://", "https://")];
    site.set("/robots.txt", Page::text(&format!("Sitemap: {www}/index.xml\nSitemap: {secure}/stray.xml\n")));
    site.set(
        "/index.xml",
        Page::of(
            "application/xml",
            &format!("<sitemapindex><sitemap><loc>{www}/map.xml</loc></sitemap></sitemapindex>"),
        ),
    );
    let map = format!(
        "<!DOCTYPE urlset><urlset><url><loc>{www}/www</loc></url><url><loc>{secure}/secure</loc></url></urlset>"
    );
    site.set("/map.xml", Page::of("application/xml", &map));
    site.set(
        "/stray.xml",
        Page::of("application/xml", &format!("<urlset><url><loc>{named_url}/stray?a=1&b=2</loc></url></urlset>")),
    );
    for path in ["/www", "/secure", "/stray?a=1&b=2"] {
        site.set(path, html(path, &format!("<p>A page of the sitemap at {path}.</p>")));
    }
    let website = Website::add(&platform, tenant, &named_url, json!({})).await;
    assert_eq!(website.state().await, ("previewed".to_owned(), None));
    for path in ["/www", "/secure", "/stray?a=1&b=2"] {
        assert_eq!(website.page(path).await.0, "found", "{path}");
    }
}

#[tokio::test]
async fn a_site_without_https_is_read_with_http_and_says_so() {
    let (platform, tenant, _) = with_tenants().await;
    let site = site_with("<a href=/prices>Prices</a>", tenant).await;
    site.set("/prices", html("Prices", "<p>A boot costs 80 euros.</p>"));
    let address = site.url.replace("http://", "https://");
    let website = Website::add(&platform, tenant, &address, json!({ "schedule": "hourly" })).await;
    let source = website.get().await;
    assert_eq!(
        (&source["state"], &source["problem"]["code"]),
        (&json!("previewed"), &json!("without_https")),
        "{source}"
    );
    website.read().await;
    assert_eq!(website.state().await, ("ready".to_owned(), Some("without_https".to_owned())));
    assert_eq!(website.page("/prices").await, ("ready".to_owned(), String::new()));
    website.after_minutes(70).await;
    assert_eq!(website.page("/prices").await, ("ready".to_owned(), String::new()));
}

#[tokio::test]
async fn a_site_that_had_https_is_not_read_without() {
    let (platform, tenant, _) = with_tenants().await;
    let site = site_with("<a href=/prices>Prices</a>", tenant).await;
    let address = site.url.replace("http://", "https://");
    let website = Website::create(&platform, tenant, &address, json!({})).await;
    sqlx::query("update websites set origin = $1").bind(&address).execute(platform.everything()).await.unwrap();
    platform.work_off_jobs().await;
    assert_eq!(website.state().await.0, "failed");
    assert_eq!(site.requests(), [] as [String; 0], "nothing was asked without TLS");
}

#[tokio::test]
async fn addresses_of_other_hosts_in_sitemaps_are_counted() {
    let (platform, tenant, _) = with_tenants().await;
    let site = site_with("", tenant).await;
    site.set("/sitemap.xml", Page::text("https://shop.example/a\nhttps://shop.example/b\nhttps://shop.example/c\n"));
    let website = Website::add(&platform, tenant, &site.url, json!({})).await;
    let problem = website.get().await["problem"].clone();
    assert_eq!(problem["code"], "other_host");
    assert_eq!(problem["detail"], "3 of 3 addresses in the sitemaps are of another host");
    website.read().await;
    assert_eq!(website.state().await, ("ready".to_owned(), Some("other_host".to_owned())));
}

#[tokio::test]
async fn files_are_read_by_bytes_name_and_address() {
    let (platform, tenant, _) = with_tenants().await;
    let site =
        site_with("<a href='/get?id=1'>1</a> <a href=/notes.md>2</a> <a href=/page>3</a> <a href=/data>4</a>", tenant)
            .await;
    let binary = |text: &str| Page::of("application/octet-stream", text);
    site.set(
        "/get?id=1",
        binary("Parking costs two euros.").with("content-disposition", "attachment; filename=prices.txt"),
    );
    site.set("/notes.md", Page::of("application/force-download", "# Notes\n\nThe pool opens at ten."));
    site.set("/page", binary("<!doctype html><title>Sauna</title><p>The sauna opens at four.</p>"));
    site.set("/data", binary("0101"));
    let website = Website::add(&platform, tenant, &site.url, json!({})).await;
    website.read().await;
    for path in ["/get?id=1", "/notes.md", "/page"] {
        assert_eq!(website.page(path).await, ("ready".to_owned(), String::new()), "{path}");
    }
    assert_eq!(website.page("/data").await, ("left_out".to_owned(), "unsupported_type".to_owned()));
}

#[tokio::test]
async fn cookies_are_kept_within_a_crawl() {
    let (platform, tenant, _) = with_tenants().await;
    let site = site_with("<a href=/hours>Hours</a>", tenant).await;
    let first = site.remove("/").unwrap();
    site.set("/", first.behind("session=1"));
    site.set("/hours", html("Hours", "<p>The shop opens at nine.</p>").behind("session=1"));
    let website = Website::add(&platform, tenant, &site.url, json!({})).await;
    assert_eq!(website.state().await, ("previewed".to_owned(), None));
    assert_eq!(website.page("/hours").await.0, "found");
    let redirects = site.answers().iter().filter(|answer| answer.1 == 302).count();
    assert_eq!(redirects, 1, "{:?}", site.answers());
}

#[tokio::test]
async fn a_first_page_that_refreshes_is_proven_by_its_target() {
    let (platform, tenant, _) = with_tenants().await;
    let site = site_with("<a href=/hours>Hours</a>", tenant).await;
    site.set("/home", site.remove("/").unwrap());
    site.set("/", Page::html("<meta http-equiv=refresh content='0; url=/home'>"));
    site.set("/hours", html("Hours", "<p>The shop opens at nine.</p>"));
    let website = Website::add(&platform, tenant, &site.url, json!({})).await;
    assert_eq!(
        (website.state().await, website.page("/hours").await.0),
        (("previewed".to_owned(), None), "found".to_owned())
    );
}

#[tokio::test]
async fn a_page_that_refreshes_to_another_is_followed() {
    let (platform, tenant, _) = with_tenants().await;
    let site = site_with("<a href=/old>Old</a> <a href=/news>News</a>", tenant).await;
    site.set("/old", Page::html("<meta http-equiv=refresh content=0;url=/new><p>Moved.</p>"));
    site.set("/new", html("New", "<p>The new page.</p>"));
    site.set("/news", Page::html("<meta http-equiv=refresh content=300><title>News</title><p>The news of today.</p>"));
    let website = Website::add(&platform, tenant, &site.url, json!({})).await;
    assert_eq!(website.page("/old").await, ("left_out".to_owned(), "redirect".to_owned()));
    for path in ["/new", "/news"] {
        assert_eq!(website.page(path).await.0, "found", "{path}");
    }
}

//! Which pages of a website are read, and the findings for the others.

use serde_json::json;

use super::{
    Website, html,
    site::{Page, Site},
    small_site, snippet, start_with, with_tenants,
};

#[tokio::test]
async fn what_the_site_and_the_tenant_leave_out_is_not_read() {
    let (platform, tenant, _) = with_tenants().await;
    let site = Site::start().await;
    site.set("/robots.txt", Page::text("User-agent: *\nDisallow: /secret\nSitemap: /map.xml\n"));
    let listed = [
        "/listed",
        "/noindex",
        "/header",
        "/canonical",
        "/english",
        "/abroad",
        "/copy",
        "/old",
        "/shop/cart",
        "/x.zip",
    ];
    let map: String = listed.iter().map(|path| format!("<url><loc>{}{path}</loc></url>", site.url)).collect();
    site.set("/map.xml", Page::of("application/xml", &format!("<urlset>{map}</urlset>")));
    site.set(
        "/",
        html("Shop", &format!("<p>Welcome.</p><a href=/secret>S</a><a href=/shop/boots>B</a>{}", snippet(tenant))),
    );
    site.set("/listed", html("Listed", "<p>A page of the sitemap.</p>"));
    site.set("/noindex", Page::html("<meta name=robots content=noindex><p>Not for searches.</p><a href=/behind>x</a>"));
    site.set("/behind", html("Behind", "<p>Reached over a page that stays out itself.</p>"));
    site.set("/header", html("Header", "<p>Not for searches either.</p>").with("x-robots-tag", "noindex, nofollow"));
    site.set("/canonical", Page::html("<link rel=canonical href=/listed><p>A page of the sitemap, printed.</p>"));
    site.set(
        "/english",
        Page::html("<link rel=alternate hreflang=de href=/english><link rel=alternate hreflang=en href=/listed><p>Auf Deutsch.</p>"),
    );
    // The other page is not included, so this one is read.
    site.set(
        "/abroad",
        Page::html("<link rel=alternate hreflang=en href='https://en.example.org/'><p>Nur auf Deutsch zu haben.</p>"),
    );
    site.set("/copy", html("Listed", "<p>A page of the sitemap.</p>"));
    site.set("/old", Page::redirect("/listed"));
    site.set("/shop/boots", html("Boots", "<p>Boots for sale.</p>"));
    let website = Website::add(&platform, tenant, &site.url, json!({ "exclude": ["/shop/*"] })).await;
    for (path, code) in [
        ("/noindex", "noindex"),
        ("/header", "noindex"),
        ("/canonical", "canonical"),
        ("/english", "other_language"),
        ("/old", "redirect"),
    ] {
        assert_eq!(website.page(path).await, ("left_out".to_owned(), code.to_owned()), "{path}");
    }
    let pages = website.pages().await;
    let twins: Vec<&str> = pages.iter().filter(|page| page.2 == "duplicate").map(|page| page.0.as_str()).collect();
    assert_eq!(twins.len(), 1, "one of the two is read: {pages:?}");
    assert_eq!(website.page("/behind").await.0, "found");
    assert_eq!(website.page("/abroad").await.0, "found");
    let requests = site.requests();
    for never in ["/secret", "/shop/boots", "/shop/cart", "/x.zip"] {
        assert!(!requests.iter().any(|path| path == never), "{never}: {requests:?}");
    }
}

#[tokio::test]
async fn bad_pages_are_named_and_the_others_go_on() {
    let (platform, tenant, _) = with_tenants().await;
    let site = Site::start().await;
    let bad =
        ["login", "private", "soft", "scripts", "picture", "loop", "gone", "error", "away", "large", "data", "good"];
    let links: String = bad.iter().map(|path| format!("<a href='/{path}'>{path}</a> ")).collect();
    site.set("/", html("Shop", &format!("<p>Welcome.</p>{links}{}", snippet(tenant))));
    site.set(
        "/login",
        Page::html("<title>Sign in</title><form><input name=u><input type=password></form><p>Please sign in.</p>"),
    );
    site.set("/private", Page::status(401));
    site.set("/soft", html("Seite nicht gefunden", "<p>Diese Seite gibt es nicht.</p>"));
    site.set("/scripts", Page::html("<div id=app></div><script src=app.js></script>"));
    site.set("/picture", Page::html("<img src=a.png>"));
    site.set("/loop", Page::redirect("/loop2"));
    site.set("/loop2", Page::redirect("/loop"));
    site.set("/error", Page::status(500));
    site.set("/away", Page::redirect("https://example.org/"));
    site.set("/large", Page::html(&format!("<p>{}</p>", "large ".repeat(400_000))));
    site.set("/data", Page::of("application/octet-stream", "data"));
    site.set("/good", html("Good", "<p>The shop is by the harbour.</p>"));
    let website = Website::add(&platform, tenant, &site.url, json!({})).await;
    website.read().await;
    for (path, state, code) in [
        ("/login", "failed", "login_page"),
        ("/private", "failed", "login_page"),
        ("/soft", "failed", "soft_404"),
        ("/scripts", "failed", "needs_scripts"),
        ("/picture", "failed", "no_text"),
        ("/loop", "failed", "redirect_loop"),
        ("/error", "failed", "server_error"),
        ("/away", "left_out", "other_host"),
        ("/large", "failed", "too_large"),
        ("/data", "left_out", "unsupported_type"),
        ("/good", "ready", ""),
    ] {
        assert_eq!(website.page(path).await, (state.to_owned(), code.to_owned()), "{path}");
    }
    assert_eq!(website.state().await, ("ready".to_owned(), None));
}

#[tokio::test]
async fn a_site_that_cannot_be_read_says_why() {
    let (platform, tenant, _) = with_tenants().await;
    let refusing = Site::start().await;
    refusing.set("/", html("Shop", &snippet(tenant)));
    refusing.set("/robots.txt", Page::text("User-agent: ChatbotCrawler\nDisallow: /"));
    let circling = Site::start().await;
    circling.set("/", Page::redirect("/a"));
    circling.set("/a", Page::redirect("/"));
    let broken = Site::start().await;
    broken.set("/robots.txt", Page::status(500));
    let private = Site::start().await;
    private.set("/", Page::status(403));
    // Without a proof, nobody learns what a host answers to the platform.
    for url in [circling.url.as_str(), &broken.url, &private.url, "http://127.0.0.1:1/"] {
        let website = Website::add(&platform, tenant, url, json!({})).await;
        let problem = website.get().await["problem"].clone();
        assert_eq!(problem["code"], "unreachable", "{url}: {problem}");
        assert!(problem["detail"].as_str().unwrap().starts_with("the first page cannot be read;"), "{url}: {problem}");
        assert_eq!(platform.admin(tenant.id).delete(&website.path).await.status, 204);
    }
    let allowed = format!("/api/v1/platform/tenants/{}/allowed-hosts", tenant.id);
    assert_eq!(platform.operator().post(&allowed, &json!({ "host": "127.0.0.1" })).await.status, 201);
    for (url, code) in [
        (refusing.url.as_str(), "refused_by_robots"),
        (circling.url.as_str(), "redirect_loop"),
        (broken.url.as_str(), "server_error"),
        (private.url.as_str(), "forbidden"),
        ("http://127.0.0.1:1/", "unreachable"),
        ("http://nowhere.invalid/", "address_refused"),
        ("http://169.254.169.254/", "address_refused"),
        ("http://10.0.0.1:8080/", "address_refused"),
    ] {
        let website = Website::add(&platform, tenant, url, json!({})).await;
        assert_eq!(website.state().await, ("failed".to_owned(), Some(code.to_owned())), "{url}");
        assert_eq!(platform.admin(tenant.id).delete(&website.path).await.status, 204);
    }
    assert_eq!(refusing.requests(), ["/robots.txt"]);
}

#[tokio::test]
async fn limits_bound_pages_and_depth() {
    let (platform, tenant, _) = with_tenants().await;
    let site = Site::start().await;
    site.set("/", html("Shop", &format!("<p>Start.</p><a href=/1>1</a>{}", snippet(tenant))));
    for number in 1..30 {
        let links = format!("<a href=/{}>next</a> <a href=/side-{number}>side</a>", number + 1);
        site.set(&format!("/{number}"), html(&format!("Page {number}"), &format!("<p>Number {number}.</p>{links}")));
        site.set(&format!("/side-{number}"), html(&format!("Side {number}"), &format!("<p>Side {number}.</p>")));
    }
    let website = Website::add(&platform, tenant, &site.url, json!({ "max_depth": 2 })).await;
    let mut pages: Vec<String> = website.pages().await.into_iter().map(|page| page.0).collect();
    pages.sort();
    assert_eq!(pages, ["/", "/1", "/2", "/side-1"]);
    let body = json!({ "website": { "max_depth": 20, "max_pages": 7 } });
    assert_eq!(platform.admin(tenant.id).patch(&website.path, &body).await.status, 200);
    website.read().await;
    assert_eq!(website.pages().await.len(), 7);
    assert_eq!(website.state().await, ("ready".to_owned(), Some("page_limit".to_owned())));
    assert_eq!(website.count("documents").await, 7);
    let detail = website.get().await["problem"]["detail"].clone();
    assert_eq!(detail, "1 of 2 addresses that were found together did not fit", "{:?}", website.pages().await);
}

#[tokio::test]
async fn a_long_sitemap_is_stored_in_slices() {
    let platform = start_with(|settings| settings.crawl.preview_pages = 1).await;
    let tenant = platform.add_tenant("one").await;
    let refuse = "create function refuse_many() returns trigger language plpgsql as $$
                  begin
                      if (select count(*) from added) > 5000 then
                          raise exception 'too many pages at once';
                      end if;
                      return null;
                  end
                  $$;
                  create trigger few_at_once after insert on website_pages referencing new table as added
                      for each statement execute function refuse_many()";
    sqlx::raw_sql(refuse).execute(platform.everything()).await.unwrap();
    let site = small_site(tenant).await;
    let listed: String = (0..6000).map(|number| format!("{}/page-{number}\n", site.url)).collect();
    site.set("/sitemap.xml", Page::text(&listed));
    let website = Website::add(&platform, tenant, &site.url, json!({ "max_pages": 10_000 })).await;
    assert_eq!(website.state().await, ("previewed".to_owned(), None));
    assert_eq!(website.count("website_pages").await, 6003);
}

#[tokio::test]
async fn pages_beyond_the_quota_are_read_when_there_is_room() {
    let (platform, tenant, _) = with_tenants().await;
    let set_pages = async |pages: i64| {
        let path = format!("/api/v1/platform/tenants/{}", tenant.id);
        let set = platform.operator().patch(&path, &json!({ "quotas": { "pages": pages } })).await;
        assert_eq!(set.status, 200, "{set:?}");
    };
    let site = small_site(tenant).await;
    let website = Website::add(&platform, tenant, &site.url, json!({})).await;
    set_pages(0).await;
    let refused = website.ask_to_read(false).await;
    assert_eq!((refused.status, refused.detail()), (422, "quota_pages"), "{refused:?}");
    set_pages(2).await;
    website.read().await;
    let pages = website.pages().await;
    let with = |state: &str, code: &str| pages.iter().filter(|page| page.1 == state && page.2 == code).count();
    assert_eq!((with("ready", ""), with("failed", "quota_pages")), (2, 1), "{pages:?}");
    assert_eq!(website.count("documents").await, 2);
    site.clear();
    website.read().await;
    assert_eq!(website.count("documents").await, 2, "what was read stays");
    set_pages(3).await;
    website.read().await;
    assert_eq!(website.count("documents").await, 3);
    assert!(website.pages().await.iter().all(|page| page.1 == "ready"));
}

#[tokio::test]
async fn limits_bound_the_bytes_and_the_time_of_one_reading() {
    for is_time in [false, true] {
        let platform = start_with(|settings| {
            if is_time {
                settings.crawl.max_minutes = 0;
            } else {
                settings.crawl.max_bytes = 20_000;
            }
        })
        .await;
        let tenant = platform.add_tenant("one").await;
        let site = Site::start().await;
        let links: String = (0..14).map(|number| format!("<a href=/{number}>{number}</a> ")).collect();
        site.set("/", html("Shop", &format!("<p>Start.</p>{links}{}", snippet(tenant))));
        for number in 0..14 {
            let filling = format!("word{number} ").repeat(1000);
            site.set(&format!("/{number}"), html(&format!("Page {number}"), &format!("<p>{filling}</p>")));
        }
        if is_time {
            site.slow_down(std::time::Duration::from_millis(300));
        }
        let website = Website::add(&platform, tenant, &site.url, json!({})).await;
        let state = website.state().await;
        assert_eq!(state, ("previewed".to_owned(), Some("run_limit".to_owned())), "time: {is_time}");
        let found_pages = website.pages().await.iter().filter(|page| page.1 == "found").count();
        assert!((1..15).contains(&found_pages), "{found_pages} pages");
        // The found pages are read.
        website.read().await;
        assert_eq!(website.state().await, ("ready".to_owned(), Some("run_limit".to_owned())), "time: {is_time}");
        let documents = website.count("documents").await;
        assert!((1..15).contains(&documents), "{documents} documents");
    }
}

#[tokio::test]
async fn a_notice_on_every_page_is_read_on_the_first_ones_alone() {
    let (platform, tenant, _) = with_tenants().await;
    let site = Site::start().await;
    let links: String = (0..8).map(|room| format!("<li><a href=/room-{room}>Room {room}</a></li>")).collect();
    site.set("/", html("House", &format!("<p>The house is by the sea.</p><ul>{links}</ul>{}", snippet(tenant))));
    let room = |room: usize, chairs: usize| {
        let body = format!("<div><p>We use cookies on this site.</p></div><p>Room {room} has {chairs} chairs.</p>");
        site.set(&format!("/room-{room}"), html(&format!("Room {room}"), &body));
    };
    (0..8).for_each(|number| room(number, 2));
    let website = Website::add(&platform, tenant, &site.url, json!({ "schedule": "hourly" })).await;
    website.read().await;
    let count = async |sql: &'static str| -> i64 {
        sqlx::query_scalar(sql).bind(tenant.id.0).fetch_one(platform.everything()).await.unwrap()
    };
    let notices = "select count(*) from passages where tenant_id = $1 and content like '%cookies%'";
    assert_eq!((website.count("documents").await, count(notices).await), (9, 4), "{:?}", website.pages().await);
    // A second visit decides in the same way.
    room(0, 3);
    room(7, 3);
    website.after_minutes(70).await;
    let changed = "select count(*) from documents where tenant_id = $1 and version = 2";
    assert_eq!((count(changed).await, count(notices).await), (2, 4));
}

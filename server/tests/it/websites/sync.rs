//! The effect of a second visit to a website, and its interruptions.

use serde_json::{Value, json};
use server::service::worker;
use store::Scope;

use super::{
    Website, html, numbered_site,
    site::{Page, Site},
    small_site, snippet, start_with, synced_rows, with_tenants,
};

#[tokio::test]
async fn a_second_sync_fetches_changes_and_removes_what_is_gone() {
    let (platform, tenant, _) = with_tenants().await;
    let site = small_site(tenant).await;
    let website = Website::add(&platform, tenant, &site.url, json!({ "schedule": "hourly" })).await;
    website.read().await;
    let version = "select version from documents where tenant_id = $1 and path like '%/hours'";
    let version = async || -> i32 {
        sqlx::query_scalar(version).bind(tenant.id.0).fetch_one(platform.everything()).await.unwrap()
    };
    site.clear();
    website.after_minutes(70).await;
    let answers = site.answers();
    assert_eq!(answers.iter().filter(|(path, status)| *status == 304 && path != "/").count(), 2, "{answers:?}");
    assert_eq!((version().await, synced_rows(&platform, tenant.id).await.len()), (1, 1), "nothing has changed");
    // A changed text, and a missing page.
    site.set("/hours", html("Opening hours", "<p>The shop opens at ten in the morning.</p>"));
    site.remove("/returns");
    website.after_minutes(70).await;
    assert_eq!(version().await, 2);
    assert_eq!(website.page("/returns").await, ("missing".to_owned(), "not_found".to_owned()));
    let answer = website.ask("Within how many days may parcels be returned?").await;
    assert!(answer["answer"].as_str().unwrap().contains("thirty days"), "kept until a second look: {answer}");
    let rows = synced_rows(&platform, tenant.id).await;
    assert_eq!((rows.len(), &rows[1]["actor_user"]), (2, &json!("schedule")), "{rows:?}");
    // The second check comes after an hour, whatever the schedule.
    let weekly = json!({ "website": { "schedule": "weekly" } });
    assert_eq!(platform.admin(tenant.id).patch(&website.path, &weekly).await.status, 200);
    platform.work_off_jobs().await;
    sqlx::query("update websites set next_sync_at = now() + interval '7 days'")
        .execute(platform.everything())
        .await
        .unwrap();
    site.clear();
    website.after_minutes(70).await;
    let pages = website.pages().await;
    assert!(!pages.iter().any(|page| page.0 == "/returns"), "{pages:?}");
    assert!(!site.requests().iter().any(|path| path == "/hours"), "only the missing page: {:?}", site.requests());
    assert_eq!(website.count("documents").await, 2);
}

#[tokio::test]
async fn a_more_frequent_schedule_applies_to_the_next_sync() {
    let (platform, tenant, _) = with_tenants().await;
    let site = small_site(tenant).await;
    let website = Website::add(&platform, tenant, &site.url, json!({ "schedule": "weekly" })).await;
    website.read().await;
    let every = |schedule: &str| json!({ "website": { "schedule": schedule } });
    let admin = platform.admin(tenant.id);
    assert_eq!(admin.patch(&website.path, &every("hourly")).await.status, 200);
    site.clear();
    website.after_minutes(50).await;
    assert_eq!(site.requests(), [""; 0], "an hour has not passed");
    // A less frequent one leaves the next sync as it is.
    assert_eq!(admin.patch(&website.path, &every("daily")).await.status, 200);
    website.after_minutes(20).await;
    assert!(site.requests().iter().any(|path| path == "/hours"), "{:?}", site.requests());
}

#[tokio::test]
async fn a_page_that_comes_back_and_a_site_that_is_away_lose_nothing() {
    let (platform, tenant, _) = with_tenants().await;
    let site = small_site(tenant).await;
    let website = Website::add(&platform, tenant, &site.url, json!({ "schedule": "hourly" })).await;
    website.read().await;
    let returns = site.remove("/returns").unwrap();
    website.after_minutes(70).await;
    assert_eq!(website.page("/returns").await.0, "missing");
    site.set("/returns", returns);
    website.after_minutes(70).await;
    assert_eq!(website.page("/returns").await, ("ready".to_owned(), String::new()));
    site.set("/hours", Page::status(500));
    website.after_minutes(70).await;
    assert_eq!(website.page("/hours").await, ("ready".to_owned(), "server_error".to_owned()));
    site.set("/", Page::status(503));
    website.after_minutes(70).await;
    assert_eq!(website.state().await, ("failed".to_owned(), Some("server_error".to_owned())));
    site.stop();
    website.after_minutes(70).await;
    assert_eq!(website.state().await, ("failed".to_owned(), Some("unreachable".to_owned())));
    assert_eq!(website.count("documents").await, 3);
    let next = website.get().await["next_sync_at"].clone();
    assert!(next.is_string(), "it is tried again");
}

#[tokio::test]
async fn a_failed_site_with_missing_pages_is_left_alone_for_a_day() {
    let (platform, tenant, _) = with_tenants().await;
    let site = small_site(tenant).await;
    let website = Website::add(&platform, tenant, &site.url, json!({ "schedule": "daily" })).await;
    website.read().await;
    site.remove("/returns");
    website.after_minutes(1450).await;
    assert_eq!(website.page("/returns").await.0, "missing");
    let first = site.remove("/").unwrap();
    site.set("/", Page::status(503));
    website.after_minutes(70).await;
    assert_eq!(website.state().await, ("failed".to_owned(), Some("server_error".to_owned())));
    site.clear();
    website.after_minutes(1).await;
    assert_eq!(site.requests(), [""; 0], "the check of the missing page has failed, too");
    site.set("/", first);
    website.after_minutes(1450).await;
    assert_eq!(website.state().await, ("ready".to_owned(), None));
    assert_eq!(website.count("documents").await, 2, "the next sync has checked it: {:?}", website.pages().await);
}

#[tokio::test]
async fn only_readable_sites_with_missing_pages_are_due() {
    let (platform, tenant, _) = with_tenants().await;
    let site = small_site(tenant).await;
    let website = Website::add(&platform, tenant, &site.url, json!({ "schedule": "daily" })).await;
    website.read().await;
    site.remove("/returns");
    website.after_minutes(1450).await;
    let due = async |minutes: i32| {
        let mut tx = platform.app.db.read(&Scope::system()).await.unwrap();
        store::websites::due(&mut tx, minutes, 200).await.unwrap().len()
    };
    assert_eq!([due(0).await, due(60).await], [1, 0]);
    sqlx::query("update websites set state = 'failed'").execute(platform.everything()).await.unwrap();
    assert_eq!(due(0).await, 0, "it could not be read");
    sqlx::query("update websites set state = 'ready'").execute(platform.everything()).await.unwrap();
    let paused = json!({ "website": { "paused": true } });
    assert_eq!(platform.admin(tenant.id).patch(&website.path, &paused).await.status, 200);
    assert_eq!(due(0).await, 0, "it is paused");
}

#[tokio::test]
async fn a_check_of_missing_pages_keeps_the_notice_of_the_page_limit() {
    let (platform, tenant, _) = with_tenants().await;
    let site = small_site(tenant).await;
    let settings = json!({ "schedule": "daily", "max_pages": 2 });
    let website = Website::add(&platform, tenant, &site.url, settings).await;
    website.read().await;
    let limited = ("ready".to_owned(), Some("page_limit".to_owned()));
    assert_eq!(website.state().await, limited);
    site.remove("/hours");
    website.after_minutes(1450).await;
    assert_eq!(website.page("/hours").await.0, "missing");
    assert_eq!(website.state().await, limited);
    website.after_minutes(70).await;
    assert_eq!(website.count("documents").await, 1, "{:?}", website.pages().await);
    assert_eq!(website.state().await, limited);
}

#[tokio::test]
async fn pages_beyond_the_limit_are_not_forgotten_by_unchanged_pages() {
    let (platform, tenant, _) = with_tenants().await;
    let site = Site::start().await;
    site.set("/", html("Shop", &format!("<p>Welcome.</p><a href=/list>List</a>{}", snippet(tenant))));
    site.set("/list", html("List", "<p>Our rooms.</p><a href=/a>A</a> <a href=/b>B</a> <a href=/c>C</a>"));
    for name in ["a", "b", "c"] {
        site.set(&format!("/{name}"), html(name, &format!("<p>Room {name} opens at nine.</p>")));
    }
    let website = Website::add(&platform, tenant, &site.url, json!({ "schedule": "hourly", "max_pages": 3 })).await;
    website.read().await;
    let limited = ("ready".to_owned(), Some("page_limit".to_owned()));
    assert_eq!(website.state().await, limited);
    site.clear();
    website.after_minutes(70).await;
    assert!(site.answers().contains(&("/list".to_owned(), 304)), "{:?}", site.answers());
    assert_eq!(website.state().await, limited);
    // The first of them leaves room for the next.
    site.set("/a", Page::html("<meta name=robots content=noindex><p>Room a is closed.</p>"));
    website.after_minutes(70).await;
    assert_eq!(website.page("/a").await.0, "left_out");
    website.after_minutes(70).await;
    assert_eq!(website.page("/b").await, ("ready".to_owned(), String::new()));
    assert_eq!(website.state().await, limited, "there is still no room for the last one");
}

#[tokio::test]
async fn a_check_of_missing_pages_leaves_the_next_sync_where_it_is() {
    let (platform, tenant, _) = with_tenants().await;
    let site = small_site(tenant).await;
    let website = Website::add(&platform, tenant, &site.url, json!({ "schedule": "daily" })).await;
    website.read().await;
    let returns = site.remove("/returns").unwrap();
    website.after_minutes(1450).await;
    let minutes = async || -> i64 {
        let sql = "select (extract(epoch from next_sync_at - now()) / 60)::bigint from websites where tenant_id = $1";
        sqlx::query_scalar(sql).bind(tenant.id.0).fetch_one(platform.everything()).await.unwrap()
    };
    website.after_minutes(70).await;
    assert!(!website.pages().await.iter().any(|page| page.0 == "/returns"), "it has been checked");
    assert!((1300..=1370).contains(&minutes().await), "{} minutes", minutes().await);
    // A check that fails.
    site.set("/returns", returns);
    website.read().await;
    site.remove("/returns");
    website.after_minutes(1450).await;
    site.set("/", Page::status(503));
    website.after_minutes(70).await;
    assert_eq!(website.state().await.0, "failed");
    assert!((1300..=1370).contains(&minutes().await), "{} minutes", minutes().await);
}

#[tokio::test]
async fn a_check_that_reaches_a_limit_goes_on_an_hour_later() {
    let platform = start_with(|settings| settings.crawl.max_bytes = 20_000).await;
    let tenant = platform.add_tenant("one").await;
    let site = small_site(tenant).await;
    let website = Website::add(&platform, tenant, &site.url, json!({ "schedule": "daily" })).await;
    website.read().await;
    site.remove("/returns");
    website.after_minutes(1450).await;
    site.set("/robots.txt", Page::text(&"\n".repeat(30_000)));
    website.after_minutes(70).await;
    assert_eq!(website.state().await, ("ready".to_owned(), Some("run_limit".to_owned())));
    assert_eq!(website.page("/returns").await.0, "missing");
    site.clear();
    website.after_minutes(1).await;
    assert_eq!(site.requests(), [""; 0]);
    site.remove("/robots.txt");
    website.after_minutes(70).await;
    assert!(!website.pages().await.iter().any(|page| page.0 == "/returns"), "{:?}", website.pages().await);
}

#[tokio::test]
async fn pages_that_lead_elsewhere_or_refuse_for_a_while_stay() {
    let (platform, tenant, _) = with_tenants().await;
    let site = small_site(tenant).await;
    let website = Website::add(&platform, tenant, &site.url, json!({ "schedule": "hourly" })).await;
    website.read().await;
    let (hours, returns) = (site.remove("/hours").unwrap(), site.remove("/returns").unwrap());
    site.set("/hours", Page::status(403));
    site.set("/returns", Page::redirect("https://status.example.org/"));
    website.after_minutes(70).await;
    assert_eq!(website.page("/hours").await, ("ready".to_owned(), "forbidden".to_owned()));
    assert_eq!(website.page("/returns").await, ("missing".to_owned(), "other_host".to_owned()));
    assert_eq!(website.count("documents").await, 3);
    site.set("/hours", hours);
    site.set("/returns", returns);
    website.after_minutes(70).await;
    for path in ["/hours", "/returns"] {
        assert_eq!(website.page(path).await, ("ready".to_owned(), String::new()), "{path}");
    }
    // Several pages that redirect to one: the second one waits for a second check.
    site.set("/wait", html("Maintenance", "<p>We are back soon.</p>"));
    for path in ["/hours", "/returns"] {
        site.set(path, Page::redirect("/wait"));
    }
    website.after_minutes(70).await;
    let pages = website.pages().await;
    let states: Vec<&str> = pages.iter().filter(|page| page.2 == "redirect").map(|page| page.1.as_str()).collect();
    assert!(states.contains(&"missing") && states.contains(&"left_out"), "{pages:?}");
    assert_eq!(website.count("documents").await, 3, "the first page, the missing one and the new one");
    website.after_minutes(70).await;
    assert_eq!(website.count("documents").await, 2, "{:?}", website.pages().await);
}

#[tokio::test]
async fn pages_redirecting_to_a_login_or_an_error_stay_for_a_while() {
    let (platform, tenant, _) = with_tenants().await;
    let site = small_site(tenant).await;
    let website = Website::add(&platform, tenant, &site.url, json!({ "schedule": "hourly" })).await;
    website.read().await;
    let (hours, returns) = (site.remove("/hours").unwrap(), site.remove("/returns").unwrap());
    site.set("/hours", Page::redirect("/login?next=hours"));
    site.set("/login?next=hours", Page::html("<body><form><input name=u><input type=password></form></body>"));
    site.set("/returns", Page::redirect("/error?from=returns"));
    site.set("/error?from=returns", Page::status(500));
    website.after_minutes(70).await;
    assert_eq!(website.page("/hours").await, ("missing".to_owned(), "redirect".to_owned()));
    assert_eq!(website.page("/returns").await, ("ready".to_owned(), "server_error".to_owned()));
    assert_eq!(website.count("documents").await, 3);
    let answer = website.ask("Within how many days may parcels be returned?").await;
    assert!(answer["answer"].as_str().unwrap().contains("thirty days"), "{answer}");
    site.set("/hours", hours.clone());
    site.set("/returns", returns);
    website.after_minutes(70).await;
    for path in ["/hours", "/returns"] {
        assert_eq!(website.page(path).await, ("ready".to_owned(), String::new()), "{path}");
    }
    // A page that moved is read at its new place at once.
    site.set("/hours", Page::redirect("/opening"));
    site.set("/opening", hours);
    website.after_minutes(70).await;
    assert_eq!(website.page("/hours").await, ("left_out".to_owned(), "redirect".to_owned()));
    assert_eq!(website.page("/opening").await, ("ready".to_owned(), String::new()));
    assert_eq!(website.count("documents").await, 3);
    // A login that stays takes what was read behind it away.
    site.set("/opening", Page::redirect("/login?next=hours"));
    website.after_minutes(70).await;
    assert_eq!(website.count("documents").await, 3);
    website.after_minutes(70).await;
    assert_eq!(website.count("documents").await, 2, "{:?}", website.pages().await);
}

#[tokio::test]
async fn pausing_stops_a_website_and_deleting_leaves_nothing() {
    let (platform, tenant, _) = with_tenants().await;
    let site = small_site(tenant).await;
    let website = Website::add(&platform, tenant, &site.url, json!({})).await;
    website.read().await;
    let pause = |paused: bool| json!({ "website": { "paused": paused } });
    let admin = platform.admin(tenant.id);
    assert_eq!(admin.patch(&website.path, &pause(true)).await.status, 200);
    assert_eq!(website.ask_to_read(false).await.body["detail"], "website_paused");
    assert_eq!(website.get().await["next_sync_at"], Value::Null);
    site.clear();
    website.after_minutes(20_000).await;
    assert_eq!(site.requests(), [""; 0]);
    assert_eq!(admin.patch(&website.path, &pause(false)).await.status, 200);
    assert_eq!(website.ask_to_read(false).await.status, 200);
    assert_eq!(website.ask_to_read(false).await.body["detail"], "website_busy");
    // It is deleted while its job waits.
    assert_eq!(admin.delete(&website.path).await.status, 204);
    platform.work_off_jobs().await;
    for table in ["websites", "website_pages", "website_bodies", "documents", "document_versions", "passages"] {
        assert_eq!(website.count(table).await, 0, "{table}");
    }
}

#[tokio::test]
async fn a_crawl_whose_worker_is_killed_goes_on_with_the_next_page() {
    const PAGES: usize = 12;
    let (platform, tenant, _) = with_tenants().await;
    let site = numbered_site(tenant, PAGES).await;
    let website = Website::add(&platform, tenant, &site.url, json!({})).await;
    assert_eq!(website.ask_to_read(false).await.status, 200);
    for kill in 1..=3 {
        // A task that is aborted leaves what a killed process does: open transactions that end, and a lease that lapses.
        let worker = tokio::spawn(worker::run_until(platform.app.clone(), Default::default()));
        while website.count("documents").await < kill * 3 {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        worker.abort();
        let _ = worker.await;
        let lapse = "update jobs set leased_until = now() - interval '1 second', attempts = 0 where state = 'running'";
        sqlx::query(lapse).execute(platform.everything()).await.unwrap();
    }
    platform.work_off_jobs().await;
    assert_eq!(website.state().await, ("ready".to_owned(), None));
    let versions: Vec<i32> = sqlx::query_scalar("select version from documents where tenant_id = $1")
        .bind(tenant.id.0)
        .fetch_all(platform.everything())
        .await
        .unwrap();
    assert_eq!(versions, vec![1; PAGES + 1], "nothing is lost and nothing doubled");
    let rows = synced_rows(&platform, tenant.id).await;
    assert_eq!((rows.len(), &rows[0]["details"]["after"]["pages_added"]), (1, &json!(PAGES + 1)), "{rows:?}");
    let stuck = "select count(*) from jobs where state in ('queued', 'running')";
    assert_eq!(sqlx::query_scalar::<_, i64>(stuck).fetch_one(platform.everything()).await.unwrap(), 0);
}

#[tokio::test]
async fn sitemaps_are_read_until_the_website_has_its_pages() {
    let platform = start_with(|settings| settings.crawl.max_page_bytes = 10_000_000).await;
    let tenant = platform.add_tenant("one").await;
    let site = small_site(tenant).await;
    let list = |kind: &str, places: Vec<String>| {
        let entries: String = places.iter().map(|place| format!("<{kind}><loc>{place}</loc></{kind}>")).collect();
        Page::of("application/xml", &format!("<list>{entries}</list>"))
    };
    let full: Vec<String> = (0..50_000).map(|number| format!("{}/listed-{number}", site.url)).collect();
    let full = list("url", full);
    site.set("/sitemap.xml", list("sitemap", (1..20).map(|number| format!("{}/{number}.xml", site.url)).collect()));
    for number in 1..20 {
        site.set(&format!("/{number}.xml"), full.clone());
    }
    let website = Website::add(&platform, tenant, &site.url, json!({ "max_pages": 20 })).await;
    let read: Vec<String> = site.requests().into_iter().filter(|path| path.ends_with(".xml")).collect();
    assert_eq!(read, ["/sitemap.xml", "/1.xml"], "the others are not needed");
    assert_eq!(website.count("website_pages").await, 20);
}

#[tokio::test]
async fn bodies_of_a_preview_count_towards_the_bytes_of_the_tenant() {
    let (platform, tenant, _) = with_tenants().await;
    let path = format!("/api/v1/platform/tenants/{}", tenant.id);
    let quotas = json!({ "quotas": { "bytes": 1 } });
    assert_eq!(platform.operator().patch(&path, &quotas).await.status, 200);
    let site = small_site(tenant).await;
    let website = Website::add(&platform, tenant, &site.url, json!({})).await;
    assert_eq!((website.get().await["state"].clone(), website.count("website_bodies").await), (json!("previewed"), 1));
    let usage = platform.admin(tenant.id).get("/api/v1/tenants/me/usage").await;
    let bytes = usage.body["quotas"].as_array().unwrap().iter().find(|quota| quota["quota"] == "bytes").unwrap();
    assert!(bytes["used"].as_i64().unwrap() > 1, "{bytes}");
    website.read().await;
    assert_eq!(website.page("/returns").await.0, "ready", "what was not kept is fetched again");
}

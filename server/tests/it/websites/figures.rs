//! Measures websites of hundreds of pages: `cargo test -p server --test it -- --ignored websites::figures --nocapture`.

use serde_json::json;

use super::{Website, numbered_page, numbered_site, site::Page, snippet, with_tenants};

#[tokio::test]
#[ignore = "takes minutes"]
async fn figures_of_200_pages_from_the_address_to_the_first_answer() {
    let (platform, tenant, _) = with_tenants().await;
    let site = numbered_site(tenant, 199).await;
    let began = std::time::Instant::now();
    let website = Website::add(&platform, tenant, &site.url, json!({})).await;
    let previewed = began.elapsed();
    website.read().await;
    let answer = website.ask("Wie lang ist die Lieferzeit von Modell 137?").await;
    let answered = began.elapsed();
    println!("200 pages: preview {previewed:?}, first answer after {answered:?}: {answer:#}");
    assert!(answer["answer"].as_str().unwrap().contains("20 Werktage"), "{answer}");
    assert!(answer["sources"][0]["url"].as_str().unwrap().contains("/seite-137#:~:text="), "{answer}");
    assert_eq!(website.count("documents").await, 200);
    assert!(answered < std::time::Duration::from_secs(600), "{answered:?}");
}

#[tokio::test]
#[ignore = "takes minutes"]
async fn figures_of_500_pages_in_the_second_sync() {
    let (platform, tenant, _) = with_tenants().await;
    let site = numbered_site(tenant, 499).await;
    // The proof is a file: then the first page, too, answers that it is as it was.
    let website = Website::create(&platform, tenant, &site.url, json!({ "schedule": "hourly" })).await;
    let token = website.get().await["token"].as_str().unwrap().to_owned();
    let first = site.remove("/").unwrap().without(&snippet(tenant));
    site.set("/", first);
    site.set("/.well-known/chatbot-verification.txt", Page::text(&token));
    platform.work_off_jobs().await;
    website.read().await;
    assert_eq!(website.count("documents").await, 500);
    for number in [7, 77, 277] {
        site.set(&format!("/seite-{number}"), numbered_page(number, 99));
    }
    site.remove("/seite-400");
    site.remove("/seite-401");
    site.clear();
    let began = std::time::Instant::now();
    website.after_minutes(70).await;
    let synced = began.elapsed();
    let unchanged = site.answers().iter().filter(|(_, status)| *status == 304).count();
    println!("500 pages, second sync: {synced:?}, {unchanged} answers 304");
    let changed = "select count(*) from documents where tenant_id = $1 and version = 2";
    let changed: i64 = sqlx::query_scalar(changed).bind(tenant.id.0).fetch_one(platform.everything()).await.unwrap();
    assert_eq!((changed, unchanged, website.count("documents").await), (3, 495, 500));
    website.after_minutes(70).await;
    assert_eq!(website.count("documents").await, 498);
    assert!(synced < std::time::Duration::from_secs(30), "{synced:?}");
}

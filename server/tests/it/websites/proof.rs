//! A website is read only after its tenant has proved ownership, or an operator has allowed its host.

use std::{net::SocketAddr, sync::Arc};

use parking_lot::Mutex;
use serde_json::json;
use tokio::net::UdpSocket;

use super::{
    Website, html,
    site::{Page, Site},
    snippet, with_tenants,
};
use crate::support::Platform;

#[tokio::test]
async fn only_a_site_that_shows_whose_it_is_is_read() {
    let (platform, tenant, other) = with_tenants().await;
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
    let source = website.get().await;
    assert_eq!((&source["state"], &source["proven_by"]), (&json!("previewed"), &json!("file")));
    // The proof is checked with every sync.
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
async fn a_file_that_the_host_serves_proves_nothing() {
    let (platform, tenant, _) = with_tenants().await;
    let site = Site::start().await;
    let page = html("Shop", &format!("<p>Welcome.</p>{}", snippet(tenant)));
    let other_script = snippet(tenant).replace("chat.example.com", "chat.example.org");
    let upload = snippet(tenant).replace("/static/widget/", "/uploads/");
    for no_proof in [
        page.clone().of_type("text/plain"),
        page.clone().of_type("image/svg+xml"),
        page.clone().with("content-disposition", "attachment; filename=\"a.html\""),
        html("Shop", &other_script),
        html("Shop", &upload),
    ] {
        site.set("/", no_proof);
        let website = Website::add(&platform, tenant, &site.url, json!({})).await;
        assert_eq!(website.state().await, ("unproven".to_owned(), None));
        assert_eq!(platform.admin(tenant.id).delete(&website.path).await.status, 204);
    }
    site.set("/", page);
    let website = Website::add(&platform, tenant, &site.url, json!({})).await;
    assert_eq!(website.get().await["proven_by"], "snippet");
}

#[tokio::test]
async fn a_page_proves_its_folder_and_a_file_the_host() {
    let (platform, tenant, _) = with_tenants().await;
    let site = Site::start().await;
    let links = "<p>Welcome.</p><a href=a>A</a> <a href=/bob/>Bob</a> <a href=leave>Leave</a>";
    site.set("/ann/", html("Ann", &format!("{links}{}", snippet(tenant))));
    site.set("/ann/a", html("A", "<p>A page of Ann.</p>"));
    site.set("/ann/leave", Page::redirect("/bob/leave"));
    site.set("/bob/", html("Bob", "<p>A page of Bob.</p>"));
    let website = Website::add(&platform, tenant, &format!("{}/ann/", site.url), json!({ "schedule": "hourly" })).await;
    website.read().await;
    let outside = |state: &str| (state.to_owned(), "outside_proof".to_owned());
    assert_eq!(website.page("/ann/a").await.0, "ready");
    assert_eq!(website.page("/bob/").await, outside("left_out"));
    assert_eq!(website.page("/ann/leave").await, outside("left_out"));
    assert!(!site.requests().iter().any(|path| path.starts_with("/bob/")), "{:?}", site.requests());
    // The token at the root proves the rest.
    let token = website.get().await["token"].as_str().unwrap().to_owned();
    site.set("/.well-known/chatbot-verification.txt", Page::text(&token));
    website.read().await;
    assert_eq!(website.get().await["proven_by"], "file");
    assert_eq!(website.page("/bob/").await, ("ready".to_owned(), String::new()));
    // Without it, what was read stays and says why it is not read again.
    site.remove("/.well-known/chatbot-verification.txt");
    for _ in 0..3 {
        website.after_minutes(70).await;
        assert_eq!(website.page("/bob/").await, outside("ready"));
    }
    assert_eq!(website.count("documents").await, 3);
}

#[tokio::test]
async fn a_root_that_leads_to_a_folder_proves_the_host() {
    let (platform, tenant, _) = with_tenants().await;
    let site = Site::start().await;
    site.set("/", Page::redirect("/en/home"));
    site.set("/en/home", html("Shop", &format!("<p>Welcome.</p><a href=/de/>Deutsch</a>{}", snippet(tenant))));
    site.set("/de/", html("Laden", "<p>Willkommen.</p>"));
    let website = Website::add(&platform, tenant, &site.url, json!({})).await;
    assert_eq!(website.page("/de/").await.0, "found");
}

#[tokio::test]
async fn an_operator_can_allow_a_host() {
    let (platform, tenant, other) = with_tenants().await;
    let site = Site::start().await;
    site.set("/", html("Shop", "<p>Welcome to the shop.</p>"));
    let path = format!("/api/v1/platform/tenants/{}/allowed-hosts", tenant.id);
    let allowed = platform.operator().post(&path, &json!({ "host": "127.0.0.1" })).await;
    assert_eq!((allowed.status, &allowed.body["host"]), (201, &json!("127.0.0.1")), "{allowed:?}");
    assert_eq!(allowed.header("location"), Some(format!("{path}/127.0.0.1").as_str()));
    assert_eq!(platform.admin(tenant.id).get(&path).await.status, 403);
    for (tenant, state) in [(tenant, "previewed"), (other, "unproven")] {
        let website = Website::add(&platform, tenant, &site.url, json!({})).await;
        assert_eq!(website.state().await.0, state);
    }
    assert_eq!(platform.operator().delete(&format!("{path}/127.0.0.1")).await.status, 204);
    assert_eq!(platform.operator().delete(&format!("{path}/127.0.0.1")).await.status, 404);
    assert_eq!(platform.operator().post(&path, &json!({ "host": "http://x/" })).await.status, 422);
}

/// A resolver that answers every query with one TXT record, and fails while that is empty; returns the queried names.
async fn resolver(record: Arc<Mutex<String>>) -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let (address, queries) = (socket.local_addr().unwrap(), Arc::new(Mutex::new(Vec::new())));
    let names = Arc::clone(&queries);
    tokio::spawn(async move {
        let mut query = [0; 512];
        while let Ok((length, from)) = socket.recv_from(&mut query).await {
            let name = String::from_utf8_lossy(&query[13..length - 5]).replace(|c: char| c.is_control(), ".");
            names.lock().push(name);
            let text = record.lock().clone();
            let mut answer = query[..length].to_vec();
            if text.is_empty() {
                answer[2..4].copy_from_slice(&[0x81, 0x82]);
                socket.send_to(&answer, from).await.unwrap();
                continue;
            }
            answer[2..4].copy_from_slice(&[0x81, 0x80]);
            answer[7] = 1;
            answer.extend([0xC0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0]);
            answer.extend([u8::try_from(text.len() + 1).unwrap(), u8::try_from(text.len()).unwrap()]);
            answer.extend(text.as_bytes());
            socket.send_to(&answer, from).await.unwrap();
        }
    });
    (address, queries)
}

#[tokio::test]
async fn a_txt_record_of_the_host_shows_whose_it_is() {
    let record = Arc::new(Mutex::new("another token".to_owned()));
    let (address, queries) = resolver(Arc::clone(&record)).await;
    let platform = Platform::start_with(|settings| settings.crawl.dns_resolver = Some(address)).await;
    let (tenant, other) = (platform.add_tenant("one").await, platform.add_tenant("two").await);
    let site = Site::start().await;
    site.set("/", html("Shop", "<p>Welcome to the shop.</p>"));
    let named_url = site.url.replace("127.0.0.1", "localhost");
    let website = Website::add(&platform, tenant, &named_url, json!({})).await;
    assert_eq!(website.state().await, ("unproven".to_owned(), None));
    assert_eq!(*queries.lock(), ["_chatbot-verification.localhost"]);
    *record.lock() = website.get().await["token"].as_str().unwrap().to_owned();
    assert_eq!(website.ask_to_read(true).await.status, 200);
    platform.work_off_jobs().await;
    let source = website.get().await;
    assert_eq!((&source["state"], &source["proven_by"]), (&json!("previewed"), &json!("dns_txt")), "{source}");
    // An address has no records.
    let by_address = Website::add(&platform, other, &site.url, json!({})).await;
    assert_eq!(by_address.state().await.0, "unproven");
    assert!(queries.lock().iter().all(|name| name.ends_with("localhost")));
    // While the resolver is away, nothing is known: the job is tried again.
    let token = std::mem::take(&mut *record.lock());
    assert_eq!(website.ask_to_read(true).await.status, 200);
    platform.work_off_jobs().await;
    let source = website.get().await;
    assert_eq!((&source["state"], &source["proven_by"]), (&json!("checking"), &json!("dns_txt")), "{source}");
    *record.lock() = token;
    try_again(&platform).await;
    assert_eq!(website.state().await, ("previewed".to_owned(), None));
    // A record that is gone proves nothing any more.
    *record.lock() = "another token".to_owned();
    assert_eq!(website.ask_to_read(true).await.status, 200);
    platform.work_off_jobs().await;
    assert_eq!(website.state().await, ("unproven".to_owned(), None));
}

/// Lets jobs that failed be tried again at once.
async fn try_again(platform: &Platform) {
    let due = "update jobs set run_after = now() where state = 'queued'";
    assert_eq!(sqlx::query(due).execute(platform.everything()).await.unwrap().rows_affected(), 1);
    platform.work_off_jobs().await;
}

//! The progress of reading as an event stream: its events, its end, and its access rules.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use server::admission::stream_limiter::MAX_PER_TENANT;

use super::{HOURS, Source};
use crate::support::{
    Client, Platform, Tenant, TestResponse,
    listener::{Event, Listener, names},
    send,
};

/// Maximum wait for an end that is near.
const SOON: Duration = Duration::from_secs(60);

fn path(tenant: Tenant) -> String {
    format!("/api/v1/tenants/me/chatbots/{}/sources/events", tenant.chatbot)
}

async fn open(client: &Client<'_>, tenant: Tenant) -> Result<Listener, TestResponse> {
    Listener::open(client.request("GET", &path(tenant))).await
}

/// A stream that a viewer of the tenant listens to.
async fn listen(platform: &Platform, tenant: Tenant) -> Listener {
    open(&platform.viewer(tenant.id), tenant).await.unwrap_or_else(|answer| panic!("no stream: {answer:?}"))
}

/// All events until the end, which must come soon.
async fn rest(listener: Listener) -> Vec<Event> {
    tokio::time::timeout(SOON, listener.rest()).await.expect("the stream ends")
}

async fn execute(platform: &Platform, sql: &'static str) {
    assert!(sqlx::query(sql).execute(platform.everything()).await.unwrap().rows_affected() > 0, "{sql}");
}

#[tokio::test]
async fn without_anything_to_read_the_first_event_is_the_last() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    source.read("a.md", HOURS).await;
    let listener = listen(&platform, tenant).await;
    for (name, value) in [("cache-control", "no-store"), ("x-accel-buffering", "no")] {
        assert_eq!(listener.headers[name], value);
    }
    assert!(!listener.headers.contains_key("content-encoding"));
    let events = rest(listener).await;
    assert_eq!(names(&events), ["idle"]);
    let listed = platform.viewer(tenant.id).get(&path(tenant).replace("/events", "?limit=200")).await.body;
    assert_eq!(events[0].1, json!({ "sources": listed, "reading": [], "changed": [] }));
    // A request that accepts no events gets a snapshot, with a version like every read.
    let viewer = platform.viewer(tenant.id);
    let once = viewer.get(&path(tenant)).await;
    assert_eq!((once.status, &once.body), (200, &events[0].1));
    let conditional = viewer.request("GET", &path(tenant)).header("if-none-match", once.header("etag").unwrap());
    assert_eq!(send(conditional).await.status, 304);
}

#[tokio::test]
async fn a_stream_tells_changes_until_everything_is_read() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    source.put("a.md", HOURS).await;
    let mut listener = listen(&platform, tenant).await;
    let (name, first) = listener.next().await.unwrap();
    assert_eq!((name.as_str(), &first["sources"]["items"][0]["pending"]), ("progress", &json!(1)));
    assert_eq!((&first["reading"], &first["changed"]), (&json!([]), &json!([])));
    platform.work_off_jobs().await;
    let events = rest(listener).await;
    let (name, last) = events.last().unwrap();
    assert_eq!((name.as_str(), &last["sources"]["items"][0]["pending"]), ("idle", &json!(0)));
    assert_eq!(last["sources"]["items"][0]["documents"], 1);
    let changed: Vec<&Value> = events.iter().flat_map(|(_, data)| data["changed"].as_array().unwrap()).collect();
    let read = changed.last().unwrap_or_else(|| panic!("{events:?}"));
    assert_eq!((&read["path"], &read["state"], &read["passages"]), (&json!("a.md"), &json!("ready"), &json!(1)));
}

#[tokio::test]
async fn a_stream_tells_how_far_an_archive_is() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    source.put("a.md", HOURS).await;
    let mut listener = listen(&platform, tenant).await;
    listener.next().await.unwrap();
    execute(&platform, "with u as (update uploads set state = 'reading') update jobs set done = 3, total = 40").await;
    let (_, started) = listener.next().await.unwrap();
    let document = &started["changed"][0];
    assert_eq!((&document["path"], &document["state"]), (&json!("a.md"), &json!("reading")), "{started}");
    let progress = |done: i32| json!([{ "id": document["id"], "progress": { "done": done, "total": 40 } }]);
    assert_eq!(started["reading"], progress(3));
    execute(&platform, "update jobs set done = 4").await;
    let (name, more) = listener.next().await.unwrap();
    assert_eq!((name.as_str(), &more["reading"], &more["changed"]), ("progress", &progress(4), &json!([])));
}

#[tokio::test]
async fn a_stream_of_another_tenants_chatbot_is_not_found() {
    let (platform, tenant, other) = Platform::with_tenants().await;
    for client in [platform.admin(other.id), platform.viewer(other.id)] {
        let refused = open(&client, tenant).await.err().expect("no stream");
        assert_eq!((refused.status, refused.detail()), (404, "chatbot_not_found"));
        assert_eq!(client.get(&path(tenant)).await.detail(), "chatbot_not_found");
    }
    let refused = open(&platform.anonymous(), tenant).await.err().expect("no stream");
    assert_eq!((refused.status, refused.detail()), (401, "not_authenticated"));
    let refused = open(&platform.operator(), tenant).await.err().expect("no stream");
    assert_eq!((refused.status, refused.detail()), (403, "tenant_required"));
}

#[tokio::test]
async fn a_tenant_has_eight_streams_and_none_holds_a_connection() {
    let (platform, tenant, other) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    source.put("a.md", HOURS).await;
    let mut open_streams = Vec::new();
    for _ in 0..MAX_PER_TENANT {
        let mut listener = listen(&platform, tenant).await;
        assert_eq!(listener.next().await.unwrap().0, "progress");
        open_streams.push(listener);
    }
    let viewer = platform.viewer(tenant.id);
    let refused = open(&viewer, tenant).await.err().expect("no stream");
    assert_eq!((refused.status, refused.detail()), (429, "rate_limited"));
    assert_eq!(refused.header("retry-after"), Some("30"));
    // More streams are open than the tenant has connections, and other calls are served.
    assert_eq!(viewer.get(&path(tenant)).await.status, 200);
    assert_eq!(names(&rest(listen(&platform, other).await).await), ["idle"]);
    drop(open_streams.pop());
    let deadline = Instant::now() + SOON;
    while open(&viewer, tenant).await.is_err() {
        assert!(Instant::now() < deadline, "a stream that was left is still counted");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_stop_ends_the_streams() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    source.put("a.md", HOURS).await;
    let mut listener = listen(&platform, tenant).await;
    assert_eq!(listener.next().await.unwrap().0, "progress");
    platform.stopped.cancel();
    // The serving loop of the tests would wait for a minute.
    assert_eq!(names(&rest(listener).await), Vec::<&str>::new());
}

#[tokio::test]
async fn a_stream_ends_with_its_token() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    source.put("a.md", HOURS).await;
    let token = platform.keys.tenant(tenant.id, "tenant-viewer");
    let token = token.with("exp", json!(chrono::Utc::now().timestamp() + 8)).encode();
    let listener = open(&platform.bearer(&token), tenant).await.unwrap_or_else(|answer| panic!("{answer:?}"));
    assert_eq!(names(&rest(listener).await), ["progress"]);
}

#[tokio::test]
async fn a_stream_ends_with_an_error_when_the_database_is_away() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    source.put("a.md", HOURS).await;
    let mut listener = listen(&platform, tenant).await;
    listener.next().await.unwrap();
    platform.app.db.close().await;
    let events = rest(listener).await;
    assert_eq!((names(&events), &events[0].1["detail"]), (vec!["error"], &json!("service_unavailable")));
}

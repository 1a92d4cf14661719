//! However a stream ends, the audit log has exactly one row of it.

use std::time::Duration;

use serde_json::{Value, json};
use server::http::serving::Limits;

use super::{BOUND, PATH, all_quiet, audit_details, fill, open, open_as, read, wait_for_details};
use crate::support::{self, Log, Platform, Tenant, moment};

/// A platform with more triggers than fit into the buffers between the database and a client.
async fn with_much(limits: Limits) -> (Platform, Tenant) {
    let platform = Platform::start_limited(limits, |_| {}).await;
    let tenant = platform.add_tenant("one").await;
    fill(&platform, tenant, 3000, 4000).await;
    (platform, tenant)
}

async fn refuse_rows(platform: &Platform) {
    sqlx::query(
        "alter table platform_audit_log
         add constraint no_more check (action <> 'output_filter_audit.exported') not valid",
    )
    .execute(platform.everything())
    .await
    .unwrap();
}

/// The row of a stream whose client disconnected.
fn is_left(details: &Value) -> bool {
    has_broken_off(details, "truncated_by_disconnect")
}

/// A row of a stream that the server or the database broke off.
fn has_failed(details: &Value) -> bool {
    has_broken_off(details, "failed")
}

fn has_broken_off(details: &Value, key: &str) -> bool {
    details.as_object().unwrap().len() == 9
        && details[key] == json!(true)
        && details["truncated"] == json!(false)
        && (0..3000).contains(&details["returned"].as_i64().unwrap())
}

#[tokio::test]
async fn three_hundred_disconnects_leave_three_hundred_rows() {
    let (platform, _) = with_much(support::limits()).await;
    let vanish = async |n: usize| {
        // Each with a different operator, because one may run two exports only.
        let operator = platform.keys.operator().with("preferred_username", json!(format!("operator-{n}")));
        let address = platform.base_url.strip_prefix("http://").unwrap();
        let mut stream = open_as(&operator, address, PATH).await;
        // From the first byte of the head to the middle of the file.
        let offset = 1 + (n * 7919) % 200_000;
        assert_eq!(read(&mut stream, offset).await.len(), offset);
    };
    for batch in (0..300).step_by(4) {
        tokio::join!(vanish(batch), vanish(batch + 1), vanish(batch + 2), vanish(batch + 3));
    }
    let rows = wait_for_details(&platform, 300).await;
    assert!(rows.iter().all(is_left), "{rows:?}");
    all_quiet(&platform).await;
    assert_eq!(platform.operator().get(PATH).await.status, 200);
    assert_eq!(audit_details(&platform).await.len(), 301);
}

#[tokio::test]
async fn a_stalled_reader_is_disconnected_and_counted() {
    let limits = Limits { write_idle: Duration::from_millis(300), ..support::limits() };
    let (platform, _) = with_much(limits).await;
    let mut stream = open(&platform, "").await;
    read(&mut stream, 100).await;
    let rows = wait_for_details(&platform, 1).await;
    assert!(is_left(&rows[0]), "{rows:?}");
    all_quiet(&platform).await;
    drop(stream);
}

#[tokio::test]
async fn a_server_that_stops_in_mid_stream_leaves_the_row() {
    let limits = Limits { grace_period: Duration::from_millis(200), ..support::limits() };
    let (platform, _) = with_much(limits).await;
    let mut stream = open(&platform, "").await;
    read(&mut stream, 100).await;
    platform.stopped.cancel();
    let rows = wait_for_details(&platform, 1).await;
    assert!(has_failed(&rows[0]), "{rows:?}");
    platform.app.tasks.close();
    tokio::time::timeout(BOUND, platform.app.tasks.wait()).await.unwrap();
}

#[tokio::test]
async fn an_export_that_takes_too_long_is_broken_off_as_failed() {
    let platform = Platform::start_with(|settings| settings.export_time = Duration::from_secs(2)).await;
    let tenant = platform.add_tenant("one").await;
    fill(&platform, tenant, 3000, 4000).await;
    let mut attempts = 0;
    let (mut stream, mut text) = loop {
        let mut stream = open(&platform, "").await;
        let text = read(&mut stream, 100).await;
        if text.starts_with(b"HTTP/1.1 200") {
            break (stream, text);
        }
        // On a busy machine the time may be over before the first rows: a refusal without a row in the log.
        attempts += 1;
        assert!(attempts < 10, "no stream begins: {}", String::from_utf8_lossy(&text));
    };
    let rows = wait_for_details(&platform, 1).await;
    assert!(has_failed(&rows[0]), "{rows:?}");
    all_quiet(&platform).await;
    text.extend(read(&mut stream, 100_000_000).await);
    assert!(!text.ends_with(b"0\r\n\r\n"), "the transfer must not look complete");
    let arrived = String::from_utf8_lossy(&text).matches("\"question ").count();
    assert!(arrived <= usize::try_from(rows[0]["returned"].as_u64().unwrap()).unwrap());
    assert_eq!(audit_details(&platform).await.len(), 1);
}

#[tokio::test]
async fn broken_exports_record_at_least_the_received_rows() {
    let (platform, _) = with_much(support::limits()).await;
    let mut stream = open(&platform, "").await;
    let text = read(&mut stream, 1_000_000).await;
    drop(stream);
    let arrived = String::from_utf8_lossy(&text).matches("\"question ").count();
    let rows = wait_for_details(&platform, 1).await;
    let returned = usize::try_from(rows[0]["returned"].as_u64().unwrap()).unwrap();
    assert!((arrived..arrived + 500).contains(&returned), "{arrived} arrived, {returned} returned");
}

#[tokio::test]
async fn a_lost_database_breaks_the_transfer_off() {
    let (platform, _) = with_much(support::limits()).await;
    let mut stream = open(&platform, "").await;
    read(&mut stream, 100).await;
    let ended = sqlx::query(
        "select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and query like 'copy %'",
    )
    .fetch_all(platform.everything())
    .await
    .unwrap();
    assert_eq!(ended.len(), 1);
    let rest = read(&mut stream, 100_000_000).await;
    assert!(!rest.ends_with(b"0\r\n\r\n"), "the transfer must not look complete");
    let rows = wait_for_details(&platform, 1).await;
    assert!(has_failed(&rows[0]), "{rows:?}");
}

#[tokio::test]
async fn a_small_export_whose_row_is_refused_is_a_500() {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    fill(&platform, tenant, 3, 10).await;
    refuse_rows(&platform).await;
    let answer = platform.operator().get(PATH).await;
    assert_eq!((answer.status, answer.detail()), (500, "internal_error"));
    assert_eq!(answer.header("content-disposition"), None);
}

#[tokio::test]
async fn a_large_export_whose_row_is_refused_is_left() {
    let (platform, _) = with_much(support::limits()).await;
    refuse_rows(&platform).await;
    let response = platform.operator().request("GET", PATH).send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert!(response.text().await.is_err(), "the transfer must not look complete");
    assert!(audit_details(&platform).await.is_empty());
    all_quiet(&platform).await;
}

#[tokio::test]
async fn a_row_refused_after_a_disconnect_is_an_event_without_retry() {
    let (platform, tenant) = with_much(support::limits()).await;
    refuse_rows(&platform).await;
    let log = Log::default();
    let guard = log.listen();
    let mut stream = open(&platform, &format!("tenant={}", tenant.id)).await;
    read(&mut stream, 100).await;
    drop(stream);
    let deadline = std::time::Instant::now() + BOUND;
    while !platform.app.tasks.is_empty() && std::time::Instant::now() < deadline {
        moment().await;
    }
    drop(guard);
    let events = log.events("output_filter_audit.disconnect_audit_write_failed");
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!(events[0]["entity_id"], json!(tenant.id));
    assert!(audit_details(&platform).await.is_empty());
}

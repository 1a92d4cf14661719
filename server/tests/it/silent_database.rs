//! Database connections that die silently, under load.

#[allow(dead_code, reason = "the tests of the store use the rest")]
#[path = "../../store/tests/it/database/forwarder.rs"]
mod forwarder;

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};

use forwarder::Forwarder;
use server::embedded::postgres::{EmbeddedPostgres, PostgresSettings};
use sqlx::{Connection, PgConnection};
use store::{ConnectionShares, Db, DbSettings, Error, Scope, bootstrap};
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::{
    crash::process::Process,
    embedded,
    support::{Database, Keys, ORIGIN, Platform, moment},
};

const CLIENTS: usize = 60;
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(2);
/// The longest wait for something that must happen, also on a busy machine. A connection that carries nothing would be
/// given up much later.
const BOUND: Duration = Duration::from_secs(60);

/// The observations of a client.
#[derive(Default)]
struct Seen {
    statuses: BTreeMap<u16, usize>,
    longest: Duration,
}

/// Sends the request again and again; `served` counts the answers of all clients since the last failure.
async fn client(request: reqwest::RequestBuilder, served: Arc<AtomicUsize>, stop: CancellationToken) -> Seen {
    let mut record = Seen::default();
    while !stop.is_cancelled() {
        let since = Instant::now();
        let status = request.try_clone().unwrap().send().await.unwrap().status().as_u16();
        record.longest = record.longest.max(since.elapsed());
        *record.statuses.entry(status).or_default() += 1;
        if status == 200 {
            served.fetch_add(1, SeqCst);
        } else {
            served.store(0, SeqCst);
        }
        sleep(Duration::from_millis(100)).await;
    }
    record
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_connections_under_load_do_not_block_others() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let mut url: Url = platform.db.settings().url.parse().unwrap();
    let forwarder = Forwarder::to(url.port().unwrap()).await;
    url.set_port(Some(forwarder.port())).unwrap();
    let settings = DbSettings {
        url: url.to_string(),
        max_connections: 16,
        statement_timeout: STATEMENT_TIMEOUT,
        shares: ConnectionShares::of(16),
        ..platform.db.settings()
    };
    let (app, address) = platform.also_on(Db::connect(&settings).await.unwrap()).await;
    let (operator, admin) =
        (platform.keys.operator().encode(), platform.keys.tenant(tenant.id, "tenant-admin").encode());
    let mut clients = JoinSet::new();
    let (served, stop) = (Arc::new(AtomicUsize::new(0)), CancellationToken::new());
    for number in 0..CLIENTS {
        let get = |path: &str| platform.http.get(format!("{address}{path}"));
        let request = match number % 3 {
            0 => get("/api/v1/platform/tenants").bearer_auth(&operator),
            1 => get("/api/v1/tenants/me/chatbots").bearer_auth(&admin),
            _ => get(&format!("/api/v1/widget/config/{}", tenant.chatbot)).header("origin", ORIGIN),
        };
        clients.spawn(client(request, Arc::clone(&served), stop.clone()));
    }
    for is_silent in [false, true] {
        if is_silent {
            forwarder.silence();
            served.store(0, SeqCst);
        }
        let started = Instant::now();
        while served.load(SeqCst) < 5 * CLIENTS {
            assert!(started.elapsed() < BOUND, "clients are not served, silent: {is_silent}");
            moment().await;
        }
    }
    stop.cancel();
    let records = clients.join_all().await;
    let longest = records.iter().map(|record| record.longest).max().unwrap();
    let mut statuses = BTreeMap::<u16, usize>::new();
    for (status, count) in records.iter().flat_map(|record| &record.statuses) {
        *statuses.entry(*status).or_default() += count;
    }
    println!("{statuses:?}; longest {longest:?}");
    assert!(longest < BOUND, "a request took {longest:?}");
    assert!(statuses.keys().all(|status| [200, 429, 503].contains(status)), "{statuses:?}");
    forwarder.silence();
    timeout(BOUND, app.db.close()).await.expect("closing ends");
}

/// Holds back commits of transactions that store an upload until the returned connection is closed.
async fn hold_back_commits_of_uploads(database: &Database) -> PgConnection {
    let sql = "create function wait_at_the_gate() returns trigger
               language plpgsql security definer set lock_timeout = 0 as $$
               begin
                   perform pg_advisory_xact_lock(1);
                   return null;
               end
               $$;
               create constraint trigger gate after insert on uploads deferrable initially deferred
                   for each row execute function wait_at_the_gate();
               select pg_advisory_lock(1)";
    let mut gate = PgConnection::connect(&database.superuser_url()).await.unwrap();
    sqlx::raw_sql(sql).execute(&mut gate).await.unwrap();
    gate
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stored_file_stays_when_the_reply_to_its_commit_is_lost() {
    const HOURS: &str = "# Opening hours\n\nThe shop opens at nine in the morning.\n";
    let (platform, tenant, _) = Platform::with_tenants().await;
    let mut url: Url = platform.db.settings().url.parse().unwrap();
    let forwarder = Forwarder::to(url.port().unwrap()).await;
    url.set_port(Some(forwarder.port())).unwrap();
    let statement_timeout = Duration::from_secs(5);
    let settings = DbSettings { url: url.to_string(), statement_timeout, ..platform.db.settings() };
    let (_app, address) = platform.also_on(Db::connect(&settings).await.unwrap()).await;
    let sources = format!("/api/v1/tenants/me/chatbots/{}/sources", tenant.chatbot);
    let body = serde_json::json!({ "kind": "upload", "name": "Manuals" });
    let source = platform.admin(tenant.id).post(&sources, &body).await;
    let document = format!("{sources}/{}/documents/hours.md", source.body["id"].as_str().unwrap());

    let gate = hold_back_commits_of_uploads(&platform.db).await;
    let admin = platform.keys.tenant(tenant.id, "tenant-admin").encode();
    let upload = platform.http.put(format!("{address}{document}")).bearer_auth(admin).body(HOURS);
    let upload = tokio::spawn(upload.send());
    platform.until_somebody_waits().await;
    forwarder.silence();
    gate.close().await.unwrap();
    let answer = upload.await.unwrap().unwrap();
    assert_eq!(answer.status(), 503);
    let original = platform.viewer(tenant.id).get(&format!("{document}/original")).await;
    assert_eq!((original.status, original.text.as_str()), (200, HOURS));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_database_does_not_hold_up_a_stop() {
    let (db, keys) = (Database::create().await, Keys::serve().await);
    let mut url: Url = db.settings().url.parse().unwrap();
    let forwarder = Forwarder::to(url.port().unwrap()).await;
    url.set_port(Some(forwarder.port())).unwrap();
    let server = Process::start_with(url.as_str(), &keys.auth_url, &[("SVC_HTTP_SHUTDOWN_SECONDS", "1")]).await;
    let list = reqwest::Client::new()
        .get(format!("{}/api/v1/platform/tenants", server.base_url))
        .bearer_auth(keys.operator().encode());
    assert_eq!(list.try_clone().unwrap().send().await.unwrap().status(), 200);
    forwarder.silence();
    let mut calls = JoinSet::new();
    for _ in 0..20 {
        calls.spawn(list.try_clone().unwrap().send());
    }
    sleep(Duration::from_millis(200)).await;
    let took = server.stop().await;
    println!("stopped after {took:?}");
    // The drain of five seconds, twice the shutdown_seconds, and two seconds more; and as much again on a busy machine.
    assert!(took < Duration::from_secs(2 * (5 + 2 + 2)), "{took:?}");
}

async fn own_postgres(settings: &PostgresSettings) -> (EmbeddedPostgres, DbSettings) {
    let postgres = EmbeddedPostgres::start(settings).await.unwrap();
    let settings = DbSettings {
        url: postgres.url("svc_app", "for-tests-only", "standby"),
        max_connections: 5,
        acquire_timeout: Duration::from_secs(5),
        statement_timeout: STATEMENT_TIMEOUT,
        prepared_statements: true,
        max_exports: 1,
        shares: ConnectionShares::of(5),
    };
    (postgres, settings)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hot_standby_is_read_and_is_unavailable_for_writes() {
    let folder = embedded::folder();
    let (postgres, _) = own_postgres(&embedded::settings(&folder.path().join("pg"), 0)).await;
    bootstrap::ensure_database(&postgres.superuser_url(), "standby").await.unwrap();
    let owner = postgres.superuser_url_of("standby");
    store::migrate(&owner).await.unwrap();
    bootstrap::set_login_password(&owner, "svc_app", "for-tests-only").await.unwrap();
    postgres.stop().await;
    let signal = folder.path().join("pg/cluster/standby.signal");
    std::fs::write(&signal, "").unwrap();
    std::fs::set_permissions(&signal, std::os::unix::fs::PermissionsExt::from_mode(0o666)).unwrap();
    let (standby, settings) = own_postgres(&embedded::settings(&folder.path().join("pg"), 0)).await;
    let db = Db::connect(&settings).await.unwrap();
    let platform = Platform::start().await;
    let (_, address) = platform.also_on(db.clone()).await;
    let tenants = format!("{address}/api/v1/platform/tenants");
    let operator = platform.keys.operator().encode();
    let read = platform.http.get(&tenants).bearer_auth(&operator).send().await.unwrap();
    assert_eq!(read.status(), 200);
    let body = serde_json::json!({ "slug": "new", "display_name": "New" });
    let written = platform.http.post(&tenants).bearer_auth(&operator).json(&body).send().await.unwrap();
    assert_eq!(written.status(), 503);
    let ready = platform.http.get(format!("{address}/health/ready")).send().await.unwrap();
    assert_eq!(ready.status(), 503);
    assert_eq!(ready.json::<serde_json::Value>().await.unwrap()["checks"]["database"], "unavailable");
    assert!(matches!(db.write(&Scope::system()).await.unwrap().discard().await, Ok(())));
    assert!(matches!(db.ping().await, Err(Error::Unavailable(_))));
    db.close().await;
    standby.stop().await;
}

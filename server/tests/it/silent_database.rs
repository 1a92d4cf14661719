//! Connections to the database that die without a word, under load.

#[allow(dead_code, reason = "the tests of the store use the rest")]
#[path = "../../store/tests/support/forwarder.rs"]
mod forwarder;

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use forwarder::Forwarder;
use store::{Db, DbSettings, Shares};
use tokio::{task::JoinSet, time::sleep};
use url::Url;

use crate::support::{ORIGIN, Platform};

const CLIENTS: usize = 60;
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(2);
/// What a request takes at most, and after which everything is served again.
const BOUND: Duration = Duration::from_secs(7);
const RUN: Duration = Duration::from_secs(12);

/// What a client saw.
#[derive(Default)]
struct Seen {
    statuses: BTreeMap<u16, usize>,
    longest: Duration,
    /// When the last request that was not served had begun.
    last_failure: Duration,
}

async fn client(request: reqwest::RequestBuilder, begun: Instant) -> Seen {
    let mut seen = Seen::default();
    while begun.elapsed() < RUN {
        let (since, at) = (Instant::now(), begun.elapsed());
        let status = request.try_clone().unwrap().send().await.unwrap().status().as_u16();
        seen.longest = seen.longest.max(since.elapsed());
        *seen.statuses.entry(status).or_default() += 1;
        if status != 200 {
            seen.last_failure = at;
        }
        sleep(Duration::from_millis(20)).await;
    }
    seen
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_connections_under_load_get_nobody_stuck() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let mut url: Url = platform.db.settings().url.parse().unwrap();
    let forwarder = Forwarder::to(url.port().unwrap()).await;
    url.set_port(Some(forwarder.port())).unwrap();
    let settings = DbSettings {
        url: url.to_string(),
        max_connections: 16,
        statement_timeout: STATEMENT_TIMEOUT,
        shares: Shares::of(16),
        ..platform.db.settings()
    };
    let (app, address) = platform.also_on(Db::connect(&settings).await.unwrap()).await;
    let (operator, admin) =
        (platform.keys.operator().encode(), platform.keys.tenant(tenant.id, "tenant-admin").encode());
    let (begun, mut clients) = (Instant::now(), JoinSet::new());
    for number in 0..CLIENTS {
        let get = |path: &str| platform.http.get(format!("{address}{path}"));
        let request = match number % 3 {
            0 => get("/api/v1/platform/tenants").bearer_auth(&operator),
            1 => get("/api/v1/tenants/me/chatbots").bearer_auth(&admin),
            _ => get(&format!("/api/v1/widget/config/{}", tenant.chatbot)).header("origin", ORIGIN),
        };
        clients.spawn(client(request, begun));
    }
    sleep(Duration::from_secs(2)).await;
    forwarder.silence();
    let silent_at = begun.elapsed();
    let seen = clients.join_all().await;
    let longest = seen.iter().map(|seen| seen.longest).max().unwrap();
    let failed = seen.iter().map(|seen| seen.last_failure).max().unwrap();
    let mut statuses = BTreeMap::<u16, usize>::new();
    for (status, count) in seen.iter().flat_map(|seen| &seen.statuses) {
        *statuses.entry(*status).or_default() += count;
    }
    println!("{statuses:?}; longest {longest:?}; last failure {:?} after", failed.saturating_sub(silent_at));
    assert!(longest < BOUND, "a request took {longest:?}");
    assert!(failed < silent_at + BOUND, "not served again {:?} after", failed.saturating_sub(silent_at));
    assert!(statuses.keys().all(|status| [200, 429, 503].contains(status)), "{statuses:?}");
    forwarder.silence();
    let closing = Instant::now();
    app.db.close().await;
    assert!(closing.elapsed() < Duration::from_secs(2), "{:?}", closing.elapsed());
}

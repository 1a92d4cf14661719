//! A database that stops responding, goes away, becomes read-only, or runs a statement without a client. `make test`
//! provides it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};

use contract::TenantId;
use sqlx::{AssertSqlSafe, Executor, PgConnection};
use store::{ConnectionShares, Db, DbSettings, Error, Scope};
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};
use url::Url;
use uuid::Uuid;

use crate::database::{ACQUIRE, forwarder::Forwarder, fresh, prepared};

const STATEMENT_TIMEOUT: Duration = Duration::from_secs(1);
/// The longest wait for something that must happen, also on a busy machine. A connection that carries nothing would be
/// given up much later.
const BOUND: Duration = Duration::from_secs(60);
const CALLERS: usize = 12;

/// A database behind a forwarder.
async fn behind_forwarder(name: &str) -> (Db, Forwarder, PgConnection) {
    let (settings, superuser) = prepared(name).await;
    let mut url: Url = settings.url.parse().unwrap();
    let forwarder = Forwarder::to(url.port().unwrap()).await;
    url.set_port(Some(forwarder.port())).unwrap();
    let settings = DbSettings { url: url.to_string(), statement_timeout: STATEMENT_TIMEOUT, ..settings };
    (Db::connect(&settings).await.unwrap(), forwarder, superuser)
}

async fn read(db: &Db, seconds: f64) -> store::Result<()> {
    let mut tx = db.read(&Scope::operator()).await?;
    sqlx::query("select pg_sleep($1)").bind(seconds).execute(&mut *tx).await?;
    Ok(())
}

/// How many statements sleep in this database.
async fn sleeping(superuser: &mut PgConnection) -> i64 {
    let count = "select count(*) from pg_stat_activity
                 where datname = current_database() and usename = 'svc_app' and state = 'active' and query like '%pg_sleep%'";
    sqlx::query_scalar(count).fetch_one(superuser).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_connections_are_replaced_and_keep_nobody_waiting() {
    let (db, forwarder, _superuser) = behind_forwarder("store_silent").await;
    let (mut readers, stop) = (JoinSet::new(), Arc::new(AtomicBool::new(false)));
    // How often callers were served since the last failure.
    let served = Arc::new(AtomicUsize::new(0));
    for _ in 0..CALLERS {
        let (db, stop, served) = (db.clone(), Arc::clone(&stop), Arc::clone(&served));
        readers.spawn(async move {
            let mut longest = Duration::ZERO;
            while !stop.load(SeqCst) {
                let since = Instant::now();
                match timeout(BOUND, read(&db, 0.02)).await.expect("a caller is never stuck") {
                    Ok(()) => served.fetch_add(1, SeqCst),
                    Err(_) => served.swap(0, SeqCst),
                };
                longest = longest.max(since.elapsed());
            }
            longest
        });
    }
    for is_silent in [false, true] {
        if is_silent {
            forwarder.silence();
            served.store(0, SeqCst);
        }
        let started = Instant::now();
        while served.load(SeqCst) < 20 * CALLERS {
            assert!(started.elapsed() < BOUND, "callers are not served, silent: {is_silent}");
            sleep(Duration::from_millis(10)).await;
        }
    }
    stop.store(true, SeqCst);
    println!("longest {:?}", readers.join_all().await.iter().max());
    read(&db, 0.0).await.unwrap();
}

#[tokio::test]
async fn closing_is_bounded_while_the_database_is_silent() {
    let (db, forwarder, _superuser) = behind_forwarder("store_closing").await;
    let held = db.write(&Scope::operator()).await.unwrap();
    let also_held = db.read(&Scope::operator()).await.unwrap();
    forwarder.silence();
    drop(held);
    timeout(BOUND, db.close()).await.expect("closing ends");
    drop(also_held);
}

#[tokio::test]
async fn the_statement_of_a_caller_who_left_ends() {
    let (settings, mut superuser) = prepared("store_left").await;
    // The statement would end by itself after the test.
    let db = Db::connect(&DbSettings { statement_timeout: BOUND * 2, ..settings }).await.unwrap();
    assert!(timeout(Duration::from_millis(300), read(&db, 120.0)).await.is_err());
    let started = Instant::now();
    while sleeping(&mut superuser).await > 0 {
        assert!(started.elapsed() < BOUND, "the statement still runs");
        sleep(Duration::from_millis(50)).await;
    }
    println!("ended {:?} after its caller had left", started.elapsed());
    read(&db, 0.0).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn callers_who_leave_and_come_back_cause_no_storm() {
    let (db, forwarder, mut superuser) = behind_forwarder("store_storm").await;
    let (before, started, mut most) = (forwarder.accepted(), Instant::now(), 0);
    for _ in 0..4 {
        let mut callers = JoinSet::new();
        for _ in 0..500 {
            let db = db.clone();
            callers.spawn(async move { timeout(Duration::from_millis(400), read(&db, 0.9)).await.is_err() });
        }
        sleep(Duration::from_millis(200)).await;
        most = most.max(sleeping(&mut superuser).await);
        callers.join_all().await;
    }
    let (connections, seconds) = (forwarder.accepted() - before, started.elapsed().as_secs_f64());
    println!(
        "2000 callers left within {seconds:.1} s: {connections} connections made, {most} statements at once at most"
    );
    // Each of the two connections of consoles becomes free no sooner than 0.7 s after its caller was dropped.
    assert!(
        f64::from(u32::try_from(connections).unwrap()) < 4.0 + seconds * 4.0,
        "{connections} connections in {seconds} s"
    );
    assert!(most <= 3, "{most} statements ran at once");
    while read(&db, 0.0).await.is_err() {
        assert!(started.elapsed() < BOUND, "the pool comes to itself");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_known_to_be_down_refuses_at_once() {
    let (db, forwarder, _superuser) = behind_forwarder("store_down").await;
    forwarder.down();
    while !matches!(db.ping().await, Err(Error::Unavailable(_))) {}
    sleep(Duration::from_millis(1500)).await;
    for _ in 0..20 {
        let started = Instant::now();
        assert!(matches!(db.read(&Scope::operator()).await, Err(Error::Unavailable(_))));
        assert!(started.elapsed() < ACQUIRE / 2, "{:?}", started.elapsed());
    }
    forwarder.up();
    let started = Instant::now();
    while read(&db, 0.0).await.is_err() {
        assert!(started.elapsed() < BOUND, "it does not come back");
        sleep(Duration::from_millis(10)).await;
    }
    println!("back {:?} after the database was", started.elapsed());
}

#[tokio::test]
async fn a_database_that_takes_no_writes_is_unavailable() {
    let (db, mut superuser) = fresh("store_read_only").await;
    db.ping().await.unwrap();
    let name: String = sqlx::query_scalar("select current_database()").fetch_one(&mut superuser).await.unwrap();
    let switch = async |superuser: &mut PgConnection, value: &str| {
        let sql = format!("alter database {name} set default_transaction_read_only = {value}");
        superuser.execute(AssertSqlSafe(sql)).await.unwrap();
        let closed = "select pg_terminate_backend(pid, 5000) from pg_stat_activity
                      where datname = current_database() and usename = 'svc_app'";
        superuser.execute(closed).await.unwrap();
    };
    switch(&mut superuser, "on").await;
    assert!(matches!(db.ping().await, Err(Error::Unavailable(_))));
    let mut tx = db.write(&Scope::operator()).await.unwrap();
    let tenant = TenantId(Uuid::from_u128(1));
    let refused = store::tenants::soft_delete_all(&mut tx, &[tenant]).await;
    assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
    drop(tx);
    assert!(!db.is_active(tenant).await.unwrap(), "it can be read");
    superuser.execute("set default_transaction_read_only = off").await.unwrap();
    switch(&mut superuser, "off").await;
    db.ping().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tenant_never_holds_more_than_its_share() {
    let (settings, mut superuser) = prepared("store_shares").await;
    let shares = ConnectionShares {
        per_tenant: 2,
        queue_timeout: Duration::from_secs(5),
        waiting: 50,
        ..ConnectionShares::of(8)
    };
    let db = Arc::new(Db::connect(&DbSettings { max_connections: 8, shares, ..settings }).await.unwrap());
    let (one, other) = (TenantId(Uuid::from_u128(1)), TenantId(Uuid::from_u128(2)));
    let (mut flood, started) = (JoinSet::new(), Instant::now());
    for _ in 0..500 {
        let db = Arc::clone(&db);
        flood.spawn(async move {
            let mut tx = db.read(&Scope::tenant(one)).await?;
            sqlx::query("select pg_sleep(0.3)").execute(&mut *tx).await?;
            store::Result::Ok(())
        });
    }
    sleep(Duration::from_millis(100)).await;
    for _ in 0..10 {
        assert!(sleeping(&mut superuser).await <= 2);
        drop(db.read(&Scope::tenant(other)).await.unwrap());
        drop(db.read(&Scope::widget(one)).await.unwrap());
        assert!(!db.is_active(other).await.unwrap());
        sleep(Duration::from_millis(50)).await;
    }
    let (mut served, mut refused) = (0_u32, 0_u32);
    for done in flood.join_all().await {
        match done {
            Ok(()) => served += 1,
            Err(Error::TenantBusy) => refused += 1,
            Err(error) => panic!("{error}"),
        }
    }
    println!("{served} served, {refused} refused");
    // Two at a time.
    let most = 2.0 * (started.elapsed().as_secs_f64() / 0.3 + 1.0);
    assert!(served >= 4 && f64::from(served) <= most && refused > 0, "{served} of {most} served, {refused} refused");
}

#[tokio::test]
async fn the_check_of_a_tenant_takes_its_share() {
    let (settings, _superuser) = prepared("store_checks").await;
    let shares = ConnectionShares { per_tenant: 1, waiting: 0, ..ConnectionShares::of(4) };
    let db = Db::connect(&DbSettings { max_connections: 4, shares, ..settings }).await.unwrap();
    let (one, other) = (TenantId(Uuid::from_u128(1)), TenantId(Uuid::from_u128(2)));
    let held = db.read(&Scope::tenant(one)).await.unwrap();
    assert!(matches!(db.is_active(one).await, Err(Error::TenantBusy)));
    assert!(!db.is_active(other).await.unwrap());
    drop(held);
}

#[tokio::test]
async fn a_transaction_that_the_database_ended_is_unavailable() {
    let (db, mut superuser) = fresh("store_ended").await;
    let mut tx = db.write(&Scope::operator()).await.unwrap();
    (&mut *tx).execute("set local idle_in_transaction_session_timeout = 100").await.unwrap();
    let open = "select count(*) from pg_stat_activity
                where datname = current_database() and usename = 'svc_app' and state = 'idle in transaction'";
    let started = Instant::now();
    while sqlx::query_scalar::<_, i64>(open).fetch_one(&mut superuser).await.unwrap() > 0 {
        assert!(started.elapsed() < BOUND, "the database does not end it");
        sleep(Duration::from_millis(10)).await;
    }
    let tenant = TenantId(Uuid::from_u128(1));
    let ended = store::tenants::soft_delete_all(&mut tx, &[tenant]).await;
    assert!(matches!(ended, Err(Error::Unavailable(_))), "{ended:?}");
    drop(tx);
    read(&db, 0.0).await.unwrap();
}

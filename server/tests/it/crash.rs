//! `kill -9` of the real server, and of a PostgreSQL backend, during a stream of mutations: afterwards every mutation
//! has its audit row and every audit row its mutation, and nothing that was confirmed is lost.

pub mod process;
mod replay;
mod stream;

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use rand::Rng;
use server::embedded::postgres::{EmbeddedPostgres, PostgresSettings};
use sqlx::{Connection, PgConnection, PgPool};
use store::bootstrap;

use self::{process::Process, stream::Stream};
use crate::{
    embedded,
    support::{Database, Keys},
};

/// The time after which no further round begins once there were enough.
const TIME_LIMIT: Duration = Duration::from_secs(25);
/// Minimum and maximum rounds.
const ROUNDS: (usize, usize) = (3, 12);
/// The longest time until the server is killed.
const LONGEST_ROUND: Duration = Duration::from_secs(15);
/// The shortest time of a stream whose database loses a backend.
const SHORTEST_ROUND: Duration = Duration::from_secs(2);
/// The longest wait for something that must happen, also on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);
const PASSWORD: &str = "for-tests-only";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_leaves_mutation_and_audit_row_or_neither() {
    let (db, keys) = (Database::create().await, Keys::serve().await);
    let mut stream = Stream::new(&keys);
    let started = Instant::now();
    let mut rounds = 0;
    let has_enough = |stream: &Stream| stream.answered() > 20 && stream.cut() > 0;
    while rounds < ROUNDS.0 || (rounds < ROUNDS.1 && (started.elapsed() < TIME_LIMIT || !has_enough(&stream))) {
        let server = Process::start(&db.login_url(), &keys.auth_url).await;
        stream.prepare(&server).await;
        // A moment within the stream, which ends when the server is killed: every later call fails.
        let answered = stream.answered() + rand::rng().random_range(10..60);
        let pause = Duration::from_millis(rand::rng().random_range(0..50));
        tokio::join!(stream.run(&server), async {
            // Callers that were refused go no further.
            let _ = tokio::time::timeout(LONGEST_ROUND, stream.until_answered(answered)).await;
            tokio::time::sleep(pause).await;
            server.kill();
        });
        no_session_left(&db.superuser).await;
        replay::check(&db.superuser, &stream).await;
        rounds += 1;
    }
    assert!(has_enough(&stream), "{} answered, {} cut in {rounds} rounds", stream.answered(), stream.cut());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_backend_leaves_mutation_and_audit_row_or_neither() {
    let folder = embedded::folder();
    // Durable as in production: a throw-away server would lose what it had answered a moment ago.
    let settings = PostgresSettings { durable: true, ..embedded::settings(&folder.path().join("pg"), 0) };
    let postgres = EmbeddedPostgres::start(&settings).await.unwrap();
    bootstrap::ensure_database(&postgres.superuser_url(), "crash").await.unwrap();
    let owner = postgres.superuser_url_of("crash");
    store::migrate(&owner).await.unwrap();
    bootstrap::set_login_password(&owner, "svc_app", PASSWORD).await.unwrap();
    let keys = Keys::serve().await;
    let mut stream = Stream::new(&keys);
    let server = Process::start(&postgres.url("svc_app", PASSWORD, "crash"), &keys.auth_url).await;
    for _ in 0..3 {
        stream.prepare(&server).await;
        let (over, answered) = (AtomicBool::new(false), stream.answered() + 8);
        tokio::join!(stream.run_until(&server, &over), async {
            // The calls meet the recovery, too.
            let rest = tokio::time::sleep(SHORTEST_ROUND);
            let _ = tokio::time::timeout(LONGEST_ROUND, stream.until_answered(answered)).await;
            kill_a_backend_in_a_transaction(&owner).await;
            rest.await;
            over.store(true, Ordering::Relaxed);
        });
        let pool = reconnected(&owner).await;
        stream.served_again(&server).await;
        replay::check(&pool, &stream).await;
        pool.close().await;
    }
    assert!(stream.answered() > 20 && stream.cut() > 0, "{} answered, {} cut", stream.answered(), stream.cut());
    drop(server);
    postgres.stop().await;
}

/// The sessions of the killed server end when PostgreSQL notices; uncommitted changes are gone then.
pub async fn no_session_left(pool: &PgPool) {
    let started = Instant::now();
    loop {
        let sessions: i64 = sqlx::query_scalar(
            "select count(*) from pg_stat_activity where datname = current_database() and usename = 'svc_app'",
        )
        .fetch_one(pool)
        .await
        .unwrap();
        if sessions == 0 {
            return;
        }
        assert!(started.elapsed() < TIMEOUT, "sessions of the killed server did not end");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Kills the first backend that is seen inside a transaction which has written something.
async fn kill_a_backend_in_a_transaction(owner: &str) {
    let mut connection = PgConnection::connect(owner).await.unwrap();
    let pause = Duration::from_millis(rand::rng().random_range(0..300));
    tokio::time::sleep(pause).await;
    let started = Instant::now();
    loop {
        let sql = "select pid from pg_stat_activity where usename = 'svc_app' and backend_xid is not null limit 1";
        let pid: Option<i32> = sqlx::query_scalar(sql).fetch_optional(&mut connection).await.unwrap();
        // One that has ended by itself cannot be killed.
        if pid.is_some_and(|pid| kill(Pid::from_raw(pid), Signal::SIGKILL).is_ok()) {
            return;
        }
        assert!(started.elapsed() < TIMEOUT, "no backend was seen inside a transaction");
    }
}

/// A pool on the database once it has recovered.
async fn reconnected(owner: &str) -> PgPool {
    let started = Instant::now();
    loop {
        if let Ok(pool) = PgPool::connect(owner).await {
            return pool;
        }
        assert!(started.elapsed() < TIMEOUT, "the database did not recover");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

//! The platform behind a real PgBouncer. `make test-pgbouncer` runs these, and all other tests through a pooler in
//! transaction mode.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use contract::TenantId;
use futures::future::join_all;
use rand::Rng;
use store::{Db, DbSettings, Scope};
use uuid::Uuid;

use crate::support::{Client, Database, Platform, Tenant, embedder, pgbouncer::PgBouncer};

const TENANTS: i32 = 20;
const TRANSACTIONS: u64 = 10_000;

/// How to reach the database through the pooler.
fn behind(pooler: &PgBouncer, database: &Database, prepared_statements: bool) -> DbSettings {
    let settings = database.settings();
    DbSettings { url: pooler.through(&database.login_url()), prepared_statements, ..settings }
}

async fn refusal(settings: &DbSettings) -> String {
    Db::connect(settings).await.unwrap_err().to_string()
}

#[tokio::test]
#[ignore = "needs pgbouncer"]
async fn each_way_of_pooling_works_or_is_refused_with_advice() {
    let database = Database::create().await;
    let transaction = PgBouncer::start("transaction", 4);
    assert!(Db::connect(&behind(&transaction, &database, false)).await.is_ok());
    let refused = refusal(&behind(&transaction, &database, true)).await;
    assert!(refused.contains("database.prepared_statements"), "{refused}");
    let session = PgBouncer::start("session", 4);
    assert!(Db::connect(&behind(&session, &database, true)).await.is_ok());
    assert!(Db::connect(&behind(&session, &database, false)).await.is_ok());
    let statement = PgBouncer::start("statement", 4);
    let refused = refusal(&behind(&statement, &database, false)).await;
    assert!(refused.contains("pool_mode"), "{refused}");
}

#[tokio::test]
#[ignore = "needs pgbouncer"]
async fn migrations_refuse_a_pooler_that_shares_sessions() {
    let database = Database::create().await;
    let owner = database.superuser_url();
    for connections in [1, 4] {
        let pooler = PgBouncer::start("transaction", connections);
        let refused = store::migrate(&pooler.through(&owner)).await.unwrap_err().to_string();
        assert!(refused.contains("database.admin_url"), "{refused}");
    }
    let session = PgBouncer::start("session", 4);
    store::migrate(&session.through(&owner)).await.unwrap();
    store::migrate(&owner).await.unwrap();
}

/// Makes tenants, each with a row of branding.
async fn tenants(database: &Database) -> Vec<TenantId> {
    let ids: Vec<Uuid> = sqlx::query_scalar(
        "with made as (
             insert into tenants (id, slug, display_name, default_language)
             select gen_random_uuid(), 't' || i, 'Tenant ' || i, 'en' from generate_series(1, $1) i
             returning id
         ), branded as (insert into tenant_branding (tenant_id) select id from made)
         select id from made",
    )
    .bind(TENANTS)
    .fetch_all(&database.superuser)
    .await
    .unwrap();
    ids.into_iter().map(TenantId).collect()
}

/// One transaction of a tenant; some are aborted half-way. Returns the number of own and foreign rows.
async fn look(db: &Db, tenant: TenantId) -> Option<(i64, i64)> {
    let mut tx = db.read(&Scope::tenant(tenant).with_user("svc-tenants", "someone")).await.unwrap();
    let sql =
        "select count(*) filter (where tenant_id = $1), count(*) filter (where tenant_id <> $1) from tenant_branding";
    let counts = sqlx::query_as(sql).bind(tenant.0).fetch_one(&mut *tx);
    if rand::rng().random_ratio(1, 20) {
        let _ = tokio::time::timeout(Duration::from_micros(200), counts).await;
        return None;
    }
    let counts = counts.await.unwrap();
    tokio::task::yield_now().await;
    let timeout: String = sqlx::query_scalar("show statement_timeout").fetch_one(&mut *tx).await.unwrap();
    assert_eq!(timeout, "10s");
    drop(tx);
    Some(counts)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs pgbouncer"]
async fn twenty_tenants_on_four_connections_see_own_rows_only() {
    let database = Database::create().await;
    let tenants = tenants(&database).await;
    let pooler = PgBouncer::start("transaction", 4);
    let db = Db::connect(&DbSettings { max_connections: 20, ..behind(&pooler, &database, false) }).await.unwrap();
    let (looked, abandoned) = (AtomicU64::new(0), AtomicU64::new(0));
    let work = async |tenant: TenantId| {
        while looked.fetch_add(1, Ordering::Relaxed) < TRANSACTIONS {
            match look(&db, tenant).await {
                Some(counts) => assert_eq!(counts, (1, 0), "{tenant}"),
                None => drop(abandoned.fetch_add(1, Ordering::Relaxed)),
            }
        }
    };
    join_all(tenants.into_iter().map(work)).await;
    let of_the_app = "select count(*) from pg_stat_activity where datname = current_database() and usename = 'svc_app'";
    let connections: i64 = sqlx::query_scalar(of_the_app).fetch_one(&database.superuser).await.unwrap();
    println!("{TRANSACTIONS} transactions, {} left half-way, {connections} connections", abandoned.into_inner());
    assert!((1..=4).contains(&connections), "{connections}");
    db.close().await;
}

async fn platform(pooler: Option<&'static PgBouncer>) -> (Platform, Tenant) {
    let mut database = Database::create().await;
    database.pooler = pooler;
    let platform = Platform::start_on(database, embedder().await, |_| {}).await;
    let tenant = platform.add_tenant("one").await;
    (platform, tenant)
}

/// Conversations of four messages each, so that lists and figures have something to read.
const CONVERSATIONS: i32 = 2500;
const ROUNDS: usize = 5;
const CALLS_A_ROUND: usize = 100;

async fn fill(platform: &Platform, tenant: &Tenant) {
    let chatbot = tenant.chatbot.0;
    sqlx::query(
        "with talks as (
             insert into chat_sessions (id, tenant_id, chatbot_id, created_at, last_message_at)
             select gen_random_uuid(), $1, $2, at, at + interval '2 minutes'
             from generate_series(1, $3) i, lateral (select now() - i * interval '29 days' / $3 as at)
             returning *
         )
         insert into chat_messages (id, tenant_id, chatbot_id, session_id, role, content, answered, created_at)
         select gen_random_uuid(), tenant_id, chatbot_id, id, case when n % 2 = 1 then 'user' else 'assistant' end,
                md5(id::text || n), true, created_at + n * interval '30 seconds'
         from talks, generate_series(1, 4) n",
    )
    .bind(tenant.id.0)
    .bind(chatbot)
    .bind(CONVERSATIONS)
    .execute(&platform.db.superuser)
    .await
    .unwrap();
    sqlx::query("analyze").execute(&platform.db.superuser).await.unwrap();
}

/// The durations of repeated calls in milliseconds.
async fn times(client: &Client<'_>, path: &str) -> Vec<f64> {
    let mut times = Vec::with_capacity(CALLS_A_ROUND);
    for _ in 0..CALLS_A_ROUND {
        let started = Instant::now();
        assert_eq!(client.get(path).await.status, 200, "{path}");
        times.push(started.elapsed().as_secs_f64() * 1000.0);
    }
    times
}

fn p95(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() * 95 / 100]
}

fn compared(name: &str, direct: &mut [f64], pooled: &mut [f64]) -> String {
    let (direct, pooled) = (p95(direct), p95(pooled));
    format!("{name:<24} p95 direct {direct:>6.2} ms, PgBouncer {pooled:>6.2} ms, {:.2} times", pooled / direct)
}

/// Compares the most frequent reads of consoles and widgets, directly and through the pooler in turns.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures; needs pgbouncer"]
async fn reads_through_the_pooler_are_measured_against_direct_ones() {
    let pooler: &'static PgBouncer = Box::leak(Box::new(PgBouncer::start("transaction", 8)));
    let direct = platform(None).await;
    let pooled = platform(Some(pooler)).await;
    for (platform, tenant) in [&direct, &pooled] {
        fill(platform, tenant).await;
    }
    let (mut all_direct, mut all_pooled) = (Vec::new(), Vec::new());
    for name in ["widget", "", "/chatbots", "/branding", "/conversations", "/conversations/stats"] {
        let (mut one, mut other) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            for ((platform, tenant), times_of) in [(&direct, &mut one), (&pooled, &mut other)] {
                times_of.extend(match name {
                    "widget" => times(&platform.widget(), &format!("/api/v1/widget/config/{}", tenant.chatbot)).await,
                    path => times(&platform.admin(tenant.id), &format!("/api/v1/tenants/me{path}")).await,
                });
            }
        }
        all_direct.extend_from_slice(&one);
        all_pooled.extend_from_slice(&other);
        println!("{}", compared(name, &mut one, &mut other));
    }
    println!("{}", compared("all of them", &mut all_direct, &mut all_pooled));
}

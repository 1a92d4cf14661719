//! A separate database for each test.

pub mod forwarder;

use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use store::{ConnectionShares, Db, DbSettings};
use tokio::sync::Mutex;
use url::Url;
use uuid::Uuid;

const PASSWORD: &str = "for-tests-only";
/// How long a call waits for a connection.
pub const ACQUIRE: Duration = Duration::from_secs(10);

/// Roles belong to the whole server: two set-ups at once would change the same row of its catalogue.
static SET_UP: Mutex<()> = Mutex::const_new(());

/// A fresh database with the rights of the restricted role, and its superuser.
pub async fn fresh(name: &str) -> (Db, PgConnection) {
    let (settings, superuser) = prepared(name).await;
    (Db::connect(&settings).await.unwrap(), superuser)
}

/// How to connect to a fresh database, and its superuser.
pub async fn prepared(name: &str) -> (DbSettings, PgConnection) {
    let one_at_a_time = SET_UP.lock().await;
    let mut url: Url = std::env::var("TEST_DATABASE_URL").expect("TEST_DATABASE_URL: run `make test`").parse().unwrap();
    let mut root = PgConnection::connect(url.as_str()).await.unwrap();
    let name = format!("{name}_{}", std::process::id());
    root.execute(AssertSqlSafe(format!("drop database if exists {name} with (force)"))).await.unwrap();
    root.execute(AssertSqlSafe(format!("create database {name}"))).await.unwrap();
    url.set_path(&name);
    store::migrate(url.as_str()).await.unwrap();
    let superuser = PgConnection::connect(url.as_str()).await.unwrap();
    root.execute(AssertSqlSafe(format!("alter role svc_app password '{PASSWORD}'"))).await.unwrap();
    drop(one_at_a_time);
    url.set_username("svc_app").unwrap();
    url.set_password(Some(PASSWORD)).unwrap();
    let settings = DbSettings {
        url: url.to_string(),
        max_connections: 3,
        acquire_timeout: ACQUIRE,
        statement_timeout: Duration::from_secs(10),
        prepared_statements: true,
        max_exports: 1,
        shares: ConnectionShares::of(3),
    };
    (settings, superuser)
}

/// Adds tenants; gives their ids.
pub async fn add_tenants(superuser: &mut PgConnection, count: i32) -> Vec<Uuid> {
    sqlx::query_scalar(
        "insert into tenants (id, slug, display_name, default_language)
         select gen_random_uuid(), 't' || i, 'Tenant ' || lpad(i::text, 3, '0'), 'en' from generate_series(1, $1) i
         returning id",
    )
    .bind(count)
    .fetch_all(superuser)
    .await
    .unwrap()
}

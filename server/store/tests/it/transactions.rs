//! Transactions against a real PostgreSQL: none outlives its holder, however it ends. `make test` provides the
//! database.

use std::time::{Duration, Instant};

use contract::{TenantId, page::PageQuery};
use sqlx::PgConnection;
use store::Scope;
use uuid::Uuid;

use crate::database::{add_tenants, fresh};

/// Waits until no connection of the platform is inside a transaction.
async fn settle(superuser: &mut PgConnection) {
    let busy = "select count(*) from pg_stat_activity
                where datname = current_database() and usename = 'svc_app' and state <> 'idle'";
    let started = Instant::now();
    while sqlx::query_scalar::<_, i64>(busy).fetch_one(&mut *superuser).await.unwrap() > 0 {
        // PostgreSQL itself ends such a transaction after thirty seconds.
        assert!(started.elapsed() < Duration::from_secs(10), "a connection stays inside a transaction");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_begin_leaves_no_transaction_and_no_scope() {
    let (db, mut superuser) = fresh("store_cancelled").await;
    let tenant = TenantId(add_tenants(&mut superuser, 1).await[0]);
    for round in 0..400u64 {
        let begin = async {
            let mut tx = db.write(&Scope::operator()).await?;
            store::tenants::soft_delete_all(&mut tx, &[tenant]).await?;
            std::future::pending::<store::Result<()>>().await
        };
        assert!(tokio::time::timeout(Duration::from_micros(round * 7), begin).await.is_err());
    }
    settle(&mut superuser).await;
    assert!(db.is_active(tenant).await.unwrap(), "nothing of it was written");
    let mut tx = db.read(&Scope::tenant(tenant)).await.unwrap();
    let role: String = sqlx::query_scalar("select current_user::text").fetch_one(&mut *tx).await.unwrap();
    assert_eq!(role, "svc_tenant");
    drop(tx);
    settle(&mut superuser).await;
}

#[tokio::test]
async fn the_login_role_cannot_make_temporary_tables() {
    let (db, mut superuser) = fresh("store_temporary").await;
    let sql = "select has_database_privilege('svc_app', current_database(), 'temporary')
                   or has_database_privilege('svc_system', current_database(), 'temporary')";
    let may: bool = sqlx::query_scalar(sql).fetch_one(&mut superuser).await.unwrap();
    assert!(!may);
    assert!(!store::system_check::facts(&db).await.unwrap().may_create_temporary_tables);
    let grant = "do $$ begin execute format('grant temporary on database %I to public', current_database()); end $$";
    sqlx::raw_sql(grant).execute(&mut superuser).await.unwrap();
    assert!(store::system_check::facts(&db).await.unwrap().may_create_temporary_tables, "the system check finds it");
}

#[tokio::test]
async fn the_settings_hold_within_a_transaction_and_not_beyond_it() {
    let (db, mut superuser) = fresh("store_settings").await;
    let settings = "select array[current_setting('statement_timeout'), current_setting('lock_timeout'),
                                 current_setting('idle_in_transaction_session_timeout'), current_setting('TimeZone'),
                                 current_setting('app.username', true)]";
    let scope = Scope::operator().with_user("svc-platform", "o'Hara \\ é 😀");
    let mut tx = db.read(&scope).await.unwrap();
    let within: Vec<String> = sqlx::query_scalar(settings).fetch_one(&mut *tx).await.unwrap();
    assert_eq!(within, ["10s", "5s", "30s", "UTC", "o'Hara \\ é 😀"]);
    drop(tx);
    let refused = db.read(&Scope::operator().with_user("svc-platform", "a\0b")).await;
    assert!(matches!(refused, Err(store::Error::Text)));
    settle(&mut superuser).await;
    assert!(
        db.idle_connection_scopes().await.unwrap().iter().all(|(role, tenant)| role == "svc_app" && tenant.is_empty())
    );
}

#[tokio::test]
async fn a_failed_begin_leaves_a_usable_connection() {
    let (db, mut superuser) = fresh("store_refused").await;
    let tenant = TenantId(add_tenants(&mut superuser, 1).await[0]);
    for _ in 0..10 {
        let mut tx = db.read(&Scope::operator()).await.unwrap();
        assert!(sqlx::query("select 1 / 0").execute(&mut *tx).await.is_err());
        drop(tx);
        assert!(db.is_active(tenant).await.unwrap());
        assert!(!db.is_active(TenantId(Uuid::nil())).await.unwrap());
    }
    settle(&mut superuser).await;
}

#[tokio::test]
async fn connections_closed_by_the_database_are_replaced() {
    let (db, mut superuser) = fresh("store_closed").await;
    let tenant = TenantId(add_tenants(&mut superuser, 1).await[0]);
    for round in 0..6 {
        let (operator, vendor) = (Scope::operator(), Scope::vendor());
        let (one, two) = tokio::join!(db.read(&operator), db.read(&vendor));
        drop((one.unwrap(), two.unwrap()));
        let closed: i64 = sqlx::query_scalar(
            "select count(pg_terminate_backend(pid, 5000)) from pg_stat_activity
             where datname = current_database() and usename = 'svc_app'",
        )
        .fetch_one(&mut superuser)
        .await
        .unwrap();
        assert!(closed > 0);
        if round % 2 == 0 {
            assert!(db.is_active(tenant).await.unwrap());
        }
    }
}

#[tokio::test]
async fn the_total_counts_what_the_search_finds_on_every_page() {
    let (db, mut superuser) = fresh("store_list").await;
    add_tenants(&mut superuser, 120).await;
    let mut tx = db.read(&Scope::operator()).await.unwrap();
    for (q, offset, items, total) in [
        (None, 0, 50, 120),
        (None, 100, 20, 120),
        (None, 500, 0, 120),
        (Some("11"), 0, 11, 11),
        (Some("11"), 50, 0, 11),
    ] {
        let page = PageQuery { q: q.map(str::to_owned), offset, ..PageQuery::default() };
        let tenants = store::tenants::list(&mut tx, &page).await.unwrap();
        assert_eq!((tenants.items.len(), tenants.total), (items, total), "{q:?} from {offset}");
    }
    let nothing = PageQuery { q: Some("%".to_owned()), ..PageQuery::default() };
    assert_eq!(store::tenants::list(&mut tx, &nothing).await.unwrap().total, 0);
    drop(tx);
}

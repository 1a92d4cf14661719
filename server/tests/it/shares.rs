//! Slow reads of one tenant, and the capacity that is left for others.

use std::{cell::Cell, collections::BTreeMap, time::Duration};

use sqlx::{AssertSqlSafe, Executor};
use store::{ConnectionShares, Db, DbSettings};
use tokio::{task::JoinSet, time::sleep};

use crate::support::{ORIGIN, Platform, Tenant, moment};

const TENANT_SHARE: i64 = 4;
/// The longest wait for a connection. Without shares, the slow reads keep all of them for longer.
const ACQUIRE: Duration = Duration::from_secs(5);

/// Makes reads of the tenant's chatbots by its users slow.
async fn slow_down(platform: &Platform, tenant: Tenant) {
    let policy = format!(
        "create policy slow on chatbots as restrictive for select to svc_tenant
         using (tenant_id <> '{}' or pg_sleep(0.4)::text = '')",
        tenant.id
    );
    platform.everything().execute(AssertSqlSafe(policy)).await.unwrap();
}

/// How many connections run a statement as that tenant's users.
async fn busy(platform: &Platform) -> i64 {
    let busy = "select count(*) from pg_stat_activity
                where datname = current_database() and usename = 'svc_app' and wait_event = 'PgSleep'";
    sqlx::query_scalar(busy).fetch_one(platform.everything()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_reads_of_a_tenant_leave_everybody_else_room() {
    let (platform, slow, other) = Platform::with_tenants().await;
    slow_down(&platform, slow).await;
    let settings = DbSettings {
        max_connections: 16,
        acquire_timeout: ACQUIRE,
        shares: ConnectionShares::of(16),
        ..platform.db.settings()
    };
    let (app, address) = platform.also_on(Db::connect(&settings).await.unwrap()).await;
    let list = |tenant: Tenant| {
        let token = platform.keys.tenant(tenant.id, "tenant-viewer").encode();
        platform.http.get(format!("{address}/api/v1/tenants/me/chatbots")).bearer_auth(token)
    };
    let mut flood = JoinSet::new();
    for _ in 0..500 {
        let request = list(slow);
        flood.spawn(async move { request.send().await.unwrap() });
    }
    let config = format!("{address}/api/v1/widget/config/{}", other.chatbot);
    let others = [
        list(other),
        platform.http.get(config).header("origin", ORIGIN),
        platform.http.get(format!("{address}/api/v1/platform/tenants")).bearer_auth(platform.keys.operator().encode()),
        platform.http.get(format!("{address}/health/ready")),
    ];
    let asking = async {
        for _ in 0..8 {
            for request in &others {
                let answer = request.try_clone().unwrap().send().await.unwrap();
                assert_eq!(answer.status(), 200, "{}", answer.url());
            }
            sleep(Duration::from_millis(150)).await;
        }
    };
    let has_ended = Cell::new(false);
    let flooding = async {
        let answers = flood.join_all().await;
        has_ended.set(true);
        answers
    };
    let watching = async {
        let mut most = 0;
        while !has_ended.get() {
            most = most.max(busy(&platform).await);
            moment().await;
        }
        most
    };
    let ((), answers, most) = tokio::join!(asking, flooding, watching);
    let mut statuses = BTreeMap::<u16, usize>::new();
    for answer in answers {
        *statuses.entry(answer.status().as_u16()).or_default() += 1;
        if answer.status() == 429 {
            assert!(answer.headers().contains_key("retry-after"));
            assert_eq!(answer.json::<serde_json::Value>().await.unwrap()["detail"], "rate_limited");
        }
    }
    println!("the tenant: {statuses:?}, {most} connections at most");
    assert!((1..=TENANT_SHARE).contains(&most), "{most} connections");
    assert!(statuses.keys().all(|status| [200, 429].contains(status)), "{statuses:?}");
    assert!(statuses[&429] > 200 && statuses[&200] > 4, "{statuses:?}");
    app.db.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_slow_reads_at_once_are_all_served() {
    let (platform, slow, _) = Platform::with_tenants().await;
    slow_down(&platform, slow).await;
    let mut reads = JoinSet::new();
    for _ in 0..10 {
        let request = platform.viewer(slow.id).request("GET", "/api/v1/tenants/me/chatbots");
        reads.spawn(async move { request.send().await.unwrap().status() });
    }
    assert!(reads.join_all().await.iter().all(|status| *status == 200));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_public_lookups_leaves_everybody_else_room() {
    let (platform, slow, other) = Platform::with_tenants().await;
    for slowed in [
        format!("create policy slow on chatbots as restrictive for select to svc_system using (tenant_id <> '{}' or pg_sleep(0.4)::text = '')", slow.id),
        "create policy slow on branding_pictures as restrictive for select to svc_system using (pg_sleep(0.4)::text = '')".to_owned(),
    ] {
        platform.everything().execute(AssertSqlSafe(slowed)).await.unwrap();
    }
    let name = format!("{}.png", "0".repeat(64));
    sqlx::query("insert into branding_pictures (tenant_id, name, bytes) values ($1, $2, '')")
        .bind(slow.id.0)
        .bind(&name)
        .execute(platform.everything())
        .await
        .unwrap();
    let settings = DbSettings {
        max_connections: 16,
        acquire_timeout: ACQUIRE,
        shares: ConnectionShares::of(16),
        ..platform.db.settings()
    };
    let (app, address) = platform.also_on(Db::connect(&settings).await.unwrap()).await;
    let mut flood = JoinSet::new();
    for _ in 0..60 {
        for path in [format!("/api/v1/widget/config/{}", slow.chatbot), format!("/static/branding/{name}")] {
            let request = platform.http.get(format!("{address}{path}")).header("origin", ORIGIN);
            flood.spawn(async move { request.send().await.unwrap().status().as_u16() });
        }
    }
    let token = platform.keys.tenant(other.id, "tenant-viewer").encode();
    let others = [
        platform.http.get(format!("{address}/api/v1/widget/config/{}", other.chatbot)).header("origin", ORIGIN),
        platform.http.get(format!("{address}/api/v1/tenants/me/chatbots")).bearer_auth(token),
        platform.http.get(format!("{address}/health/ready")),
    ];
    let mut most = 0;
    for _ in 0..8 {
        for request in &others {
            let answer = request.try_clone().unwrap().send().await.unwrap();
            assert_eq!(answer.status(), 200, "{}", answer.url());
        }
        most = most.max(busy(&platform).await);
        sleep(Duration::from_millis(150)).await;
    }
    flood.join_all().await;
    println!("lookups: {most} connections at most");
    assert!((1..=8).contains(&most), "{most} connections");
    app.db.close().await;
}

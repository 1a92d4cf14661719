//! Requests that are aborted at random moments leave no connection inside a transaction, no leaked scope and no lost
//! write.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::{Platform, moment};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn aborted_requests_leave_nothing_behind() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let admin = platform.admin(tenant.id);
    for round in 0..1500u64 {
        let body = json!({ "header_title": format!("Title {round}") });
        let request = admin.request("PATCH", "/api/v1/tenants/me/branding").json(&body).send();
        // Somewhere between "not sent yet" and "answered".
        let _ = tokio::time::timeout(Duration::from_micros((round * 37) % 4000), request).await;
    }
    for round in 0..20 {
        let title = format!("Kept {round}");
        let answer = admin.patch("/api/v1/tenants/me/branding", &json!({ "header_title": title })).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let stored_title: String =
            sqlx::query_scalar("select fields ->> 'header_title' from tenant_branding where tenant_id = $1")
                .bind(tenant.id.0)
                .fetch_one(platform.everything())
                .await
                .unwrap();
        assert_eq!(stored_title, title);
    }
    let stuck = "select count(*) from pg_stat_activity
                 where datname = current_database() and usename = 'svc_app' and state like 'idle in transaction%'";
    // PostgreSQL itself ends such a transaction after thirty seconds.
    let deadline = Instant::now() + Duration::from_secs(10);
    while sqlx::query_scalar::<_, i64>(stuck).fetch_one(platform.everything()).await.unwrap() > 0 {
        assert!(Instant::now() < deadline, "connections stay inside a transaction");
        moment().await;
    }
    let others = "select count(*) from platform_audit_log where action <> 'tenant_branding.updated'";
    let others: i64 = sqlx::query_scalar(others).fetch_one(platform.everything()).await.unwrap();
    assert_eq!(others, 4, "two tenants and two chatbots were created");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closed_connections_are_replaced_without_an_error() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    for round in 0..5 {
        let listed = eight_reads(&platform, tenant.id).await;
        assert!(listed.iter().all(|status| *status == 200), "before round {round}: {listed:?}");
        let closed: i64 = sqlx::query_scalar(
            "select count(pg_terminate_backend(pid, 5000)) from pg_stat_activity
             where datname = current_database() and usename = 'svc_app'",
        )
        .fetch_one(platform.everything())
        .await
        .unwrap();
        assert!(closed > 0);
    }
    assert!(eight_reads(&platform, tenant.id).await.iter().all(|status| *status == 200));
}

/// Statuses of eight reads at the same time, by an operator and by the tenant.
async fn eight_reads(platform: &Platform, tenant: contract::TenantId) -> Vec<u16> {
    let (operator, admin) = (platform.operator(), platform.admin(tenant));
    let (one, other) = ("/api/v1/platform/tenants", "/api/v1/tenants/me");
    let answers = tokio::join!(
        operator.get(one),
        admin.get(other),
        operator.get(one),
        admin.get(other),
        operator.get(one),
        admin.get(other),
        operator.get(one),
        admin.get(other),
    );
    let (a, b, c, d, e, f, g, h) = answers;
    [a, b, c, d, e, f, g, h].iter().map(|answer| answer.status).collect()
}

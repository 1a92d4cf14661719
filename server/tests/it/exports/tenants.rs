//! The exports of tenants, which share the connections of exports with those of operators.

use serde_json::json;
use tokio::net::TcpStream;

use super::{BOUND, PATH, post_as, read};
use crate::support::{Platform, Tenant, TestResponse};

/// Stores more feedback on a tenant's chatbot than the kernel buffers of a stream that nobody reads.
async fn fill(platform: &Platform, tenant: Tenant) {
    sqlx::query(
        "insert into chatbot_feedback (id, tenant_id, chatbot_id, rating, comment)
         select gen_random_uuid(), $1, $2, 'down', repeat('x', 2000) from generate_series(1, 2000)",
    )
    .bind(tenant.id.0)
    .bind(tenant.chatbot.0)
    .execute(platform.everything())
    .await
    .unwrap();
}

fn path(tenant: Tenant) -> String {
    format!("/api/v1/tenants/me/chatbots/{}/feedback/exports", tenant.chatbot)
}

/// An export of the tenant whose client does not read.
async fn stand_still(platform: &Platform, tenant: Tenant) -> TcpStream {
    let viewer = platform.keys.tenant(tenant.id, "tenant-viewer");
    let mut stream = post_as(&viewer, platform.base_url.strip_prefix("http://").unwrap(), &path(tenant)).await;
    assert!(read(&mut stream, 15).await.starts_with(b"HTTP/1.1 200"));
    stream
}

async fn export(platform: &Platform, tenant: Tenant) -> TestResponse {
    platform.viewer(tenant.id).post(&path(tenant), &json!({})).await
}

#[tokio::test]
async fn tenants_share_half_of_the_exports_and_one_has_two() {
    let (platform, one, other) = Platform::with_tenants().await;
    assert_eq!(platform.db.settings().max_exports, 4);
    for tenant in [one, other] {
        fill(&platform, tenant).await;
    }
    let first = stand_still(&platform, one).await;
    let second = stand_still(&platform, one).await;
    let third = export(&platform, one).await;
    assert_eq!((third.status, third.detail()), (429, "rate_limited"));
    assert!(third.header("retry-after").is_some());
    let others = export(&platform, other).await;
    assert_eq!((others.status, others.detail()), (503, "service_unavailable"));
    assert!(others.header("retry-after").is_some());
    for path in [PATH, "/api/v1/platform/audit/export.csv"] {
        assert_eq!(platform.operator().get(path).await.status, 200, "{path}");
    }
    drop((first, second));
    let started = std::time::Instant::now();
    while export(&platform, other).await.status != 200 {
        assert!(started.elapsed() < BOUND, "what was left does not count");
    }
    for _ in 0..5 {
        assert_eq!(export(&platform, one).await.status, 200, "what has ended does not count");
    }
}

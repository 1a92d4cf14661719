//! Requests of a tenant's users that were running when the tenant was deleted are refused.

use std::time::Duration;

use contract::{Access, endpoint::EndpointInfo, table};

use super::expected::actions;
use crate::{
    mutations::{mutate, prepare},
    support::Platform,
};

#[tokio::test]
async fn a_change_behind_the_deletion_of_its_tenant_is_refused() {
    let own = |access: Access| matches!(access, Access::TenantAdmin | Access::AnyWriter);
    let endpoints = table();
    let endpoints = endpoints.iter().filter(|endpoint| own(endpoint.access) && !actions(endpoint).is_empty());
    let mut tried = 0;
    for endpoint in endpoints {
        let mut met = false;
        for _ in 0..5 {
            met = change_meets_deletion(endpoint).await;
            if met {
                break;
            }
        }
        assert!(met, "{} never waited behind the deletion", endpoint.name);
        tried += 1;
    }
    assert!(tried >= 10, "{tried}");
}

/// Whether the change and the deletion waited at the same time. On a busy machine one of them may give up before: a lock
/// is waited for five seconds.
async fn change_meets_deletion(endpoint: &EndpointInfo) -> bool {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    let prepared = prepare(&platform, tenant, endpoint).await;
    let before = platform.audit_rows().await;
    // The deletion gets as far as its audit row. The call then passes the guard: nothing is committed yet.
    let mut held = platform.everything().begin().await.unwrap();
    sqlx::query("lock table platform_audit_log in share mode").execute(&mut *held).await.unwrap();
    let path = format!("/api/v1/platform/tenants/{}", tenant.id);
    let operator = platform.operator();
    let delete = operator.delete(&path);
    let change = async {
        platform.until_waiting(1).await;
        mutate(&platform, tenant, &prepared, endpoint).await
    };
    let release = async {
        platform.until_waiting(1).await;
        let both = platform.until_waiting(2);
        let met = tokio::time::timeout(Duration::from_secs(4), both).await.is_ok();
        held.rollback().await.unwrap();
        met
    };
    let (deleted, answer, met) = tokio::join!(delete, change, release);
    if !met || deleted.status == 503 || answer.status == 503 {
        return false;
    }
    assert_eq!(deleted.status, 204, "{}: {deleted:?}", endpoint.name);
    assert_eq!((answer.status, answer.detail()), (403, "tenant_not_active"), "{}", endpoint.name);
    assert_eq!(platform.audit_rows().await, before + 1, "{} left a row", endpoint.name);
    true
}

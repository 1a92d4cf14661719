//! Requests of a tenant's users that were running when the tenant was deleted are refused.

use contract::{Access, table};

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
            platform.until_waiting(2).await;
            held.rollback().await.unwrap();
        };
        let (deleted, answer, ()) = tokio::join!(delete, change, release);
        assert_eq!(deleted.status, 204, "{}: {deleted:?}", endpoint.name);
        assert_eq!((answer.status, answer.detail()), (403, "tenant_not_active"), "{}", endpoint.name);
        assert_eq!(platform.audit_rows().await, before + 1, "{} left a row", endpoint.name);
        tried += 1;
    }
    assert!(tried >= 10, "{tried}");
}

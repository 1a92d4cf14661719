//! Every mutation writes exactly its audit row in its own transaction; nothing else writes one; no row is ever changed.

mod deleted;
mod expected;
mod refused;
mod repeated;
mod rows;

use contract::endpoint::{Audit, table};

use crate::support::Platform;

#[test]
fn the_consoles_filter_offers_every_action() {
    let offered = include_str!("../../../frontend-operator/src/audit/actions.rs");
    let written = table().into_iter().flat_map(|endpoint| match endpoint.audit {
        Audit::Exports(action) => vec![action],
        _ => expected::actions(&endpoint),
    });
    let missing: Vec<_> = written.filter(|action| !offered.contains(&format!("\"{action}\""))).collect();
    assert_eq!(missing, [] as [&str; 0]);
}

#[tokio::test]
async fn no_role_of_the_platform_changes_or_removes_an_audit_row() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    for role in ["svc_operator", "svc_vendor", "svc_tenant", "svc_widget", "svc_system"] {
        let mut connection = platform.db.connect_as(role, Some(&tenant.id.to_string())).await;
        for statement in ["update platform_audit_log set actor_user = 'x'", "delete from platform_audit_log"] {
            let error = sqlx::query(statement).execute(&mut connection).await.unwrap_err().to_string();
            assert!(error.contains("permission denied"), "{role}: {statement}: {error}");
        }
    }
}

#[tokio::test]
async fn nobody_appends_an_audit_row_in_anothers_name() {
    let (platform, one, other) = Platform::with_tenants().await;
    let mut connection = platform.db.connect_as("svc_tenant", Some(&one.id.to_string())).await;
    for (role, tenant) in [("operator", one.id), ("tenant", other.id)] {
        let refused = sqlx::query(
            "insert into platform_audit_log (id, actor_role, actor_user, tenant_id, action, entity_type, entity_id)
             values (gen_random_uuid(), $1, 'x', $2, 'tenant.created', 'tenant', 'x')",
        )
        .bind(role)
        .bind(tenant.0)
        .execute(&mut connection)
        .await;
        assert!(refused.unwrap_err().to_string().contains("row-level security"), "{role} {tenant}");
    }
}

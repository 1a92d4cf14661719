//! Every mutation writes exactly its audit row in its own transaction; nothing else writes one; no row is ever changed.

mod deleted;
mod expected;
mod refused;
mod repeated;
mod rows;

use contract::{TenantId, endpoint::Audit, table};
use sqlx::PgConnection;

use crate::support::Platform;

#[test]
fn the_contract_lists_every_action_of_an_endpoint() {
    let written = table().into_iter().flat_map(|endpoint| match endpoint.audit {
        Audit::Exports(action) => vec![action],
        _ => expected::actions(&endpoint),
    });
    let missing: Vec<_> = written.filter(|action| !contract::audit::actions::ALL.contains(action)).collect();
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
        let refused = append(&mut connection, role, "x", tenant).await;
        assert!(refused.unwrap_err().to_string().contains("row-level security"), "{role} {tenant}");
    }
    for (role, actor) in [("svc_operator", "operator"), ("svc_vendor", "vendor"), ("svc_tenant", "tenant")] {
        let mut connection = platform.db.connect_as(role, Some(&one.id.to_string())).await;
        let nobody = append(&mut connection, actor, "olivia", one.id).await;
        assert!(nobody.unwrap_err().to_string().contains("row-level security"), "{role} without a user");
        sqlx::raw_sql("set app.username = 'olivia'").execute(&mut connection).await.unwrap();
        let another = append(&mut connection, actor, "oscar", one.id).await;
        assert!(another.unwrap_err().to_string().contains("row-level security"), "{role} as somebody else");
        append(&mut connection, actor, "olivia", one.id).await.unwrap();
    }
    let mut widget = platform.db.connect_as("svc_widget", Some(&one.id.to_string())).await;
    assert!(append(&mut widget, "anonymous", "olivia", one.id).await.is_err());
    append(&mut widget, "anonymous", "widget", one.id).await.unwrap();
}

#[tokio::test]
async fn nobody_chooses_when_an_audit_row_happened() {
    let (platform, one, _) = Platform::with_tenants().await;
    for role in ["svc_operator", "svc_vendor", "svc_tenant", "svc_widget"] {
        let mut connection = platform.db.connect_as(role, Some(&one.id.to_string())).await;
        let refused = sqlx::query(
            "insert into platform_audit_log (id, occurred_at, actor_role, actor_user, action, entity_type, entity_id)
             values (gen_random_uuid(), now() - interval '1 day', 'operator', 'x', 'tenant.created', 'tenant', 'x')",
        )
        .execute(&mut connection)
        .await;
        assert!(refused.unwrap_err().to_string().contains("permission denied"), "{role}");
    }
}

#[tokio::test]
async fn operators_and_vendors_cannot_read_what_people_wrote() {
    let (platform, one, _) = Platform::with_tenants().await;
    for role in ["svc_operator", "svc_vendor"] {
        let mut connection = platform.db.connect_as(role, Some(&one.id.to_string())).await;
        for sql in [
            "select content from chat_messages",
            "select session_id from chat_messages",
            "select id from chat_sessions",
            "select comment from chatbot_feedback",
            "select question from chatbot_faq",
            "select title from documents",
            "select title from document_versions",
            "select content from passages",
        ] {
            let refused = sqlx::query(sql).execute(&mut connection).await;
            assert!(refused.unwrap_err().to_string().contains("permission denied"), "{role}: {sql}");
        }
    }
}

/// Tries to append an audit row.
async fn append(connection: &mut PgConnection, role: &str, user: &str, tenant: TenantId) -> sqlx::Result<()> {
    sqlx::query(
        "insert into platform_audit_log (id, actor_role, actor_user, tenant_id, action, entity_type, entity_id)
         values (gen_random_uuid(), $1, $2, $3, 'tenant.created', 'tenant', 'x')",
    )
    .bind(role)
    .bind(user)
    .bind(tenant.0)
    .execute(connection)
    .await
    .map(drop)
}

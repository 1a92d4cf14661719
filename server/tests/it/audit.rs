//! Every mutation writes exactly its audit row in its own transaction; nothing else writes one.

use contract::{
    Access,
    endpoint::{Audit, EndpointInfo, table},
};
use serde_json::json;

use crate::{
    access::with_random_ids,
    mutations::{mutate, prepare},
    support::{Platform, send},
};

/// The role and user of the row that a call of [`mutate`] leaves.
fn actor(endpoint: &EndpointInfo) -> (&'static str, &'static str) {
    match endpoint.access {
        Access::Widget => ("anonymous", "widget"),
        Access::TenantAdmin | Access::AnyWriter => ("tenant", "tenant-admin"),
        _ => ("operator", "olivia"),
    }
}

#[tokio::test]
async fn every_mutation_writes_exactly_its_audit_row() {
    let mut tried = 0;
    for endpoint in table() {
        let (Audit::Writes(action) | Audit::Toggles(action, _)) = endpoint.audit else { continue };
        let platform = Platform::start().await;
        let tenant = platform.add_tenant("one").await;
        let prepared = prepare(&platform, tenant, &endpoint).await;
        let before = platform.audit_rows().await;
        let answer = mutate(&platform, tenant, &prepared, &endpoint).await;
        assert_eq!(answer.status, endpoint.status, "{}: {answer:?}", endpoint.name);
        assert_eq!(answer.header("location").is_some(), endpoint.status == 201, "{}: {answer:?}", endpoint.name);
        assert_eq!(platform.audit_rows().await, before + 1, "{}", endpoint.name);
        let row = platform.last_audit().await;
        assert_eq!(row["action"], action, "{}", endpoint.name);
        let (role, user) = actor(&endpoint);
        assert_eq!((&row["actor_role"], &row["actor_user"]), (&json!(role), &json!(user)), "{}", endpoint.name);
        let details = row["details"].as_object().unwrap();
        assert!(details.contains_key("before") && !details["after"].is_null(), "{}: {row}", endpoint.name);
        tried += 1;
    }
    assert!(tried > 0);
}

#[tokio::test]
async fn reads_exempt_calls_and_rejected_calls_write_no_audit_row() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let clients = [platform.operator(), platform.admin(tenant.id), platform.viewer(tenant.id), platform.anonymous()];
    let mut before = platform.audit_rows().await;
    for endpoint in table() {
        for client in &clients {
            // Random ids and empty bodies: mutations are rejected, reads are served or rejected.
            let mut request = client.request(endpoint.method.as_str(), &with_random_ids(&endpoint));
            if endpoint.has_body {
                request = request.json(&json!({ "preferred_theme": "dark" }));
            }
            let exported = send(request).await.status == 200 && matches!(endpoint.audit, Audit::Exports(_));
            before += i64::from(exported);
        }
        assert_eq!(platform.audit_rows().await, before, "{}", endpoint.name);
    }
}

#[tokio::test]
async fn a_change_that_changes_nothing_writes_no_audit_row() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let (operator, admin) = (platform.operator(), platform.admin(tenant.id));
    let branding = json!({ "primary_color": "#123456" });
    admin.patch("/api/v1/tenants/me/branding", &branding).await;
    admin.delete(&format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot)).await;
    let before = platform.audit_rows().await;
    assert_eq!(admin.patch("/api/v1/tenants/me/branding", &branding).await.status, 200);
    assert_eq!(admin.patch("/api/v1/tenants/me/branding", &json!({})).await.status, 200);
    assert_eq!(admin.delete(&format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot)).await.status, 204);
    let path = format!("/api/v1/platform/tenants/{}", tenant.id);
    assert_eq!(operator.patch(&path, &json!({ "display_name": "one" })).await.status, 200);
    assert_eq!(platform.audit_rows().await, before);
}

#[tokio::test]
async fn a_refused_audit_row_rolls_its_mutation_back() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    sqlx::query("alter table platform_audit_log add constraint no_more check (action <> 'tenant.updated') not valid")
        .execute(platform.everything())
        .await
        .unwrap();
    let path = format!("/api/v1/platform/tenants/{}", tenant.id);
    let answer = platform.operator().patch(&path, &json!({ "display_name": "Renamed" })).await;
    assert_eq!((answer.status, answer.detail()), (500, "internal_error"));
    assert_eq!(platform.operator().get(&path).await.body["display_name"], "one");
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

//! Every endpoint of the table responds to every principal as it declares.

use std::collections::BTreeSet;

use contract::{Access, ErrorCode, TenantId, api_keys::KeyScope, endpoint::EndpointInfo, table};
use uuid::Uuid;

use crate::support::{Client, Log, Platform, send};

/// The code that refuses a principal, or `None` when it is admitted.
pub fn refusal(access: Access, principal: &str) -> Option<(u16, &'static str)> {
    let anonymous = principal == "anonymous";
    match access {
        Access::Public => None,
        Access::Widget => Some((403, "origin_not_allowed")),
        _ if anonymous => Some((401, "not_authenticated")),
        Access::AnyScope => None,
        Access::AnyWriter if principal == "viewer" => Some((403, "tenant_admin_required")),
        Access::AnyWriter => None,
        Access::Operator if principal == "operator" => None,
        Access::Operator => Some((403, "operator_required")),
        Access::OperatorOrVendor if matches!(principal, "operator" | "vendor") => None,
        Access::OperatorOrVendor => Some((403, "operator_or_vendor_required")),
        Access::Tenant if matches!(principal, "admin" | "viewer") => None,
        Access::TenantAdmin if principal == "admin" => None,
        Access::TenantAdmin if principal == "viewer" => Some((403, "tenant_admin_required")),
        Access::Tenant | Access::TenantAdmin => Some((403, "tenant_required")),
    }
}

/// With `make test-keycloak` the token is Keycloak's own, which lives for five minutes.
#[tokio::test]
async fn a_clock_minutes_off_the_providers_refuses_its_tokens() {
    let platform = Platform::start().await;
    let (tokens, token) = (&platform.app.tokens, platform.keys.operator().encode());
    let now = chrono::Utc::now().timestamp();
    for within in [now, now - 25] {
        assert!(tokens.verify(&token, within).await.is_ok(), "{}", within - now);
    }
    let log = Log::default();
    let listening = log.listen();
    for beyond in [now - 300, now + 86_400] {
        let refusal = tokens.verify(&token, beyond).await.unwrap_err();
        assert_eq!(refusal.code, ErrorCode::NotAuthenticated, "{}", beyond - now);
    }
    drop(listening);
    let reasons: Vec<_> = log.events("token.refused").into_iter().map(|line| line["reason"].clone()).collect();
    assert_eq!(reasons, ["issued in the future", "expired"]);
}

/// The path with random ids.
pub fn with_random_ids(endpoint: &EndpointInfo) -> String {
    let segment = |part: &str| match part {
        "{template_id}" | "{module_id}" => "no-such-id".to_owned(),
        // One of two names, not an id.
        "{picture}" => "logo".to_owned(),
        part if part.starts_with('{') => Uuid::new_v4().to_string(),
        part => part.to_owned(),
    };
    endpoint.path.split('/').map(segment).collect::<Vec<_>>().join("/")
}

/// A client of each principal, by name.
fn principals(platform: &Platform, tenant: TenantId) -> [(&'static str, Client<'_>); 5] {
    [
        ("anonymous", platform.anonymous()),
        ("operator", platform.operator()),
        ("vendor", platform.vendor()),
        ("admin", platform.admin(tenant)),
        ("viewer", platform.viewer(tenant)),
    ]
}

#[tokio::test]
async fn every_endpoint_answers_a_key_of_each_scope_as_its_row_says() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let mut keys = Vec::new();
    for scope in KeyScope::ALL {
        keys.push((*scope, platform.api_key(tenant.id, &[*scope]).await));
    }
    let (mut opened, mut cells) = (0, 0);
    for endpoint in table() {
        for (scope, key) in &keys {
            let client = platform.bearer(key);
            let mut request = client.request(endpoint.method.as_str(), &with_random_ids(&endpoint));
            if endpoint.has_body {
                request = request.json(&serde_json::json!({}));
            }
            let answer = send(request).await;
            let context = format!("{} with {scope:?}: {} {}", endpoint.name, answer.status, answer.text);
            cells += 1;
            match endpoint.key_scope {
                // A probe reads no header.
                None if endpoint.name == "GetReadiness" => assert_eq!(answer.status, 200, "{context}"),
                None => assert_eq!((answer.status, answer.detail()), (401, "key_not_accepted"), "{context}"),
                Some(needed) if needed != *scope => {
                    assert_eq!((answer.status, answer.detail()), (403, "key_scope_missing"), "{context}");
                }
                Some(_) => {
                    opened += 1;
                    assert!(![401, 403, 405, 500].contains(&answer.status), "{context}");
                }
            }
        }
    }
    for function in app::server_fns::table() {
        let answer = platform.bearer(&keys[0].1).get(function.path).await;
        let public = function.access == Access::Public && answer.status == 200;
        assert!(public || answer.detail() == "key_not_accepted", "{}: {}", function.path, answer.text);
    }
    println!("{cells} cells of endpoints and scopes, of which {opened} are open");
    assert!(opened > 30 && cells == table().len() * keys.len(), "{opened} of {cells}");
}

#[tokio::test]
async fn every_endpoint_answers_every_principal_as_it_declares() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let hub = format!("/api/v1/tenants/{}/modules/knowledge_hub", tenant.id);
    assert_eq!(platform.operator().put(&hub, &serde_json::json!({ "enabled": true })).await.status, 200);
    let clients = principals(&platform, tenant.id);
    for endpoint in table() {
        for (principal, client) in &clients {
            let mut request = client.request(endpoint.method.as_str(), &with_random_ids(&endpoint));
            if endpoint.has_body {
                request = request.json(&serde_json::json!({}));
            }
            let answer = send(request).await;
            let context = format!("{} as {principal}: {} {}", endpoint.name, answer.status, answer.text);
            match refusal(endpoint.access, principal) {
                Some((status, code)) => assert_eq!((answer.status, answer.detail()), (status, code), "{context}"),
                None => assert!(![401, 403, 405, 500].contains(&answer.status), "{context}"),
            }
            assert!(answer.header("x-request-id").is_some(), "{context}");
        }
    }
}

#[tokio::test]
async fn every_server_function_answers_every_principal_as_it_declares() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let clients = principals(&platform, tenant.id);
    for function in app::server_fns::table() {
        for (principal, client) in &clients {
            let answer = client.get(function.path).await;
            let context = format!("{} as {principal}: {} {}", function.path, answer.status, answer.text);
            match refusal(function.access, principal) {
                Some((status, code)) => assert_eq!((answer.status, answer.detail()), (status, code), "{context}"),
                None => assert_eq!(answer.status, 200, "{context}"),
            }
            assert_eq!(answer.header("cache-control"), Some("no-store"), "{context}");
        }
    }
}

#[tokio::test]
async fn every_server_function_that_is_linked_is_listed() {
    let _platform = Platform::start().await;
    let listed: BTreeSet<&str> = app::server_fns::table().iter().map(|function| function.path).collect();
    let linked: BTreeSet<&str> = server_fn::axum::server_fn_paths().map(|(path, _)| path).collect();
    assert_eq!(linked, listed);
}

#[tokio::test]
async fn resources_of_other_tenants_look_missing() {
    let (platform, one, other) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    for path in ["", "/provision"] {
        let method = if path.is_empty() { "GET" } else { "POST" };
        let foreign =
            send(admin.request(method, &format!("/api/v1/tenants/me/chatbots/{}{path}", other.chatbot))).await;
        let missing =
            send(admin.request(method, &format!("/api/v1/tenants/me/chatbots/{}{path}", Uuid::new_v4()))).await;
        assert_eq!((foreign.status, &foreign.text), (404, &missing.text));
    }
    let foreign = admin.get(&format!("/api/v1/tenants/{}/chatbots", other.id)).await;
    let missing = admin.get(&format!("/api/v1/tenants/{}/chatbots", Uuid::new_v4())).await;
    assert_eq!((foreign.status, &foreign.text), (404, &missing.text));
    let deleted = admin.delete(&format!("/api/v1/tenants/me/chatbots/{}", other.chatbot)).await;
    assert_eq!(deleted.status, 404);
    let own = platform.admin(other.id).get(&format!("/api/v1/tenants/me/chatbots/{}", other.chatbot)).await;
    assert_eq!(own.body["status"], "active");
}

#[tokio::test]
async fn a_user_of_a_deleted_tenant_is_refused_at_once() {
    let (platform, one, other) = Platform::with_tenants().await;
    assert_eq!(platform.operator().delete(&format!("/api/v1/platform/tenants/{}", one.id)).await.status, 204);
    let answer = platform.admin(one.id).get("/api/v1/tenants/me/chatbots").await;
    assert_eq!((answer.status, answer.detail()), (403, "tenant_not_active"));
    assert_eq!(platform.admin(other.id).get("/api/v1/tenants/me/chatbots").await.status, 200);
}

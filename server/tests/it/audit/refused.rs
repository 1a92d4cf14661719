//! A mutation and its audit row are atomic: when the row is refused, nothing has changed; and a rejected call leaves
//! neither.

use contract::{
    Access, Method,
    endpoint::{Audit, EndpointInfo},
    table,
};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use super::expected::actions;
use crate::{
    access::{refusal, with_random_ids},
    matrix::lines::{line, with_body},
    mutations::{mutate, prepare},
    support::{Client, Platform, World, checksum, send},
};

#[tokio::test]
async fn a_refused_audit_row_rolls_every_mutation_back() {
    // A change of a person happens at the provider: `people::settling` tests its outcome.
    let here = |endpoint: &&EndpointInfo| !actions(endpoint).is_empty() && !endpoint.path.contains("/people");
    for endpoint in table().iter().filter(here) {
        let platform = Platform::start().await;
        let tenant = platform.add_tenant("one").await;
        let prepared = prepare(&platform, tenant, endpoint).await;
        let refuse = format!(
            "alter table platform_audit_log add constraint refused check (action <> '{}') not valid",
            actions(endpoint)[0]
        );
        sqlx::query(AssertSqlSafe(refuse)).execute(platform.everything()).await.unwrap();
        let before = checksum::of_everything(platform.everything()).await;
        let answer = mutate(&platform, tenant, &prepared, endpoint).await;
        assert_eq!((answer.status, answer.detail()), (500, "internal_error"), "{}: {answer:?}", endpoint.name);
        let after = checksum::of_everything(platform.everything()).await;
        let changed = checksum::changed(&before, &after);
        assert!(changed.is_empty(), "{} changed {changed:?} without its audit row", endpoint.name);
        sqlx::query("alter table platform_audit_log drop constraint refused")
            .execute(platform.everything())
            .await
            .unwrap();
        let answer = mutate(&platform, tenant, &prepared, endpoint).await;
        assert_eq!(answer.status, endpoint.status, "{} works again: {answer:?}", endpoint.name);
    }
}

/// Calls that must be rejected change no table at all.
struct Rejections<'a> {
    world: &'a World,
    tried: Vec<u16>,
}

impl Rejections<'_> {
    async fn call(&mut self, client: &Client<'_>, endpoint: &EndpointInfo, path: &str, body: &Value, status: u16) {
        let request = client.request(endpoint.method.as_str(), path);
        let chatbot = self.world.one.chatbot.to_string();
        let answer = send(with_body(request, body, |text| text.replace("{chatbot_id}", &chatbot))).await;
        assert_eq!(answer.status, status, "{} with {body}: {answer:?}", endpoint.name);
        self.tried.push(status);
    }

    /// 401 and 403: everybody who may not.
    async fn of_others(&mut self, endpoint: &EndpointInfo, body: &Value) {
        let platform = &self.world.platform;
        let tenant = self.world.one.tenant;
        for (principal, client) in [
            ("anonymous", platform.anonymous()),
            ("operator", platform.operator()),
            ("vendor", platform.vendor()),
            ("admin", platform.admin(tenant)),
            ("viewer", platform.viewer(tenant)),
        ] {
            if let Some((status, _)) = refusal(endpoint.access, principal) {
                self.call(&client, endpoint, &with_random_ids(endpoint), body, status).await;
            }
        }
    }

    /// 422 and 404: an invalid body, an invalid path, unknown ids.
    async fn of_those_who_may(&mut self, endpoint: &EndpointInfo, body: &Value) {
        let platform = &self.world.platform;
        let client = match endpoint.access {
            Access::Widget => return,
            Access::Tenant | Access::TenantAdmin => platform.admin(self.world.one.tenant),
            _ => platform.operator(),
        };
        let path = with_random_ids(endpoint);
        // A file may be anything.
        if endpoint.has_body && endpoint.body_type != "application/octet-stream" {
            self.call(&client, endpoint, &path, &json!([1]), 422).await;
        }
        if endpoint.path.contains('{') {
            let malformed = endpoint.path.replace(['{', '}'], "!");
            self.call(&client, endpoint, &malformed, body, 422).await;
        }
        if endpoint.path.replace("{picture}", "").contains('{') {
            self.call(&client, endpoint, &path, body, 404).await;
        }
    }
}

#[tokio::test]
async fn rejected_mutations_change_nothing_and_write_no_row() {
    let world = World::start().await;
    let before = checksum::of_everything(world.platform.everything()).await;
    let mut rejections = Rejections { world: &world, tried: Vec::new() };
    let mutations = |endpoint: &EndpointInfo| !matches!(endpoint.audit, Audit::Reads) && endpoint.method != Method::Get;
    for endpoint in table().iter().filter(|endpoint| mutations(endpoint)) {
        let (_, body) = line(endpoint).unwrap();
        rejections.of_others(endpoint, &body).await;
        if !matches!(endpoint.audit, Audit::Exempt(_)) {
            rejections.of_those_who_may(endpoint, &body).await;
        }
        let after = checksum::of_everything(world.platform.everything()).await;
        let changed = checksum::changed(&before, &after);
        assert!(changed.is_empty(), "{} was rejected and changed {changed:?}", endpoint.name);
    }
    for status in [401, 403, 404, 422] {
        assert!(rejections.tried.contains(&status), "no call was rejected with {status}");
    }
}

#[tokio::test]
async fn refused_values_change_nothing_and_write_no_row() {
    let world = World::start().await;
    let platform = &world.platform;
    let (operator, admin) = (platform.operator(), platform.admin(world.one.tenant));
    let chatbot = format!("/api/v1/tenants/me/chatbots/{}", world.one.chatbot);
    let update = format!("/api/v1/tenant/chatbots/{}/template-update", world.one.chatbot);
    let modules = format!("/api/v1/tenants/{}/modules", world.one.tenant);
    let own_id = world.one.tenant.to_string();
    let unknown = uuid::Uuid::new_v4().to_string();
    let template = json!({ "id": "prepared", "language": "en", "name": "Again" });
    let before = checksum::of_everything(platform.everything()).await;
    for (client, method, path, body, code) in [
        (
            &operator,
            "POST",
            "/api/v1/platform/tenants",
            json!({ "slug": "one", "display_name": "x" }),
            "tenant_slug_taken",
        ),
        (
            &operator,
            "PATCH",
            &*format!("/api/v1/platform/tenants/{}", world.other.tenant),
            json!({ "slug": "one" }),
            "tenant_slug_taken",
        ),
        (
            &operator,
            "POST",
            "/api/v1/platform/tenants/bulk-soft-delete",
            json!({ "tenant_ids": [own_id, unknown] }),
            "tenant_not_found",
        ),
        (
            &operator,
            "POST",
            "/api/v1/platform/modules",
            json!({ "id": "feedback", "name": "x", "category": "x" }),
            "module_exists",
        ),
        (
            &operator,
            "POST",
            &*format!("{modules}/bulk"),
            json!({ "module_ids": ["feedback", "none"] }),
            "module_not_found",
        ),
        (&operator, "POST", "/api/v1/operator/templates", template, "template_exists"),
        (&admin, "POST", "/api/v1/tenants/me/chatbots", json!({ "slug": "help", "name": "x" }), "chatbot_slug_taken"),
        (&admin, "PATCH", &*chatbot, json!({ "name": "New", "slug": "other" }), "slug_immutable"),
        (&admin, "PATCH", &*chatbot, json!({ "name": "New", "template_id": null }), "template_id_immutable"),
        (&admin, "POST", &*update, json!({ "template_version": 1 }), "template_version_changed"),
        (&admin, "POST", "/api/v1/tenants/me/modules/chatbots/deactivate", json!({}), "module_always_on"),
        (&admin, "POST", "/api/v1/tenants/me/modules/audit_export/activate", json!({}), "module_not_found"),
    ] {
        let answer = send(client.request(method, path).json(&body)).await;
        assert_eq!(answer.detail(), code, "{method} {path} {body}: {answer:?}");
        let after = checksum::of_everything(platform.everything()).await;
        let changed = checksum::changed(&before, &after);
        assert!(changed.is_empty(), "{code} changed {changed:?}");
    }
}

//! API keys: what opens a call, what ends a key, and what a key reaches.

mod limits;
mod processes;
mod wrong;

use std::time::{Duration, Instant};

use contract::{api_keys::KeyScope, table};
use futures::future::join_all;
use serde_json::{Value, json};

use crate::{
    matrix::{
        ids,
        lines::{line, with_body},
    },
    support::{Platform, Tenant, TestResponse, World, send},
};

const KEYS: &str = "/api/v1/tenants/me/api-keys";
const CHATBOTS: &str = "/api/v1/tenants/me/chatbots";

/// A key with these fields beside its name.
async fn create(platform: &Platform, tenant: Tenant, fields: Value) -> TestResponse {
    let mut body = json!({ "name": "Shop", "scopes": ["settings.read"] });
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    platform.admin(tenant.id).post(KEYS, &body).await
}

async fn secret(platform: &Platform, tenant: Tenant, fields: Value) -> (String, String) {
    let key = create(platform, tenant, fields).await;
    assert_eq!(key.status, 201, "{key:?}");
    let text = |field: &str| key.body[field].as_str().unwrap().to_owned();
    (text("id"), text("secret"))
}

/// Status and code of a call with the key.
async fn call(platform: &Platform, key: &str) -> (u16, String) {
    let answer = platform.bearer(key).get(CHATBOTS).await;
    (answer.status, answer.detail().to_owned())
}

fn refused(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

fn accepted() -> (u16, String) {
    (200, String::new())
}

#[tokio::test]
async fn a_key_shows_its_secret_once_and_acts_for_its_tenant() {
    let (platform, one, other) = Platform::with_tenants().await;
    let key = create(&platform, one, json!({})).await;
    let (id, secret) = (key.body["id"].as_str().unwrap(), key.body["secret"].as_str().unwrap());
    assert_eq!(key.header("location"), Some(format!("{KEYS}/{id}").as_str()));
    assert_eq!(key.body["prefix"], secret[..12]);
    for path in [KEYS.to_owned(), format!("{KEYS}/{id}")] {
        let response = platform.admin(one.id).get(&path).await;
        assert_eq!(response.status, 200, "{response:?}");
        assert!(response.text.contains(&secret[..12]) && !response.text.contains(&secret[12..]), "{response:?}");
    }
    let stored: Value =
        sqlx::query_scalar("select to_jsonb(k) from api_keys k").fetch_one(platform.everything()).await.unwrap();
    assert!(!stored.to_string().contains(&secret[12..]), "{stored}");
    let chatbots = platform.bearer(secret).get(CHATBOTS).await;
    assert!(chatbots.text.contains(&one.chatbot.to_string()) && !chatbots.text.contains(&other.chatbot.to_string()));
    assert_eq!(platform.admin(other.id).get(&format!("{KEYS}/{id}")).await.detail(), "api_key_not_found");
}

#[tokio::test]
async fn revocation_ends_a_key_on_every_replica_at_once() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (_, replica) = platform.also_on(platform.db.connect().await).await;
    let (id, key) = secret(&platform, one, json!({})).await;
    let on_replica =
        async || platform.http.get(format!("{replica}{CHATBOTS}")).bearer_auth(&key).send().await.unwrap().status();
    assert_eq!((call(&platform, &key).await, on_replica().await.as_u16()), (accepted(), 200));
    let rows = platform.audit_rows().await;
    let admin = platform.admin(one.id);
    let path = format!("{KEYS}/{id}");
    let revoked = join_all((0..8).map(|_| admin.delete(&path))).await;
    let started = Instant::now();
    assert!(revoked.iter().all(|answer| answer.status == 204), "{revoked:?}");
    assert_eq!(on_replica().await.as_u16(), 401);
    assert!(started.elapsed() < Duration::from_secs(5));
    assert_eq!(call(&platform, &key).await, refused(401, "key_revoked"));
    assert_eq!(platform.audit_rows().await, rows + 1, "one of the calls at once revoked it");
    let changed = admin.patch(&path, &json!({ "name": "Again" })).await;
    assert_eq!((changed.status, changed.detail()), (409, "api_key_revoked"));
    assert_eq!(secret(&platform, one, json!({})).await.1.len(), key.len(), "the name is free again");
}

#[tokio::test]
async fn a_change_of_a_key_holds_from_the_next_call_on() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (id, key) = secret(&platform, one, json!({})).await;
    let path = format!("{KEYS}/{id}");
    let change = async |fields: Value| {
        let changed = platform.admin(one.id).patch(&path, &fields).await;
        assert_eq!(changed.status, 200, "{changed:?}");
    };
    assert_eq!(call(&platform, &key).await, accepted());
    change(json!({ "scopes": ["ask"] })).await;
    assert_eq!(call(&platform, &key).await, refused(403, "key_scope_missing"));
    change(json!({ "scopes": ["settings.read"], "allowed_addresses": ["192.0.2.0/24"] })).await;
    assert_eq!(call(&platform, &key).await, refused(403, "key_address_not_allowed"));
    change(json!({ "allowed_addresses": ["192.0.2.0/24", "127.0.0.0/8"] })).await;
    assert_eq!(call(&platform, &key).await, accepted());
    change(json!({ "name": "Warehouse" })).await;
    let rows = platform.audit_rows().await;
    change(json!({ "name": "Warehouse" })).await;
    assert_eq!(platform.audit_rows().await, rows, "nothing changed");
}

#[tokio::test]
async fn operators_forbid_keys_and_see_how_many_there_are() {
    let (platform, one, other) = Platform::with_tenants().await;
    let (_, key) = secret(&platform, one, json!({})).await;
    let tenant = format!("/api/v1/platform/tenants/{}", one.id);
    let figures = async || platform.operator().get(&format!("{tenant}/api-keys")).await.body;
    assert_eq!(figures().await, json!({ "active": 1, "last_used_at": null }));
    assert_eq!(call(&platform, &key).await, accepted());
    while figures().await["last_used_at"].is_null() {
        tokio::task::yield_now().await;
    }
    let forbidden = platform.operator().patch(&tenant, &json!({ "api_keys_allowed": false })).await;
    assert_eq!((forbidden.status, &forbidden.body["api_keys_allowed"]), (200, &json!(false)));
    assert_eq!(platform.last_audit().await["action"], "tenant.updated");
    assert_eq!(call(&platform, &key).await, refused(403, "keys_not_allowed"));
    let refusal = create(&platform, one, json!({ "name": "Another" })).await;
    assert_eq!((refusal.status, refusal.detail()), (403, "keys_not_allowed"));
    assert_eq!(create(&platform, other, json!({})).await.status, 201, "only that tenant is forbidden");
    platform.operator().patch(&tenant, &json!({ "api_keys_allowed": true })).await;
    assert_eq!(call(&platform, &key).await, accepted());
}

#[tokio::test]
async fn the_last_use_is_written_once_a_minute() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (_, key) = secret(&platform, one, json!({})).await;
    let versions = "select xmin::text from api_keys";
    let version = async || -> String { sqlx::query_scalar(versions).fetch_one(platform.everything()).await.unwrap() };
    let created = version().await;
    assert_eq!(call(&platform, &key).await, accepted());
    while version().await == created {
        tokio::task::yield_now().await;
    }
    let used = version().await;
    // Another process does not know that it was written.
    let (other, replica) = platform.also_on(platform.db.connect().await).await;
    for _ in 0..5 {
        assert_eq!(call(&platform, &key).await, accepted());
        let answer = platform.http.get(format!("{replica}{CHATBOTS}")).bearer_auth(&key).send().await.unwrap();
        assert_eq!(answer.status(), 200);
    }
    other.tasks.close();
    other.tasks.wait().await;
    assert_eq!(version().await, used);
}

/// Text that a key of one chatbot must not see: the ids of the tenant's other chatbot and of what belongs to it.
fn sibling_secrets(world: &World) -> Vec<String> {
    let one = &world.one;
    [one.sibling.0, one.sibling_session, one.sibling_message].map(|id| id.to_string()).to_vec()
}

#[tokio::test]
async fn a_key_of_one_chatbot_sees_no_other_one() {
    let world = World::start().await;
    let (platform, one) = (&world.platform, world.one);
    let body = json!({ "name": "One", "scopes": KeyScope::ALL, "chatbot_ids": [one.chatbot] });
    let key = platform.admin(one.tenant).post(KEYS, &body).await;
    assert_eq!(key.status, 201, "{key:?}");
    let client = platform.bearer(key.body["secret"].as_str().unwrap());
    let unknown = uuid::Uuid::new_v4().to_string();
    let (mut own, mut foreign) = (0, 0);
    for endpoint in table().iter().filter(|endpoint| endpoint.key_scope.is_some() && endpoint.method.as_str() == "GET")
    {
        let (query, body) = line(endpoint).unwrap();
        let ids = |text: &str| ids::fill(text, &ids::own(&ids::SLOTS), one, world.other);
        let path = ids(&format!("{}{query}", endpoint.path));
        let request = |path: &str| with_body(client.request("GET", path), &body, |text| ids(text));
        let answer = send(request(&path)).await;
        assert_eq!(answer.status, 200, "{}: {answer:?}", endpoint.name);
        own += 1;
        for secret in sibling_secrets(&world) {
            assert!(!answer.text.contains(&secret), "{} shows {secret}: {answer:?}", endpoint.name);
        }
        let chatbot = one.chatbot.to_string();
        if path.contains(&chatbot) {
            let sibling = send(request(&path.replace(&chatbot, &one.sibling.to_string()))).await;
            let nobody = send(request(&path.replace(&chatbot, &unknown))).await;
            assert_eq!((sibling.status, &sibling.text), (nobody.status, &nobody.text), "{}", endpoint.name);
            foreign += 1;
        }
    }
    let session = format!("/api/v1/tenants/me/conversations/{}", one.sibling_session);
    assert_eq!(client.get(&session).await.detail(), "session_not_found");
    let listed = client.get(CHATBOTS).await;
    assert_eq!(listed.body["total"], 1, "{listed:?}");
    assert!(own > 15 && foreign > 12, "{own} own, {foreign} foreign");
}

#[tokio::test]
async fn a_key_of_one_chatbot_changes_no_other_one() {
    let world = World::start().await;
    let (platform, one) = (&world.platform, world.one);
    let body = json!({ "name": "One", "scopes": KeyScope::ALL, "chatbot_ids": [one.chatbot] });
    let key = platform.admin(one.tenant).post(KEYS, &body).await;
    let client = platform.bearer(key.body["secret"].as_str().unwrap());
    let rows = platform.audit_rows().await;
    let writes = |endpoint: &&contract::endpoint::EndpointInfo| {
        endpoint.key_scope.is_some() && endpoint.method.as_str() != "GET"
    };
    for endpoint in table().iter().filter(writes) {
        let (query, body) = line(endpoint).unwrap();
        let chatbot = |id: &str| {
            let fill =
                |text: &str| ids::fill(&text.replace("{chatbot_id}", id), &ids::own(&ids::SLOTS), one, world.other);
            let path = fill(&format!("{}{query}", endpoint.path));
            with_body(client.request(endpoint.method.as_str(), &path), &body, fill)
        };
        let sibling = send(chatbot(&one.sibling.to_string())).await;
        let nobody = send(chatbot(&uuid::Uuid::new_v4().to_string())).await;
        assert_eq!((sibling.status, &sibling.text), (nobody.status, &nobody.text), "{}", endpoint.name);
    }
    assert_eq!(platform.audit_rows().await, rows);
}

#[tokio::test]
async fn every_table_of_chatbots_rows_is_limited_for_keys() {
    let platform = Platform::start().await;
    let open: Vec<String> = sqlx::query_scalar(
        "select c.relname::text from pg_class c
         join pg_attribute a on a.attrelid = c.oid and a.attname = 'chatbot_id' and not a.attisdropped
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
           and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'chatbots_of_key')
         order by 1",
    )
    .fetch_all(platform.everything())
    .await
    .unwrap();
    assert_eq!(open, ["platform_audit_log", "platform_audit_log_archive"]);
}

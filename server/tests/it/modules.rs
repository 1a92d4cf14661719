//! The module registry and the modules of a tenant.

use serde_json::{Value, json};
use sqlx::Row;
use uuid::Uuid;

use crate::support::{Platform, Tenant, TestResponse};

const REGISTRY: &str = "/api/v1/platform/modules";

fn modules(tenant: Tenant) -> String {
    format!("/api/v1/tenants/{}/modules", tenant.id)
}

fn own(module: &str, verb: &str) -> String {
    format!("/api/v1/tenants/me/modules/{module}/{verb}")
}

/// The ids of a list's entries.
fn ids(answer: &TestResponse) -> Vec<&str> {
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap()).collect()
}

/// The ids of a list's entries that are on.
fn enabled(answer: &TestResponse) -> Vec<&str> {
    let items = answer.body["items"].as_array().unwrap();
    items.iter().filter(|item| item["enabled"] == true).map(|item| item["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_registry_is_listed_in_its_order_searched_and_sorted() {
    let platform = Platform::start().await;
    let vendor = platform.vendor();
    let shipped = ["chatbots", "branding", "feedback", "analytics", "knowledge_hub", "audit_export"];
    assert_eq!(ids(&vendor.get(REGISTRY).await), shipped);
    assert_eq!(ids(&vendor.get(&format!("{REGISTRY}?q=AUDIT")).await), ["audit_export"]);
    let page = vendor.get(&format!("{REGISTRY}?sort=-id&limit=2&offset=1")).await;
    assert_eq!((ids(&page), &page.body["total"]), (vec!["feedback", "chatbots"], &json!(6)));
    assert_eq!(vendor.get(&format!("{REGISTRY}?sort=is_always_on")).await.status, 422);
}

#[tokio::test]
async fn a_module_is_registered_shown_and_changed() {
    let platform = Platform::start().await;
    let operator = platform.operator();
    let new = json!({ "id": "voice", "name": " Voice ", "category": "channel", "internal_only": true });
    let created = operator.post(REGISTRY, &new).await;
    assert_eq!((created.status, created.header("location")), (201, Some("/api/v1/platform/modules/voice")));
    let whole = json!({ "id": "voice", "name": "Voice", "description": "", "category": "channel",
                        "is_always_on": false, "internal_only": true, "self_service": true, "position": 100 });
    assert_eq!(created.body, whole);
    let row = platform.last_audit().await;
    assert_eq!((&row["entity_type"], &row["entity_id"]), (&json!("module"), &json!("voice")));
    assert_eq!(row["details"], json!({ "before": null, "after": whole }));
    let path = format!("{REGISTRY}/voice");
    assert_eq!(platform.vendor().get(&path).await.body, whole);
    let changed = operator.patch(&path, &json!({ "internal_only": false, "position": 7, "id": "other" })).await;
    assert_eq!((changed.status, &changed.body["position"], &changed.body["id"]), (200, &json!(7), &json!("voice")));
    let details = json!({ "before": { "internal_only": true, "position": 100 },
                          "after": { "internal_only": false, "position": 7 } });
    assert_eq!(platform.last_audit().await["details"], details);
    let rows = platform.audit_rows().await;
    assert_eq!(operator.patch(&path, &json!({ "position": 7, "name": "Voice " })).await.body, changed.body);
    assert_eq!(platform.audit_rows().await, rows, "nothing changed");
    let taken = operator.post(REGISTRY, &new).await;
    assert_eq!((taken.status, taken.detail()), (409, "module_exists"));
    let unknown = operator.patch(&format!("{REGISTRY}/nope"), &json!({ "position": 1 })).await;
    assert_eq!((unknown.status, unknown.detail()), (404, "module_not_found"));
    assert_eq!(operator.get(&format!("{REGISTRY}/nope")).await.text, unknown.text);
}

#[tokio::test]
async fn bad_modules_are_refused_with_their_place() {
    let platform = Platform::start().await;
    let operator = platform.operator();
    for (field, value) in [
        ("id", json!("Voice")),
        ("id", json!("x".repeat(65))),
        ("name", json!(" ")),
        ("category", json!("")),
        ("category", json!("x".repeat(65))),
        ("description", json!("x".repeat(2001))),
        ("position", json!(-1)),
        ("position", json!(10_001)),
        ("is_always_on", json!("yes")),
    ] {
        let mut new = json!({ "id": "voice", "name": "Voice", "category": "channel" });
        new[field] = value;
        let answer = operator.post(REGISTRY, &new).await;
        assert_eq!((answer.status, answer.loc()), (422, vec!["body", field]), "{new}");
    }
    for path in [format!("{REGISTRY}/UPPER"), format!("{REGISTRY}/{}", "x".repeat(65))] {
        let answer = operator.get(&path).await;
        assert_eq!((answer.status, answer.loc()), (422, vec!["path", "module_id"]), "{path}");
    }
}

#[tokio::test]
async fn operators_and_vendors_switch_the_modules_of_a_tenant() {
    let (platform, one, other) = Platform::with_tenants().await;
    let path = format!("{}/audit_export", modules(one));
    for (client, actor, enabled, action) in [
        (platform.operator(), "operator", true, "tenant_module.activated"),
        (platform.vendor(), "vendor", false, "tenant_module.deactivated"),
    ] {
        let answer = client.put(&path, &json!({ "enabled": enabled })).await;
        assert_eq!(
            (answer.status, &answer.body["enabled"], &answer.body["id"]),
            (200, &json!(enabled), &json!("audit_export"))
        );
        let row = platform.last_audit().await;
        assert_eq!((&row["action"], &row["actor_role"]), (&json!(action), &json!(actor)));
        assert_eq!((&row["tenant_id"], &row["entity_id"]), (&json!(one.id), &json!("audit_export")));
        assert_eq!(row["details"], json!({ "before": { "enabled": !enabled }, "after": { "enabled": enabled } }));
        let tenant = client.get(&format!("/api/v1/tenants/me?tenant_id={}", one.id)).await;
        let has = tenant.body["enabled_modules"].as_array().unwrap().contains(&json!("audit_export"));
        assert_eq!(has, enabled);
    }
    let others = platform.operator().get(&modules(other)).await;
    assert_eq!(enabled(&others), ["chatbots", "branding"]);
}

#[tokio::test]
async fn nobody_switches_a_module_that_is_always_on() {
    let (platform, one, _) = Platform::with_tenants().await;
    let before = platform.audit_rows().await;
    let mut answers = Vec::new();
    for enabled in [true, false] {
        for client in [platform.operator(), platform.vendor()] {
            answers.push(client.put(&format!("{}/chatbots", modules(one)), &json!({ "enabled": enabled })).await);
        }
    }
    for verb in ["activate", "deactivate"] {
        answers.push(platform.admin(one.id).post(&own("chatbots", verb), &json!({})).await);
    }
    for answer in answers {
        assert_eq!((answer.status, answer.text.as_str()), (403, r#"{"detail":"module_always_on"}"#));
    }
    assert_eq!(platform.audit_rows().await, before);
}

#[tokio::test]
async fn switching_a_module_twice_writes_one_row() {
    let (platform, one, other) = Platform::with_tenants().await;
    let admin = platform.admin(one.id);
    for (verb, on, action) in
        [("activate", true, "tenant_module.activated"), ("deactivate", false, "tenant_module.deactivated")]
    {
        let rows = platform.audit_rows().await;
        for _ in 0..2 {
            let answer = admin.post(&own("feedback", verb), &json!({})).await;
            assert_eq!((answer.status, &answer.body["enabled"]), (200, &json!(on)));
        }
        assert_eq!(platform.audit_rows().await, rows + 1);
        let row = platform.last_audit().await;
        assert_eq!((&row["action"], &row["actor_role"]), (&json!(action), &json!("tenant")));
        let tenant = admin.get("/api/v1/tenants/me").await;
        assert_eq!(tenant.body["enabled_modules"].as_array().unwrap().contains(&json!("feedback")), on);
        assert_eq!(enabled(&admin.get(&modules(one)).await).contains(&"feedback"), on);
    }
    assert_eq!(enabled(&platform.admin(other.id).get(&modules(other)).await), ["chatbots", "branding"]);
    let refused = platform.viewer(one.id).post(&own("feedback", "activate"), &json!({})).await;
    assert_eq!((refused.status, refused.detail()), (403, "tenant_admin_required"));
}

#[tokio::test]
async fn internal_modules_do_not_exist_for_a_tenant() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (operator, admin) = (platform.operator(), platform.admin(one.id));
    let hidden =
        json!({ "id": "billing", "name": "Billing", "category": "core", "is_always_on": true, "internal_only": true });
    assert_eq!(operator.post(REGISTRY, &hidden).await.status, 201);
    let on = operator.put(&format!("{}/audit_export", modules(one)), &json!({ "enabled": true })).await;
    assert_eq!(on.status, 200);
    let rows = platform.audit_rows().await;
    for verb in ["activate", "deactivate"] {
        let unknown = admin.post(&own("no-such-module", verb), &json!({})).await;
        assert_eq!((unknown.status, unknown.text.as_str()), (404, r#"{"detail":"module_not_found"}"#));
        for internal in ["audit_export", "billing"] {
            let masked = admin.post(&own(internal, verb), &json!({})).await;
            assert_eq!((masked.status, &masked.text), (404, &unknown.text));
            let lengths = |answer: &TestResponse| answer.headers.get("content-length").cloned();
            assert_eq!(lengths(&masked), lengths(&unknown));
        }
    }
    assert_eq!(platform.audit_rows().await, rows);
    let list = admin.get(&format!("{}?sort=id", modules(one))).await;
    assert_eq!(ids(&list), ["analytics", "branding", "chatbots", "feedback", "knowledge_hub"]);
    assert_eq!(list.body["total"], 5);
    assert_eq!(ids(&admin.get(&format!("{}?q=audit", modules(one))).await), Vec::<&str>::new());
    let tenant = admin.get("/api/v1/tenants/me").await;
    assert_eq!(tenant.body["enabled_modules"], json!(["chatbots", "branding"]));
    let tenant_for_operator = operator.get(&format!("/api/v1/platform/tenants/{}", one.id)).await;
    let all = json!(["chatbots", "branding", "audit_export", "billing"]);
    assert_eq!(tenant_for_operator.body["enabled_modules"], all);
    assert_eq!(json!(enabled(&operator.get(&modules(one)).await)), all);
}

#[tokio::test]
async fn modules_of_other_tenants_are_not_found() {
    let (platform, one, other) = Platform::with_tenants().await;
    for (client, tenant) in [
        (platform.admin(one.id), other.id.to_string()),
        (platform.viewer(one.id), other.id.to_string()),
        (platform.operator(), Uuid::new_v4().to_string()),
        (platform.vendor(), Uuid::new_v4().to_string()),
    ] {
        let answer = client.get(&format!("/api/v1/tenants/{tenant}/modules")).await;
        assert_eq!((answer.status, answer.text.as_str()), (404, r#"{"detail":"tenant_not_found"}"#));
    }
    let unknown = format!("/api/v1/tenants/{}/modules", Uuid::new_v4());
    let toggled = platform.operator().put(&format!("{unknown}/feedback"), &json!({ "enabled": true })).await;
    assert_eq!((toggled.status, toggled.detail()), (404, "tenant_not_found"));
    let nothing = platform.operator().put(&format!("{}/nope", modules(one)), &json!({ "enabled": true })).await;
    assert_eq!((nothing.status, nothing.detail()), (404, "module_not_found"));
}

#[tokio::test]
async fn both_bulk_paths_replace_the_whole_set_of_optional_modules() {
    let (platform, one, other) = Platform::with_tenants().await;
    let id = one.id;
    let mut before = json!([]);
    for (path, client, set, on) in [
        (
            format!("/api/v1/tenants/{id}/modules/bulk"),
            platform.operator(),
            json!(["audit_export", "feedback"]),
            json!(["chatbots", "branding", "feedback", "audit_export"]),
        ),
        (
            format!("/api/v1/platform/tenants/{id}/modules/bulk"),
            platform.vendor(),
            json!(["chatbots", "analytics"]),
            json!(["chatbots", "branding", "analytics"]),
        ),
        (
            format!("/api/v1/platform/tenants/{id}/modules/bulk"),
            platform.operator(),
            json!([]),
            json!(["chatbots", "branding"]),
        ),
    ] {
        let rows = platform.audit_rows().await;
        let answer = client.post(&path, &json!({ "module_ids": set })).await;
        assert_eq!((answer.status, &answer.body), (200, &json!({ "module_ids": set })));
        assert_eq!(platform.audit_rows().await, rows + 1);
        let row = platform.last_audit().await;
        assert_eq!((&row["action"], &row["tenant_id"]), (&json!("tenant_module.bulk_assigned"), &json!(id)));
        assert_eq!(row["entity_id"], format!("bulk:{}", set.as_array().unwrap().len()));
        assert_eq!(row["details"]["after"], json!({ "module_ids": set }));
        assert_eq!(row["details"]["before"], json!({ "module_ids": before }));
        assert_eq!(json!(enabled(&platform.operator().get(&modules(one)).await)), on);
        let again = client.post(&path, &json!({ "module_ids": set })).await;
        assert_eq!((again.status, platform.audit_rows().await), (200, rows + 1), "the set is assigned already");
        before = set.as_array().unwrap().iter().filter(|id| *id != "chatbots").rev().cloned().collect();
    }
    assert_eq!(enabled(&platform.operator().get(&modules(other)).await), ["chatbots", "branding"]);
}

#[tokio::test]
async fn an_unknown_module_or_tenant_fails_the_whole_assignment() {
    let (platform, one, _) = Platform::with_tenants().await;
    let operator = platform.operator();
    for platform_path in ["", "/platform"] {
        let path = |tenant: &str| format!("/api/v1{platform_path}/tenants/{tenant}/modules/bulk");
        let own = path(&one.id.to_string());
        assert_eq!(operator.post(&own, &json!({ "module_ids": ["analytics"] })).await.status, 200);
        let rows = platform.audit_rows().await;
        let unknown = operator.post(&own, &json!({ "module_ids": ["feedback", "nope"] })).await;
        assert_eq!((unknown.status, unknown.detail()), (404, "module_not_found"));
        let missing = operator.post(&path(&Uuid::new_v4().to_string()), &json!({ "module_ids": ["feedback"] })).await;
        assert_eq!((missing.status, missing.detail()), (404, "tenant_not_found"));
        let many: Vec<String> = (0..201).map(|number| format!("m{number}")).collect();
        for (bad, loc) in [
            (json!(["feedback", "feedback"]), vec!["body", "module_ids", "1"]),
            (json!(["Feedback"]), vec!["body", "module_ids", "0"]),
            (json!(many), vec!["body", "module_ids"]),
            (Value::Null, vec!["body", "module_ids"]),
        ] {
            let answer = operator.post(&own, &json!({ "module_ids": bad })).await;
            assert_eq!((answer.status, answer.loc()), (422, loc), "{bad}");
        }
        assert_eq!(platform.audit_rows().await, rows);
        assert_eq!(enabled(&operator.get(&modules(one)).await), ["chatbots", "branding", "analytics"]);
    }
}

#[tokio::test]
async fn an_optional_module_returns_to_tenants_that_chose_it() {
    let (platform, one, other) = Platform::with_tenants().await;
    let operator = platform.operator();
    let chosen = operator.put(&format!("{}/feedback", modules(one)), &json!({ "enabled": true })).await;
    assert_eq!(chosen.status, 200);
    let path = format!("{REGISTRY}/feedback");
    assert_eq!(operator.patch(&path, &json!({ "is_always_on": true })).await.status, 200);
    for tenant in [one, other] {
        assert_eq!(enabled(&operator.get(&modules(tenant)).await), ["chatbots", "branding", "feedback"]);
    }
    let rows = platform.audit_rows().await;
    let bulk = format!("{}/bulk", modules(one));
    assert_eq!(operator.post(&bulk, &json!({ "module_ids": [] })).await.status, 200);
    assert_eq!(platform.audit_rows().await, rows, "no optional module was on");
    assert_eq!(operator.patch(&path, &json!({ "is_always_on": false })).await.status, 200);
    assert_eq!(enabled(&operator.get(&modules(one)).await), ["chatbots", "branding", "feedback"]);
    assert_eq!(enabled(&operator.get(&modules(other)).await), ["chatbots", "branding"]);
}

#[tokio::test]
async fn concurrent_switches_write_one_row_for_each_change() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (operator, admin) = (platform.operator(), platform.admin(one.id));
    let (path, bulk) = (format!("{}/feedback", modules(one)), format!("{}/bulk", modules(one)));
    for _ in 0..5 {
        let rows = platform.audit_rows().await;
        let (activate, on) = (own("feedback", "activate"), json!({ "enabled": true }));
        let nothing = json!({});
        let (a, b, c) =
            tokio::join!(operator.put(&path, &on), admin.post(&activate, &nothing), operator.put(&path, &on));
        assert_eq!([a.status, b.status, c.status], [200; 3]);
        assert_eq!(platform.audit_rows().await, rows + 1);
        let set = json!({ "module_ids": ["analytics"] });
        let (a, b) = tokio::join!(operator.post(&bulk, &set), operator.post(&bulk, &set));
        assert_eq!([a.status, b.status], [200; 2]);
        assert_eq!(platform.audit_rows().await, rows + 2);
        assert_eq!(operator.post(&bulk, &json!({ "module_ids": [] })).await.status, 200);
    }
}

#[tokio::test]
async fn replaying_the_log_gives_the_state_after_concurrent_changes() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (operator, admin) = (platform.operator(), platform.admin(one.id));
    let bulk = format!("{}/bulk", modules(one));
    let (set, none) = (json!({ "module_ids": ["feedback", "analytics"] }), json!({ "module_ids": [] }));
    let (on, off, nothing) = (own("feedback", "activate"), own("feedback", "deactivate"), json!({}));
    for _ in 0..5 {
        tokio::join!(
            operator.post(&bulk, &set),
            admin.post(&off, &nothing),
            operator.post(&bulk, &none),
            admin.post(&on, &nothing),
        );
    }
    let rows = sqlx::query(
        "select action, details from platform_audit_log where entity_type = 'tenant_module' order by occurred_at, id",
    )
    .fetch_all(platform.everything())
    .await
    .unwrap();
    let mut state: Vec<String> = Vec::new();
    for row in rows {
        let (action, details): (String, Value) = (row.get(0), row.get(1));
        if action == "tenant_module.bulk_assigned" {
            assert_eq!(details["before"]["module_ids"], json!(state));
            state = serde_json::from_value(details["after"]["module_ids"].clone()).unwrap();
            continue;
        }
        assert_eq!(details["before"]["enabled"], json!(state.iter().any(|id| id == "feedback")));
        state.retain(|id| id != "feedback");
        if action == "tenant_module.activated" {
            state.insert(0, "feedback".to_owned());
        }
    }
    let modules_listed = operator.get(&modules(one)).await;
    let optional: Vec<_> = enabled(&modules_listed).into_iter().skip(2).collect();
    assert_eq!(optional, state);
}

//! Exactly one row per mutation, with its action, actor, tenant, chatbot, entity, before and after.

use contract::{api_keys::KeyScope, endpoint::EndpointInfo, table};
use serde_json::{Value, json};

use super::expected::{actions, expected};
use crate::{
    matrix::{
        ids,
        lines::{line, with_body},
    },
    mutations::{mutate, prepare},
    support::{Client, Platform, World, send},
};

/// What a bulk row lists after the change only (specification, Events).
const LISTED: &str = "tenant_ids";

#[tokio::test]
async fn every_mutation_writes_exactly_one_complete_row() {
    for endpoint in table().iter().filter(|endpoint| !actions(endpoint).is_empty()) {
        let platform = Platform::start().await;
        let tenant = platform.add_tenant("one").await;
        let prepared = prepare(&platform, tenant, endpoint).await;
        let before = platform.audit_rows().await;
        let answer = mutate(&platform, tenant, &prepared, endpoint).await;
        assert_eq!(answer.status, endpoint.status, "{}: {answer:?}", endpoint.name);
        assert_eq!(answer.header("location").is_some(), endpoint.status == 201, "{}: {answer:?}", endpoint.name);
        assert_eq!(platform.audit_rows().await, before + 1, "{}", endpoint.name);
        let row = platform.last_audit().await;
        let chatbot = json!(prepared.chatbot(tenant));
        let want = expected(endpoint, tenant, chatbot, &prepared, &answer);
        let action = actions(endpoint)[0];
        let session = if want.actor_role == "anonymous" { prepared.session_id.clone() } else { json!("session-1") };
        for (field, value) in [
            ("action", json!(action)),
            ("entity_type", json!(action.split('.').next())),
            ("entity_id", want.entity_id),
            ("actor_role", json!(want.actor_role)),
            ("actor_user", json!(want.actor_user)),
            ("actor_idp_id", Value::Null),
            ("tenant_id", want.tenant_id),
            ("chatbot_id", want.chatbot_id),
            ("ip_address", json!("127.0.0.1")),
            ("session_id", session),
        ] {
            assert_eq!(row[field], value, "{}: {field} of {row}", endpoint.name);
        }
        check_details(action, &row["details"], &want.before, &want.after);
        assert_names_nobody(endpoint, &row);
    }
}

/// Names and addresses of people are not in the log, except for their user names.
fn assert_names_nobody(endpoint: &EndpointInfo, row: &Value) {
    let text = row.to_string();
    let of_anybody = ["Meyer", "anna@example.com", "fresh@example.com"];
    // Other things have such names, too.
    let of_people: &[&str] =
        if endpoint.path.contains("/people") { &["Pat", "Fresh", "Person", "Renamed"] } else { &[] };
    for name in of_anybody.iter().chain(of_people) {
        assert!(!text.contains(name), "{}: {name} in {row}", endpoint.name);
    }
}

/// The expected fields are present, and a change contains changed fields only.
fn check_details(action: &str, details: &Value, before: &Value, after: &Value) {
    for (side, want) in [("before", before), ("after", after)] {
        if want.is_null() {
            assert!(details.get(side).is_some_and(Value::is_null), "{action}: {side} of {details}");
        }
        for (field, value) in want.as_object().into_iter().flatten() {
            assert_eq!(&details[side][field], value, "{action}: {side}.{field} of {details}");
        }
    }
    if before.is_null() || after.is_null() {
        return;
    }
    let (was, mut is) = (details["before"].as_object().unwrap(), details["after"].as_object().unwrap().clone());
    if action.contains(".bulk_soft_deleted") {
        assert!(is.remove(LISTED).is_some(), "{action}: {details}");
    }
    assert_eq!(was.keys().collect::<Vec<_>>(), is.keys().collect::<Vec<_>>(), "{action}: {details}");
    for field in was.keys() {
        assert_ne!(was[field], is[field], "{action}: {field} did not change: {details}");
    }
}

#[tokio::test]
async fn the_actor_is_whoever_called_for_every_principal_that_may() {
    for endpoint in table().iter().filter(|endpoint| !actions(endpoint).is_empty()) {
        for principal in ["operator", "vendor", "tenant", "anonymous", "key"] {
            if !may_call(endpoint, principal) {
                continue;
            }
            let world = World::start_after(prior(endpoint.name)).await;
            let client = client(&world, principal).await;
            if endpoint.name.contains("Out") {
                assert_eq!(world.platform.sign_in(world.one.person, "resident-one").await.status(), 200);
            }
            let before = world.platform.audit_rows().await;
            let answer = send(request(&world, &client, endpoint)).await;
            assert_eq!(answer.status, endpoint.status, "{} as {principal}: {answer:?}", endpoint.name);
            assert_eq!(world.platform.audit_rows().await, before + 1, "{} as {principal}", endpoint.name);
            let row = world.platform.last_audit().await;
            let is_key = principal == "key";
            assert_eq!(row["actor_role"], if is_key { "tenant" } else { principal }, "{}: {row}", endpoint.name);
            let user = row["actor_user"].as_str().unwrap();
            assert_eq!(user.starts_with("key:Test "), is_key, "{}: {row}", endpoint.name);
            assert!(actions(endpoint).contains(&row["action"].as_str().unwrap()), "{}: {row}", endpoint.name);
            assert_names_nobody(endpoint, &row);
        }
    }
}

/// SQL that must run before the matrix' call changes something.
fn prior(endpoint: &str) -> &'static str {
    match endpoint {
        "ActivateModule" | "SetTenantModule" => "delete from tenant_modules",
        "SetFeedbackHandled" => "update chatbot_feedback set handled_at = null, handled_by = null",
        "SetQuestionHandled" => "delete from handled_questions",
        "DeleteDocuments" => "update uploads set external_id = 'b.md'",
        "ReadWebsite" => "update chatbot_sources set kind = 'website' where kind = 'upload'",
        "ProvisionChatbot" => "update chatbots set provisioning = 'failed'",
        "ReactivateTemplate" => "update chatbot_templates set status = 'deactivated'",
        "ReactivateChatbot" | "EraseChatbot" => "update chatbots set status = 'deactivated', deactivated_at = now()",
        _ => "select 1",
    }
}

fn may_call(endpoint: &EndpointInfo, principal: &str) -> bool {
    use contract::Access;
    if principal == "key" {
        return endpoint.key_scope.is_some();
    }
    match endpoint.access {
        Access::Public => true,
        Access::Widget => principal == "anonymous",
        Access::AnyScope | Access::AnyWriter => principal != "anonymous",
        Access::Operator => principal == "operator",
        Access::OperatorOrVendor => matches!(principal, "operator" | "vendor"),
        Access::Tenant | Access::TenantAdmin => principal == "tenant",
    }
}

async fn client<'a>(world: &'a World, principal: &str) -> Client<'a> {
    match principal {
        "key" => world.platform.bearer(&world.platform.api_key(world.one.tenant, KeyScope::ALL).await),
        "operator" => world.platform.operator(),
        "vendor" => world.platform.vendor(),
        "tenant" => world.platform.admin(world.one.tenant),
        _ => world.platform.widget(),
    }
}

/// The matrix' good call with the first tenant's ids.
fn request(world: &World, client: &Client<'_>, endpoint: &EndpointInfo) -> reqwest::RequestBuilder {
    let (query, body) = line(endpoint).unwrap();
    let choice = ids::own(&ids::SLOTS);
    let fill = |text: &str| ids::fill(text, &choice, world.one, world.other);
    let request = client.request(endpoint.method.as_str(), &fill(&format!("{}{query}", endpoint.path)));
    with_body(request, &body, fill)
}

#[tokio::test]
async fn reads_and_exempt_calls_that_succeed_write_no_row() {
    let world = World::start().await;
    let key = client(&world, "key").await;
    let before = world.platform.audit_rows().await;
    let silent = |endpoint: &EndpointInfo| {
        use contract::endpoint::Audit;
        matches!(endpoint.audit, Audit::Reads | Audit::Exempt(_))
    };
    for endpoint in table().iter().filter(|endpoint| silent(endpoint)) {
        for principal in ["operator", "vendor", "tenant", "anonymous", "key"] {
            if may_call(endpoint, principal) {
                let caller = if principal == "key" { &key } else { &client(&world, principal).await };
                let answer = send(request(&world, caller, endpoint)).await;
                assert_eq!(answer.status, endpoint.status, "{} as {principal}: {answer:?}", endpoint.name);
            }
        }
        assert_eq!(world.platform.audit_rows().await, before, "{}", endpoint.name);
    }
}

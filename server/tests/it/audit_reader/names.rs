//! The names in rows of the log: of tenants, chatbots, templates and modules as they are today, and of nothing else.

use contract::{ChatbotId, TenantId};
use serde_json::{Value, json};

use super::PATH;
use crate::support::{Client, Platform, Tenant, World};

/// The newest row that the filters let through, which is the same alone and in the list.
async fn row(client: &Client<'_>, query: &str) -> Value {
    let answer = client.get(&format!("{PATH}?{query}&limit=1")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let listed = answer.body["items"][0].clone();
    let id = listed["id"].as_str().unwrap_or_else(|| panic!("{query}: {answer:?}"));
    assert_eq!(client.get(&format!("{PATH}/{id}")).await.body, listed, "{query}");
    listed
}

/// The names of tenant, chatbot and thing.
fn names(row: &Value) -> [Value; 3] {
    ["tenant_name", "chatbot_name", "entity_name"].map(|name| row[name].clone())
}

/// A row that only a bug of the platform could have written.
async fn forge(platform: &Platform, tenant: TenantId, chatbot: Option<ChatbotId>, entity: (&str, &str)) {
    sqlx::query(
        "insert into platform_audit_log (id, actor_role, actor_user, tenant_id, chatbot_id, action, entity_type, entity_id)
         values (gen_random_uuid(), 'tenant', 'forger', $1, $2, 'thing.made', $3, $4)",
    )
    .bind(tenant.0)
    .bind(chatbot.map(|id| id.0))
    .bind(entity.0)
    .bind(entity.1)
    .execute(platform.everything())
    .await
    .unwrap();
}

async fn rename(platform: &Platform, tenant: Tenant, chatbot: &str) {
    let path = format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot);
    let answer = platform.admin(tenant.id).patch(&path, &json!({ "name": chatbot })).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

#[tokio::test]
async fn rows_name_tenant_chatbot_and_thing_as_they_are_today() {
    let (platform, one, _) = Platform::with_tenants().await;
    rename(&platform, one, "Bakery helper").await;
    let module = format!("/api/v1/tenants/{}/modules/feedback", one.id);
    let switched = platform.operator().put(&module, &json!({ "enabled": true })).await;
    assert_eq!(switched.status, 200, "{switched:?}");
    let (tenant, helper) = (json!("one"), json!("Bakery helper"));
    for client in [platform.operator(), platform.vendor()] {
        let creation = row(&client, &format!("action=chatbot.created&tenant_id={}", one.id)).await;
        assert_eq!(names(&creation), [tenant.clone(), helper.clone(), helper.clone()]);
        let branded = row(&client, &format!("action=tenant_branding.updated&tenant_id={}", one.id)).await;
        assert_eq!(names(&branded), [tenant.clone(), Value::Null, tenant.clone()]);
        let switched = row(&client, &format!("action=tenant_module.activated&tenant_id={}", one.id)).await;
        assert_eq!(names(&switched), [tenant.clone(), Value::Null, json!("Feedback")]);
        let searched = row(&client, &format!("json_search=%22slug%22:%20%22help%22&tenant_id={}", one.id)).await;
        assert_eq!(names(&searched), [tenant.clone(), helper.clone(), helper.clone()]);
    }
}

#[tokio::test]
async fn templates_and_modules_of_the_registry_have_names() {
    let platform = Platform::start().await;
    let operator = platform.operator();
    let template = json!({ "id": "support-en", "language": "en", "name": "Support" });
    assert_eq!(operator.post("/api/v1/operator/templates", &template).await.status, 201);
    let module = json!({ "id": "forms", "name": "Forms", "category": "insight" });
    let response = operator.post("/api/v1/platform/modules", &module).await;
    assert_eq!(response.status, 201, "{response:?}");
    assert_eq!(names(&row(&operator, "entity_id=support-en").await), [Value::Null, Value::Null, json!("Support")]);
    assert_eq!(names(&row(&operator, "entity_id=forms").await), [Value::Null, Value::Null, json!("Forms")]);
}

#[tokio::test]
async fn a_deleted_tenant_is_named_by_its_deletion_alone() {
    let (platform, one, other) = Platform::with_tenants().await;
    let operator = platform.operator();
    assert_eq!(operator.delete(&format!("/api/v1/platform/tenants/{}", one.id)).await.status, 204);
    let none = [Value::Null, Value::Null, Value::Null];
    let deletion = row(&operator, &format!("entity_id={}&action=tenant.soft_deleted", one.id)).await;
    assert_eq!(names(&deletion), [Value::Null, Value::Null, json!("one")]);
    assert_eq!(names(&row(&operator, &format!("action=chatbot.created&tenant_id={}", one.id)).await), none);
    let creation = row(&operator, &format!("action=chatbot.created&tenant_id={}", other.id)).await;
    assert_eq!(names(&creation), [json!("other"), json!("Help"), json!("Help")]);
}

#[tokio::test]
async fn a_row_of_one_tenant_never_names_what_is_anothers() {
    let (platform, one, other) = Platform::with_tenants().await;
    let (tenant, chatbot) = (other.id.to_string(), other.chatbot.to_string());
    rename(&platform, other, "Not for others").await;
    let operator = platform.operator();
    for (of, entity) in [
        (Some(other.chatbot), ("chatbot", chatbot.as_str())),
        (Some(other.chatbot), ("chatbot_branding", chatbot.as_str())),
        (Some(one.chatbot), ("chatbot", chatbot.as_str())),
        (None, ("chatbot", chatbot.as_str())),
        (None, ("tenant", tenant.as_str())),
        (None, ("tenant_branding", tenant.as_str())),
    ] {
        forge(&platform, one.id, of, entity).await;
        let own = if of == Some(one.chatbot) { json!("Help") } else { Value::Null };
        let [tenant, chatbot, thing] = names(&row(&operator, "actor_user=forger").await);
        assert_eq!([tenant, chatbot, thing], [json!("one"), own, Value::Null], "{entity:?}");
    }
}

#[tokio::test]
async fn what_tenants_wrote_has_no_name_in_the_log() {
    let world = World::start().await;
    let (tenant, chatbot) = (world.other.tenant, world.other.chatbot);
    let operator = world.platform.operator();
    for (entity, id) in [
        ("chatbot_document", world.other.external_id.to_owned()),
        ("chatbot_document", world.other.version.to_string()),
        ("chatbot_source", world.other.source.to_string()),
        ("chatbot_faq", world.other.faq.to_string()),
        ("chatbot_feedback", world.other.feedback.to_string()),
        ("chat_session", world.other.session.to_string()),
        ("knowledge_bookmark", world.other.bookmark.to_string()),
        ("knowledge_saved_search", world.other.saved_search.to_string()),
    ] {
        forge(&world.platform, tenant, Some(chatbot), (entity, &id)).await;
        let row = row(&operator, &format!("actor_user=forger&entity_type={entity}")).await;
        assert_eq!((&row["entity_id"], &row["entity_name"]), (&json!(id), &Value::Null), "{entity}");
    }
}

//! Replays the audit log and compares it with the tables: each row must begin with the state in which the one before
//! ended, and the last one must end with the state of the table. A mutation without a row, or a row without a mutation,
//! breaks the chain.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use sqlx::PgPool;

use super::stream::Stream;

type Entities = BTreeMap<String, Map<String, Value>>;

/// Compares log and tables.
pub async fn check(pool: &PgPool, stream: &Stream) {
    let mut entities: BTreeMap<String, Entities> = BTreeMap::new();
    let rows: Vec<(String, String, Value)> =
        sqlx::query_as("select action, entity_id, details from platform_audit_log order by occurred_at, id")
            .fetch_all(pool)
            .await
            .unwrap();
    for (action, id, details) in &rows {
        let entity = entities.entry(action.split('.').next().unwrap().to_owned()).or_default();
        replay(entity, action, id, details);
    }
    for kind in ["tenant", "chatbot", "tenant_branding", "tenant_module", "chatbot_feedback"] {
        let logged = entities.remove(kind).unwrap_or_default();
        compare(kind, &logged, &standing(pool, kind).await);
    }
    assert!(entities.is_empty(), "actions of an unknown kind: {:?}", entities.keys());
    let stored_ids: Vec<String> = sqlx::query_scalar(
        "select id::text from tenants union all select id::text from chatbots union all select id::text from chatbot_feedback",
    )
    .fetch_all(pool)
    .await
    .unwrap();
    let stored_ids: BTreeSet<_> = stored_ids.into_iter().collect();
    let lost: Vec<_> = stream.created_ids.lock().unwrap().difference(&stored_ids).cloned().collect();
    assert!(lost.is_empty(), "answered and lost: {lost:?}");
    collections_are_whole(pool).await;
}

fn replay(entities: &mut Entities, action: &str, id: &str, details: &Value) {
    let after = details["after"].as_object().unwrap_or_else(|| panic!("{action} {id}: {details}"));
    let Some(before) = details["before"].as_object() else {
        assert!(entities.insert(id.to_owned(), after.clone()).is_none(), "{action} {id} twice");
        return;
    };
    let entity = entities.entry(id.to_owned()).or_default();
    for (field, value) in before {
        // Branding and modules have no creation row: initially they are empty.
        let was = entity.get(field).cloned().unwrap_or_else(|| nothing(action, field));
        assert_eq!(&was, value, "{action} {id}: {field} began elsewhere than the row before ended");
    }
    entity.extend(after.clone());
}

fn nothing(action: &str, field: &str) -> Value {
    match (action.split('.').next(), field) {
        (Some("tenant_module"), "enabled") => json!(false),
        (Some("tenant_branding"), "allowed_origins") => json!([]),
        _ => Value::Null,
    }
}

/// Every entity of the log exists with the fields that the stream changes, and no other entity exists.
fn compare(kind: &str, logged: &Entities, standing: &Entities) {
    let (logged_ids, ids): (BTreeSet<_>, BTreeSet<_>) = (logged.keys().collect(), standing.keys().collect());
    assert_eq!(logged_ids, ids, "{kind}: in the log, and in the table");
    for (id, fields) in standing {
        for (field, value) in fields {
            let last = logged[id].get(field).cloned().unwrap_or_else(|| nothing(kind, field));
            assert_eq!(&last, value, "{kind} {id}: {field} in the log, and in the table");
        }
    }
}

/// The fields that the stream changes, as the tables have them.
async fn standing(pool: &PgPool, kind: &str) -> Entities {
    let sql = match kind {
        "tenant" => "select id::text, jsonb_build_object('slug', slug, 'display_name', display_name) from tenants",
        "chatbot" => "select id::text, jsonb_build_object('slug', slug, 'name', name) from chatbots",
        "tenant_branding" => {
            "select tenant_id::text, jsonb_build_object('header_title', fields -> 'header_title') from tenant_branding"
        }
        // A disabled module has no row, but the log has it.
        "tenant_module" => {
            "select l.entity_id, jsonb_build_object('enabled', exists (
                        select from tenant_modules m where m.tenant_id = l.tenant_id and m.module_id = l.entity_id))
             from (select distinct tenant_id, entity_id from platform_audit_log where entity_type = 'tenant_module') l"
        }
        _ => "select id::text, jsonb_build_object('rating', rating) from chatbot_feedback",
    };
    let rows: Vec<(String, Value)> = sqlx::query_as(sql).fetch_all(pool).await.unwrap();
    rows.into_iter().map(|(id, fields)| (id, fields.as_object().cloned().unwrap())).collect()
}

/// Every chatbot has its collection, and every collection its chatbot.
async fn collections_are_whole(pool: &PgPool) {
    let odd: Vec<String> = sqlx::query_scalar(
        "select coalesce(c.vector_collection, p.name)
         from chatbots c
         full join (select inhrelid::regclass::text as name from pg_inherits where inhparent = 'passages'::regclass) p
              on p.name = c.vector_collection
         where c.id is null or p.name is null",
    )
    .fetch_all(pool)
    .await
    .unwrap();
    assert!(odd.is_empty(), "a chatbot without a collection, or the other way round: {odd:?}");
}

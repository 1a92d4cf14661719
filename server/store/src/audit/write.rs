//! Rows of the platform audit log (specification, Events).

use std::net::IpAddr;

use contract::{ChatbotId, TenantId};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

/// The author of a change, and where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// `operator`, `vendor`, `tenant` or `anonymous`.
    pub role: &'static str,
    /// The user name; `widget` for anonymous callers.
    pub user: String,
    pub ip_address: Option<IpAddr>,
    /// The session at the identity provider, or of the widget.
    pub session_id: Option<String>,
}

/// A row to write to the audit log.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    pub actor: Actor,
    pub tenant_id: Option<TenantId>,
    pub chatbot_id: Option<ChatbotId>,
    /// The action, for example `tenant.created`.
    pub action: &'static str,
    /// The kind of thing that changed, for example `tenant`.
    pub entity_type: &'static str,
    /// The id of the thing, or `bulk:<count>`.
    pub entity_id: String,
    /// What changed: `before` and `after` with the changed fields only.
    pub details: Value,
}

/// The details of a creation: `before` is null, `after` is the whole thing.
pub fn created(after: &impl serde::Serialize) -> Value {
    json!({ "before": null, "after": serde_json::to_value(after).unwrap_or(Value::Null) })
}

/// The details of a change: the fields that differ, before and after. `None` when nothing differs;
/// `updated_at` does not count as a change.
pub fn changed<T: serde::Serialize>(before: &T, after: &T) -> Option<Value> {
    let object = |value: &T| match serde_json::to_value(value) {
        Ok(Value::Object(map)) => map,
        _ => Map::new(),
    };
    let (before, after) = (object(before), object(after));
    let (mut old, mut new) = (Map::new(), Map::new());
    for key in before.keys().chain(after.keys()) {
        let (was, is) = (before.get(key), after.get(key));
        if key != "updated_at" && was != is {
            old.insert(key.clone(), was.cloned().unwrap_or(Value::Null));
            new.insert(key.clone(), is.cloned().unwrap_or(Value::Null));
        }
    }
    (!new.is_empty()).then(|| json!({ "before": old, "after": new }))
}

pub(crate) async fn insert(connection: &mut PgConnection, entry: &AuditEntry) -> Result<()> {
    sqlx::query(
        "insert into platform_audit_log (id, actor_role, actor_user, tenant_id, chatbot_id, action, entity_type,
                                         entity_id, ip_address, session_id, details)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(Uuid::now_v7())
    .bind(entry.actor.role)
    .bind(&entry.actor.user)
    .bind(entry.tenant_id.map(|id| id.0))
    .bind(entry.chatbot_id.map(|id| id.0))
    .bind(entry.action)
    .bind(entry.entity_type)
    .bind(&entry.entity_id)
    .bind(entry.actor.ip_address.map(|ip| ip.to_string()))
    .bind(&entry.actor.session_id)
    .bind(&entry.details)
    .execute(connection)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_names_the_changed_fields_only() {
        let before = json!({ "a": 1, "b": 2, "updated_at": "x" });
        let after = json!({ "a": 1, "b": 3, "updated_at": "y" });
        assert_eq!(changed(&before, &after), Some(json!({ "before": { "b": 2 }, "after": { "b": 3 } })));
        assert_eq!(changed(&before, &json!({ "a": 1, "b": 2, "updated_at": "z" })), None);
    }
}

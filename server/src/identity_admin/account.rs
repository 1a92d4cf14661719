//! An account of the provider.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use contract::{PersonId, TenantId};
use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::Value;

/// A person as the provider has it.
#[derive(Debug, Clone)]
pub struct Account {
    pub id: PersonId,
    pub username: String,
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    pub is_enabled: bool,
    /// Whether the password was assigned and must be changed.
    pub must_change_password: bool,
    pub created_at: Option<DateTime<Utc>>,
    /// When all sessions were last ended, in seconds since 1970; tokens from before are no longer good.
    pub(super) not_before: i64,
    tenants: Vec<String>,
    is_of_client: bool,
    /// The provider's whole representation, which is written back with changes.
    pub(super) whole: Value,
}

impl Account {
    /// Whether the person belongs to a tenant and to no other, and is not an account of a client.
    pub fn is_of(&self, tenant: TenantId) -> bool {
        !self.is_of_client && self.has_only(tenant)
    }

    /// Whether the account, a person's or a client's, has this tenant and no other.
    pub(super) fn has_only(&self, tenant: TenantId) -> bool {
        matches!(&*self.tenants, [only] if *only == tenant.to_string())
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wire {
    id: PersonId,
    username: String,
    email: Option<String>,
    first_name: Option<String>,
    last_name: Option<String>,
    #[serde(default)]
    enabled: bool,
    created_timestamp: Option<i64>,
    #[serde(default)]
    not_before: i64,
    #[serde(default)]
    required_actions: Vec<String>,
    #[serde(default)]
    attributes: BTreeMap<String, Vec<String>>,
    service_account_client_id: Option<String>,
}

impl<'de> Deserialize<'de> for Account {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let whole = Value::deserialize(deserializer)?;
        let wire = Wire::deserialize(&whole).map_err(D::Error::custom)?;
        let is_of_client =
            wire.service_account_client_id.is_some() || wire.username.starts_with(super::SERVICE_ACCOUNT);
        Ok(Self {
            id: wire.id,
            username: wire.username,
            email: wire.email.unwrap_or_default(),
            first_name: wire.first_name.unwrap_or_default(),
            last_name: wire.last_name.unwrap_or_default(),
            is_enabled: wire.enabled,
            must_change_password: wire.required_actions.iter().any(|action| action == super::CHOOSE_PASSWORD),
            created_at: wire.created_timestamp.filter(|at| *at > 0).and_then(DateTime::from_timestamp_millis),
            not_before: wire.not_before,
            tenants: wire.attributes.get("tenant_id").cloned().unwrap_or_default(),
            is_of_client,
            whole,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_people_of_exactly_this_tenant_belong_to_it() {
        let (own, other) = (TenantId(uuid::Uuid::from_u128(1)), TenantId(uuid::Uuid::from_u128(2)));
        let account = |name: &str, tenants: Value| -> Account {
            let value = json!({ "id": uuid::Uuid::nil(), "username": name, "attributes": { "tenant_id": tenants } });
            serde_json::from_value(value).unwrap()
        };
        assert!(account("anna", json!([own])).is_of(own));
        assert!(!account("anna", json!([other])).is_of(own));
        assert!(!account("anna", json!([own, other])).is_of(own));
        assert!(!account("anna", json!([])).is_of(own));
        assert!(!account("service-account-svc-api", json!([own])).is_of(own));
    }
}

//! The description of a person in a change and its audit row: role and state, and short hashes of texts.

use contract::{TenantId, people::PersonRole};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::{hex, identity_admin::Account};

/// The parts of a person that can change.
pub(super) fn of(account: &Account, role: Option<PersonRole>) -> Map<String, Value> {
    let text = |name: &str, value: &str| (name.to_owned(), json!(fingerprint(name, value)));
    Map::from_iter([
        text("first_name", &account.first_name),
        text("last_name", &account.last_name),
        text("email", &account.email),
        ("role".to_owned(), json!(role)),
        ("is_active".to_owned(), json!(account.is_enabled)),
    ])
}

/// The fields of `snapshot` that `of` has.
pub(super) fn only(snapshot: &Map<String, Value>, of: &Value) -> Value {
    let names = of.as_object().into_iter().flat_map(Map::keys);
    names.map(|name| (name.clone(), snapshot.get(name).cloned().unwrap_or_default())).collect::<Map<_, _>>().into()
}

/// The hash under which a removed person's name is retired in a tenant.
pub(super) fn retired_hash(tenant: TenantId, username: &str) -> String {
    fingerprint("username", &format!("{tenant}\n{username}"))
}

/// The hashes under which a name may be retired: in the tenant, and in all tenants by version 2.0.0.
pub(super) fn retired_hashes(tenant: TenantId, username: &str) -> [String; 2] {
    [retired_hash(tenant, username), fingerprint("username", username)]
}

/// A short hash of a text, which reveals whether it changed but not what it is.
pub(super) fn fingerprint(name: &str, value: &str) -> String {
    hex::encode(&Sha256::digest(format!("{name}\n{value}"))[..16])
}

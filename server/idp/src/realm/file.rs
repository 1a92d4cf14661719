//! The supported part of Keycloak's realm file format; everything else is ignored.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, de::Error as _};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RealmFile {
    pub(super) realm: String,
    #[serde(default)]
    pub(super) display_name: Option<String>,
    /// `displayName.de` is the German name; Keycloak stores attributes but does not use this one.
    #[serde(default)]
    pub(super) attributes: BTreeMap<String, String>,
    #[serde(default = "failure_factor")]
    pub(super) failure_factor: u32,
    #[serde(default = "one_minute")]
    pub(super) wait_increment_seconds: i64,
    #[serde(default = "five_minutes")]
    pub(super) access_token_lifespan: i64,
    #[serde(default = "half_an_hour")]
    pub(super) sso_session_idle_timeout: i64,
    #[serde(default = "ten_hours")]
    pub(super) sso_session_max_lifespan: i64,
    #[serde(default = "one_minute")]
    pub(super) access_code_lifespan: i64,
    #[serde(default = "half_an_hour")]
    pub(super) access_code_lifespan_login: i64,
    #[serde(default)]
    pub(super) password_policy: Option<String>,
    #[serde(default)]
    pub(super) roles: Roles,
    #[serde(default)]
    pub(super) client_scopes: Vec<ScopeEntry>,
    #[serde(default)]
    pub(super) clients: Vec<ClientEntry>,
    #[serde(default)]
    pub(super) users: Vec<UserEntry>,
}

#[derive(Deserialize, Default)]
pub(super) struct Roles {
    #[serde(default)]
    pub(super) realm: Vec<Role>,
}

#[derive(Deserialize)]
pub(super) struct Role {
    pub(super) name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ScopeEntry {
    pub(super) name: String,
    #[serde(default)]
    pub(super) attributes: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) protocol_mappers: Vec<MapperEntry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MapperEntry {
    pub(super) name: String,
    pub(super) protocol_mapper: String,
    #[serde(default)]
    pub(super) config: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ClientEntry {
    pub(super) client_id: String,
    #[serde(default = "default_true", deserialize_with = "boolean")]
    pub(super) enabled: bool,
    #[serde(default, deserialize_with = "boolean")]
    pub(super) public_client: bool,
    #[serde(default)]
    pub(super) secret: Option<String>,
    #[serde(default = "default_true", deserialize_with = "boolean")]
    pub(super) standard_flow_enabled: bool,
    #[serde(default, deserialize_with = "boolean")]
    pub(super) direct_access_grants_enabled: bool,
    #[serde(default, deserialize_with = "boolean")]
    pub(super) service_accounts_enabled: bool,
    #[serde(default)]
    pub(super) redirect_uris: Vec<String>,
    #[serde(default)]
    pub(super) web_origins: Vec<String>,
    #[serde(default)]
    pub(super) attributes: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) default_client_scopes: Vec<String>,
    #[serde(default)]
    pub(super) optional_client_scopes: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UserEntry {
    #[serde(default)]
    pub(super) id: Option<String>,
    pub(super) username: String,
    #[serde(default, deserialize_with = "boolean")]
    pub(super) enabled: bool,
    #[serde(default)]
    pub(super) email: Option<String>,
    #[serde(default)]
    pub(super) first_name: Option<String>,
    #[serde(default)]
    pub(super) last_name: Option<String>,
    #[serde(default)]
    pub(super) service_account_client_id: Option<String>,
    #[serde(default)]
    pub(super) attributes: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub(super) credentials: Vec<Credential>,
    #[serde(default)]
    pub(super) realm_roles: Vec<String>,
    #[serde(default)]
    pub(super) client_roles: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
pub(super) struct Credential {
    #[serde(rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) value: Option<String>,
    /// Whether its person must choose another one at the first sign-in.
    #[serde(default)]
    pub(super) temporary: bool,
}

/// A boolean, or a text from a placeholder; Keycloak accepts both.
fn boolean<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum BooleanOrText {
        Boolean(bool),
        Text(String),
    }
    match BooleanOrText::deserialize(deserializer)? {
        BooleanOrText::Boolean(value) => Ok(value),
        BooleanOrText::Text(text) => {
            text.parse().map_err(|_| D::Error::custom(format!("expected true or false, found {text:?}")))
        }
    }
}

fn default_true() -> bool {
    true
}

fn failure_factor() -> u32 {
    30
}

fn one_minute() -> i64 {
    60
}

fn five_minutes() -> i64 {
    300
}

fn half_an_hour() -> i64 {
    1_800
}

fn ten_hours() -> i64 {
    36_000
}

//! API keys of a tenant, with which its own programs call the platform.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use crate::{
    ChatbotId, Page, Patch, TenantId, Timestamp,
    audit::actions,
    endpoint::{Audit, endpoints},
    error::FieldError,
    id::ApiKeyId,
    page::LimitOffset,
    validate::{Checker, Validate},
};

pub use crate::key_scope::KeyScope;

/// What every key begins with.
pub const KEY_MARK: &str = "cbp_";
/// Maximum characters of a key's name.
pub const MAX_KEY_NAME: usize = 100;
/// Maximum chatbots that a key names.
pub const MAX_KEY_CHATBOTS: usize = 200;
/// Maximum networks that a key may be used from.
pub const MAX_KEY_ADDRESSES: usize = 50;

/// A key, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApiKey {
    pub id: ApiKeyId,
    /// Its name, which audit rows of its calls show as `key:<name>`.
    pub name: String,
    /// The characters that the key begins with.
    pub prefix: String,
    pub scopes: Vec<KeyScope>,
    /// The chatbots that it reaches; `null` is every chatbot of the tenant.
    pub chatbot_ids: Option<Vec<ChatbotId>>,
    /// The networks that it may be used from; empty is every address.
    pub allowed_addresses: Vec<String>,
    /// When it ends; `null` is never.
    pub expires_at: Option<Timestamp>,
    /// The user name of the person who created it.
    pub created_by: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// A key that was just created. The secret is shown only here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CreatedApiKey {
    #[serde(flatten)]
    pub key: ApiKey,
    /// The whole key, for the header `Authorization: Bearer`.
    pub secret: String,
}

/// A key to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewApiKey {
    /// Its name, 1 to 100 characters; no other key of the tenant has it.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 100)))]
    pub name: String,
    /// At least one.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub scopes: Vec<KeyScope>,
    /// The chatbots that it reaches, 1 to 200; `null` is every chatbot of the tenant.
    #[serde(default)]
    pub chatbot_ids: Option<Vec<ChatbotId>>,
    /// The networks that it may be used from, such as `192.0.2.0/24`, 50 at most; empty is every address.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(length(max = 50)))]
    pub allowed_addresses: Vec<String>,
    /// When it ends, in the future; `null` is never.
    #[serde(default)]
    pub expires_at: Option<Timestamp>,
}

impl Validate for NewApiKey {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        check_name(&mut check, &self.name);
        check_scopes(&mut check, &self.scopes);
        self.chatbot_ids.iter().for_each(|ids| check_chatbots(&mut check, ids));
        check_addresses(&mut check, &self.allowed_addresses);
        check.finish()
    }
}

/// Changes of a key; absent fields stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApiKeyPatch {
    /// Another name, 1 to 100 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 100)))]
    pub name: Option<String>,
    /// Other scopes, at least one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub scopes: Option<Vec<KeyScope>>,
    /// Other chatbots, 1 to 200; `null` is every chatbot of the tenant.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    pub chatbot_ids: Patch<Vec<ChatbotId>>,
    /// Other networks, 50 at most; empty is every address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = 50)))]
    pub allowed_addresses: Option<Vec<String>>,
    /// When it ends, in the future; `null` is never.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    pub expires_at: Patch<Timestamp>,
}

impl Validate for ApiKeyPatch {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        self.name.iter().for_each(|name| check_name(&mut check, name));
        self.scopes.iter().for_each(|scopes| check_scopes(&mut check, scopes));
        self.chatbot_ids.value().into_iter().for_each(|ids| check_chatbots(&mut check, ids));
        self.allowed_addresses.iter().for_each(|networks| check_addresses(&mut check, networks));
        check.finish()
    }
}

fn check_name(check: &mut Checker, name: &str) {
    check.text("name", name, 1, MAX_KEY_NAME);
    // The name is part of a line in the audit log.
    check.require(!name.contains(['\n', '\r', '\t']), "name", "control_character", "must be one line");
}

fn check_scopes(check: &mut Checker, scopes: &[KeyScope]) {
    check.require(!scopes.is_empty(), "scopes", "too_short", "must not be empty");
    check.distinct("scopes", scopes);
}

fn check_chatbots(check: &mut Checker, ids: &[ChatbotId]) {
    let fits = (1..=MAX_KEY_CHATBOTS).contains(&ids.len());
    check.require(fits, "chatbot_ids", "out_of_range", "must have 1 to 200 entries");
    check.distinct("chatbot_ids", ids);
}

fn check_addresses(check: &mut Checker, networks: &[String]) {
    let fits = networks.len() <= MAX_KEY_ADDRESSES;
    check.require(fits, "allowed_addresses", "too_many", "must have at most 50 entries");
    check.distinct("allowed_addresses", networks);
    for (index, network) in networks.iter().enumerate().filter(|(_, network)| !is_network(network)) {
        let msg = format!("is not an address or a network such as 192.0.2.0/24: {}", network.escape_debug());
        check.entry("allowed_addresses", index, "network", msg);
    }
}

/// Whether the text is an address, or a network in the notation `address/bits`. An IPv4 address in IPv6 notation is
/// neither: it would match no client.
fn is_network(text: &str) -> bool {
    let (address, bits) = text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
    let Ok(address) = address.parse::<IpAddr>() else { return false };
    let most: u8 = if address.is_ipv4() { 32 } else { 128 };
    let fits = bits.is_none_or(|bits| bits.parse::<u8>().is_ok_and(|bits| bits <= most));
    fits && address.to_canonical() == address
}

/// How many keys of a tenant can be used, and when one last was.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApiKeyFigures {
    /// Keys that are neither revoked nor expired.
    pub active: i64,
    /// When any key was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
}

endpoints! {
    /// Lists the tenant's API keys, newest first; revoked ones last.
    ListApiKeys: Get "/api/v1/tenants/me/api-keys", Tenant, Audit::Reads, 200,
        (()) ? LimitOffset, () => Page<ApiKey>;
    /// Creates an API key. Only this reply has its secret.
    CreateApiKey: Post "/api/v1/tenants/me/api-keys", TenantAdmin, Audit::Writes(actions::API_KEY_CREATED), 201,
        (()) ? (), NewApiKey => CreatedApiKey, errors [KeysNotAllowed, ApiKeyNameTaken, QuotaApiKeys];
    /// Shows an API key.
    GetApiKey: Get "/api/v1/tenants/me/api-keys/{api_key_id}", Tenant, Audit::Reads, 200, (ApiKeyId) ? (), () => ApiKey;
    /// Changes an API key; its secret stays.
    UpdateApiKey: Patch "/api/v1/tenants/me/api-keys/{api_key_id}", TenantAdmin, Audit::Writes(actions::API_KEY_UPDATED), 200,
        (ApiKeyId) ? (), ApiKeyPatch => ApiKey, errors [ApiKeyNameTaken, ApiKeyRevoked];
    /// Revokes an API key for good: from now on every process refuses it.
    RevokeApiKey: Delete "/api/v1/tenants/me/api-keys/{api_key_id}", TenantAdmin, Audit::Writes(actions::API_KEY_REVOKED), 204,
        (ApiKeyId) ? (), () => ();
    /// Counts the API keys of a tenant.
    GetTenantApiKeys: Get "/api/v1/platform/tenants/{tenant_id}/api-keys", OperatorOrVendor, Audit::Reads, 200,
        (TenantId) ? (), () => ApiKeyFigures;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_key() -> NewApiKey {
        NewApiKey {
            name: "Shop".to_owned(),
            scopes: vec![KeyScope::Ask],
            chatbot_ids: None,
            allowed_addresses: Vec::new(),
            expires_at: None,
        }
    }

    fn broken(key: &NewApiKey) -> Vec<String> {
        key.validate().into_iter().map(|error| error.loc.join("/")).collect()
    }

    #[test]
    fn networks_are_addresses_with_an_optional_prefix_length() {
        for good in ["192.0.2.7", "192.0.2.0/24", "2001:db8::/32", "::1", "0.0.0.0/0"] {
            assert!(is_network(good), "{good}");
        }
        for bad in [
            "",
            "shop",
            "192.0.2.0/33",
            "192.0.2.0/",
            "192.0.2/24",
            "2001:db8::/129",
            "::ffff:192.0.2.1",
            "1.2.3.4/24/1",
        ] {
            assert!(!is_network(bad), "{bad}");
        }
    }

    #[test]
    fn a_key_needs_a_name_in_one_line_and_a_scope() {
        assert!(broken(&new_key()).is_empty());
        assert_eq!(broken(&NewApiKey { name: "a\nb".to_owned(), ..new_key() }), ["body/name"]);
        assert_eq!(broken(&NewApiKey { scopes: Vec::new(), ..new_key() }), ["body/scopes"]);
        assert_eq!(broken(&NewApiKey { scopes: vec![KeyScope::Ask; 2], ..new_key() }), ["body/scopes/1"]);
        assert_eq!(broken(&NewApiKey { chatbot_ids: Some(Vec::new()), ..new_key() }), ["body/chatbot_ids"]);
        let addresses = vec!["192.0.2.1".to_owned(), "nowhere".to_owned()];
        assert_eq!(broken(&NewApiKey { allowed_addresses: addresses, ..new_key() }), ["body/allowed_addresses/1"]);
    }
}

//! Protocol mappers, which define the source of a claim, for the mapper types in the realm files.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{User, file::MapperEntry};

/// The tokens that may contain a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    AccessToken,
    IdToken,
    Userinfo,
}

/// A claim: its path, its source and its targets.
#[derive(Debug, Clone)]
pub(crate) struct Mapper {
    claim: Vec<String>,
    source: ClaimSource,
    targets: Vec<Target>,
}

#[derive(Debug, Clone)]
enum ClaimSource {
    Username,
    RealmRoles,
    Attribute(String),
    AuthenticationTime,
}

impl Mapper {
    /// Reads a mapper of the realm file; an unknown kind is an error, for its claim would silently be missing.
    pub(super) fn from_file(entry: &MapperEntry) -> Result<Self, String> {
        let setting = |key: &str| {
            let value = entry.config.get(key).filter(|value| !value.is_empty()).cloned();
            value.ok_or_else(|| format!("the mapper {:?} has no {key:?}", entry.name))
        };
        let source = match entry.protocol_mapper.as_str() {
            "oidc-usermodel-realm-role-mapper" => ClaimSource::RealmRoles,
            "oidc-usermodel-attribute-mapper" | "oidc-usermodel-property-mapper" => {
                match setting("user.attribute")?.as_str() {
                    "username" => ClaimSource::Username,
                    other => ClaimSource::Attribute(other.to_owned()),
                }
            }
            "oidc-usersessionmodel-note-mapper" if setting("user.session.note")? == "AUTH_TIME" => {
                ClaimSource::AuthenticationTime
            }
            other => return Err(format!("the mapper {:?} is of the unknown kind {other:?}", entry.name)),
        };
        let claim = setting("claim.name")?.split('.').map(str::to_owned).collect();
        Ok(Self { claim, source, targets: targets(&entry.config) })
    }

    /// Adds the claim to a token's claims, if the user has it and it belongs there.
    pub(crate) fn apply(&self, claims: &mut Map<String, Value>, user: &User, auth_time: Option<i64>, target: Target) {
        if !self.targets.contains(&target) {
            return;
        }
        if let Some(value) = self.value(user, auth_time) {
            insert(claims, &self.claim, value);
        }
    }

    /// The claim's name at the top level, for the discovery document.
    pub(crate) fn top_level_claim(&self) -> &str {
        self.claim.first().map_or("", String::as_str)
    }

    fn value(&self, user: &User, auth_time: Option<i64>) -> Option<Value> {
        match &self.source {
            ClaimSource::Username => Some(user.username.clone().into()),
            ClaimSource::RealmRoles => Some(user.roles.clone().into()),
            ClaimSource::Attribute(name) => user.attributes.get(name)?.first().cloned().map(Value::from),
            ClaimSource::AuthenticationTime => auth_time.map(Value::from),
        }
    }
}

fn targets(config: &BTreeMap<String, String>) -> Vec<Target> {
    let keys = [
        ("access.token.claim", Target::AccessToken),
        ("id.token.claim", Target::IdToken),
        ("userinfo.token.claim", Target::Userinfo),
    ];
    let is_selected = |key| config.get(key).is_some_and(|value| value == "true");
    keys.into_iter().filter(|(key, _)| is_selected(*key)).map(|(_, target)| target).collect()
}

fn insert(claims: &mut Map<String, Value>, path: &[String], value: Value) {
    match path {
        [] => {}
        [name] => {
            claims.insert(name.clone(), value);
        }
        [name, rest @ ..] => {
            let below = claims.entry(name.clone()).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(below) = below {
                insert(below, rest, value);
            }
        }
    }
}

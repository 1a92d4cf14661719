//! The scopes that a client was granted.

use crate::realm::{Client, Realm, Scope};

/// The scopes that a client got with its token.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Granted {
    /// Whether an ID token belongs to it.
    pub(crate) openid: bool,
    /// Client scopes by name.
    scopes: Vec<String>,
}

impl Granted {
    /// The client's default scopes and the requested ones; the first unknown one is the error.
    pub(crate) fn resolve(client: &Client, requested: &str) -> Result<Self, String> {
        let mut granted = Self { openid: false, scopes: client.default_scopes.clone() };
        for scope in requested.split_ascii_whitespace() {
            if scope == "openid" {
                granted.openid = true;
            } else if client.optional_scopes.iter().any(|name| name == scope) {
                granted.scopes.push(scope.to_owned());
            } else if !client.default_scopes.iter().any(|name| name == scope) {
                return Err(scope.to_owned());
            }
        }
        granted.scopes.dedup();
        Ok(granted)
    }

    /// The text of the claim and parameter `scope`.
    pub(crate) fn text(&self, realm: &Realm) -> String {
        let in_token = self.in_realm(realm).filter(|scope| scope.in_token).map(|scope| scope.name.as_str());
        self.openid.then_some("openid").into_iter().chain(in_token).collect::<Vec<_>>().join(" ")
    }

    /// The client scopes of the grant that the realm has.
    pub(crate) fn in_realm<'a>(&'a self, realm: &'a Realm) -> impl Iterator<Item = &'a Scope> {
        realm.scopes.iter().filter(|scope| self.scopes.contains(&scope.name))
    }
}

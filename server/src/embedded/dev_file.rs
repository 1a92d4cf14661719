//! `var/dev.json`: a description of the demo world for tests and developers. It contains passwords, so only its owner
//! can read it.
#![allow(missing_docs, reason = "fields and variants whose names say what they are have no comment")]

use std::io;
use std::path::Path;

use serde::Serialize;

use super::private_file;
use crate::auth::PLATFORM_REALM;

#[derive(Debug, Clone, Serialize)]
pub struct DevFile {
    pub base_url: String,
    pub auth_url: String,
    pub site_url: String,
    /// The database as its superuser.
    pub database_url: String,
    pub metrics_url: String,
    /// The value of the header that bypasses rate limits.
    pub loadtest_secret: String,
    /// Clients that have a secret.
    pub clients: Vec<DevClient>,
    /// People who can sign in.
    pub users: Vec<DevUser>,
    /// Chatbots that the demo site shows.
    pub chatbots: Vec<DevChatbot>,
}

/// A client with its secret.
#[derive(Debug, Clone, Serialize)]
pub struct DevClient {
    pub realm: String,
    pub client_id: String,
    pub secret: String,
}

/// A person of the demo world.
#[derive(Debug, Clone, Serialize)]
pub struct DevUser {
    /// The realm to sign in to.
    pub realm: String,
    /// The name to sign in with.
    pub username: String,
    pub password: String,
    /// `operator`, `vendor` or `tenant`: what a token of this person may do.
    pub scope: &'static str,
    pub roles: Vec<String>,
    /// The tenant, for users of the realm `svc-tenants`.
    pub tenant_id: Option<String>,
}

/// A chatbot, and the origin whose pages may embed it.
#[derive(Debug, Clone, Serialize)]
pub struct DevChatbot {
    pub id: String,
    pub tenant_id: String,
    pub slug: String,
    /// The demo site's origin.
    pub origin: String,
}

impl DevFile {
    /// Writes the file with mode 0600, whole or not at all.
    ///
    /// # Errors
    /// A folder or file that cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        private_file::write(path, text.as_bytes())
    }
}

/// The clients with secrets and the people of the identity provider's realms.
#[must_use]
pub fn identities(provider: &idp::Provider) -> (Vec<DevClient>, Vec<DevUser>) {
    let (mut clients, mut users) = (Vec::new(), Vec::new());
    for realm in provider.realms() {
        clients.extend(realm.clients().iter().filter_map(|client| {
            let secret = client.secret()?.to_owned();
            Some(DevClient { realm: realm.name().to_owned(), client_id: client.id().to_owned(), secret })
        }));
        users.extend(realm.users().iter().filter_map(|user| {
            Some(DevUser {
                realm: realm.name().to_owned(),
                username: user.username().to_owned(),
                password: user.password()?.to_owned(),
                scope: scope(realm.name(), user.roles()),
                roles: user.roles().to_vec(),
                tenant_id: user.tenant_id().map(str::to_owned),
            })
        }));
    }
    (clients, users)
}

/// The scope of a person's tokens: operator wins over vendor.
fn scope(realm: &str, roles: &[String]) -> &'static str {
    let has = |name: &str| roles.iter().any(|role| role == name);
    match realm {
        PLATFORM_REALM if has("operator") => "operator",
        PLATFORM_REALM => "vendor",
        _ => "tenant",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_with_both_roles_is_an_operator() {
        let roles = ["vendor".to_owned(), "operator".to_owned()];
        assert_eq!(scope("svc-platform", &roles), "operator");
        assert_eq!(scope("svc-platform", &roles[..1]), "vendor");
        assert_eq!(scope("svc-tenants", &["tenant-admin".to_owned()]), "tenant");
    }
}

//! A realm for the provider: clients, users and lifetimes, built from a Keycloak realm file.

mod build;
mod file;
mod mapper;
mod placeholders;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::Path,
};

pub(crate) use build::user_id;
pub(crate) use mapper::{Mapper, Target};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{error::Error, password_hash::PasswordHash, redirect, secret, throttle::Limit};

/// The action of a person who must choose a password.
pub(crate) const UPDATE_PASSWORD: &str = "UPDATE_PASSWORD";

/// A realm: a name space of clients and users with its own issuer.
#[derive(Debug, Clone)]
pub struct Realm {
    pub(crate) name: String,
    pub(crate) display_name: String,
    /// The name in other languages, by their tags.
    pub(crate) display_names: BTreeMap<String, String>,
    pub(crate) lifetimes: Lifetimes,
    pub(crate) login_limit: Limit,
    /// Characters of a password at least.
    pub(crate) min_password: usize,
    pub(crate) roles: BTreeSet<String>,
    pub(crate) clients: Vec<Client>,
    pub(crate) users: Vec<User>,
    pub(crate) service_accounts: Vec<User>,
    pub(crate) scopes: Vec<Scope>,
}

/// Reads a realm file and fills in its placeholders.
///
/// # Errors
/// When the file cannot be read, is not JSON, or has a placeholder without a value.
pub fn read_file(path: &Path, variables: &BTreeMap<String, String>) -> Result<Value, Error> {
    let text = std::fs::read_to_string(path).map_err(|source| Error::ReadRealm { path: path.to_owned(), source })?;
    let mut json = serde_json::from_str(&text).map_err(|source| Error::ParseRealm { path: path.to_owned(), source })?;
    placeholders::fill(&mut json, variables).map_err(|fault| fault.at(path))?;
    Ok(json)
}

/// Lifetimes in seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lifetimes {
    pub(crate) access_token: i64,
    pub(crate) session_idle: i64,
    pub(crate) session_max: i64,
    pub(crate) code: i64,
    pub(crate) login: i64,
}

/// A client scope and the claims that it adds to tokens.
#[derive(Debug, Clone)]
pub(crate) struct Scope {
    pub(crate) name: String,
    pub(crate) in_token: bool,
    pub(crate) mappers: Vec<Mapper>,
}

/// An application that may ask for tokens.
#[derive(Clone)]
pub struct Client {
    pub(crate) id: String,
    pub(crate) secret: Option<String>,
    pub(crate) redirect_uris: Vec<String>,
    pub(crate) post_logout_redirect_uris: Vec<String>,
    pub(crate) web_origins: BTreeSet<String>,
    pub(crate) standard_flow: bool,
    pub(crate) direct_grants: bool,
    pub(crate) service_account: bool,
    pub(crate) pkce_required: bool,
    pub(crate) session_max: Option<i64>,
    pub(crate) session_idle: Option<i64>,
    pub(crate) default_scopes: Vec<String>,
    pub(crate) optional_scopes: Vec<String>,
}

/// A person who can sign in, or the service account of a client.
#[derive(Clone, Serialize, Deserialize)]
pub struct User {
    pub(crate) id: String,
    pub(crate) username: String,
    pub(crate) email: Option<String>,
    pub(crate) first_name: Option<String>,
    pub(crate) last_name: Option<String>,
    pub(crate) enabled: bool,
    /// In clear text, as the realm file has it; never written.
    #[serde(skip)]
    pub(crate) password: Option<String>,
    /// The hash of a password that was set at run time.
    pub(crate) password_hash: Option<PasswordHash>,
    /// Unix milliseconds.
    pub(crate) password_set: i64,
    pub(crate) created: i64,
    /// When all sessions were last ended, in Unix seconds.
    #[serde(default)]
    pub(crate) not_before: i64,
    pub(crate) required_actions: Vec<String>,
    pub(crate) roles: Vec<String>,
    pub(crate) client_roles: BTreeMap<String, Vec<String>>,
    pub(crate) attributes: BTreeMap<String, Vec<String>>,
}

impl Realm {
    /// The display name in a language.
    pub(crate) fn name_in(&self, language: &str) -> &str {
        self.display_names.get(language).unwrap_or(&self.display_name)
    }

    pub(crate) fn load(path: &Path, variables: &BTreeMap<String, String>) -> Result<Self, Error> {
        let json = read_file(path, variables)?;
        let file =
            serde_json::from_value(json).map_err(|source| Error::ParseRealm { path: path.to_owned(), source })?;
        build::realm(file).map_err(|reason| Error::InvalidRealm { path: path.to_owned(), reason })
    }

    /// The realm's name, as in its issuer `{auth_url}/realms/{name}`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All clients, in the order of the file.
    #[must_use]
    pub fn clients(&self) -> &[Client] {
        &self.clients
    }

    /// All users, in the order of the file, without service accounts.
    #[must_use]
    pub fn users(&self) -> &[User] {
        &self.users
    }

    pub(crate) fn client(&self, id: &str) -> Option<&Client> {
        self.clients.iter().find(|client| client.id == id)
    }

    pub(crate) fn service_account(&self, client: &Client) -> Option<&User> {
        let username = format!("service-account-{}", client.id);
        self.service_accounts.iter().find(|user| user.username == username && user.enabled)
    }

    /// Whether any client of this realm may be used by pages of an origin.
    pub(crate) fn allows_origin(&self, origin: &str) -> bool {
        self.clients.iter().any(|client| client.allows_origin(origin))
    }
}

impl Client {
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The client secret; `None` for a public client.
    #[must_use]
    pub fn secret(&self) -> Option<&str> {
        self.secret.as_deref()
    }

    /// Whether the client has no secret and must use PKCE.
    #[must_use]
    pub fn is_public(&self) -> bool {
        self.secret.is_none()
    }

    pub(crate) fn allows_redirect(&self, uri: &str) -> bool {
        redirect::is_allowed(uri, &self.redirect_uris)
    }

    pub(crate) fn allows_post_logout_redirect(&self, uri: &str) -> bool {
        redirect::is_allowed(uri, &self.post_logout_redirect_uris)
    }

    pub(crate) fn allows_origin(&self, origin: &str) -> bool {
        self.web_origins.contains(origin)
    }
}

impl User {
    /// A user with a name only.
    pub(crate) fn new(id: String, username: String, now_millis: i64) -> Self {
        Self {
            id,
            username,
            email: None,
            first_name: None,
            last_name: None,
            enabled: false,
            password: None,
            password_hash: None,
            password_set: now_millis,
            created: now_millis,
            not_before: 0,
            required_actions: Vec::new(),
            roles: Vec::new(),
            client_roles: BTreeMap::new(),
            attributes: BTreeMap::new(),
        }
    }

    /// The name to sign in with.
    #[must_use]
    pub fn username(&self) -> &str {
        &self.username
    }

    /// The password in clear text, as the realm file has it; only for `var/dev.json` of a demo world.
    #[must_use]
    pub fn password(&self) -> Option<&str> {
        self.password.as_deref()
    }

    #[must_use]
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// The attribute `tenant_id`, for users of a tenant.
    #[must_use]
    pub fn tenant_id(&self) -> Option<&str> {
        self.attributes.get("tenant_id")?.first().map(String::as_str)
    }

    /// Whether this is the password.
    pub(crate) fn has_password(&self, presented: &str) -> bool {
        match &self.password_hash {
            Some(hash) => hash.matches(presented),
            None => {
                let matches = secret::matches(presented, self.password.as_deref().unwrap_or_default());
                matches && self.password.is_some()
            }
        }
    }

    /// Whether the person must choose a password before anything else.
    pub(crate) fn must_change_password(&self) -> bool {
        self.required_actions.iter().any(|action| action == UPDATE_PASSWORD)
    }

    pub(crate) fn has_client_role(&self, client: &str, role: &str) -> bool {
        self.client_roles.get(client).is_some_and(|roles| roles.iter().any(|name| name == role))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("id", &self.id).field("public", &self.is_public()).finish_non_exhaustive()
    }
}

impl fmt::Debug for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("User").field("username", &self.username).field("roles", &self.roles).finish_non_exhaustive()
    }
}

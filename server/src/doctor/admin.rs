//! Checks that need an administrator of Keycloak: `server doctor --admin`. The credentials are used for one token and
//! not stored.
#![allow(missing_docs, reason = "fields and variants whose names say what they are have no comment")]

mod realm;

use contract::clients;
use futures::future::join_all;
use reqwest::Client;
use serde_json::Value;

use super::{
    Check,
    http::{self, HttpError},
    names,
};
use crate::{
    auth::{PLATFORM_REALM, TENANT_REALM},
    config::Secret,
};

use realm::{Facts, Rules};

/// The people of the realm files (docs/identity.md).
const DEMO_PEOPLE: [(&str, &[&str]); 2] =
    [(PLATFORM_REALM, &["olivia", "victor", "oscar"]), (TENANT_REALM, &["hanna", "henry", "dora"])];

/// An administrator of Keycloak's realm `master`.
#[derive(Debug)]
pub struct AdminLogin {
    pub username: String,
    pub password: Secret,
}

/// The results of these checks when there is no administrator.
pub fn not_checked() -> Check {
    Check::not_checked(
        names::ADMINISTRATION,
        text!(
            "Clients, PKCE, mappers, events and demo accounts can be seen by an administrator of Keycloak only.",
            "Clients, PKCE, Mapper, Ereignisse und Demo-Konten sieht nur ein Administrator von Keycloak."
        ),
        text!(
            "Run `server doctor --admin` with an administrator's user name and password.",
            "Führen Sie `server doctor --admin` mit Benutzername und Passwort eines Administrators aus."
        ),
    )
}

/// Checks both realms as an administrator.
pub async fn check(auth_url: &str, base_url: &str, login: &AdminLogin) -> Vec<Check> {
    let signed_in = async {
        let client = http::client()?;
        let token = token(&client, auth_url, login).await?;
        Ok::<_, HttpError>((client, token))
    };
    let (client, token) = match signed_in.await {
        Ok(signed_in) => signed_in,
        Err(fault) => return vec![refused(&fault)],
    };
    let realms = DEMO_PEOPLE.map(async |(name, demo_people)| {
        let realm_api = RealmApi { client: &client, base: format!("{auth_url}/admin/realms/{name}"), token: &token };
        let checks = match facts(&realm_api, demo_people).await {
            Ok(facts) => realm::judge(&facts, &rules(name, base_url)),
            Err(fault) => vec![refused(&fault)],
        };
        checks.into_iter().map(|check| check.of(name)).collect::<Vec<_>>()
    });
    join_all(realms).await.concat()
}

fn refused(fault: &HttpError) -> Check {
    let finding = match fault {
        HttpError::Status(401) => {
            text!("The user name or the password is wrong.", "Der Benutzername oder das Passwort ist falsch.")
        }
        other => other.text(),
    };
    Check::failed(
        names::ADMINISTRATION,
        finding,
        text!(
            "Use an administrator of the realm master who may see both realms and needs no second factor.",
            "Verwenden Sie einen Administrator des Realms master, der beide Realms sehen darf und keinen zweiten Faktor braucht."
        ),
    )
}

async fn token(client: &Client, auth_url: &str, login: &AdminLogin) -> Result<String, HttpError> {
    let form = [
        ("grant_type", "password"),
        ("client_id", "admin-cli"),
        ("username", login.username.as_str()),
        ("password", login.password.expose()),
    ];
    let url = format!("{auth_url}/realms/master/protocol/openid-connect/token");
    let granted = http::ask(client.post(url).form(&form)).await?.body;
    granted["access_token"].as_str().map(str::to_owned).ok_or(HttpError::NotUnderstood)
}

/// Reads a realm through the administration interface.
struct RealmApi<'a> {
    client: &'a Client,
    base: String,
    token: &'a str,
}

impl RealmApi<'_> {
    async fn read(&self, path: &str) -> Result<Value, HttpError> {
        let request = self.client.get(format!("{}{path}", self.base)).bearer_auth(self.token);
        Ok(http::ask(request).await?.body)
    }
}

async fn facts(realm_api: &RealmApi<'_>, demo_people: &[&str]) -> Result<Facts, HttpError> {
    let (realm, clients, scopes, profile) = tokio::join!(
        realm_api.read(""),
        realm_api.read("/clients"),
        realm_api.read("/client-scopes"),
        realm_api.read("/users/profile"),
    );
    let clients = clients?;
    let mut existing = Vec::new();
    for name in demo_people {
        let people = realm_api.read(&format!("/users?username={name}&exact=true")).await?;
        if people.as_array().is_some_and(|people| !people.is_empty()) {
            existing.push((*name).to_owned());
        }
    }
    Ok(Facts {
        realm: realm?,
        people_roles: people_roles(realm_api, &clients).await?,
        clients,
        scopes: scopes?,
        profile: profile?,
        demo_people: existing,
    })
}

/// The roles of the service account of `svc-people`, as `client.role`; empty in a realm without that client.
async fn people_roles(realm_api: &RealmApi<'_>, clients: &Value) -> Result<Option<Vec<String>>, HttpError> {
    let Some(id) = realm::find(clients, "clientId", clients::PEOPLE).and_then(|client| client["id"].as_str()) else {
        return Ok(None);
    };
    let user = realm_api.read(&format!("/clients/{id}/service-account-user")).await?;
    let user = user["id"].as_str().ok_or(HttpError::NotUnderstood)?.to_owned();
    let mappings = realm_api.read(&format!("/users/{user}/role-mappings")).await?;
    let of_clients = mappings["clientMappings"].as_object().into_iter().flatten();
    let roles = of_clients.flat_map(|(client, mapping)| {
        let names = mapping["mappings"].as_array().into_iter().flatten().filter_map(|role| role["name"].as_str());
        names.map(move |name| format!("{client}.{name}"))
    });
    Ok(Some(roles.collect()))
}

fn rules<'a>(realm: &str, base_url: &'a str) -> Rules<'a> {
    if realm == PLATFORM_REALM {
        return Rules {
            base_url,
            clients: &[
                clients::API,
                clients::BREAKGLASS,
                clients::TUNNEL,
                clients::OPERATOR_CONSOLE,
                clients::AUDIT_POLLER,
            ],
            browser_clients: &[
                (clients::OPERATOR_CONSOLE, "/admin/operator/*"),
                (clients::BREAKGLASS, "/admin/operator/*"),
                (clients::TUNNEL, "/admin/operator/*"),
            ],
            claims: &["preferred_username", "realm_access.roles", "auth_time"],
            has_tenants: false,
        };
    }
    Rules {
        base_url,
        clients: &[clients::API, clients::TENANT_CONSOLE, clients::PEOPLE],
        browser_clients: &[(clients::TENANT_CONSOLE, "/tenant/*")],
        claims: &["preferred_username", "realm_access.roles", "auth_time", "tenant_id"],
        has_tenants: true,
    }
}

//! Compares the configuration of a realm with that of the realm files. Does no requests.

use serde_json::Value;

use super::super::{
    Check,
    names::{self, Name},
    text::Text,
};
use crate::embedded::secrets::is_demo;

/// The client scope with all claims.
const SCOPE: &str = "svc-scope";
/// Minimum retention of login events in seconds: as long as the platform may be down.
const MIN_EVENT_RETENTION_SECONDS: i64 = 7 * 24 * 3600;
const PEOPLE_ROLES: [&str; 2] = ["realm-management.manage-users", "realm-management.view-realm"];

/// The configuration of a realm as read by an administrator.
#[derive(Debug, Clone)]
pub(super) struct Facts {
    pub(super) realm: Value,
    pub(super) clients: Value,
    pub(super) scopes: Value,
    pub(super) profile: Value,
    /// Accounts of the realm files that exist.
    pub(super) demo_people: Vec<String>,
    /// Roles of the service account of `svc-people`, as `client.role`.
    pub(super) people_roles: Option<Vec<String>>,
}

/// The requirements for a realm.
pub(super) struct Rules<'a> {
    pub(super) base_url: &'a str,
    pub(super) clients: &'a [&'a str],
    /// Clients that sign in through the browser, and where they return to.
    pub(super) browser_clients: &'a [(&'a str, &'a str)],
    pub(super) claims: &'a [&'a str],
    pub(super) has_tenants: bool,
}

/// The element of a list that has this text.
pub(super) fn find<'a>(list: &'a Value, field: &str, text: &str) -> Option<&'a Value> {
    list.as_array()?.iter().find(|item| item[field] == text)
}

pub(super) fn judge(facts: &Facts, rules: &Rules<'_>) -> Vec<Check> {
    let own = || rules.clients.iter().filter_map(|id| find(&facts.clients, "clientId", id).map(|client| (*id, client)));
    let of = |holds: fn(&Value) -> bool| -> Vec<String> {
        own().filter(|(_, client)| !holds(client)).map(|(id, _)| id.to_owned()).collect()
    };
    let checks = [
        clients(facts, rules),
        verdict(
            names::CLIENT_SECRETS,
            of(|client| is_good_secret(client["secret"].as_str())),
            text!(
                "Regenerate the secrets of these clients, and set the new ones where they are used.",
                "Erzeugen Sie die Geheimnisse dieser Clients neu und tragen Sie sie ein, wo sie verwendet werden."
            ),
        ),
        pkce(facts, rules),
        redirects(facts, rules),
        verdict(
            names::PASSWORD_GRANT,
            of(|client| !is_true(&client["directAccessGrantsEnabled"])),
            text!(
                "Switch off \"Direct access grants\" of these clients unless a script needs it.",
                "Schalten Sie „Direct access grants“ dieser Clients aus, wenn kein Skript es braucht."
            ),
        )
        .lenient(),
        mappers(facts, rules, own().collect()),
        events(&facts.realm),
        realm_settings(&facts.realm),
        verdict(
            names::DEMO_PEOPLE,
            facts.demo_people.clone(),
            text!("Delete these accounts of the realm files.", "Löschen Sie diese Konten aus den Realm-Dateien."),
        ),
    ];
    let of_tenants = rules.has_tenants.then(|| [profile(&facts.profile), service_account(facts)]);
    checks.into_iter().chain(of_tenants.into_iter().flatten()).collect()
}

impl Check {
    /// This result, as a warning when it failed.
    fn lenient(self) -> Self {
        match self.remedy {
            Some(remedy) => Self::warning(self.name, self.finding, remedy),
            None => self,
        }
    }
}

/// Ok without faults, otherwise their list.
fn verdict(name: Name, faults: Vec<String>, remedy: Text) -> Check {
    if faults.is_empty() {
        return Check::ok(name, text!("Configured correctly.", "Richtig konfiguriert."));
    }
    let list = faults.join(", ");
    Check::failed(name, text!("Incorrect: {list}.", "Abweichend: {list}."), remedy)
}

fn is_true(value: &Value) -> bool {
    value == &Value::Bool(true)
}

/// Whether it is not a demo secret, not a placeholder, and not short. Public clients have none.
fn is_good_secret(secret: Option<&str>) -> bool {
    secret.is_none_or(|secret| !is_demo(secret) && !secret.contains("${") && secret.len() >= 16)
}

fn clients(facts: &Facts, rules: &Rules<'_>) -> Check {
    let is_there = |id: &&&str| find(&facts.clients, "clientId", id).is_some_and(|client| is_true(&client["enabled"]));
    let missing: Vec<String> = rules.clients.iter().filter(|id| !is_there(id)).map(|id| (*id).to_owned()).collect();
    verdict(
        names::CLIENTS,
        missing,
        text!(
            "Create and enable these clients as the realm file has them.",
            "Legen Sie diese Clients wie in der Realm-Datei an und aktivieren Sie sie."
        ),
    )
}

fn pkce(facts: &Facts, rules: &Rules<'_>) -> Check {
    let faults = browser_clients(facts, rules)
        .filter(|(_, client, _)| client["attributes"]["pkce.code.challenge.method"] != "S256")
        .map(|(id, ..)| id.to_owned());
    verdict(
        names::PKCE,
        faults.collect(),
        text!(
            "Set the PKCE method of these clients to S256 (Advanced).",
            "Setzen Sie die PKCE-Methode dieser Clients auf S256 (Advanced)."
        ),
    )
}

fn browser_clients<'a>(facts: &'a Facts, rules: &'a Rules<'_>) -> impl Iterator<Item = (&'a str, &'a Value, &'a str)> {
    let all = rules.browser_clients.iter();
    all.filter_map(|(id, path)| find(&facts.clients, "clientId", id).map(|client| (*id, client, *path)))
}

/// Each browser client returns to its console, and to nowhere but the platform and command-line tools.
fn redirects(facts: &Facts, rules: &Rules<'_>) -> Check {
    let base = rules.base_url;
    let faults = browser_clients(facts, rules).filter(|(_, client, path)| {
        let all: Vec<&str> =
            client["redirectUris"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let is_known = |address: &&str| {
            address.strip_prefix(base).is_some_and(|rest| rest.starts_with('/'))
                || *address == "http://127.0.0.1/callback"
        };
        !all.contains(&format!("{base}{path}").as_str()) || !all.iter().all(is_known)
    });
    verdict(
        names::REDIRECTS,
        faults.map(|(id, ..)| id.to_owned()).collect(),
        text!(
            "Let these clients return below {base} only, as the realm file says.",
            "Lassen Sie diese Clients nur unterhalb von {base} zurückkehren, wie in der Realm-Datei."
        ),
    )
}

/// The scope contains every claim, every client has the scope, and none has the scope with `sub`.
fn mappers(facts: &Facts, rules: &Rules<'_>, own: Vec<(&str, &Value)>) -> Check {
    let mappers = find(&facts.scopes, "name", SCOPE).map(|scope| &scope["protocolMappers"]);
    let has_claim = |claim: &str| {
        let all = mappers.and_then(Value::as_array).into_iter().flatten();
        let is_in_tokens = |mapper: &Value| mapper["config"]["access.token.claim"] == "true";
        all.filter(|mapper| is_in_tokens(mapper)).any(|mapper| mapper["config"]["claim.name"] == claim)
    };
    let claims = rules.claims.iter().filter(|claim| !has_claim(claim)).map(|claim| format!("{SCOPE}: {claim}"));
    let has_scopes = |client: &Value| {
        let scopes = client["defaultClientScopes"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let scopes: Vec<&str> = scopes.collect();
        scopes.contains(&SCOPE) && !scopes.contains(&"basic")
    };
    let clients = own.into_iter().filter(|(_, client)| !has_scopes(client)).map(|(id, _)| id.to_owned());
    verdict(
        names::MAPPERS,
        claims.chain(clients).collect(),
        text!(
            "Let svc-scope add these claims to access tokens, and give these clients svc-scope and not basic as default scope.",
            "Lassen Sie svc-scope diese Claims in Zugriffstoken schreiben, und geben Sie diesen Clients svc-scope und nicht basic als Default-Scope."
        ),
    )
}

fn events(realm: &Value) -> Check {
    let types = realm["enabledEventTypes"]
        .as_array()
        .is_none_or(|types| types.is_empty() || types.iter().any(|kind| kind == "LOGIN"));
    let retention_seconds = realm["eventsExpiration"].as_i64().unwrap_or_default();
    let faults = [
        ("eventsEnabled", !is_true(&realm["eventsEnabled"])),
        ("enabledEventTypes", !types),
        // Zero keeps them forever.
        ("eventsExpiration", retention_seconds != 0 && retention_seconds < MIN_EVENT_RETENTION_SECONDS),
    ];
    verdict(
        names::EVENTS,
        names_of_faults(&faults),
        text!(
            "Save user events of the type LOGIN for at least 7 days (Realm settings, Events): vendors' logins are read from them.",
            "Speichern Sie Benutzerereignisse vom Typ LOGIN mindestens 7 Tage lang (Realm settings, Events): Daraus liest die Plattform die Anmeldungen der Anbieter."
        ),
    )
}

fn realm_settings(realm: &Value) -> Check {
    let faults = [
        ("registrationAllowed", is_true(&realm["registrationAllowed"])),
        ("editUsernameAllowed", is_true(&realm["editUsernameAllowed"])),
        ("bruteForceProtected", !is_true(&realm["bruteForceProtected"])),
        ("revokeRefreshToken", !is_true(&realm["revokeRefreshToken"])),
        ("sslRequired", realm["sslRequired"] == "none"),
    ];
    verdict(
        names::REALM_SETTINGS,
        names_of_faults(&faults),
        text!("Set them as the realm file does.", "Setzen Sie sie wie in der Realm-Datei."),
    )
}

fn names_of_faults(faults: &[(&str, bool)]) -> Vec<String> {
    faults.iter().filter(|(_, is_so)| *is_so).map(|(name, _)| (*name).to_owned()).collect()
}

/// Users who can edit their own `tenant_id` could choose any tenant.
fn profile(profile: &Value) -> Check {
    let tenant = find(&profile["attributes"], "name", "tenant_id");
    let is_for_admins = tenant.is_some_and(|attribute| {
        let editors: Vec<&str> =
            attribute["permissions"]["edit"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        editors == ["admin"]
    });
    let is_open = matches!(profile["unmanagedAttributePolicy"].as_str(), Some("ENABLED"));
    let faults = [("tenant_id", !is_for_admins), ("unmanagedAttributePolicy", is_open)];
    verdict(
        names::PROFILE,
        names_of_faults(&faults),
        text!(
            "Let administrators alone edit tenant_id, and allow no unmanaged attributes: it decides whose data a user sees.",
            "Lassen Sie tenant_id nur von Administratoren ändern und keine unverwalteten Attribute zu: Es entscheidet, wessen Daten ein Benutzer sieht."
        ),
    )
}

fn service_account(facts: &Facts) -> Check {
    let roles = facts.people_roles.as_deref().unwrap_or_default();
    let missing = PEOPLE_ROLES
        .iter()
        .filter(|role| !roles.iter().any(|role_name| role_name == *role))
        .map(|role| format!("- {role}"));
    let more = roles.iter().filter(|role| !PEOPLE_ROLES.contains(&role.as_str())).map(|role| format!("+ {role}"));
    verdict(
        names::SERVICE_ACCOUNT,
        missing.chain(more).collect(),
        text!(
            "Give the service account of svc-people manage-users and view-realm, and no other role of realm-management.",
            "Geben Sie dem Service-Account von svc-people manage-users und view-realm und keine andere Rolle von realm-management."
        ),
    )
}

#[cfg(test)]
mod tests;

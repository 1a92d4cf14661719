//! Builds the model from a realm file and rejects inconsistencies.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Client, Lifetimes, Mapper, Realm, Scope, UPDATE_PASSWORD, User,
    file::{ClientEntry, RealmFile, ScopeEntry, UserEntry},
};
use crate::{redirect, secret, throttle::Limit};

/// Builds a realm, or returns a sentence about the error in the file.
pub(super) fn realm(file: RealmFile) -> Result<Realm, String> {
    let usable = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if file.realm.is_empty() || !file.realm.chars().all(usable) {
        return Err(format!("{:?} cannot be the name of a realm", file.realm));
    }
    let lifetimes = lifetimes(&file)?;
    let login_limit = Limit { failures: file.failure_factor.max(1), wait: file.wait_increment_seconds.max(1) };
    let scopes = file.client_scopes.iter().map(scope).collect::<Result<Vec<_>, _>>()?;
    let clients = file
        .clients
        .into_iter()
        .filter(|entry| entry.enabled)
        .map(|entry| client(entry, &scopes))
        .collect::<Result<Vec<_>, _>>()?;
    let roles: BTreeSet<_> = file.roles.realm.into_iter().map(|role| role.name).collect();
    let (service_accounts, people): (Vec<_>, Vec<_>) =
        file.users.into_iter().partition(|entry| entry.service_account_client_id.is_some());
    let build_user = |entry| user(&file.realm, entry, &roles);
    let users = people.into_iter().map(build_user).collect::<Result<_, _>>()?;
    let service_accounts = service_accounts.into_iter().map(build_user).collect::<Result<_, _>>()?;
    let realm = Realm {
        display_name: file.display_name.unwrap_or_else(|| file.realm.clone()),
        display_names: display_names(file.attributes),
        lifetimes,
        login_limit,
        min_password: min_password(file.password_policy.as_deref())?,
        scopes,
        users,
        service_accounts,
        clients,
        roles,
        name: file.realm.clone(),
    };
    distinct("client", realm.clients.iter().map(|client| client.id.as_str()))?;
    distinct("user", realm.users.iter().map(|user| user.username.as_str()))?;
    service_accounts_exist(&realm)?;
    Ok(realm)
}

/// The display names in a realm's attributes, by language.
fn display_names(attributes: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let name = |(key, name): (String, String)| Some((key.strip_prefix("displayName.")?.to_owned(), name));
    attributes.into_iter().filter_map(name).collect()
}

/// The minimum length from a password policy `length(n)`, the only supported rule.
fn min_password(policy: Option<&str>) -> Result<usize, String> {
    let Some(policy) = policy else { return Ok(1) };
    let length = policy.strip_prefix("length(").and_then(|rest| rest.strip_suffix(')')).and_then(|n| n.parse().ok());
    length.ok_or_else(|| format!("the password policy {policy:?} is not known; length(n) is"))
}

fn lifetimes(file: &RealmFile) -> Result<Lifetimes, String> {
    let lifetimes = Lifetimes {
        access_token: file.access_token_lifespan,
        session_idle: file.sso_session_idle_timeout,
        session_max: file.sso_session_max_lifespan,
        code: file.access_code_lifespan,
        login: file.access_code_lifespan_login,
    };
    let Lifetimes { access_token, session_idle, session_max, code, login } = lifetimes;
    match [access_token, session_idle, session_max, code, login].iter().all(|seconds| *seconds > 0) {
        true => Ok(lifetimes),
        false => Err("every lifetime must be a positive number of seconds".to_owned()),
    }
}

fn scope(entry: &ScopeEntry) -> Result<Scope, String> {
    let in_token = entry.attributes.get("include.in.token.scope").is_none_or(|value| value == "true");
    let mappers = entry.protocol_mappers.iter().map(Mapper::from_file).collect::<Result<_, _>>()?;
    Ok(Scope { name: entry.name.clone(), in_token, mappers })
}

fn client(entry: ClientEntry, scopes: &[Scope]) -> Result<Client, String> {
    let id = entry.client_id;
    let secret = match (entry.public_client, entry.secret.filter(|secret| !secret.is_empty())) {
        (true, _) => None,
        (false, Some(secret)) => Some(secret),
        (false, None) => return Err(format!("the confidential client {id:?} has no secret")),
    };
    for name in entry.default_client_scopes.iter().chain(&entry.optional_client_scopes) {
        if !scopes.iter().any(|scope| scope.name == *name) {
            return Err(format!("the client {id:?} uses the scope {name:?}, which does not exist"));
        }
    }
    for uri in &entry.redirect_uris {
        redirect::check_pattern(uri).map_err(|reason| format!("the client {id:?}: {reason}"))?;
    }
    let seconds = |key: &str| match entry.attributes.get(key).map(|value| value.parse::<i64>()) {
        None => Ok(None),
        Some(Ok(seconds)) => Ok((seconds > 0).then_some(seconds)),
        Some(Err(_)) => Err(format!("{key} of the client {id:?} is not a number of seconds")),
    };
    let pkce = entry.attributes.get("pkce.code.challenge.method").is_some_and(|method| method == "S256");
    let post_logout = entry.attributes.get("post.logout.redirect.uris").map_or("+", String::as_str);
    Ok(Client {
        pkce_required: pkce || secret.is_none(),
        session_max: seconds("client.session.max.lifespan")?,
        session_idle: seconds("client.session.idle.timeout")?,
        web_origins: redirect::web_origins(&entry.web_origins, &entry.redirect_uris),
        post_logout_redirect_uris: redirect::post_logout(post_logout, &entry.redirect_uris),
        redirect_uris: entry.redirect_uris,
        standard_flow: entry.standard_flow_enabled,
        direct_grants: entry.direct_access_grants_enabled,
        service_account: entry.service_accounts_enabled,
        default_scopes: entry.default_client_scopes,
        optional_scopes: entry.optional_client_scopes,
        secret,
        id,
    })
}

fn user(realm: &str, entry: UserEntry, roles: &BTreeSet<String>) -> Result<User, String> {
    let username = entry.username;
    if username != username.to_lowercase() || username.trim().is_empty() {
        return Err(format!("the user name {username:?} must be in lower case"));
    }
    let complete = [&entry.email, &entry.first_name, &entry.last_name].iter().all(|field| field.is_some());
    if entry.service_account_client_id.is_none() && !complete {
        return Err(format!("the user {username:?} needs an e-mail address, a first and a last name"));
    }
    if let Some(role) = entry.realm_roles.iter().find(|role| !roles.contains(*role)) {
        return Err(format!("the user {username:?} has the role {role:?}, which does not exist"));
    }
    let password = entry.credentials.into_iter().find(|credential| credential.kind == "password");
    let is_temporary = password.as_ref().is_some_and(|password| password.temporary);
    Ok(User {
        id: entry.id.unwrap_or_else(|| user_id(realm, &username)),
        email: entry.email,
        first_name: entry.first_name,
        last_name: entry.last_name,
        enabled: entry.enabled,
        required_actions: if is_temporary { vec![UPDATE_PASSWORD.to_owned()] } else { Vec::new() },
        password_hash: None,
        password_set: 0,
        created: 0,
        not_before: 0,
        password: password.and_then(|password| password.value),
        roles: entry.realm_roles,
        client_roles: entry.client_roles,
        attributes: entry.attributes,
        username,
    })
}

/// A stable id for a user without one in the file, so that `sub` of ID tokens survives a restart.
pub(crate) fn user_id(realm: &str, username: &str) -> String {
    let digest = secret::hash(&format!("{realm}/{username}"));
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid().to_string()
}

fn distinct<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let mut names_so_far = BTreeSet::new();
    for name in names {
        if !names_so_far.insert(name) {
            return Err(format!("the {what} {name:?} exists twice"));
        }
    }
    Ok(())
}

fn service_accounts_exist(realm: &Realm) -> Result<(), String> {
    let without = realm.clients.iter().find(|c| c.service_account && realm.service_account(c).is_none());
    match without {
        Some(client) => Err(format!("the client {:?} has no enabled service account user", client.id)),
        None => Ok(()),
    }
}

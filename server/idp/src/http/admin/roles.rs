//! Realm roles: listing their members, assigning and removing them.

use axum::{
    Json,
    body::Bytes,
    extract::{Path, Query},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    access,
    users::refused::{Refusal, body, refuse},
    users::{UserPath, representation::person},
};
use crate::{
    http::{oauth_error::OAuthError, realm_path::InRealm, respond},
    realm::User,
};

/// The realm and the role in a path.
#[derive(Deserialize)]
pub(crate) struct RolePath {
    role: String,
}

/// A page of a list.
#[derive(Deserialize)]
pub(crate) struct PageQuery {
    #[serde(default)]
    first: usize,
    max: Option<usize>,
}

/// A role as given by a caller.
#[derive(Deserialize)]
struct RoleName {
    name: String,
}

fn require(at: &InRealm, headers: &HeaderMap, role: &str) -> Result<(), OAuthError> {
    access::require(at.loaded(), headers, at.state.now(), role)
}

fn role(name: &str) -> Value {
    // Roles have no id here.
    json!({ "id": name, "name": name, "composite": false, "clientRole": false })
}

/// `GET roles/{role}`.
pub(crate) async fn get(at: InRealm, headers: HeaderMap, Path(path): Path<RolePath>) -> Result<Response, OAuthError> {
    require(&at, &headers, "view-realm")?;
    Ok(match at.loaded().realm.roles.contains(&path.role) {
        true => respond::no_store(Json(role(&path.role))),
        false => refuse(Refusal::UnknownRole),
    })
}

/// `GET roles/{role}/users`.
pub(crate) async fn members(
    at: InRealm,
    headers: HeaderMap,
    Path(path): Path<RolePath>,
    Query(part): Query<PageQuery>,
) -> Result<Response, OAuthError> {
    require(&at, &headers, "view-realm")?;
    let loaded = at.loaded();
    if !loaded.realm.roles.contains(&path.role) {
        return Ok(refuse(Refusal::UnknownRole));
    }
    let all = loaded.people.all().into_iter().filter(|user| user.roles.contains(&path.role));
    let page = all.skip(part.first).take(part.max.unwrap_or(100)).map(|user| person(&user));
    Ok(respond::no_store(Json(page.collect::<Vec<_>>())))
}

/// `GET users/{id}/role-mappings/realm`, also with `/composite`: no role contains another one here.
pub(crate) async fn of_user(
    at: InRealm,
    headers: HeaderMap,
    Path(path): Path<UserPath>,
) -> Result<Response, OAuthError> {
    require(&at, &headers, "view-users")?;
    let roles = |user: &User| respond::no_store(Json(user.roles.iter().map(|name| role(name)).collect::<Vec<_>>()));
    let loaded = at.loaded();
    Ok(match loaded.realm.service_accounts.iter().find(|account| account.id == path.id) {
        Some(account) => roles(account),
        None => loaded.people.get(&path.id).map_or_else(|| refuse(Refusal::Unknown), |user| roles(&user)),
    })
}

/// `POST users/{id}/role-mappings/realm`.
pub(crate) async fn give(
    at: InRealm,
    headers: HeaderMap,
    path: Path<UserPath>,
    bytes: Bytes,
) -> Result<Response, OAuthError> {
    require(&at, &headers, "manage-users")?;
    Ok(map(&at, &path.id, &bytes, true).unwrap_or_else(refuse))
}

/// `DELETE users/{id}/role-mappings/realm`.
pub(crate) async fn take(
    at: InRealm,
    headers: HeaderMap,
    path: Path<UserPath>,
    bytes: Bytes,
) -> Result<Response, OAuthError> {
    require(&at, &headers, "manage-users")?;
    Ok(map(&at, &path.id, &bytes, false).unwrap_or_else(refuse))
}

fn map(at: &InRealm, id: &str, bytes: &Bytes, gives: bool) -> Result<Response, Refusal> {
    let loaded = at.loaded();
    let names: Vec<String> = body::<Vec<RoleName>>(bytes)?.into_iter().map(|role| role.name).collect();
    if names.iter().any(|name| !loaded.realm.roles.contains(name)) {
        return Err(Refusal::UnknownRole);
    }
    let change = |user: &mut User| {
        user.roles.retain(|role| !names.contains(role));
        if gives {
            user.roles.extend(names);
        }
    };
    loaded.people.change(id, change).map_err(Refusal::from)?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

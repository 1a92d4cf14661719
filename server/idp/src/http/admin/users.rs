//! The users of a realm in Keycloak's admin API, limited to what the platform uses.

pub(super) mod refused;
pub(super) mod representation;

use std::sync::Arc;

use axum::{
    Json,
    body::Bytes,
    extract::{Path, Query},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::{Value, json};

use self::{
    refused::{Refusal, body, refuse},
    representation::{Account, NewPassword, person},
};
use super::access;
use crate::{
    http::{oauth_error::OAuthError, realm_path::InRealm, respond},
    password_hash::PasswordHash,
    realm::{UPDATE_PASSWORD, User, user_id},
};

/// The default of `max`, as in Keycloak.
const DEFAULT_MAX: usize = 100;

/// The realm and the id in a path.
#[derive(Deserialize)]
pub(crate) struct UserPath {
    pub(super) id: String,
}

/// Parameters of the list. As with Keycloak, `q` is ignored when `search` is given.
#[derive(Deserialize)]
pub(crate) struct Filter {
    q: Option<String>,
    search: Option<String>,
    username: Option<String>,
    #[serde(default)]
    exact: bool,
    #[serde(default)]
    first: usize,
    max: Option<usize>,
}

fn view(at: &InRealm, headers: &HeaderMap) -> Result<(), OAuthError> {
    access::require(at.loaded(), headers, at.state.now(), "view-users")
}

fn manage(at: &InRealm, headers: &HeaderMap) -> Result<(), OAuthError> {
    access::require(at.loaded(), headers, at.state.now(), "manage-users")
}

fn find_user(at: &InRealm, id: &str) -> Result<Arc<User>, Refusal> {
    at.loaded().people.get(id).ok_or(Refusal::Unknown)
}

/// `GET users`. Service accounts are in the list, too.
pub(crate) async fn list(
    at: InRealm,
    headers: HeaderMap,
    Query(filter): Query<Filter>,
) -> Result<Response, OAuthError> {
    view(&at, &headers)?;
    let loaded = at.loaded();
    let people = loaded.people.all();
    let accounts = loaded.realm.service_accounts.iter().cloned().map(Arc::new);
    let all = people.into_iter().chain(accounts).filter(|user| filter.admits(user));
    let page = all.skip(filter.first).take(filter.max.unwrap_or(DEFAULT_MAX));
    Ok(respond::no_store(Json(page.map(|user| person(&user)).collect::<Vec<_>>())))
}

impl Filter {
    fn admits(&self, user: &User) -> bool {
        if let Some(search) = &self.search {
            let search = search.to_lowercase();
            let texts = [Some(&user.username), user.email.as_ref(), user.first_name.as_ref(), user.last_name.as_ref()];
            return texts.into_iter().flatten().any(|text| text.to_lowercase().contains(&search));
        }
        let by_name = self.username.as_ref().is_none_or(|name| match self.exact {
            true => user.username == name.to_lowercase(),
            false => user.username.contains(&name.to_lowercase()),
        });
        let attribute = self.q.as_ref().and_then(|q| q.split_once(':'));
        by_name && attribute.is_none_or(|(name, value)| user.attributes.get(name).is_some_and(|all| all == &[value]))
    }
}

/// `POST users`.
pub(crate) async fn create(at: InRealm, headers: HeaderMap, bytes: Bytes) -> Result<Response, OAuthError> {
    manage(&at, &headers)?;
    Ok(create_user(&at, &bytes).unwrap_or_else(refuse))
}

fn create_user(at: &InRealm, bytes: &Bytes) -> Result<Response, Refusal> {
    let account: Account = body(bytes)?;
    let loaded = at.loaded();
    let username = account.username.clone().unwrap_or_default().to_lowercase();
    if username.chars().count() < 3 || username.starts_with("service-account-") {
        return Err(Refusal::Value("username", "error-invalid-length"));
    }
    let now = at.state.now_millis();
    let mut user = User::new(user_id(&loaded.realm.name, &format!("{username}/{now}")), username, now);
    account.apply(&mut user)?;
    if let Some(password) = account.credentials.iter().flatten().next() {
        set_password(at, &mut user, password)?;
    }
    let location = format!("{}/admin/realms/{}/users/{}", origin(&loaded.issuer), loaded.realm.name, user.id);
    loaded.people.add(user).map_err(Refusal::from)?;
    Ok(respond::no_store((StatusCode::CREATED, [(header::LOCATION, location)])))
}

fn origin(issuer: &str) -> &str {
    issuer.split("/realms/").next().unwrap_or_default()
}

/// `GET users/{id}`.
pub(crate) async fn get(at: InRealm, headers: HeaderMap, Path(path): Path<UserPath>) -> Result<Response, OAuthError> {
    view(&at, &headers)?;
    let account = at.loaded().realm.service_accounts.iter().find(|account| account.id == path.id);
    let representation = match account {
        Some(account) => Ok(person(account)),
        None => find_user(&at, &path.id).map(|user| person(&user)),
    };
    Ok(representation.map_or_else(refuse, |representation| respond::no_store(Json(representation))))
}

/// `PUT users/{id}`.
pub(crate) async fn update(
    at: InRealm,
    headers: HeaderMap,
    Path(path): Path<UserPath>,
    bytes: Bytes,
) -> Result<Response, OAuthError> {
    manage(&at, &headers)?;
    let changed = body::<Account>(&bytes).and_then(|account| {
        let mut probe = User::clone(&*find_user(&at, &path.id)?);
        account.apply(&mut probe)?;
        change(&at, &path.id, |user| *user = probe)
    });
    Ok(changed.unwrap_or_else(refuse))
}

fn change(at: &InRealm, id: &str, with: impl FnOnce(&mut User)) -> Result<Response, Refusal> {
    at.loaded().people.change(id, with).map_err(Refusal::from)?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// `DELETE users/{id}`; the person's sessions end.
pub(crate) async fn delete(
    at: InRealm,
    headers: HeaderMap,
    Path(path): Path<UserPath>,
) -> Result<Response, OAuthError> {
    manage(&at, &headers)?;
    let removed = find_user(&at, &path.id).and_then(|user| {
        at.loaded().people.remove(&path.id).map_err(Refusal::from)?;
        at.state.memory().end_sessions_of(&at.loaded().realm, &user.username, at.state.now());
        Ok(StatusCode::NO_CONTENT.into_response())
    });
    Ok(removed.unwrap_or_else(refuse))
}

/// `PUT users/{id}/reset-password`.
pub(crate) async fn reset_password(
    at: InRealm,
    headers: HeaderMap,
    Path(path): Path<UserPath>,
    bytes: Bytes,
) -> Result<Response, OAuthError> {
    manage(&at, &headers)?;
    let changed = body::<NewPassword>(&bytes).and_then(|password| {
        let mut user = User::clone(&*find_user(&at, &path.id)?);
        set_password(&at, &mut user, &password)?;
        change(&at, &path.id, |stored| *stored = user)
    });
    Ok(changed.unwrap_or_else(refuse))
}

fn set_password(at: &InRealm, user: &mut User, password: &NewPassword) -> Result<(), Refusal> {
    if password.value.chars().count() < at.loaded().realm.min_password {
        return Err(Refusal::Password);
    }
    user.password = None;
    user.password_hash = Some(PasswordHash::new(&password.value));
    user.password_set = at.state.now_millis();
    if password.temporary && !user.must_change_password() {
        user.required_actions.push(UPDATE_PASSWORD.to_owned());
    }
    Ok(())
}

/// `GET users/{id}/credentials`: when the password was set.
pub(crate) async fn credentials(
    at: InRealm,
    headers: HeaderMap,
    Path(path): Path<UserPath>,
) -> Result<Response, OAuthError> {
    manage(&at, &headers)?;
    let response = find_user(&at, &path.id).map(|user| {
        let password = json!({ "id": user.id, "type": "password", "createdDate": user.password_set });
        let has_one = user.password.is_some() || user.password_hash.is_some();
        respond::no_store(Json(has_one.then_some(password).into_iter().collect::<Vec<Value>>()))
    });
    Ok(response.unwrap_or_else(refuse))
}

/// `GET users/{id}/sessions`.
pub(crate) async fn sessions(
    at: InRealm,
    headers: HeaderMap,
    Path(path): Path<UserPath>,
) -> Result<Response, OAuthError> {
    manage(&at, &headers)?;
    let response = find_user(&at, &path.id).map(|user| {
        let ids = at.state.memory().sessions_of(&at.loaded().realm, &user.username, at.state.now());
        let all = ids.iter().map(|id| json!({ "id": id, "username": user.username, "userId": user.id }));
        respond::no_store(Json(all.collect::<Vec<_>>()))
    });
    Ok(response.unwrap_or_else(refuse))
}

/// `POST users/{id}/logout`: ends all sessions, and says since when.
pub(crate) async fn logout(
    at: InRealm,
    headers: HeaderMap,
    Path(path): Path<UserPath>,
) -> Result<Response, OAuthError> {
    manage(&at, &headers)?;
    let done = find_user(&at, &path.id).and_then(|user| {
        let now = at.state.now();
        at.state.memory().end_sessions_of(&at.loaded().realm, &user.username, now);
        change(&at, &path.id, |user| user.not_before = now)
    });
    Ok(done.unwrap_or_else(refuse))
}

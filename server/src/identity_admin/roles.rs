//! The roles of people. For few people they are requested one by one; for many, through the members of each role.

use std::collections::{HashMap, HashSet};

use contract::{PersonId, people::PersonRole};
use futures::{StreamExt, TryStreamExt, stream};
use reqwest::Method;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Account, IdentityAdmin, IdentityError, IdentityResult};

/// Maximum people whose roles are requested one by one.
const MAX_SINGLE_READS: usize = 25;
/// Maximum concurrent calls of one read, a part of those of this process.
const MAX_PARALLEL_CALLS: usize = 2;
/// Members of a role in one page.
const PAGE_SIZE: usize = 2_000;
/// Maximum members of a role that are read.
pub(super) const MAX_MEMBERS: usize = 100_000;

#[derive(Deserialize)]
struct Member {
    id: PersonId,
}

/// The name of a role in the realm.
const fn realm_role(role: PersonRole) -> &'static str {
    match role {
        PersonRole::Admin => "tenant-admin",
        PersonRole::Viewer => "tenant-viewer",
    }
}

impl IdentityAdmin {
    /// The role of a person; administrator if the person has both.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn role(&self, id: PersonId) -> IdentityResult<Option<PersonRole>> {
        let all: Vec<Value> = self.people.read(&format!("users/{id}/role-mappings/realm")).await?;
        let has = |role: PersonRole| all.iter().any(|one| one["name"] == realm_role(role));
        Ok([PersonRole::Admin, PersonRole::Viewer].into_iter().find(|role| has(*role)))
    }

    /// The roles of these people.
    ///
    /// # Errors
    /// When the provider is unavailable.
    pub async fn roles(&self, people: &[Account]) -> IdentityResult<HashMap<PersonId, PersonRole>> {
        if people.len() <= MAX_SINGLE_READS {
            let ids: Vec<PersonId> = people.iter().map(|person| person.id).collect();
            let roles = stream::iter(ids).map(async |id| match self.role(id).await {
                Ok(role) => Ok(role.map(|role| (id, role))),
                // The person was removed in the meantime.
                Err(IdentityError::NotFound) => Ok(None),
                Err(error) => Err(error),
            });
            let roles: Vec<_> = roles.buffer_unordered(MAX_PARALLEL_CALLS).try_collect().await?;
            return Ok(roles.into_iter().flatten().collect());
        }
        let (admins, viewers) = tokio::join!(self.members(PersonRole::Admin), self.members(PersonRole::Viewer));
        let (admins, viewers) = (admins?, viewers?);
        let role = |id: PersonId| match id {
            id if admins.contains(&id) => Some(PersonRole::Admin),
            id if viewers.contains(&id) => Some(PersonRole::Viewer),
            _ => None,
        };
        Ok(people.iter().filter_map(|person| role(person.id).map(|role| (person.id, role))).collect())
    }

    /// Everybody in the realm who has a role.
    async fn members(&self, role: PersonRole) -> IdentityResult<HashSet<PersonId>> {
        let mut members = HashSet::new();
        for first in (0..MAX_MEMBERS).step_by(PAGE_SIZE) {
            let name = realm_role(role);
            let path = format!("roles/{name}/users?briefRepresentation=true&first={first}&max={PAGE_SIZE}");
            let page: Vec<Member> = self.people.read(&path).await.map_err(missing_role)?;
            let is_last = page.len() < PAGE_SIZE;
            members.extend(page.into_iter().map(|member| member.id));
            if is_last {
                return Ok(members);
            }
        }
        Err(IdentityError::Unavailable(format!("more than {MAX_MEMBERS} people have a role")))
    }

    /// Assigns this role to a person and removes the other one. The role of an administrator decides and changes with
    /// one call, so that a person has exactly one effective role at every moment.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn set_role(&self, id: PersonId, role: PersonRole) -> IdentityResult<()> {
        let other = if role == PersonRole::Admin { PersonRole::Viewer } else { PersonRole::Admin };
        let path = format!("users/{id}/role-mappings/realm");
        let new_role = self.mapping(role).await?;
        self.people.write(Method::POST, &path, Some(&new_role)).await?;
        let taken = self.mapping(other).await?;
        self.people.write(Method::DELETE, &path, Some(&taken)).await.map(drop)
    }

    async fn mapping(&self, role: PersonRole) -> IdentityResult<Value> {
        let name = realm_role(role);
        let role: Value = self.people.read(&format!("roles/{name}")).await.map_err(missing_role)?;
        Ok(json!([{ "id": role["id"], "name": name }]))
    }
}

/// A realm without the platform's roles is misconfigured.
fn missing_role(error: IdentityError) -> IdentityError {
    match error {
        IdentityError::NotFound => IdentityError::Unavailable("the realm has no role of the platform".to_owned()),
        other => other,
    }
}

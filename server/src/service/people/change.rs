//! Changes of an existing person. A change without effect is not started.

use contract::{
    PersonId,
    audit::actions,
    people::{FirstPassword, Person, PersonPatch, PersonRole},
};
use serde_json::{Map, Value, json};

use super::{
    invite, list,
    locked_people::LockedPeople,
    perform::{self, Step},
    rules, snapshot,
};
use crate::{error::ApiResult, precondition::IfMatch};

pub(super) async fn update(
    locked: &LockedPeople,
    id: PersonId,
    if_match: &IfMatch,
    patch: &PersonPatch,
) -> ApiResult<Person> {
    let current = list::read(locked, id).await?;
    if_match.check(&current)?;
    let account = locked.provider.person(locked.tenant, id).await?;
    let fields = changed_fields(&account, patch);
    let role = patch.role.filter(|role| current.role != Some(*role));
    if fields.is_empty() && role.is_none() {
        return Ok(current);
    }
    let is_demoted = current.role == Some(PersonRole::Admin) && role == Some(PersonRole::Viewer);
    let is_deactivated = account.is_enabled && patch.is_active == Some(false);
    if is_demoted || is_deactivated {
        rules::check_loss(locked, &account, current.role).await?;
    }
    if fields.iter().any(|(field, _)| *field == "email") {
        locked.check_conflicts().await?;
    }
    let wanted = requested_change(patch, &fields, role);
    let before = snapshot::only(&snapshot::of(&account, current.role), &wanted);
    let change = locked.begin(action(patch, &fields, role), (Some(id), &account.username), before, wanted).await?;
    let steps = [
        Step::Fields(Box::new(account.clone()), fields),
        Step::Role(role),
        Step::SignOut(is_demoted || is_deactivated),
    ];
    perform::run(locked, change, id, steps).await?;
    list::read(locked, id).await
}

/// The action for the audit log. Changes of access and role take precedence.
fn action(patch: &PersonPatch, fields: &[(&'static str, Value)], role: Option<PersonRole>) -> &'static str {
    match patch.is_active.filter(|_| fields.iter().any(|(field, _)| *field == "enabled")) {
        Some(true) => actions::USER_ACTIVATED,
        Some(false) => actions::USER_DEACTIVATED,
        None if role.is_some() => actions::USER_ROLE_CHANGED,
        None => actions::USER_UPDATED,
    }
}

/// The provider's names of the changed fields, with their new values.
fn changed_fields(account: &crate::identity_admin::Account, patch: &PersonPatch) -> Vec<(&'static str, Value)> {
    let texts = [
        ("firstName", &patch.first_name, &account.first_name),
        ("lastName", &patch.last_name, &account.last_name),
        ("email", &patch.email, &account.email),
    ];
    let texts = texts.into_iter().filter_map(|(field, new, old)| {
        let new = new.as_ref()?.trim();
        (new != old).then(|| (field, json!(new)))
    });
    let enabled = patch.is_active.filter(|is_active| *is_active != account.is_enabled);
    texts.chain(enabled.map(|is_active| ("enabled", json!(is_active)))).collect()
}

/// The record of the change.
fn requested_change(patch: &PersonPatch, fields: &[(&'static str, Value)], role: Option<PersonRole>) -> Value {
    let mut wanted = Map::new();
    for (field, value) in fields {
        let name = match *field {
            "firstName" => "first_name",
            "lastName" => "last_name",
            other => other,
        };
        match value.as_str() {
            Some(text) => drop(wanted.insert(name.to_owned(), json!(snapshot::fingerprint(name, text)))),
            None => drop(wanted.insert("is_active".to_owned(), json!(patch.is_active))),
        }
    }
    if let Some(role) = role {
        wanted.insert("role".to_owned(), json!(role));
    }
    wanted.into()
}

pub(super) async fn remove(locked: &LockedPeople, id: PersonId) -> ApiResult<()> {
    let account = locked.provider.person(locked.tenant, id).await?;
    let role = locked.provider.role(id).await?;
    rules::check_loss(locked, &account, role).await?;
    let before = json!({ "username": account.username, "role": role, "is_active": account.is_enabled });
    let wanted = json!({ "retires_username": locked.was_used(&account).await? });
    let change = locked.begin(actions::USER_REMOVED, (Some(id), &account.username), before, wanted).await?;
    perform::run(locked, change, id, [Step::SignOut(true), Step::Delete]).await
}

pub(super) async fn reset_password(locked: &LockedPeople, id: PersonId) -> ApiResult<FirstPassword> {
    let account = locked.provider.person(locked.tenant, id).await?;
    let first_password = invite::password();
    let set_at = locked.provider.password_set_at(id).await?;
    let before = json!({ "password_set_at": set_at });
    let wanted = json!({ "password_set_at": "new" });
    let change = locked.begin(actions::USER_PASSWORD_RESET, (Some(id), &account.username), before, wanted).await?;
    perform::run(locked, change, id, [Step::Password(first_password.clone()), Step::SignOut(true)]).await?;
    Ok(FirstPassword { first_password })
}

pub(super) async fn sign_out(locked: &LockedPeople, id: PersonId) -> ApiResult<()> {
    let account = locked.provider.person(locked.tenant, id).await?;
    let sessions = locked.provider.sessions(id).await?;
    if sessions == 0 {
        return Ok(());
    }
    let (before, wanted) = (json!({ "sessions": sessions }), json!({ "sessions": 0 }));
    let change = locked.begin(actions::USER_SIGNED_OUT, (Some(id), &account.username), before, wanted).await?;
    perform::run(locked, change, id, [Step::SignOut(true)]).await
}

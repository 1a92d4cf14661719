//! The people of a tenant. They are stored at the identity provider, so a change and its audit row are in different
//! systems: a change is first committed as pending, then the provider is called, then one transaction settles the
//! change and writes the row. If this stops between two steps, the next change of the tenant or the background task
//! asks the provider whether the change was made.

pub mod activity;
mod change;
pub mod ending;
mod invite;
mod list;
mod lock;
mod locked_people;
mod perform;
mod rules;
pub mod settle;
pub mod signed_in;
mod snapshot;

use std::sync::Arc;

use contract::{
    ErrorCode, PersonId, TenantId,
    people::{FirstPassword, InvitedPerson, NewPerson, Person, PersonPatch},
};

pub use list::{get, list};

use self::locked_people::LockedPeople;
use crate::{
    caller::Caller,
    error::ApiResult,
    identity_admin::{IdentityAdmin, configured},
    precondition::IfMatch,
    state::App,
};

/// The active tenant in an operator's path.
///
/// # Errors
/// `tenant_not_found`.
pub async fn tenant_of_path(app: &App, caller: &Caller, tenant: TenantId) -> ApiResult<TenantId> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let stored = store::tenants::find(&mut tx, tenant).await?;
    stored.map(|_| tenant).ok_or_else(|| ErrorCode::TenantNotFound.into())
}

/// Invites a person.
///
/// # Errors
/// `username_taken`, `email_taken`, `rate_limited` after twenty of these in an hour, and when the provider fails.
pub async fn invite(app: &App, caller: &Caller, tenant: TenantId, new: NewPerson) -> ApiResult<InvitedPerson> {
    configured(app.people.as_ref())?;
    locked(app, caller, tenant, move |locked| async move { invite::invite(&locked, &new).await }).await
}

/// Changes a person.
///
/// # Errors
/// `person_not_found`, `precondition_failed`, `own_person`, `last_tenant_admin`, `email_taken`, and when the provider fails.
pub async fn update(
    app: &App,
    caller: &Caller,
    (tenant, id): (TenantId, PersonId),
    if_match: IfMatch,
    patch: PersonPatch,
) -> ApiResult<Person> {
    exists(app, tenant, id).await?;
    locked(app, caller, tenant, move |locked| async move { change::update(&locked, id, &if_match, &patch).await }).await
}

/// Removes a person.
///
/// # Errors
/// `person_not_found`, `own_person`, `last_tenant_admin`, and when the provider fails.
pub async fn remove(app: &App, caller: &Caller, (tenant, id): (TenantId, PersonId)) -> ApiResult<()> {
    exists(app, tenant, id).await?;
    locked(app, caller, tenant, move |locked| async move { change::remove(&locked, id).await }).await
}

/// Assigns a new first password to a person.
///
/// # Errors
/// `person_not_found`, and when the provider fails.
pub async fn reset_password(
    app: &App,
    caller: &Caller,
    (tenant, id): (TenantId, PersonId),
) -> ApiResult<FirstPassword> {
    exists(app, tenant, id).await?;
    locked(app, caller, tenant, move |locked| async move { change::reset_password(&locked, id).await }).await
}

/// Signs a person out everywhere.
///
/// # Errors
/// `person_not_found`, and when the provider fails.
pub async fn sign_out(app: &App, caller: &Caller, (tenant, id): (TenantId, PersonId)) -> ApiResult<()> {
    exists(app, tenant, id).await?;
    locked(app, caller, tenant, move |locked| async move { change::sign_out(&locked, id).await }).await
}

/// Refuses unknown people before anything is written.
async fn exists(app: &App, tenant: TenantId, id: PersonId) -> ApiResult<IdentityAdmin> {
    let provider = configured(app.people.as_ref())?;
    provider.person(tenant, id).await?;
    Ok(provider)
}

/// Runs work on the people of a tenant under its lock. The work continues when the caller disconnects.
async fn locked<T, F, Work>(app: &App, caller: &Caller, tenant: TenantId, work: F) -> ApiResult<T>
where
    T: Send + 'static,
    F: FnOnce(Arc<LockedPeople>) -> Work + Send + 'static,
    Work: Future<Output = ApiResult<T>> + Send,
{
    let (app, caller) = (app.clone(), caller.clone());
    let task = app.tasks.clone().spawn(async move {
        let locked = Arc::new(LockedPeople::open(&app, &caller, tenant).await?);
        let result = work(Arc::clone(&locked)).await;
        locked.close().await;
        result
    });
    task.await.map_err(|_| ErrorCode::InternalError)?
}

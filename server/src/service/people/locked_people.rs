//! The context of a change of a tenant's people while their lock is held.

use std::time::Duration;

use contract::{ErrorCode, TenantId, identity::TokenScope};
use serde_json::Value;
use store::{
    Exemption, Scope,
    people::{self, Change, lock as conflicts},
};
use uuid::Uuid;

use super::{lock, settle};
use crate::{
    auth::TENANT_REALM,
    caller::Caller,
    error::{ApiError, ApiResult},
    identity_admin::{Account, IdentityAdmin, configured},
    state::App,
};

/// Maximum taken names and addresses that a tenant may try per hour, because each reveals that it exists.
const MAX_CONFLICTS: i32 = 20;

/// The people of a tenant, locked for one change.
pub(super) struct LockedPeople {
    pub(super) app: App,
    pub(super) provider: IdentityAdmin,
    pub(super) tenant: TenantId,
    caller: Caller,
    scope: Scope,
    holder: Uuid,
}

impl LockedPeople {
    /// Acquires the lock and settles what an earlier change left open.
    pub(super) async fn open(app: &App, caller: &Caller, tenant: TenantId) -> ApiResult<Self> {
        let provider = configured(app.people.as_ref())?;
        let (scope, holder) = (caller.scope()?, Uuid::new_v4());
        if !lock::acquire(app, &scope, tenant, holder).await? {
            return Err(ErrorCode::ServiceUnavailable.into());
        }
        let locked = Self { app: app.clone(), provider, tenant, caller: caller.clone(), scope, holder };
        match settle::leftovers(app, &locked.provider, tenant).await {
            Ok(_) => Ok(locked),
            Err(error) => {
                locked.close().await;
                Err(error)
            }
        }
    }

    /// Releases the lock. If that fails, the lock expires.
    pub(super) async fn close(&self) {
        if let Err(error) = lock::release(&self.app, &self.scope, self.tenant, self.holder).await {
            tracing::warn!(%error, "people.lock_not_released");
        }
    }

    /// Whether the caller is this person.
    pub(super) fn is_own(&self, account: &Account) -> bool {
        let identity = &self.caller.identity;
        identity.scope == TokenScope::Tenant && identity.realm == TENANT_REALM && identity.username == account.username
    }

    /// Commits a change as pending.
    pub(super) async fn begin(
        &self,
        action: &str,
        account: (Option<contract::PersonId>, &str),
        before: Value,
        wanted: Value,
    ) -> ApiResult<Change> {
        let change = Change {
            id: Uuid::now_v7(),
            tenant: self.tenant,
            action: action.to_owned(),
            person: account.0,
            username: account.1.to_owned(),
            wanted,
            before,
            actor: self.caller.actor(),
            realm: self.caller.identity.realm.clone(),
        };
        let mut tx = self.app.db.write(&self.scope).await?;
        if !store::tenants::share_lock_active(&mut tx, self.tenant).await? {
            let is_own = self.caller.identity.scope == TokenScope::Tenant;
            return Err(if is_own { ErrorCode::TenantNotActive } else { ErrorCode::TenantNotFound }.into());
        }
        people::begin(&mut tx, &change).await?;
        let exempt = tx.exempt(Exemption::BegunChange);
        tx.commit(exempt).await?;
        Ok(change)
    }

    /// Refuses a tenant that tried too many taken names and addresses recently.
    pub(super) async fn check_conflicts(&self) -> ApiResult<()> {
        let mut tx = self.app.db.read(&self.scope).await?;
        let (conflicts, seconds) = conflicts::conflicts(&mut tx, self.tenant).await?;
        if conflicts < MAX_CONFLICTS {
            return Ok(());
        }
        Err(ApiError::rate_limited(Duration::from_secs(u64::try_from(seconds).unwrap_or(1).max(1))))
    }

    /// Counts a taken name or address, and returns it as the error.
    pub(super) async fn conflict(&self, code: ErrorCode) -> ApiError {
        match self.count_conflict().await {
            Ok(()) => code.into(),
            Err(error) => error,
        }
    }

    async fn count_conflict(&self) -> ApiResult<()> {
        let mut tx = self.app.db.write(&self.scope).await?;
        conflicts::count_conflict(&mut tx, self.tenant).await?;
        let exempt = tx.exempt(Exemption::BegunChange);
        Ok(tx.commit(exempt).await?)
    }

    /// Whether the name belonged to a person who was removed.
    pub(super) async fn is_retired(&self, username: &str) -> ApiResult<bool> {
        let mut tx = self.app.db.read(&Scope::system()).await?;
        Ok(people::retired::contains(&mut tx, &super::snapshot::fingerprint("username", username)).await?)
    }
}

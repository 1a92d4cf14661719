//! The lock on a tenant's people, and what a change needs while it is held.

use std::time::{Duration, Instant};

use contract::{ErrorCode, TenantId, identity::TokenScope};
use serde_json::Value;
use store::{
    Exemption, Scope,
    people::{self, Change, lock},
};
use uuid::Uuid;

use super::settle;
use crate::{
    auth::TENANT_REALM,
    caller::Caller,
    error::{ApiError, ApiResult},
    identity_admin::{Account, IdentityAdmin, configured},
    state::App,
};

/// How long the lock is held at most. The calls of one change take less.
pub(super) const LOCK_TIME: Duration = Duration::from_secs(90);
/// How long a change waits for another one of the same tenant.
const PATIENCE: Duration = Duration::from_secs(15);
const RETRY_AFTER: Duration = Duration::from_millis(50);
/// Taken names and addresses that a tenant may meet in an hour: each tells that somebody has them.
const MAX_CONFLICTS: i32 = 20;

/// The lock on the people of a tenant.
pub(super) struct Session {
    pub(super) app: App,
    pub(super) provider: IdentityAdmin,
    pub(super) tenant: TenantId,
    caller: Caller,
    scope: Scope,
    holder: Uuid,
}

impl Session {
    /// Takes the lock and settles what an earlier change left open.
    pub(super) async fn open(app: &App, caller: &Caller, tenant: TenantId) -> ApiResult<Self> {
        let provider = configured(app.people.as_ref())?;
        let (scope, holder) = (caller.scope()?, Uuid::new_v4());
        if !acquire(app, &scope, tenant, holder).await? {
            return Err(ErrorCode::ServiceUnavailable.into());
        }
        let session = Self { app: app.clone(), provider, tenant, caller: caller.clone(), scope, holder };
        match settle::leftovers(app, &session.provider, tenant).await {
            Ok(()) => Ok(session),
            Err(error) => {
                session.close().await;
                Err(error)
            }
        }
    }

    /// Gives the lock back. When that fails, the lock ends by itself.
    pub(super) async fn close(&self) {
        if let Err(error) = release(&self.app, &self.scope, self.tenant, self.holder).await {
            tracing::warn!(event = "people.lock_kept", ?error, "the lock on a tenant's people was not given back");
        }
    }

    /// Whether the caller is this person.
    pub(super) fn is_own(&self, account: &Account) -> bool {
        let identity = &self.caller.identity;
        identity.scope == TokenScope::Tenant && identity.realm == TENANT_REALM && identity.username == account.username
    }

    /// Commits that a change is about to be made.
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
            return Err(ErrorCode::TenantNotFound.into());
        }
        people::begin(&mut tx, &change).await?;
        let exempt = tx.exempt(Exemption::BegunChange);
        tx.commit(exempt).await?;
        Ok(change)
    }

    /// Refuses a tenant that met too many taken names and addresses lately.
    pub(super) async fn check_conflicts(&self) -> ApiResult<()> {
        let mut tx = self.app.db.read(&self.scope).await?;
        let (conflicts, seconds) = lock::conflicts(&mut tx, self.tenant).await?;
        if conflicts < MAX_CONFLICTS {
            return Ok(());
        }
        Err(ApiError::rate_limited(Duration::from_secs(u64::try_from(seconds).unwrap_or(1).max(1))))
    }

    /// Counts a taken name or address, and gives it back as the error.
    pub(super) async fn conflict(&self, code: ErrorCode) -> ApiError {
        match self.count_conflict().await {
            Ok(()) => code.into(),
            Err(error) => error,
        }
    }

    async fn count_conflict(&self) -> ApiResult<()> {
        let mut tx = self.app.db.write(&self.scope).await?;
        lock::count_conflict(&mut tx, self.tenant).await?;
        let exempt = tx.exempt(Exemption::BegunChange);
        Ok(tx.commit(exempt).await?)
    }

    /// Whether the name belonged to somebody who was removed.
    pub(super) async fn is_retired(&self, username: &str) -> ApiResult<bool> {
        let mut tx = self.app.db.read(&Scope::system()).await?;
        Ok(people::retired::contains(&mut tx, &super::snapshot::fingerprint("username", username)).await?)
    }
}

/// Takes the lock, waiting for whoever has it.
async fn acquire(app: &App, scope: &Scope, tenant: TenantId, holder: Uuid) -> ApiResult<bool> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if try_acquire(app, scope, tenant, holder).await? {
            return Ok(true);
        }
        if Instant::now() >= deadline {
            return Ok(false);
        }
        tokio::time::sleep(RETRY_AFTER).await;
    }
}

/// Takes the lock unless somebody has it.
pub(super) async fn try_acquire(app: &App, scope: &Scope, tenant: TenantId, holder: Uuid) -> ApiResult<bool> {
    let mut tx = app.db.write(scope).await?;
    let is_held = lock::acquire(&mut tx, tenant, holder, LOCK_TIME).await?;
    let exempt = tx.exempt(Exemption::BegunChange);
    tx.commit(exempt).await?;
    Ok(is_held)
}

/// Gives the lock back.
pub(super) async fn release(app: &App, scope: &Scope, tenant: TenantId, holder: Uuid) -> ApiResult<()> {
    let mut tx = app.db.write(scope).await?;
    lock::release(&mut tx, tenant, holder).await?;
    let exempt = tx.exempt(Exemption::BegunChange);
    Ok(tx.commit(exempt).await?)
}

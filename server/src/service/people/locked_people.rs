//! The context of a change of a tenant's people while their lock is held.

use std::time::Duration;

use contract::{ErrorCode, TenantId, identity::TokenScope};
use serde_json::Value;
use store::{
    Exemption, Scope,
    people::{self, Change, lock as conflicts},
};
use uuid::Uuid;

use super::{lock, settle, snapshot};
use crate::{
    auth::TENANT_REALM,
    caller::Caller,
    error::{ApiError, ApiResult},
    identity_admin::{Account, CallerRealm, IdentityAdmin, configured},
    state::App,
};

/// The realm role that a tenant's user needs to change people.
const ADMIN_ROLE: &str = "tenant-admin";
/// The realm role that an operator needs.
const OPERATOR_ROLE: &str = "operator";
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
    /// Acquires the lock, checks that the caller still may change people, and settles what an earlier change left open.
    pub(super) async fn open(app: &App, caller: &Caller, tenant: TenantId) -> ApiResult<Self> {
        let provider = configured(app.people.as_ref())?;
        let (scope, holder) = (caller.scope()?, Uuid::new_v4());
        if !lock::acquire(app, &scope, tenant, holder).await? {
            return Err(ErrorCode::ServiceUnavailable.into());
        }
        let locked = Self { app: app.clone(), provider, tenant, caller: caller.clone(), scope, holder };
        match locked.prepare().await {
            Ok(()) => Ok(locked),
            Err(error) => {
                locked.close().await;
                Err(error)
            }
        }
    }

    async fn prepare(&self) -> ApiResult<()> {
        self.check_caller().await?;
        settle::leftovers(&self.app, &self.provider, self.tenant).await.map(drop)
    }

    /// Refuses a caller who was dismissed, or whose sessions were all ended, after the token was issued. The token alone
    /// would let a removed administrator, or somebody with a stolen token, invite another one for five minutes more.
    async fn check_caller(&self) -> ApiResult<()> {
        let identity = &self.caller.identity;
        let (realm, role, missing) = match identity.scope {
            TokenScope::Tenant => {
                (CallerRealm::Tenant(self.caller.tenant()?), ADMIN_ROLE, ErrorCode::TenantAdminRequired)
            }
            TokenScope::Operator | TokenScope::Vendor => {
                (CallerRealm::Platform, OPERATOR_ROLE, ErrorCode::OperatorRequired)
            }
        };
        let rights = self.provider.current_rights(realm, &identity.username).await?;
        match rights {
            Some(rights) if !rights.has(role) => Err(missing.into()),
            Some(rights) if rights.accepts(self.caller.issued_at) => Ok(()),
            _ => Err(ErrorCode::NotAuthenticated.into()),
        }
    }

    /// Releases the lock. If that fails, the lock expires.
    pub(super) async fn close(&self) {
        self.app.people_reads().forget(self.tenant);
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
        tx.commit_exempt(Exemption::BegunChange).await?;
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
        Ok(tx.commit_exempt(Exemption::BegunChange).await?)
    }

    /// Refuses a tenant's administrator whose tenant was sent enough invitations in the last hour. Operators are exempt:
    /// a new tenant may have many people.
    pub(super) async fn check_invitations(&self) -> ApiResult<()> {
        if self.caller.identity.scope != TokenScope::Tenant {
            return Ok(());
        }
        let mut tx = self.app.db.read(&self.scope).await?;
        let limit = self.app.settings.invitations_per_hour;
        match people::invitations::wait_seconds(&mut tx, self.tenant, limit).await? {
            None => Ok(()),
            Some(seconds) => Err(ApiError::rate_limited(Duration::from_secs(seconds.max(1)))),
        }
    }

    /// Whether the name belonged to a removed person of this tenant.
    pub(super) async fn is_retired(&self, username: &str) -> ApiResult<bool> {
        let mut tx = self.app.db.read(&Scope::system()).await?;
        Ok(people::retired::contains(&mut tx, &snapshot::retired_hashes(self.tenant, username)).await?)
    }

    /// Whether the person ever signed in: a name without any trace in the audit log can be given again.
    pub(super) async fn was_used(&self, account: &Account) -> ApiResult<bool> {
        if !account.must_change_password {
            return Ok(true);
        }
        let scope = Scope::tenant(self.tenant).exempt_from_shares();
        let mut tx = self.app.db.read(&scope).await?;
        Ok(people::activity::of_person(&mut tx, self.tenant, TENANT_REALM, &account.username).await?)
    }
}

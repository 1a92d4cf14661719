//! What an account may do at this moment, which its token may no longer say correctly.

use contract::TenantId;
use serde_json::Value;

use super::{Account, Calls, IdentityAdmin, IdentityError, IdentityResult};

/// Whose account it is.
#[derive(Debug, Clone, Copy)]
pub enum CallerRealm {
    /// Somebody of a tenant, or the tenant's service account.
    Tenant(TenantId),
    /// An operator.
    Platform,
}

/// An account as it is now.
#[derive(Debug)]
pub struct Rights {
    roles: Vec<String>,
    not_before: i64,
}

impl Rights {
    /// Whether it has a realm role, also by a group.
    pub fn has(&self, role: &str) -> bool {
        self.roles.iter().any(|name| name == role)
    }

    /// Whether a token was issued, in seconds since 1970, after all sessions were last ended. One of the same second may be
    /// from before.
    pub fn accepts(&self, issued_at: i64) -> bool {
        issued_at > self.not_before
    }
}

impl IdentityAdmin {
    /// What an account may do now; `None` when it was removed or deactivated, or belongs to another tenant.
    ///
    /// # Errors
    /// `NotConfigured` for operators without that client's secret, and when the provider is unavailable.
    pub async fn current_rights(&self, realm: CallerRealm, username: &str) -> IdentityResult<Option<Rights>> {
        let (calls, narrowed) = match realm {
            CallerRealm::Tenant(tenant) => (&self.people, format!("&q=tenant_id:{tenant}")),
            CallerRealm::Platform => (self.operators.as_ref().ok_or(IdentityError::NotConfigured)?, String::new()),
        };
        let account = exact(calls, username, &narrowed).await?;
        let is_own = |account: &Account| match realm {
            CallerRealm::Tenant(tenant) => account.has_only(tenant),
            CallerRealm::Platform => true,
        };
        let Some(account) = account.filter(|account| account.is_enabled && is_own(account)) else { return Ok(None) };
        match calls.read::<Vec<Value>>(&format!("users/{}/role-mappings/realm/composite", account.id)).await {
            Ok(roles) => {
                let roles = roles.iter().filter_map(|role| role["name"].as_str().map(str::to_owned)).collect();
                Ok(Some(Rights { roles, not_before: account.not_before }))
            }
            Err(IdentityError::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// The account with exactly this user name. `narrowed` is a further condition of the query.
pub(super) async fn exact(calls: &Calls, username: &str, narrowed: &str) -> IdentityResult<Option<Account>> {
    let name: String = url::form_urlencoded::byte_serialize(username.as_bytes()).collect();
    let path = format!("users?username={name}&exact=true&briefRepresentation=false&first=0&max=2{narrowed}");
    let accounts: Vec<Account> = calls.read(&path).await?;
    Ok(accounts.into_iter().find(|account| account.username == username))
}

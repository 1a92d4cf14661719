//! Rules for everybody: nobody can remove themselves or the last administrator.

use contract::{ErrorCode, people::PersonRole};

use super::locked_people::LockedPeople;
use crate::{error::ApiResult, identity_admin::Account};

/// Refuses to remove the rights of an administrator from the caller, or from the last administrator.
pub(super) async fn check_loss(locked: &LockedPeople, account: &Account, role: Option<PersonRole>) -> ApiResult<()> {
    if locked.is_own(account) {
        return Err(ErrorCode::OwnPerson.into());
    }
    if role != Some(PersonRole::Admin) || !account.is_enabled {
        return Ok(());
    }
    let people = locked.provider.people(locked.tenant).await?;
    let others: Vec<Account> = people.into_iter().filter(|other| other.id != account.id && other.is_enabled).collect();
    let roles = locked.provider.roles(&others).await?;
    if roles.values().any(|role| *role == PersonRole::Admin) { Ok(()) } else { Err(ErrorCode::LastTenantAdmin.into()) }
}

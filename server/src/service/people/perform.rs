//! Calls the provider for a pending change, and settles it by the provider's resulting state.

use contract::{ErrorCode, PersonId, people::PersonRole};
use serde_json::Value;
use store::people::Change;

use super::{
    locked_people::LockedPeople,
    settle::{self, ChangeOutcome},
};
use crate::{
    error::{ApiError, ApiResult},
    identity_admin::{Account, IdentityError, IdentityResult, NewAccount},
};

/// One step of a change.
pub(super) enum Step {
    /// Fields of the account, by the provider's names.
    Fields(Box<Account>, Vec<(&'static str, Value)>),
    Role(Option<PersonRole>),
    Password(String),
    /// Whether all sessions end.
    SignOut(bool),
    Delete,
}

/// Makes the calls one after the other, settles the change, and returns the first error.
pub(super) async fn run<const N: usize>(
    locked: &LockedPeople,
    change: Change,
    id: PersonId,
    steps: [Step; N],
) -> ApiResult<()> {
    let mut fault = None;
    for step in steps {
        if let Err(error) = call(locked, id, step).await {
            fault = Some(error);
            break;
        }
    }
    let code = fault.as_ref().map(IdentityError::code);
    let is_done = settle::by_provider(&locked.app, &locked.provider, &change, code).await?;
    match (is_done, fault) {
        (true, _) => Ok(()),
        (false, Some(IdentityError::EmailTaken)) => Err(locked.conflict(ErrorCode::EmailTaken).await),
        (false, Some(fault)) => Err(fault.into()),
        (false, None) => Err(ErrorCode::IdentityProviderUnavailable.into()),
    }
}

async fn call(locked: &LockedPeople, id: PersonId, step: Step) -> IdentityResult<()> {
    let provider = &locked.provider;
    match step {
        Step::Fields(_, fields) if fields.is_empty() => Ok(()),
        Step::Fields(account, fields) => provider.update(&account, &fields).await,
        Step::Role(None) | Step::SignOut(false) => Ok(()),
        Step::Role(Some(role)) => provider.set_role(id, role).await,
        Step::Password(password) => provider.set_password(id, &password).await,
        Step::SignOut(true) => provider.sign_out(id).await,
        Step::Delete => provider.delete(id).await,
    }
}

/// Creates an account with a role. It is deleted when a later step fails, because nobody knows its password.
pub(super) async fn invite(
    locked: &LockedPeople,
    mut change: Change,
    account: &NewAccount,
    role: PersonRole,
) -> ApiResult<PersonId> {
    let created = match locked.provider.create(account).await {
        Ok(id) => {
            change.person = Some(id);
            locked.provider.set_role(id, role).await.map(|()| id)
        }
        Err(fault) => Err(fault),
    };
    match created {
        Ok(id) => {
            settle::write(&locked.app, &change, &ChangeOutcome::invited(&change)).await?;
            Ok(id)
        }
        Err(fault) => {
            settle::by_provider(&locked.app, &locked.provider, &change, Some(fault.code())).await?;
            Err(match fault {
                IdentityError::EmailTaken => locked.conflict(ErrorCode::EmailTaken).await,
                IdentityError::UsernameTaken => locked.conflict(ErrorCode::UsernameTaken).await,
                // The person was created just now.
                IdentityError::NotFound => ErrorCode::IdentityProviderUnavailable.into(),
                other => ApiError::from(other),
            })
        }
    }
}

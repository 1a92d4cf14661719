//! Invites a person: creates an account with a role, and lets the provider send a mail or assigns a password that the
//! first sign-in replaces.

use contract::{
    ErrorCode, PersonId,
    audit::actions,
    clients,
    people::{InvitedPerson, NewPerson},
};
use serde_json::{Value, json};

use super::{list, locked_people::LockedPeople, perform, snapshot};
use crate::{error::ApiResult, identity_admin::NewAccount};

/// Characters of a password, without similar-looking ones.
const ALPHABET: &[u8] = b"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const PASSWORD_GROUPS: usize = 4;
const GROUP_CHARS: usize = 5;

pub(super) async fn invite(locked: &LockedPeople, new: &NewPerson) -> ApiResult<InvitedPerson> {
    locked.check_conflicts().await?;
    locked.check_invitations().await?;
    let is_taken = locked.provider.find_by_username(&new.username).await?.is_some();
    if is_taken || locked.is_retired(&new.username).await? {
        return Err(locked.conflict(ErrorCode::UsernameTaken).await);
    }
    let is_mailed = locked.provider.has_mail().await?;
    let first_password = (!is_mailed).then(password);
    let account = NewAccount {
        tenant: locked.tenant,
        username: new.username.clone(),
        email: new.email.trim().to_owned(),
        first_name: new.first_name.trim().to_owned(),
        last_name: new.last_name.trim().to_owned(),
        password: first_password.clone(),
    };
    let email = snapshot::fingerprint("email", &account.email);
    let wanted = json!({ "username": new.username, "role": new.role, "is_active": true, "email": email });
    let change = locked.begin(actions::USER_INVITED, (None, &new.username), Value::Null, wanted).await?;
    let id = perform::invite(locked, change, &account, new.role).await?;
    locked.app.activity().welcome(locked.tenant, &account.username);
    let first_password = if is_mailed { mail(locked, id).await? } else { first_password };
    let person = list::read(locked, id).await?;
    Ok(InvitedPerson { id, person, first_password })
}

/// Mails the invitation. When that fails, assigns a first password.
async fn mail(locked: &LockedPeople, id: PersonId) -> ApiResult<Option<String>> {
    let console = format!("{}/tenant/", locked.app.settings.base_url);
    let Err(error) = locked.provider.mail_invitation(id, clients::TENANT_CONSOLE, &console).await else {
        return Ok(None);
    };
    tracing::warn!(%error, "people.invitation_not_mailed: a first password was given");
    let first_password = password();
    locked.provider.set_password(id, &first_password).await?;
    Ok(Some(first_password))
}

/// A password with small and capital letters and digits: 116 random bits.
pub(super) fn password() -> String {
    loop {
        let group = || (0..GROUP_CHARS).map(|_| char::from(ALPHABET[rand::random_range(0..ALPHABET.len())])).collect();
        let text = (0..PASSWORD_GROUPS).map(|_| group()).collect::<Vec<String>>().join("-");
        let has = |kind: fn(&char) -> bool| text.chars().any(|c| kind(&c));
        if has(char::is_ascii_lowercase) && has(char::is_ascii_uppercase) && has(char::is_ascii_digit) {
            return text;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_password_has_every_kind_of_character() {
        let (one, other) = (password(), password());
        assert_eq!(one.len(), PASSWORD_GROUPS * GROUP_CHARS + PASSWORD_GROUPS - 1);
        assert_ne!(one, other);
        assert!(one.chars().any(|c| c.is_ascii_digit()) && one.chars().any(|c| c.is_ascii_uppercase()));
    }
}

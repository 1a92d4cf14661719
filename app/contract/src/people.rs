//! The people of a tenant: users who can sign in to its console, with their roles. They are stored in the identity
//! provider's realm of tenants; the platform adds when they were last active.

use serde::{Deserialize, Serialize};

use crate::{
    Page, PersonId, TenantId, Timestamp,
    audit::actions,
    endpoint::{Audit, endpoints},
    error::FieldError,
    page::PageQuery,
    text_enum::text_enum,
    validate::{Checker, Validate},
};

text_enum! {
    /// What a person may do.
    pub enum PersonRole {
        /// Changes the tenant's settings and its people.
        Admin = "admin",
        /// Reads.
        Viewer = "viewer",
    }
}

text_enum! {
    /// Whether a person can sign in.
    pub enum PersonState {
        Active = "active",
        /// Was invited and has not chosen a password yet.
        Invited = "invited",
        Deactivated = "deactivated",
    }
}

/// A person of a tenant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Person {
    pub id: PersonId,
    /// The name to sign in with, in lower case. It never changes.
    pub username: String,
    pub first_name: String,
    pub last_name: String,
    pub email: String,
    /// None when the identity provider gave the person no role of the platform: such a person cannot use it.
    pub role: Option<PersonRole>,
    pub state: PersonState,
    /// When a call with a token of this person was last seen, to the hour.
    pub last_active_at: Option<Timestamp>,
    pub created_at: Option<Timestamp>,
}

/// The fields that the list of people is sorted by.
pub const PERSON_SORT_FIELDS: &[&str] = &["name", "username", "role", "state", "last_active_at"];

/// Filters, page, order and search of a tenant's people.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = crate::page::sorted_by(PERSON_SORT_FIELDS)))]
pub struct PersonListQuery {
    /// Only people with this role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<PersonRole>,
    /// Only people in this state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<PersonState>,
    /// Search in names and e-mail address, order, page.
    #[serde(flatten, deserialize_with = "crate::input::part")]
    pub page: PageQuery,
}

impl Validate for PersonListQuery {
    fn validate(&self) -> Vec<FieldError> {
        self.page.check(PERSON_SORT_FIELDS)
    }
}

/// A person to invite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewPerson {
    /// 3 to 64 of a-z, 0-9, '.', '-', '_' and '@', with a letter or digit at the beginning.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = USERNAME_PATTERN)))]
    pub username: String,
    /// 1 to 100 characters.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 100)))]
    pub first_name: String,
    /// 1 to 100 characters.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 100)))]
    pub last_name: String,
    /// 3 to 254 characters.
    #[cfg_attr(feature = "schema", schemars(length(min = 3, max = 254)))]
    pub email: String,
    pub role: PersonRole,
}

impl Validate for NewPerson {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        check.require(is_username(&self.username), "username", "username", USERNAME_RULE);
        name(&mut check, "first_name", &self.first_name);
        name(&mut check, "last_name", &self.last_name);
        check.require(is_email(&self.email), "email", "email", EMAIL_RULE);
        check.finish()
    }
}

/// Changes to a person; absent fields stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PersonPatch {
    /// 1 to 100 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 100)))]
    pub first_name: Option<String>,
    /// 1 to 100 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 100)))]
    pub last_name: Option<String>,
    /// 3 to 254 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 3, max = 254)))]
    pub email: Option<String>,
    /// Who loses the role of an administrator is signed out everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<PersonRole>,
    /// `false` signs the person out everywhere and lets nobody sign in with the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_active: Option<bool>,
}

impl Validate for PersonPatch {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        if let Some(first_name) = &self.first_name {
            name(&mut check, "first_name", first_name);
        }
        if let Some(last_name) = &self.last_name {
            name(&mut check, "last_name", last_name);
        }
        if let Some(email) = &self.email {
            check.require(is_email(email), "email", "email", EMAIL_RULE);
        }
        check.finish()
    }
}

/// A person who was invited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InvitedPerson {
    pub id: PersonId,
    pub person: Person,
    /// The password of the first sign-in, which must be changed there. Shown in this answer only. Null when the identity
    /// provider has mailed an invitation.
    pub first_password: Option<String>,
}

/// The password of a person's next sign-in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FirstPassword {
    /// Shown in this answer only. The person must change it at the next sign-in.
    pub first_password: String,
}

/// The rule for user names, as a pattern for the API's description.
pub const USERNAME_PATTERN: &str = "^[a-z0-9][a-z0-9._@-]{2,63}$";
/// The rule for user names, as a sentence for a form.
pub const USERNAME_RULE: &str =
    "must have 3 to 64 of a-z, 0-9, '.', '-', '_' and '@', with a letter or digit at the beginning";
const EMAIL_RULE: &str = "must be an e-mail address such as anna@example.com";

/// `^[a-z0-9][a-z0-9._@-]{2,63}$`, and not the name of a client's account.
fn is_username(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    (3..=64).contains(&text.len())
        && text.bytes().next().is_some_and(plain)
        && text.bytes().all(|b| plain(b) || matches!(b, b'.' | b'_' | b'-' | b'@'))
        && !text.starts_with("service-account-")
}

/// Whether a text looks like an address: the identity provider decides, this only finds slips.
fn is_email(text: &str) -> bool {
    let Some((local, host)) = text.rsplit_once('@') else { return false };
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let is_local = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~.-".contains(&b);
    text.len() <= 254
        && (1..=64).contains(&local.len())
        && local.bytes().all(is_local)
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..")
        && host.contains('.')
        && host.split('.').all(is_label)
}

/// A part of a name. Keycloak refuses the characters that are refused here.
fn name(check: &mut Checker, field: &str, value: &str) {
    check.text(field, value, 1, 100);
    let prohibited = |c: char| c.is_control() || "<>&\"$%!#?§;*~/\\|^=[]{}()\u{0}".contains(c);
    check.require(!value.contains(prohibited), field, "characters", "must not contain special characters");
}

/// What a change of a person is in the audit log: the change of what the person may do, or else of the profile.
const PERSON_CHANGES: &[&str] =
    &[actions::USER_ROLE_CHANGED, actions::USER_DEACTIVATED, actions::USER_ACTIVATED, actions::USER_UPDATED];

endpoints! {
    /// Lists the people of the caller's tenant.
    ListPeople: Get "/api/v1/tenants/me/people", Tenant, Audit::Reads, 200, (()) ? PersonListQuery, () => Page<Person>,
        errors [PeopleNotConfigured, IdentityProviderUnavailable, IdentityProviderRefused];
    /// Invites a person to the caller's tenant.
    InvitePerson: Post "/api/v1/tenants/me/people", TenantAdmin, Audit::Writes(actions::USER_INVITED), 201,
        (()) ? (), NewPerson => InvitedPerson,
        errors [PeopleNotConfigured, IdentityProviderUnavailable, IdentityProviderRefused, UsernameTaken, EmailTaken, PersonRejected];
    /// Shows a person of the caller's tenant.
    GetPerson: Get "/api/v1/tenants/me/people/{person_id}", Tenant, Audit::Reads, 200, (PersonId) ? (), () => Person,
        errors [PeopleNotConfigured, IdentityProviderUnavailable, IdentityProviderRefused];
    /// Changes a person's name, e-mail address, role or state.
    UpdatePerson: Patch "/api/v1/tenants/me/people/{person_id}", TenantAdmin, Audit::OneOf(PERSON_CHANGES), 200,
        (PersonId) ? (), PersonPatch => Person,
        errors [PeopleNotConfigured, IdentityProviderUnavailable, IdentityProviderRefused, OwnPerson, LastTenantAdmin, EmailTaken, PersonRejected];
    /// Removes a person; the user name cannot be given again.
    RemovePerson: Delete "/api/v1/tenants/me/people/{person_id}", TenantAdmin, Audit::Writes(actions::USER_REMOVED), 204,
        (PersonId) ? (), () => (),
        errors [PeopleNotConfigured, IdentityProviderUnavailable, IdentityProviderRefused, OwnPerson, LastTenantAdmin];
    /// Gives a person a new first password and signs the person out everywhere.
    ResetPersonPassword: Post "/api/v1/tenants/me/people/{person_id}/reset-password", TenantAdmin,
        Audit::Writes(actions::USER_PASSWORD_RESET), 200, (PersonId) ? (), () => FirstPassword,
        errors [PeopleNotConfigured, IdentityProviderUnavailable, IdentityProviderRefused, PersonRejected];
    /// Signs a person out everywhere.
    SignPersonOut: Post "/api/v1/tenants/me/people/{person_id}/sign-out", TenantAdmin,
        Audit::Writes(actions::USER_SIGNED_OUT), 204, (PersonId) ? (), () => (),
        errors [PeopleNotConfigured, IdentityProviderUnavailable, IdentityProviderRefused];
    /// Lists the people of any tenant.
    ListTenantPeople: Get "/api/v1/platform/tenants/{tenant_id}/people", Operator, Audit::Reads, 200,
        (TenantId) ? PersonListQuery, () => Page<Person>,
        errors [PeopleNotConfigured, IdentityProviderUnavailable, IdentityProviderRefused];
    /// Invites a person to any tenant, such as its first administrator.
    InviteTenantPerson: Post "/api/v1/platform/tenants/{tenant_id}/people", Operator,
        Audit::Writes(actions::USER_INVITED), 201, (TenantId) ? (), NewPerson => InvitedPerson,
        errors [PeopleNotConfigured, IdentityProviderUnavailable, IdentityProviderRefused, TenantNotFound, UsernameTaken, EmailTaken, PersonRejected];
    /// Shows a person of a tenant.
    GetTenantPerson: Get "/api/v1/platform/tenants/{tenant_id}/people/{person_id}", Operator, Audit::Reads, 200,
        ((TenantId, PersonId)) ? (), () => Person,
        errors [PeopleNotConfigured, IdentityProviderUnavailable, IdentityProviderRefused];
    /// Changes a person of a tenant.
    UpdateTenantPerson: Patch "/api/v1/platform/tenants/{tenant_id}/people/{person_id}", Operator,
        Audit::OneOf(PERSON_CHANGES), 200, ((TenantId, PersonId)) ? (), PersonPatch => Person,
        errors [PeopleNotConfigured, IdentityProviderUnavailable, IdentityProviderRefused, OwnPerson, LastTenantAdmin, EmailTaken, PersonRejected];
    /// Removes a person of a tenant; the user name cannot be given again.
    RemoveTenantPerson: Delete "/api/v1/platform/tenants/{tenant_id}/people/{person_id}", Operator,
        Audit::Writes(actions::USER_REMOVED), 204, ((TenantId, PersonId)) ? (), () => (),
        errors [PeopleNotConfigured, IdentityProviderUnavailable, IdentityProviderRefused, OwnPerson, LastTenantAdmin];
    /// Gives a person of a tenant a new first password.
    ResetTenantPersonPassword: Post "/api/v1/platform/tenants/{tenant_id}/people/{person_id}/reset-password", Operator,
        Audit::Writes(actions::USER_PASSWORD_RESET), 200, ((TenantId, PersonId)) ? (), () => FirstPassword,
        errors [PeopleNotConfigured, IdentityProviderUnavailable, IdentityProviderRefused, PersonRejected];
    /// Signs a person of a tenant out everywhere.
    SignTenantPersonOut: Post "/api/v1/platform/tenants/{tenant_id}/people/{person_id}/sign-out", Operator,
        Audit::Writes(actions::USER_SIGNED_OUT), 204, ((TenantId, PersonId)) ? (), () => (),
        errors [PeopleNotConfigured, IdentityProviderUnavailable, IdentityProviderRefused];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_names_follow_their_pattern() {
        for good in ["ann", "anna.meyer", "anna@example.com", "a1_", &"a".repeat(64)] {
            assert!(is_username(good), "{good}");
        }
        for bad in ["", "an", "Anna", ".ann", "ann a", "änn", "service-account-svc-api", &"a".repeat(65)] {
            assert!(!is_username(bad), "{bad}");
        }
    }

    #[test]
    fn slips_in_addresses_are_found() {
        for good in ["a@b.de", "anna.meyer+chat@mail.example.com"] {
            assert!(is_email(good), "{good}");
        }
        for bad in [
            "",
            "anna",
            "anna@",
            "@b.de",
            "a@b",
            "a b@c.de",
            "a..b@c.de",
            "a@-b.de",
            &format!("a@{}.de", "b".repeat(300)),
        ] {
            assert!(!is_email(bad), "{bad}");
        }
    }

    #[test]
    fn every_broken_rule_is_named() {
        let long = "x".repeat(300);
        let new = NewPerson {
            username: long.clone(),
            first_name: long,
            last_name: "<b>".to_owned(),
            email: "nobody".to_owned(),
            role: PersonRole::Viewer,
        };
        let errors = new.validate();
        let fields: Vec<_> = errors.iter().map(FieldError::field).collect();
        assert_eq!(fields, ["username", "first_name", "last_name", "email"]);
    }
}

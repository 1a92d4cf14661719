//! A client of the identity provider's admin API for the people of tenants, as in Keycloak. It signs in with a separate
//! client (`svc-people`), and with `svc-platform-audit` to look up operators. Every call is bounded in time and size, and
//! so is the number of concurrent calls.
//!
//! Accounts in the provider's responses are always checked for their `tenant_id`, because Keycloak filters people by
//! attribute only when no other filter is given.

#![allow(missing_docs, reason = "fields and variants whose names say what they are have no comment")]

mod account;
mod answer;
mod calls;
mod rights;
mod roles;
mod token;

use std::{sync::Arc, time::Duration};

use contract::{ErrorCode, PersonId, TenantId, clients};
use futures::{StreamExt, TryStreamExt, stream};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::{
    auth::{PLATFORM_REALM, TENANT_REALM},
    error::{ApiError, ApiResult},
};

pub use account::Account;
use calls::Calls;
pub use rights::CallerRealm;

/// People of one page of the provider's list.
const PAGE_SIZE: usize = 500;
/// Maximum concurrent requests for pages after the first.
const MAX_PARALLEL_PAGES: usize = 2;
/// Maximum people of a tenant that are listed. With [`roles::MAX_MEMBERS`], a list makes at most 110 calls.
pub const MAX_PEOPLE: usize = 5_000;
/// Maximum concurrent calls of this process, whatever they are for.
const MAX_CALLS: usize = 8;

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// It cannot be reached, took too long, or answered what is not understood.
    #[error("the identity provider is not available: {0}")]
    Unavailable(String),
    /// It does not let the client do this: a wrong secret, or a missing right.
    #[error("the identity provider refused the platform's client ({0}); see docs/identity.md")]
    Refused(u16),
    /// No client may look up operators, because its secret is not set.
    #[error("auth.audit_client_secret is not set, so operators cannot be looked up")]
    NotConfigured,
    #[error("the identity provider does not know the person")]
    NotFound,
    #[error("the user name is taken")]
    UsernameTaken,
    #[error("the e-mail address is taken")]
    EmailTaken,
    /// A rule of the provider that the platform does not know.
    #[error("the identity provider does not accept the values")]
    Rejected,
}

impl IdentityError {
    /// The code that the caller gets, after the failure was logged where it is not the caller's.
    pub fn logged_code(&self) -> ErrorCode {
        if matches!(self, Self::Unavailable(_) | Self::Refused(_) | Self::NotConfigured) {
            tracing::warn!(error = %self, "people.provider_failed");
        }
        self.code()
    }

    /// The code that the caller gets.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Unavailable(_) => ErrorCode::IdentityProviderUnavailable,
            Self::Refused(_) => ErrorCode::IdentityProviderRefused,
            Self::NotConfigured => ErrorCode::PeopleNotConfigured,
            Self::NotFound => ErrorCode::PersonNotFound,
            Self::UsernameTaken => ErrorCode::UsernameTaken,
            Self::EmailTaken => ErrorCode::EmailTaken,
            Self::Rejected => ErrorCode::PersonRejected,
        }
    }
}

impl From<IdentityError> for ApiError {
    fn from(error: IdentityError) -> Self {
        error.logged_code().into()
    }
}

pub type IdentityResult<T> = Result<T, IdentityError>;

/// A person to create.
#[derive(Debug, Clone)]
pub struct NewAccount {
    pub tenant: TenantId,
    pub username: String,
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    /// Must be changed at the first sign-in; `None` when an invitation is mailed.
    pub password: Option<String>,
}

/// The required action of a person with an assigned password.
const CHOOSE_PASSWORD: &str = "UPDATE_PASSWORD";

/// A password that must be changed at the next sign-in.
fn password_body(password: &str) -> Value {
    json!({ "type": "password", "value": password, "temporary": true })
}

/// The prefix of the names of service accounts.
pub const SERVICE_ACCOUNT: &str = "service-account-";

/// Settings of the client.
#[derive(Debug, Clone)]
pub struct IdentityAdminSettings {
    /// The provider's address without a slash at the end.
    pub auth_url: String,
    /// Secret of the client `svc-people`.
    pub secret: crate::config::Secret,
    /// Secret of the client `svc-platform-audit`, which looks up operators.
    pub audit_secret: Option<crate::config::Secret>,
    /// The longest time of one call.
    pub timeout: Duration,
}

/// The client. Cheap to clone.
#[derive(Debug, Clone)]
pub struct IdentityAdmin {
    people: Arc<Calls>,
    operators: Option<Arc<Calls>>,
}

impl IdentityAdmin {
    /// A client that has not called yet.
    ///
    /// # Errors
    /// When the HTTP client cannot be created.
    pub fn new(settings: &IdentityAdminSettings) -> Result<Self, reqwest::Error> {
        let permits = Arc::new(Semaphore::new(MAX_CALLS));
        let calls = |realm, client, secret| Calls::new(settings, realm, (client, secret), &permits).map(Arc::new);
        Ok(Self {
            people: calls(TENANT_REALM, clients::PEOPLE, &settings.secret)?,
            operators: match &settings.audit_secret {
                Some(secret) => Some(calls(PLATFORM_REALM, clients::AUDIT_POLLER, secret)?),
                None => None,
            },
        })
    }

    /// The people of a tenant, ordered by user name.
    ///
    /// # Errors
    /// When the provider is unavailable.
    pub async fn people(&self, tenant: TenantId) -> IdentityResult<Vec<Account>> {
        let mut all = self.page(tenant, 0).await?;
        if all.len() == PAGE_SIZE {
            let pages = stream::iter(1..MAX_PEOPLE / PAGE_SIZE)
                .map(|page| self.page(tenant, page))
                .buffered(MAX_PARALLEL_PAGES);
            let mut pages = std::pin::pin!(pages);
            while let Some(page) = pages.try_next().await? {
                let is_last = page.len() < PAGE_SIZE;
                all.extend(page);
                if is_last {
                    break;
                }
            }
        }
        all.retain(|account| account.is_of(tenant));
        all.sort_by(|a, b| a.username.cmp(&b.username));
        all.dedup_by(|a, b| a.id == b.id);
        Ok(all)
    }

    async fn page(&self, tenant: TenantId, page: usize) -> IdentityResult<Vec<Account>> {
        let path = format!(
            "users?q=tenant_id:{tenant}&briefRepresentation=false&first={}&max={PAGE_SIZE}",
            page.saturating_mul(PAGE_SIZE)
        );
        self.people.read(&path).await
    }

    /// A person of a tenant.
    ///
    /// # Errors
    /// `NotFound`, also for a person of another tenant.
    pub async fn person(&self, tenant: TenantId, id: PersonId) -> IdentityResult<Account> {
        let account: Account = self.people.read(&format!("users/{id}")).await?;
        if account.is_of(tenant) && account.id == id { Ok(account) } else { Err(IdentityError::NotFound) }
    }

    /// The person with this user name, of whatever tenant.
    ///
    /// # Errors
    /// When the provider is unavailable.
    pub async fn find_by_username(&self, username: &str) -> IdentityResult<Option<Account>> {
        rights::exact(&self.people, username, "").await
    }

    /// Creates a person without a role.
    ///
    /// # Errors
    /// `UsernameTaken`, `EmailTaken`, `Rejected`.
    pub async fn create(&self, new: &NewAccount) -> IdentityResult<PersonId> {
        let passwords = new.password.iter().map(|password| password_body(password));
        let body = json!({
            "username": new.username, "email": new.email, "firstName": new.first_name, "lastName": new.last_name,
            "enabled": true, "emailVerified": true, "attributes": { "tenant_id": [new.tenant] },
            "requiredActions": [CHOOSE_PASSWORD], "credentials": passwords.collect::<Vec<_>>(),
        });
        let location = self.people.write(Method::POST, "users", Some(&body)).await?;
        let id = location.as_deref().and_then(|place| place.rsplit('/').next()).and_then(|id| id.parse().ok());
        id.ok_or_else(|| IdentityError::Unavailable("it does not name the person that it made".to_owned()))
    }

    /// Writes a person back with some fields changed.
    ///
    /// # Errors
    /// `NotFound`, `EmailTaken`, `Rejected`.
    pub async fn update(&self, account: &Account, changes: &[(&str, Value)]) -> IdentityResult<()> {
        let mut body = account.whole.clone();
        for (field, value) in changes {
            body[*field] = value.clone();
        }
        // The caller's permissions, which are not part of the person.
        if let Some(body) = body.as_object_mut() {
            body.remove("access");
            body.remove("userProfileMetadata");
        }
        self.people.write(Method::PUT, &format!("users/{}", account.id), Some(&body)).await.map(drop)
    }

    /// Deletes a person.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn delete(&self, id: PersonId) -> IdentityResult<()> {
        self.people.write(Method::DELETE, &format!("users/{id}"), None).await.map(drop)
    }

    /// Sets a password that must be changed at the next sign-in.
    ///
    /// # Errors
    /// `NotFound`, `Rejected`.
    pub async fn set_password(&self, id: PersonId, password: &str) -> IdentityResult<()> {
        let body = password_body(password);
        self.people.write(Method::PUT, &format!("users/{id}/reset-password"), Some(&body)).await.map(drop)
    }

    /// Whether the realm has a mail server. If the provider does not reveal its realm, the answer is no.
    ///
    /// # Errors
    /// When the provider is unavailable.
    pub async fn has_mail(&self) -> IdentityResult<bool> {
        match self.people.read::<Value>("").await {
            Ok(realm) => Ok(realm["smtpServer"]["host"].as_str().is_some_and(|host| !host.is_empty())),
            Err(IdentityError::NotFound | IdentityError::Refused(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Mails a link with which a person chooses a password. It then leads to a page of one of the realm's clients.
    ///
    /// # Errors
    /// When the provider cannot send it.
    pub async fn mail_invitation(&self, id: PersonId, client: &str, page: &str) -> IdentityResult<()> {
        let query: String = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("client_id", client)
            .append_pair("redirect_uri", page)
            .finish();
        let path = format!("users/{id}/execute-actions-email?{query}");
        self.people.write(Method::PUT, &path, Some(&json!([CHOOSE_PASSWORD]))).await.map(drop)
    }

    /// When the password was set, in the provider's own count.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn password_set_at(&self, id: PersonId) -> IdentityResult<Option<i64>> {
        let all: Vec<Value> = self.people.read(&format!("users/{id}/credentials")).await?;
        let password = all.iter().find(|credential| credential["type"] == "password");
        Ok(password.and_then(|password| password["createdDate"].as_i64()))
    }

    /// Whether the account is active and has this session.
    ///
    /// # Errors
    /// When the provider is unavailable.
    pub async fn is_signed_in(&self, tenant: TenantId, username: &str, session: &str) -> IdentityResult<bool> {
        let account = self.find_by_username(username).await?;
        let Some(account) = account.filter(|account| account.is_of(tenant) && account.is_enabled) else {
            return Ok(false);
        };
        match self.people.read::<Vec<Value>>(&format!("users/{}/sessions", account.id)).await {
            Ok(all) => Ok(all.iter().any(|one| one["id"] == session)),
            Err(IdentityError::NotFound) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The number of a person's sessions.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn sessions(&self, id: PersonId) -> IdentityResult<usize> {
        self.people.read::<Vec<Value>>(&format!("users/{id}/sessions")).await.map(|all| all.len())
    }

    /// Ends all sessions of a person.
    ///
    /// # Errors
    /// `NotFound`.
    pub async fn sign_out(&self, id: PersonId) -> IdentityResult<()> {
        self.people.write(Method::POST, &format!("users/{id}/logout"), None).await.map(drop)
    }
}

/// The client, where people can be managed.
///
/// # Errors
/// `people_not_configured`.
pub fn configured(client: Option<&IdentityAdmin>) -> ApiResult<IdentityAdmin> {
    client.cloned().ok_or_else(|| ErrorCode::PeopleNotConfigured.into())
}

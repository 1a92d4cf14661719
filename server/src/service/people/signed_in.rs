//! Checks whether a person is still signed in at the identity provider (`auth.check_sessions`): at each call, with the
//! result reused for five seconds, so that an ended session or a deactivated account loses access immediately instead
//! of with its token.

use std::time::Duration;

use contract::{
    ErrorCode, clients,
    identity::{Identity, TokenScope},
};

use crate::{
    admission::tenant_queue::ShareUsed,
    error::{ApiError, ApiResult},
    identity_admin::{IdentityError, SERVICE_ACCOUNT, configured},
    state::App,
};

/// The longest wait for the provider.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Refuses a tenant's user whose session has ended.
///
/// # Errors
/// `not_authenticated`; `service_unavailable` when the provider is unavailable.
pub async fn require(app: &App, identity: &Identity) -> ApiResult<()> {
    if !app.settings.check_sessions || identity.scope != TokenScope::Tenant || is_service_account(identity) {
        return Ok(());
    }
    let tenant = identity.tenant_id.ok_or(ErrorCode::TenantNotActive)?;
    let session = identity.session_id.as_deref().ok_or(ErrorCode::NotAuthenticated)?;
    let provider = configured(app.people.as_ref())?;
    let ask = async {
        let busy = |used: ShareUsed| IdentityError::Unavailable(used.to_string());
        let _permit = app.shares().session_checks.acquire(tenant).await.map_err(busy)?;
        provider.is_signed_in(tenant, &identity.username, session).await
    };
    let key = format!("{tenant} {} {session}", identity.username);
    match tokio::time::timeout(TIMEOUT, app.session_checks().get(&key, ask)).await {
        Ok(Ok(true)) => Ok(()),
        Ok(Ok(false)) => Err(ErrorCode::NotAuthenticated.into()),
        Ok(Err(error)) => Err(unavailable(&error)),
        Err(_) => Err(unavailable(&IdentityError::Unavailable("it took too long".to_owned()))),
    }
}

/// A client's own account signs in without a session.
fn is_service_account(identity: &Identity) -> bool {
    identity.client_id == clients::API && identity.username.starts_with(SERVICE_ACCOUNT)
}

fn unavailable(error: &IdentityError) -> ApiError {
    tracing::warn!(%error, "people.session_not_checked");
    ErrorCode::ServiceUnavailable.into()
}

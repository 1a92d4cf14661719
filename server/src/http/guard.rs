//! Authorises requests: checks token and scope before any query (specification, Authentication, 5), then that a tenant
//! user's tenant is active. A call with an API key is authorised by the scope that the endpoint's row names.

mod key;

use contract::{
    Access, ErrorCode,
    api_keys::KeyScope,
    identity::{Identity, TokenScope},
};
use http::{HeaderMap, header};

use crate::{
    admission::rate_limit::Client,
    auth::{Verified, api_key},
    caller::Caller,
    error::ApiResult,
    service::people::signed_in,
    state::App,
};

/// The caller of a request, checked against an endpoint's access rule; with an API key, against the scope that the row
/// names.
///
/// # Errors
/// 401 without a good token, session or key, 429 after too many requests, 403 with the wrong scope or for a tenant that is not active.
pub async fn authorise(
    app: &App,
    access: Access,
    key_scope: Option<KeyScope>,
    parts: &http::request::Parts,
) -> ApiResult<Caller> {
    match (bearer(&parts.headers), key_scope) {
        (Some(token), Some(scope)) if api_key::is_key(token) => {
            key::authorise(app, scope, token, &app.limiter.client(parts)).await
        }
        (token, _) => authorise_token(app, access, token, &app.limiter.client(parts)).await,
    }
}

/// Refuses an API key at an endpoint whose row names no scope.
///
/// # Errors
/// `key_not_accepted`.
pub fn refuse_key(key_scope: Option<KeyScope>, headers: &HeaderMap) -> ApiResult<()> {
    let is_refused = key_scope.is_none() && bearer(headers).is_some_and(api_key::is_key);
    if is_refused { Err(ErrorCode::KeyNotAccepted.into()) } else { Ok(()) }
}

/// The caller with this token, checked against the rate limit and an access rule.
///
/// # Errors
/// Like [`authorise`].
pub async fn authorise_token(app: &App, access: Access, token: Option<&str>, client: &Client) -> ApiResult<Caller> {
    let Verified { identity, issued_at } = identify(app, token, client).await?;
    app.limiter.principal(client, &identity).await?;
    permit(access, &identity)?;
    signed_in::require(app, &identity).await?;
    let caller = Caller { identity, issued_at, ip_address: client.ip_address, key: None };
    require_active_tenant(app, &caller).await?;
    app.activity().record(&caller.identity, chrono::Utc::now());
    Ok(caller)
}

/// Identifies the owner of a token. A call without one is cheap and not counted, because any web page can make a
/// browser send it. A network that sent too many forged tokens is refused before another signature is verified, except
/// for known tokens.
async fn identify(app: &App, token: Option<&str>, client: &Client) -> ApiResult<Verified> {
    let token = token.ok_or(ErrorCode::NotAuthenticated)?;
    if api_key::is_key(token) {
        return Err(ErrorCode::KeyNotAccepted.into());
    }
    if let Err(refusal) = app.limiter.before_token(client)
        && !app.tokens.knows(token)
    {
        return Err(refusal);
    }
    match app.tokens.verify(token, chrono::Utc::now().timestamp()).await {
        Ok(verified) => Ok(verified),
        Err(refusal) => {
            if refusal.is_forged {
                app.limiter.forged(client).await;
            }
            Err(refusal.code.into())
        }
    }
}

/// The token of an `Authorization: Bearer` header.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

/// Whether the access rule permits this identity.
fn permit(access: Access, identity: &Identity) -> Result<(), ErrorCode> {
    let scope = identity.scope;
    match access {
        Access::Public | Access::Widget | Access::AnyScope => Ok(()),
        Access::AnyWriter if scope == TokenScope::Tenant && !identity.is_tenant_admin() => {
            Err(ErrorCode::TenantAdminRequired)
        }
        Access::AnyWriter => Ok(()),
        Access::Operator if scope == TokenScope::Operator => Ok(()),
        Access::Operator => Err(ErrorCode::OperatorRequired),
        Access::OperatorOrVendor if scope != TokenScope::Tenant => Ok(()),
        Access::OperatorOrVendor => Err(ErrorCode::OperatorOrVendorRequired),
        Access::Tenant | Access::TenantAdmin if scope != TokenScope::Tenant => Err(ErrorCode::TenantRequired),
        Access::TenantAdmin if !identity.is_tenant_admin() => Err(ErrorCode::TenantAdminRequired),
        Access::Tenant | Access::TenantAdmin => Ok(()),
    }
}

async fn require_active_tenant(app: &App, caller: &Caller) -> ApiResult<()> {
    if caller.identity.scope != TokenScope::Tenant {
        return Ok(());
    }
    if app.db.is_active(caller.tenant()?).await? { Ok(()) } else { Err(ErrorCode::TenantNotActive.into()) }
}

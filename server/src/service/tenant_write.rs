//! Begins write transactions of a tenant's users.

use contract::{ErrorCode, identity::TokenScope};
use store::WriteTx;

use crate::{caller::Caller, error::ApiResult, state::App};

/// Begins a write transaction. A tenant user's tenant is locked as live until it ends, because it may have been deleted
/// since the guard's check. Take other locks after this one.
///
/// # Errors
/// `tenant_not_active`.
pub(super) async fn begin(app: &App, caller: &Caller) -> ApiResult<WriteTx> {
    let mut tx = app.db.write(&caller.scope()?).await?;
    if caller.identity.scope == TokenScope::Tenant
        && !store::tenants::share_lock_active(&mut tx, caller.tenant()?).await?
    {
        return Err(ErrorCode::TenantNotActive.into());
    }
    Ok(tx)
}

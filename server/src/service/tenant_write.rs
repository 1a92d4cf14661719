//! The beginning of every change that a tenant's user makes.

use contract::{ErrorCode, identity::TokenScope};
use store::WriteTx;

use crate::{caller::Caller, error::ApiResult, state::App};

/// Begins a transaction that writes. A tenant user's tenant stays live until it ends: the guard looked before the call had
/// a connection, and the tenant may have been deleted since. Other locks come after this one.
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

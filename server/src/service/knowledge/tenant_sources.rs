//! Counts about the sources of a tenant, for operators and vendors.

use contract::{ErrorCode, Page, TenantId, documents::SourceListQuery, tenant_sources::TenantSource};
use store::Scope;

use crate::{
    caller::Caller,
    error::{ApiError, ApiResult},
    state::App,
};

/// A page of the sources of a tenant's chatbots.
///
/// # Errors
/// `tenant_not_found`.
pub async fn list(
    app: &App,
    caller: &Caller,
    tenant: TenantId,
    query: &SourceListQuery,
) -> ApiResult<Page<TenantSource>> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    store::tenants::find(&mut tx, tenant).await?.ok_or(ErrorCode::TenantNotFound)?;
    drop(tx);
    // Counted as the tenant's own role, as its usage is: operators and vendors see these numbers, and their roles have no right to
    // read what is counted.
    let mut tx = app.db.read(&Scope::tenant(tenant)).await?;
    store::tenant_sources::list(&mut tx, tenant, query).await.map_err(ApiError::from)
}

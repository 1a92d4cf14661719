//! The lease on the summary of a version, so that only one process creates it, whichever replicas are asked.

use std::time::Duration;

use contract::TenantId;
use store::{Exemption, Scope, knowledge_hub::summary_leases};
use uuid::Uuid;

use crate::{error::ApiResult, state::App};

/// The duration of a lease, after which another replica can take over.
const LEASE: Duration = Duration::from_secs(60);
const RENEWAL_INTERVAL: Duration = Duration::from_secs(20);

/// Does the work with the lease on a version; does nothing while another process has it.
pub(super) async fn hold(
    app: &App,
    tenant: TenantId,
    version: Uuid,
    work: impl Future<Output = ApiResult<()>>,
) -> ApiResult<()> {
    let holder = Uuid::new_v4();
    if !take(app, tenant, version, holder).await? {
        return Ok(());
    }
    let result = tokio::select! {
        result = work => result,
        lost = renew(app, tenant, version, holder) => lost,
    };
    release(app, tenant, version, holder).await?;
    result
}

/// Renews the lease; ends when it is lost.
async fn renew(app: &App, tenant: TenantId, version: Uuid, holder: Uuid) -> ApiResult<()> {
    loop {
        tokio::time::sleep(RENEWAL_INTERVAL).await;
        if !take(app, tenant, version, holder).await? {
            return Ok(());
        }
    }
}

async fn take(app: &App, tenant: TenantId, version: Uuid, holder: Uuid) -> ApiResult<bool> {
    let mut tx = app.db.write(&Scope::tenant(tenant)).await?;
    if !summary_leases::hold(&mut tx, tenant, version, holder, LEASE).await? {
        tx.discard().await?;
        return Ok(false);
    }
    tx.commit_exempt(Exemption::Summary).await?;
    Ok(true)
}

async fn release(app: &App, tenant: TenantId, version: Uuid, holder: Uuid) -> ApiResult<()> {
    let mut tx = app.db.write(&Scope::tenant(tenant)).await?;
    summary_leases::release(&mut tx, tenant, version, holder).await?;
    Ok(tx.commit_exempt(Exemption::Summary).await?)
}

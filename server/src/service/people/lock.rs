//! The lock on a tenant's people: one change at a time, across processes.

use std::time::{Duration, Instant};

use contract::TenantId;
use store::{Exemption, Scope, people};
use uuid::Uuid;

use crate::{error::ApiResult, state::App};

/// Maximum time that the lock is held. The calls of one change take less.
const MAX_LOCK_TIME: Duration = Duration::from_secs(90);
/// How long a change waits for another one of the same tenant.
const WAIT_TIMEOUT: Duration = Duration::from_secs(15);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Acquires the lock, waiting for its holder.
pub(super) async fn acquire(app: &App, scope: &Scope, tenant: TenantId, holder: Uuid) -> ApiResult<bool> {
    let deadline = Instant::now() + WAIT_TIMEOUT;
    loop {
        if try_acquire(app, scope, tenant, holder).await? {
            return Ok(true);
        }
        if Instant::now() >= deadline {
            return Ok(false);
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// Acquires the lock unless it is held.
async fn try_acquire(app: &App, scope: &Scope, tenant: TenantId, holder: Uuid) -> ApiResult<bool> {
    let mut tx = app.db.write(scope).await?;
    let is_held = people::lock::acquire(&mut tx, tenant, holder, MAX_LOCK_TIME).await?;
    tx.commit_exempt(Exemption::BegunChange).await?;
    Ok(is_held)
}

/// Runs work with the lock; `None` when it is held.
pub(super) async fn hold<T>(
    app: &App,
    scope: &Scope,
    tenant: TenantId,
    work: impl Future<Output = ApiResult<T>>,
) -> ApiResult<Option<T>> {
    let holder = Uuid::new_v4();
    if !try_acquire(app, scope, tenant, holder).await? {
        return Ok(None);
    }
    let result = work.await;
    release(app, scope, tenant, holder).await?;
    result.map(Some)
}

pub(super) async fn release(app: &App, scope: &Scope, tenant: TenantId, holder: Uuid) -> ApiResult<()> {
    let mut tx = app.db.write(scope).await?;
    people::lock::release(&mut tx, tenant, holder).await?;
    Ok(tx.commit_exempt(Exemption::BegunChange).await?)
}

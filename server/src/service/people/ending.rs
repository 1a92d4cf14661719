//! Deactivates the people of deleted tenants and signs them out at the identity provider. Each is a change with its own
//! audit row, in the name of the operator who deleted the tenant. The request is stored in the database, so a crash, or
//! an unavailable provider, only delays it.

use std::time::Duration;

use contract::{ErrorCode, TenantId, audit::actions};
use serde_json::json;
use store::{
    Exemption, Scope,
    people::{self, Change, ending},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{lock, settle};
use crate::{
    error::{ApiError, ApiResult},
    identity_admin::{Account, IdentityAdmin, IdentityError},
    shutdown::ticks,
    state::App,
};

const INTERVAL: Duration = Duration::from_secs(60);
/// Tenants of one round.
const TENANTS_PER_ROUND: i64 = 200;
/// People of one lock on a tenant, which ends by itself after 90 seconds.
const PEOPLE_PER_LOCK: usize = 25;

/// Processes open requests at once and then every minute until `stop` is cancelled.
pub async fn run_until(app: App, stop: CancellationToken) {
    let mut ticks = ticks(INTERVAL);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = app.tenant_deleted().notified() => {}
            _ = ticks.tick() => {}
        }
        if let Err(error) = round(&app).await {
            tracing::warn!(%error, "people.ending_failed: people of a deleted tenant were not signed out");
        }
    }
}

/// Ends the people of all deleted tenants, once.
///
/// # Errors
/// When the database fails, or the identity provider.
pub async fn round(app: &App) -> ApiResult<()> {
    let Some(provider) = app.people.clone() else { return Ok(()) };
    let mut tx = app.db.read(&Scope::system()).await?;
    let tenants = ending::open(&mut tx, TENANTS_PER_ROUND).await?;
    drop(tx);
    let mut failed = None;
    for tenant in tenants {
        // The provider may refuse the people of one tenant; the others go on.
        if let Err(error) = end(app, &provider, tenant).await {
            failed = Some(error);
        }
    }
    failed.map_or(Ok(()), Err)
}

/// Deactivates the people of a tenant, a few for each time that the lock is held.
async fn end(app: &App, provider: &IdentityAdmin, tenant: TenantId) -> ApiResult<()> {
    let scope = Scope::operator().exempt_from_shares();
    let mut rejected = None;
    loop {
        let is_done = lock::hold(app, &scope, tenant, batch(app, provider, tenant, &mut rejected)).await?;
        if is_done.unwrap_or(true) {
            return rejected.map_or(Ok(()), Err);
        }
    }
}

/// Deactivates some people; returns whether nobody is left whose attempt is due. `rejected` becomes the error of a person
/// whose change the provider rejects.
async fn batch(
    app: &App,
    provider: &IdentityAdmin,
    tenant: TenantId,
    rejected: &mut Option<ApiError>,
) -> ApiResult<bool> {
    let stuck = settle::leftovers(app, provider, tenant).await?;
    let mut tx = app.db.read(&Scope::operator()).await?;
    let actor = ending::actor(&mut tx, tenant).await?;
    let postponed = ending::postponed(&mut tx, tenant).await?;
    drop(tx);
    let Some((actor, realm)) = actor else { return Ok(true) };
    let people = provider.people(tenant).await?;
    let mut active: Vec<Account> = people.into_iter().filter(|account| account.is_enabled).collect();
    if active.is_empty() {
        let mut tx = app.db.write(&Scope::operator()).await?;
        ending::done(&mut tx, tenant).await?;
        tx.commit_exempt(Exemption::BegunChange).await?;
        return Ok(true);
    }
    active.retain(|account| !postponed.contains(&account.id) && !stuck.contains(&account.id));
    if active.is_empty() {
        return Ok(true);
    }
    active.truncate(PEOPLE_PER_LOCK);
    for account in active {
        let change = Change {
            id: Uuid::now_v7(),
            tenant,
            action: actions::USER_DEACTIVATED.to_owned(),
            person: Some(account.id),
            username: account.username.clone(),
            wanted: json!({ "is_active": false }),
            before: json!({ "is_active": true }),
            actor: actor.clone(),
            realm: realm.clone(),
        };
        match deactivate(app, provider, &account, &change).await {
            // A rule of the provider forbids the change of this person; the others go on.
            Err(error) if error.is(ErrorCode::PersonRejected) => *rejected = Some(error),
            other => other?,
        }
    }
    Ok(false)
}

async fn deactivate(app: &App, provider: &IdentityAdmin, account: &Account, change: &Change) -> ApiResult<()> {
    let mut tx = app.db.write(&Scope::operator()).await?;
    people::begin(&mut tx, change).await?;
    tx.commit_exempt(Exemption::BegunChange).await?;
    let deactivation = async {
        provider.update(account, &[("enabled", json!(false))]).await?;
        provider.sign_out(account.id).await
    };
    let fault = deactivation.await.err();
    let code = fault.as_ref().map(IdentityError::code);
    let is_done = settle::by_provider(app, provider, change, code).await?;
    match fault {
        // The person was removed in the meantime.
        None | Some(IdentityError::NotFound) => Ok(()),
        Some(_) if is_done => Ok(()),
        Some(fault) => Err(fault.into()),
    }
}

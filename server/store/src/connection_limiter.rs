//! Limits how many connections each tenant, all consoles together, and all lookups for visitors together hold at the same time. A transaction acquires a
//! permit before its connection and releases it when the connection is free again.
//!
//! An owner whose calls wait for its share is bursting. While others are active, its share shrinks to [`burst_share`]
//! as its permits are released, and grows back when nobody waits or the others have become inactive. Limiting
//! connections is necessary but not sufficient for fairness, because the statements behind them share the processors of
//! the database.

use std::{collections::HashMap, sync::Arc, time::Duration};

use contract::TenantId;
use parking_lot::Mutex;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, timeout},
};
use uuid::Uuid;

use crate::error::{Error, Result};

/// How long an owner counts as active after its last call.
const ACTIVE_GRACE: Duration = Duration::from_secs(2);

/// How the connections are shared between owners.
#[derive(Debug, Clone)]
pub struct ConnectionShares {
    /// Maximum connections of the users of one tenant together. The same limit applies to each tenant's widget, to all
    /// operators, and to all vendors.
    pub per_tenant: u32,
    /// Maximum connections of calls of consoles and of the REST API.
    pub consoles: u32,
    /// Maximum wait of a call beyond its tenant's share.
    pub queue_timeout: Duration,
    /// Maximum waiting calls of one tenant; further ones are refused immediately.
    pub waiting: u32,
}

impl ConnectionShares {
    /// The default shares of `connections` connections: five of eight are for consoles.
    pub fn of(connections: u32) -> Self {
        Self {
            per_tenant: 4,
            consoles: Self::consoles_of(connections),
            queue_timeout: Duration::from_secs(5),
            waiting: 200,
        }
    }

    /// The default share of consoles of `connections` connections.
    pub fn consoles_of(connections: u32) -> u32 {
        (connections * 5).div_ceil(8).max(1)
    }
}

/// The owner of the share that a transaction counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ShareOwner {
    /// Users of a tenant.
    Tenant(TenantId),
    /// Searches of a tenant's knowledge hub.
    Searches(TenantId),
    /// Visitors of a tenant's websites.
    Widget(TenantId),
    /// Lookups of the chatbot, the session or the picture that a public call names, before its tenant is known.
    Lookups(Uuid),
    Operators,
    Vendors,
    /// The server itself, which is not limited.
    Server,
}

impl ShareOwner {
    /// Whether its calls show that it is active. Anybody can make a lookup, also of what does not exist.
    fn counts_as_active(self) -> bool {
        !matches!(self, Self::Lookups(_))
    }

    fn is_console(self) -> bool {
        matches!(self, Self::Tenant(_) | Self::Searches(_) | Self::Operators | Self::Vendors)
    }
}

/// The permits of a pool.
#[derive(Debug)]
pub(crate) struct ConnectionLimiter {
    all: Arc<Semaphore>,
    consoles: Arc<Semaphore>,
    lookups: Arc<Semaphore>,
    shares: Mutex<Shares>,
    per_owner: usize,
    queue_timeout: Duration,
    max_waiting: usize,
    /// Maximum wait for a connection.
    acquire_timeout: Duration,
}

#[derive(Debug, Default)]
struct Shares {
    by_owner: HashMap<ShareOwner, Share>,
    /// The owner and time of the latest call.
    latest: Option<(ShareOwner, Instant)>,
    /// The latest call of another owner than that of `latest`.
    latest_other: Option<(ShareOwner, Instant)>,
}

#[derive(Debug)]
struct Share {
    semaphore: Arc<Semaphore>,
    /// Total permits, free and taken.
    permits: usize,
    waiting: usize,
    /// Transactions that hold a permit or wait for one.
    users: usize,
}

/// The reduced permits of an owner who is bursting while others are active.
const fn burst_share(permits: usize) -> usize {
    permits.div_ceil(4)
}

impl Shares {
    fn record(&mut self, owner: ShareOwner) {
        if self.latest.is_some_and(|(latest, _)| latest != owner) {
            self.latest_other = self.latest;
        }
        self.latest = Some((owner, Instant::now()));
    }

    fn others_are_active(&self, owner: ShareOwner) -> bool {
        let mut calls = [self.latest, self.latest_other].into_iter().flatten();
        calls.any(|(caller, at)| caller != owner && at.elapsed() < ACTIVE_GRACE)
    }
}

impl Share {
    fn new(permits: usize) -> Self {
        Self { semaphore: Arc::new(Semaphore::new(permits)), permits, waiting: 0, users: 0 }
    }

    /// Restores the permits that a burst removed.
    fn restore(&mut self, permits: usize) {
        self.semaphore.add_permits(permits - self.permits);
        self.permits = permits;
    }
}

/// A permit for one connection; released when dropped.
#[derive(Debug)]
pub(crate) struct ConnectionPermit {
    _connection: OwnedSemaphorePermit,
    _of_kind: Option<OwnedSemaphorePermit>,
    // Dropped last, because it removes an unused share.
    _share: Option<ShareMember>,
}

/// Membership in a share, with its permit once there is one.
#[derive(Debug)]
struct ShareMember {
    permit: Option<OwnedSemaphorePermit>,
    owner: ShareOwner,
    limiter: Arc<ConnectionLimiter>,
}

/// Counts a waiting call until it is dropped.
struct Waiting<'a>(&'a ShareMember);

impl ConnectionLimiter {
    pub(crate) fn new(connections: u32, shares: &ConnectionShares, acquire_timeout: Duration) -> Arc<Self> {
        let semaphore = |permits: u32| Arc::new(Semaphore::new(permits.max(1) as usize));
        let consoles = shares.consoles.min(connections);
        Arc::new(Self {
            all: semaphore(connections),
            consoles: semaphore(consoles),
            lookups: semaphore(connections.div_ceil(2)),
            shares: Mutex::default(),
            per_owner: shares.per_tenant.min(consoles).max(1) as usize,
            queue_timeout: shares.queue_timeout,
            max_waiting: shares.waiting as usize,
            acquire_timeout,
        })
    }

    /// Waits for a permit; first in, first out.
    ///
    /// # Errors
    /// [`Error::TenantBusy`] when the share of the owner stays in use for too long or has too many waiting calls,
    /// [`Error::Unavailable`] when all connections are in use.
    pub(crate) async fn acquire(self: &Arc<Self>, owner: ShareOwner) -> Result<ConnectionPermit> {
        let share = match owner {
            ShareOwner::Server => None,
            _ => Some(self.enter(owner).await?),
        };
        let of_kind = match owner {
            ShareOwner::Lookups(_) => Some(&self.lookups),
            _ => owner.is_console().then_some(&self.consoles),
        };
        let permits = async {
            let of_kind = match of_kind {
                Some(of_kind) => Some(permit(of_kind).await?),
                None => None,
            };
            Ok::<_, Error>((of_kind, permit(&self.all).await?))
        };
        let none = |_| Error::Unavailable(sqlx::Error::PoolTimedOut);
        let (of_kind, connection) = timeout(self.acquire_timeout, permits).await.map_err(none)??;
        Ok(ConnectionPermit { _connection: connection, _of_kind: of_kind, _share: share })
    }

    async fn enter(self: &Arc<Self>, owner: ShareOwner) -> Result<ShareMember> {
        let semaphore = {
            let mut shares = self.shares.lock();
            if owner.counts_as_active() {
                shares.record(owner);
            }
            let share = shares.by_owner.entry(owner).or_insert_with(|| Share::new(self.permits_of(owner)));
            share.users += 1;
            Arc::clone(&share.semaphore)
        };
        let mut share = ShareMember { permit: None, owner, limiter: Arc::clone(self) };
        let permit = match Arc::clone(&semaphore).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => share.queue(semaphore).await?,
        };
        share.permit = Some(permit);
        Ok(share)
    }

    /// The full share of an owner. Searches get half of a tenant's share, because they are the longest statements of a
    /// console.
    fn permits_of(&self, owner: ShareOwner) -> usize {
        match owner {
            ShareOwner::Searches(_) => self.per_owner.div_ceil(2),
            _ => self.per_owner,
        }
    }

    /// Counts one more waiting call and returns the new number.
    fn start_waiting(&self, owner: ShareOwner) -> usize {
        let mut shares = self.shares.lock();
        let Some(share) = shares.by_owner.get_mut(&owner) else { return 0 };
        share.waiting += 1;
        share.waiting
    }

    fn stop_waiting(&self, owner: ShareOwner) {
        if let Some(share) = self.shares.lock().by_owner.get_mut(&owner) {
            share.waiting -= 1;
        }
    }

    /// Returns a permit, adjusts the share's size, and removes the share when nobody uses it.
    fn leave(&self, owner: ShareOwner, permit: Option<OwnedSemaphorePermit>) {
        let mut shares = self.shares.lock();
        let others_are_active = shares.others_are_active(owner);
        let Some(share) = shares.by_owner.get_mut(&owner) else { return };
        share.users -= 1;
        if share.users == 0 {
            shares.by_owner.remove(&owner);
            return;
        }
        let Some(permit) = permit else { return };
        let whole = self.permits_of(owner);
        let bursts = share.waiting > 0 && others_are_active;
        if bursts && share.permits > burst_share(whole) {
            share.permits -= 1;
            permit.forget();
        } else if !bursts {
            share.restore(whole);
        }
    }
}

impl ShareMember {
    async fn queue(&self, semaphore: Arc<Semaphore>) -> Result<OwnedSemaphorePermit> {
        // Visitors' calls are already bounded by the rate limit, and their questions by the answer queue.
        let is_bounded = !matches!(self.owner, ShareOwner::Widget(_) | ShareOwner::Lookups(_));
        let waiting = self.limiter.start_waiting(self.owner);
        let _waiting = Waiting(self);
        if is_bounded && waiting > self.limiter.max_waiting {
            return Err(Error::TenantBusy);
        }
        timeout(self.limiter.queue_timeout, permit(&semaphore)).await.map_err(|_| Error::TenantBusy)?
    }
}

impl Drop for ShareMember {
    fn drop(&mut self) {
        self.limiter.leave(self.owner, self.permit.take());
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.limiter.stop_waiting(self.0.owner);
    }
}

async fn permit(semaphore: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit> {
    let closed = |_| Error::Unavailable(sqlx::Error::PoolClosed);
    Arc::clone(semaphore).acquire_owned().await.map_err(closed)
}

#[cfg(test)]
mod tests;

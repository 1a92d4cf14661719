//! Who may hold how many connections at the same time. A transaction takes its place before its connection and leaves it when
//! the connection is free again, so that no tenant, and no list of a console, takes the room of the others.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use contract::TenantId;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use crate::error::{Error, Result};

/// How the connections are shared.
#[derive(Debug, Clone)]
pub struct Shares {
    /// Connections that the users of one tenant hold at most, all of them together. As many has each tenant's widget, have
    /// all operators, and all vendors.
    pub per_tenant: u32,
    /// Connections that calls of consoles and of the REST interface hold at most.
    pub consoles: u32,
    /// The longest wait of a call beyond its tenant's share.
    pub patience: Duration,
    /// Calls of one tenant that may wait; further ones are refused at once.
    pub waiting: u32,
}

impl Shares {
    /// The usual shares of so many connections: five of eight are for consoles.
    pub fn of(connections: u32) -> Self {
        Self { per_tenant: 4, consoles: Self::consoles_of(connections), patience: Duration::from_secs(5), waiting: 200 }
    }

    /// What consoles hold at most of so many connections unless a setting says otherwise.
    pub fn consoles_of(connections: u32) -> u32 {
        (connections * 5).div_ceil(8).max(1)
    }
}

/// Whose share a transaction counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Party {
    /// Users of a tenant.
    Tenant(TenantId),
    /// Visitors of a tenant's websites.
    Visitors(TenantId),
    Operators,
    Vendors,
    /// The server itself; it has no share.
    Server,
}

impl Party {
    fn is_console(self) -> bool {
        matches!(self, Self::Tenant(_) | Self::Operators | Self::Vendors)
    }
}

/// The places of a pool.
#[derive(Debug)]
pub(crate) struct Places {
    all: Arc<Semaphore>,
    consoles: Arc<Semaphore>,
    parties: Mutex<HashMap<Party, Share>>,
    per_party: usize,
    patience: Duration,
    most_waiting: usize,
    /// The longest wait for a place in all.
    acquire_timeout: Duration,
}

#[derive(Debug)]
struct Share {
    places: Arc<Semaphore>,
    waiting: usize,
    /// Transactions that hold a place or wait for one.
    users: usize,
}

/// A place; given back when dropped.
#[derive(Debug)]
pub(crate) struct Place {
    _connection: OwnedSemaphorePermit,
    _console: Option<OwnedSemaphorePermit>,
    // After the permits: the share is forgotten when nobody uses it.
    _share: Option<InShare>,
}

/// Membership in a share, with its permit once there is one.
#[derive(Debug)]
struct InShare {
    permit: Option<OwnedSemaphorePermit>,
    party: Party,
    places: Arc<Places>,
}

/// Counts a call that waits for as long as it does.
struct Waiting<'a>(&'a InShare);

impl Places {
    pub(crate) fn new(connections: u32, shares: &Shares, acquire_timeout: Duration) -> Arc<Self> {
        let semaphore = |permits: u32| Arc::new(Semaphore::new(permits.max(1) as usize));
        let consoles = shares.consoles.min(connections);
        Arc::new(Self {
            all: semaphore(connections),
            consoles: semaphore(consoles),
            parties: Mutex::default(),
            per_party: shares.per_tenant.min(consoles).max(1) as usize,
            patience: shares.patience,
            most_waiting: shares.waiting as usize,
            acquire_timeout,
        })
    }

    /// Waits for a place, first come first served.
    ///
    /// # Errors
    /// [`Error::TenantBusy`] when the party's share is taken for too long or by too many, [`Error::Unavailable`] when all
    /// connections are.
    pub(crate) async fn take(self: &Arc<Self>, party: Party) -> Result<Place> {
        let share = match party {
            Party::Server => None,
            _ => Some(self.enter(party).await?),
        };
        let console = async {
            let consoles = party.is_console().then_some(&self.consoles);
            let console = match consoles {
                Some(consoles) => Some(permit(consoles).await?),
                None => None,
            };
            Ok::<_, Error>((console, permit(&self.all).await?))
        };
        let none = |_| Error::Unavailable(sqlx::Error::PoolTimedOut);
        let (console, connection) = timeout(self.acquire_timeout, console).await.map_err(none)??;
        Ok(Place { _connection: connection, _console: console, _share: share })
    }

    async fn enter(self: &Arc<Self>, party: Party) -> Result<InShare> {
        let semaphore = self.with(party, |share| {
            share.users += 1;
            Arc::clone(&share.places)
        });
        let mut share = InShare { permit: None, party, places: Arc::clone(self) };
        let permit = match Arc::clone(&semaphore).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => share.queue(semaphore).await?,
        };
        share.permit = Some(permit);
        Ok(share)
    }

    fn with<T>(&self, party: Party, change: impl FnOnce(&mut Share) -> T) -> T {
        let mut parties = self.parties.lock().unwrap_or_else(PoisonError::into_inner);
        let places = || Arc::new(Semaphore::new(self.per_party));
        let share = parties.entry(party).or_insert_with(|| Share { places: places(), waiting: 0, users: 0 });
        let changed = change(share);
        if share.users == 0 {
            parties.remove(&party);
        }
        changed
    }
}

impl InShare {
    async fn queue(&self, semaphore: Arc<Semaphore>) -> Result<OwnedSemaphorePermit> {
        // Visitors are many, and each asks for little: what they may ask is bounded where they ask.
        let is_bounded = !matches!(self.party, Party::Visitors(_));
        let waiting = self.places.with(self.party, |share| {
            share.waiting += 1;
            share.waiting
        });
        let _waiting = Waiting(self);
        if is_bounded && waiting > self.places.most_waiting {
            return Err(Error::TenantBusy);
        }
        timeout(self.places.patience, permit(&semaphore)).await.map_err(|_| Error::TenantBusy)?
    }
}

impl Drop for InShare {
    fn drop(&mut self) {
        drop(self.permit.take());
        self.places.with(self.party, |share| share.users -= 1);
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.places.with(self.0.party, |share| share.waiting -= 1);
    }
}

async fn permit(semaphore: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit> {
    let closed = |_| Error::Unavailable(sqlx::Error::PoolClosed);
    Arc::clone(semaphore).acquire_owned().await.map_err(closed)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn places(shares: Shares) -> Arc<Places> {
        Places::new(16, &shares, Duration::from_millis(200))
    }

    fn tenant(number: u128) -> Party {
        Party::Tenant(TenantId(Uuid::from_u128(number)))
    }

    fn impatient() -> Shares {
        Shares { patience: Duration::from_millis(50), waiting: 2, ..Shares::of(16) }
    }

    #[test]
    fn consoles_leave_room_in_every_pool() {
        let rooms: Vec<_> = [1, 2, 3, 5, 16, 100].map(|pool| (pool, Shares::consoles_of(pool))).into();
        assert_eq!(rooms, [(1, 1), (2, 2), (3, 2), (5, 4), (16, 10), (100, 63)]);
    }

    #[tokio::test]
    async fn a_tenant_holds_its_share_and_others_theirs() {
        let places = places(impatient());
        let mut held = Vec::new();
        for _ in 0..4 {
            held.push(places.take(tenant(1)).await.unwrap());
        }
        assert!(matches!(places.take(tenant(1)).await, Err(Error::TenantBusy)));
        held.push(places.take(tenant(2)).await.unwrap());
        held.push(places.take(Party::Server).await.unwrap());
        held.remove(0);
        assert!(places.take(tenant(1)).await.is_ok());
        held.clear();
        assert!(places.parties.lock().unwrap().is_empty(), "a share that nobody uses is forgotten");
    }

    #[tokio::test]
    async fn consoles_leave_room_for_visitors_and_the_server() {
        let places = places(impatient());
        let mut held = Vec::new();
        for number in 0..10 {
            held.push(places.take(tenant(number)).await.unwrap());
        }
        assert!(matches!(places.take(tenant(10)).await, Err(Error::Unavailable(_))));
        for number in 0..3 {
            held.push(places.take(Party::Visitors(TenantId(Uuid::from_u128(number)))).await.unwrap());
            held.push(places.take(Party::Server).await.unwrap());
        }
        assert!(matches!(places.take(Party::Server).await, Err(Error::Unavailable(_))), "16 are all");
    }

    #[tokio::test]
    async fn who_waits_beyond_the_bound_is_refused_at_once() {
        let places = places(Shares { patience: Duration::from_secs(5), ..impatient() });
        let mut held = Vec::new();
        for _ in 0..4 {
            held.push(places.take(tenant(1)).await.unwrap());
        }
        let waits = |places: &Arc<Places>| {
            let places = Arc::clone(places);
            tokio::spawn(async move { places.take(tenant(1)).await })
        };
        let waiting = [waits(&places), waits(&places)];
        tokio::time::sleep(Duration::from_millis(20)).await;
        let begun = std::time::Instant::now();
        assert!(matches!(places.take(tenant(1)).await, Err(Error::TenantBusy)));
        assert!(begun.elapsed() < Duration::from_secs(1));
        held.clear();
        for waiting in waiting {
            assert!(waiting.await.unwrap().is_ok());
        }
    }
}

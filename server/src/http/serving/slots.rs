//! Slots for connections: a total limit, a limit per client network, and a reserve that serves one request of a
//! connection when all slots are taken.

use std::{
    collections::{BTreeMap, HashMap},
    net::IpAddr,
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{Limits, activity::Activity};
use crate::{client_ip, metrics};

/// Connections beyond the bound that are open at the same time, for one request each.
const MAX_RESERVE: usize = 50;
/// A connection that has been idle for less is not closed for another one: its next request may be on its way.
const MIN_IDLE: Duration = Duration::from_secs(1);

/// The places of one listener; cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Slots(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    limits: Limits,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    /// By number, so the oldest connection is first.
    served: BTreeMap<u64, Entry>,
    reserve: BTreeMap<u64, Entry>,
    by_network: HashMap<IpAddr, usize>,
    newest: u64,
}

#[derive(Debug)]
struct Entry {
    activity: Activity,
    close: CancellationToken,
}

/// The admission of a new connection.
#[derive(Debug)]
pub(super) enum Admission {
    /// It has its own slot.
    Served(Slot),
    /// A place in the reserve.
    Reserve(Slot),
    /// Nothing: its network has all that it may have.
    Refused,
}

/// A place, free again when this is dropped.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) activity: Activity,
    /// Cancelled when another connection needs the slot.
    pub(super) close: CancellationToken,
    slots: Slots,
    number: u64,
    network: Option<IpAddr>,
}

impl Slots {
    pub(super) fn new(limits: Limits) -> Self {
        Self(Arc::new(Inner { limits, open: Mutex::default() }))
    }

    /// A place for a connection of this peer.
    pub(super) fn admit(&self, peer: IpAddr) -> Admission {
        self.admit_at(Instant::now(), peer)
    }

    fn admit_at(&self, now: Instant, peer: IpAddr) -> Admission {
        let limits = &self.0.limits;
        let network = (!limits.trusted_proxies.contains(peer)).then(|| client_ip::network(peer));
        let mut open = self.0.open.lock();
        if network.is_some_and(|network| open.of(network) >= limits.max_connections_per_address) {
            metrics::connection_refused(metrics::Refusal::Address);
            return Admission::Refused;
        }
        let is_served = open.served.len() < limits.max_connections || open.close_idle(now);
        if !is_served && open.reserve.len() >= MAX_RESERVE {
            open.close_oldest_of_reserve();
        }
        let slot = self.slot(&mut open, network);
        let entry = Entry { activity: slot.activity.clone(), close: slot.close.clone() };
        if is_served {
            open.served.insert(slot.number, entry);
            Admission::Served(slot)
        } else {
            metrics::connection_refused(metrics::Refusal::Full);
            open.reserve.insert(slot.number, entry);
            Admission::Reserve(slot)
        }
    }

    fn slot(&self, open: &mut Open, network: Option<IpAddr>) -> Slot {
        open.newest += 1;
        if let Some(network) = network {
            *open.by_network.entry(network).or_default() += 1;
        }
        metrics::connections(1);
        let (activity, close) = (Activity::new(), CancellationToken::new());
        Slot { activity, close, slots: self.clone(), number: open.newest, network }
    }
}

impl Open {
    fn of(&self, network: IpAddr) -> usize {
        self.by_network.get(&network).copied().unwrap_or_default()
    }

    /// Closes the connection that has been idle longest, when there is one.
    fn close_idle(&mut self, now: Instant) -> bool {
        let idle = |(number, entry): (&u64, &Entry)| entry.activity.idle_since().map(|since| (since, *number));
        let Some((since, number)) = self.served.iter().filter_map(idle).min() else { return false };
        if now.saturating_duration_since(since) < MIN_IDLE {
            return false;
        }
        if let Some(entry) = self.served.remove(&number) {
            entry.close.cancel();
        }
        true
    }

    fn close_oldest_of_reserve(&mut self) {
        if let Some((_, entry)) = self.reserve.pop_first() {
            entry.close.cancel();
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        metrics::connections(-1);
        let mut open = self.slots.0.open.lock();
        if open.served.remove(&self.number).is_none() {
            open.reserve.remove(&self.number);
        }
        let Some(network) = self.network else { return };
        if let Some(count) = open.by_network.get_mut(&network) {
            *count -= 1;
            if *count == 0 {
                open.by_network.remove(&network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Values};

    fn slots(change: impl FnOnce(&mut Limits)) -> Slots {
        let values = Values::collect(None, std::iter::empty()).unwrap();
        let mut limits = Limits::of(&Config::from_values(&values).unwrap().http);
        change(&mut limits);
        Slots::new(limits)
    }

    fn served(slots: &Slots, peer: &str) -> Option<Slot> {
        served_at(slots, Instant::now(), peer)
    }

    fn served_at(slots: &Slots, now: Instant, peer: &str) -> Option<Slot> {
        match slots.admit_at(now, peer.parse().unwrap()) {
            Admission::Served(slot) => Some(slot),
            Admission::Reserve(_) | Admission::Refused => None,
        }
    }

    #[tokio::test]
    async fn an_address_has_its_share_and_an_ipv6_address_its_network() {
        let slots = slots(|limits| limits.max_connections_per_address = 1);
        let held = [served(&slots, "192.0.2.1").unwrap(), served(&slots, "2001:db8:1:2::1").unwrap()];
        assert!(served(&slots, "192.0.2.1").is_none() && served(&slots, "2001:db8:1:2:ffff::").is_none());
        assert!(served(&slots, "192.0.2.2").is_some() && served(&slots, "2001:db8:1:3::1").is_some());
        drop(held);
        assert!(served(&slots, "192.0.2.1").is_some() && served(&slots, "2001:db8:1:2::1").is_some());
        assert!(slots.0.open.lock().by_network.is_empty(), "addresses without connections are forgotten");
    }

    #[tokio::test]
    async fn a_trusted_proxy_has_no_share() {
        let slots = slots(|limits| {
            limits.max_connections_per_address = 1;
            limits.trusted_proxies.0 = vec!["192.0.2.0/24".parse().unwrap()].into();
        });
        let held: Vec<_> = (0..5).map(|_| served(&slots, "192.0.2.1").unwrap()).collect();
        assert_eq!(held.len(), 5);
    }

    #[tokio::test]
    async fn the_connection_that_was_idle_longest_makes_room() {
        let (slots, started) = (slots(|limits| limits.max_connections = 2), Instant::now());
        let (busy, idle) = (served(&slots, "192.0.2.1").unwrap(), served(&slots, "192.0.2.1").unwrap());
        let guard = busy.activity.begin();
        assert!(served_at(&slots, started, "192.0.2.2").is_none(), "one that has just been opened stays");
        let third = served_at(&slots, Instant::now() + MIN_IDLE, "192.0.2.2").unwrap();
        assert!(idle.close.is_cancelled() && !busy.close.is_cancelled() && !third.close.is_cancelled());
        drop((guard, idle));
        assert!(served_at(&slots, started, "192.0.2.2").is_none(), "the former owner has no place to give back");
    }

    #[tokio::test]
    async fn the_reserve_closes_its_oldest_connection_for_a_new_one() {
        let slots = slots(|limits| limits.max_connections = 0);
        let held: Vec<_> = (0..=MAX_RESERVE).map(|_| slots.admit("192.0.2.1".parse().unwrap())).collect();
        let closed = held.iter().map(|admission| match admission {
            Admission::Reserve(slot) => slot.close.is_cancelled(),
            other => panic!("{other:?}"),
        });
        assert_eq!(closed.collect::<Vec<_>>(), [vec![true], vec![false; MAX_RESERVE]].concat());
    }
}

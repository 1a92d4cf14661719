//! Buckets of this process in bounded memory. A bucket is one number: the time until which its tokens are spent
//! (generic cell rate algorithm, the same as in Redis).

use std::collections::HashMap;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::client::{Key, Network};
use super::quota::Quota;
use super::{Refused, TakeResult};

/// Maximum times in a generation, of which there are two.
const MAX_PER_GENERATION: usize = 50_000;

/// The buckets of all classes.
#[derive(Debug)]
pub(super) struct Local {
    started: Instant,
    spent_until: Mutex<Times<Key>>,
    blocked_until: Mutex<Times<Network>>,
}

impl Default for Local {
    fn default() -> Self {
        Self { started: Instant::now(), spent_until: Mutex::default(), blocked_until: Mutex::default() }
    }
}

impl Local {
    /// Takes a token from each bucket if every one has one. A refusal takes nothing and uses no memory.
    pub(super) fn take(&self, buckets: &[(Key, Quota)]) -> TakeResult {
        let now = self.started.elapsed();
        let mut times = self.spent_until.lock();
        let waits = buckets.iter().enumerate().filter_map(|(place, (key, quota))| {
            wait_at(times.get(key).unwrap_or(Duration::ZERO), now, *quota).map(|wait| Refused { place, wait })
        });
        if let Some(refused) = waits.max_by_key(|refused| refused.wait) {
            return Err(refused);
        }
        let spend = |(key, quota): &(Key, Quota)| {
            let spent_until = times.of(key.clone());
            spend_at(spent_until, now, *quota);
            spent_until.saturating_sub(now)
        };
        Ok(buckets.iter().map(spend).collect())
    }

    /// Records that a network may not try to sign in for a while.
    pub(super) fn block(&self, network: Network, wait: Duration) {
        let until = self.started.elapsed() + wait;
        *self.blocked_until.lock().of(network) = until;
    }

    /// The remaining time in which a network may not try to sign in.
    pub(super) fn blocked(&self, network: Network) -> Option<Duration> {
        let until = self.blocked_until.lock().get(&network)?;
        until.checked_sub(self.started.elapsed()).filter(|wait| !wait.is_zero())
    }
}

/// The time until the bucket has a token; `None` when it has one.
fn wait_at(spent_until: Duration, now: Duration, quota: Quota) -> Option<Duration> {
    spent_until.checked_sub(now + quota.tolerance()).filter(|wait| !wait.is_zero())
}

fn spend_at(spent_until: &mut Duration, now: Duration, quota: Quota) {
    *spent_until = now.max(*spent_until) + quota.interval();
}

/// Times by key in two generations: when the young one is full it becomes the old one, and the old one is dropped.
/// Recently used times stay; a dropped one restarts at zero.
#[derive(Debug)]
struct Times<K> {
    young: HashMap<K, Duration>,
    old: HashMap<K, Duration>,
}

impl<K> Default for Times<K> {
    fn default() -> Self {
        Self { young: HashMap::new(), old: HashMap::new() }
    }
}

impl<K: std::hash::Hash + Eq> Times<K> {
    fn of(&mut self, key: K) -> &mut Duration {
        // Before the old generation may be dropped.
        let earlier = self.old.remove(&key).unwrap_or_default();
        if self.young.len() >= MAX_PER_GENERATION && !self.young.contains_key(&key) {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.entry(key).or_insert(earlier)
    }

    fn get(&self, key: &K) -> Option<Duration> {
        self.young.get(key).or_else(|| self.old.get(key)).copied()
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    const fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_bucket_gives_its_burst_and_then_its_rate() {
        let (mut bucket, quota) = (Duration::ZERO, Quota::new(10, 3).unwrap());
        let mut take = |millis| match wait_at(bucket, at(millis), quota) {
            Some(wait) => Err(wait),
            None => {
                spend_at(&mut bucket, at(millis), quota);
                Ok(())
            }
        };
        for _ in 0..3 {
            assert_eq!(take(1000), Ok(()));
        }
        assert_eq!(take(1000), Err(at(100)));
        assert_eq!(take(1060), Err(at(40)));
        assert_eq!(take(1100), Ok(()));
        assert_eq!(take(1100), Err(at(100)));
        // Full again after three intervals, and never fuller.
        for _ in 0..3 {
            assert_eq!(take(9000), Ok(()));
        }
        assert!(take(9000).is_err());
    }

    #[test]
    fn buckets_are_bounded_and_the_ones_in_use_stay() {
        let (local, quota) = (Local::default(), Quota::new(1, 1).unwrap());
        let busy = || Key::Principal("realm".to_owned(), "busy".to_owned());
        let network = |number: u32| Network::of(IpAddr::V4(number.into()));
        let plenty = Quota::new(1000, 1000).unwrap();
        assert!(local.take(&[(busy(), quota)]).is_ok());
        for number in 0..200_000u32 {
            let _ = local.take(&[(Key::Public(network(number)), quota)]);
            if number % 10_000 == 0 {
                let _ = local.take(&[(busy(), plenty)]);
            }
        }
        let times = local.spent_until.lock();
        assert!(times.young.len() + times.old.len() <= 2 * MAX_PER_GENERATION);
        assert!(times.get(&busy()).is_some());
    }

    #[test]
    fn a_time_outlives_the_generation_that_its_use_ends() {
        let mut times = Times::default();
        *times.of(usize::MAX) = at(7);
        (0..2 * MAX_PER_GENERATION - 1).for_each(|key| *times.of(key) = at(1));
        assert_eq!((times.young.len(), times.old.len()), (MAX_PER_GENERATION, MAX_PER_GENERATION));
        assert_eq!(*times.of(usize::MAX), at(7));
    }

    #[test]
    fn a_token_is_taken_of_every_bucket_or_of_none() {
        let (local, quota) = (Local::default(), Quota::new(1, 2).unwrap());
        let network = |host: u8| Network::of(IpAddr::from([192, 0, 2, host]));
        let (own, shared) = (|host| (Key::Public(network(host)), quota), (Key::Public(network(0)), quota));
        assert!(local.take(&[own(1), shared.clone()]).is_ok());
        assert!(local.take(&[own(1)]).is_ok());
        for _ in 0..10 {
            assert!(local.take(&[own(1), shared.clone()]).is_err(), "the first bucket is empty");
        }
        assert!(local.take(&[own(2), shared.clone()]).is_ok(), "the second one was not touched");
        assert!(local.take(&[own(3), shared]).is_err());
        let times = local.spent_until.lock();
        assert_eq!(times.get(&own(3).0), None, "a refusal needs no memory");
    }

    #[test]
    fn a_block_ends() {
        let local = Local::default();
        let network = Network::of(IpAddr::from([192, 0, 2, 1]));
        assert_eq!(local.blocked(network), None);
        local.block(network, Duration::from_secs(60));
        assert!(local.blocked(network).is_some_and(|wait| wait <= Duration::from_secs(60)));
        local.block(network, Duration::ZERO);
        assert_eq!(local.blocked(network), None);
    }
}

//! Buckets of this process, in memory that cannot grow without bound. A bucket is one number: the time until which
//! its tokens are spent (the generic cell rate algorithm, the same as in Redis).

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::client::Key;
use super::quota::Quota;

/// Times in a generation at most, and there are two.
const GENERATION: usize = 50_000;

/// The buckets of all classes.
#[derive(Debug)]
pub(super) struct Local {
    begun: Instant,
    spent_until: Mutex<Times<Key>>,
    blocked_until: Mutex<Times<IpAddr>>,
}

impl Default for Local {
    fn default() -> Self {
        Self { begun: Instant::now(), spent_until: Mutex::default(), blocked_until: Mutex::default() }
    }
}

impl Local {
    /// Takes a token, or says how long it will be until there is one.
    pub(super) fn take(&self, key: Key, quota: Quota) -> Result<(), Duration> {
        let now = self.begun.elapsed();
        let mut times = self.spent_until.lock().unwrap_or_else(PoisonError::into_inner);
        take_at(times.of(key), now, quota)
    }

    /// Notes that an address may not try to sign in for a while.
    pub(super) fn block(&self, network: IpAddr, wait: Duration) {
        let until = self.begun.elapsed() + wait;
        *self.blocked_until.lock().unwrap_or_else(PoisonError::into_inner).of(network) = until;
    }

    /// How long an address may not try to sign in yet.
    pub(super) fn blocked(&self, network: IpAddr) -> Option<Duration> {
        let until = self.blocked_until.lock().unwrap_or_else(PoisonError::into_inner).get(&network)?;
        until.checked_sub(self.begun.elapsed()).filter(|wait| !wait.is_zero())
    }
}

fn take_at(spent_until: &mut Duration, now: Duration, quota: Quota) -> Result<(), Duration> {
    match spent_until.checked_sub(now + quota.tolerance()) {
        Some(wait) if !wait.is_zero() => Err(wait),
        _ => {
            *spent_until = now.max(*spent_until) + quota.interval();
            Ok(())
        }
    }
}

/// Times by key in two generations: when the young one is full it becomes the old one, and the old one is forgotten.
/// So what was used last stays, and a time that was forgotten begins again at zero.
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
        if self.young.len() >= GENERATION && !self.young.contains_key(&key) {
            self.old = std::mem::take(&mut self.young);
        }
        let old = &mut self.old;
        let (key, known) = match old.remove_entry(&key) {
            Some((key, time)) => (key, time),
            None => (key, Duration::ZERO),
        };
        self.young.entry(key).or_insert(known)
    }

    fn get(&self, key: &K) -> Option<Duration> {
        self.young.get(key).or_else(|| self.old.get(key)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_bucket_gives_its_burst_and_then_its_rate() {
        let (mut bucket, quota) = (Duration::ZERO, Quota::new(10, 3).unwrap());
        let mut take = |millis| take_at(&mut bucket, at(millis), quota);
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
        assert!(local.take(busy(), quota).is_ok());
        for number in 0..200_000u32 {
            let _ = local.take(Key::Public(IpAddr::V4(number.into())), quota);
            if number % 10_000 == 0 {
                let _ = local.take(busy(), quota);
            }
        }
        let times = local.spent_until.lock().unwrap();
        assert!(times.young.len() + times.old.len() <= 2 * GENERATION);
        assert!(times.get(&busy()).is_some());
    }

    #[test]
    fn a_block_ends() {
        let local = Local::default();
        let network = IpAddr::from([192, 0, 2, 1]);
        assert_eq!(local.blocked(network), None);
        local.block(network, Duration::from_secs(60));
        assert!(local.blocked(network).is_some_and(|wait| wait <= Duration::from_secs(60)));
        local.block(network, Duration::ZERO);
        assert_eq!(local.blocked(network), None);
    }
}

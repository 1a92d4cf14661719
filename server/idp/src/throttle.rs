//! Slows down password guessing: after several failures for one user from one address in a period, further attempts
//! must wait.

use std::net::IpAddr;

use crate::store::Store;

/// Maximum number of stored pairs of user and address.
const MAX_PAIRS: usize = 10_000;

type Key = (String, String, IpAddr);

/// The failures of the last while, per realm, user name and address.
pub(crate) struct Throttle {
    failures: Store<Key, u32>,
}

/// The number of allowed failures and the wait after them; both come from the realm file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limit {
    /// Failures before the wait begins.
    pub(crate) failures: u32,
    /// Length of the window and of the wait, in seconds.
    pub(crate) wait: i64,
}

impl Throttle {
    pub(crate) fn new() -> Self {
        Self { failures: Store::new(MAX_PAIRS) }
    }

    /// The seconds to wait, when too many attempts failed.
    pub(crate) fn wait(&self, key: &Key, limit: Limit, now: i64) -> Option<i64> {
        let failures = *self.failures.get(key, now)?;
        let expires = self.failures.expiry(key, now)?;
        (failures >= limit.failures).then_some(expires - now)
    }

    /// Counts a failure. The window begins with the first failure, the wait with the last one allowed.
    pub(crate) fn failed(&mut self, key: Key, limit: Limit, now: i64) {
        match self.failures.get_mut(&key, now) {
            Some(count) => {
                *count += 1;
                if *count == limit.failures {
                    self.failures.expire_at(&key, now + limit.wait);
                }
            }
            None => self.failures.insert(key, 1, now + limit.wait, now),
        }
    }

    /// Forgets the failures of a user who signed in.
    pub(crate) fn succeeded(&mut self, key: &Key, now: i64) {
        self.failures.remove(key, now);
    }
}

/// The key of a user and an address, ignoring the case of the name.
pub(crate) fn key(realm: &str, username: &str, address: IpAddr) -> Key {
    let name: String = username.to_lowercase().chars().take(255).collect();
    (realm.to_owned(), name, address)
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const LIMIT: Limit = Limit { failures: 3, wait: 60 };

    fn olivia() -> Key {
        key("svc-platform", "Olivia", IpAddr::V4(Ipv4Addr::LOCALHOST))
    }

    #[test]
    fn the_last_allowed_failure_starts_the_wait() {
        let mut throttle = Throttle::new();
        throttle.failed(olivia(), LIMIT, 0);
        throttle.failed(olivia(), LIMIT, 10);
        assert_eq!(throttle.wait(&olivia(), LIMIT, 10), None);
        throttle.failed(olivia(), LIMIT, 20);
        assert_eq!(throttle.wait(&olivia(), LIMIT, 20), Some(60));
        assert_eq!(throttle.wait(&olivia(), LIMIT, 80), None);
    }

    #[test]
    fn failures_spread_over_more_than_the_window_do_not_add_up() {
        let mut throttle = Throttle::new();
        throttle.failed(olivia(), LIMIT, 0);
        throttle.failed(olivia(), LIMIT, 1);
        throttle.failed(olivia(), LIMIT, 61);
        assert_eq!(throttle.wait(&olivia(), LIMIT, 61), None);
    }

    #[test]
    fn another_user_or_address_is_not_held_up() {
        let mut throttle = Throttle::new();
        for _ in 0..3 {
            throttle.failed(olivia(), LIMIT, 0);
        }
        let elsewhere = key("svc-platform", "olivia", IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)));
        assert_eq!(throttle.wait(&elsewhere, LIMIT, 0), None);
        assert!(throttle.wait(&key("svc-platform", "OLIVIA", olivia().2), LIMIT, 0).is_some());
    }
}

//! Enforces a minimum speed: a client that takes or sends less is disconnected at the end of a time window.

use std::time::Duration;

use tokio::time::Instant;

use super::Limits;

/// The client was slower than the least rate for a whole window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooSlow;

/// Counts bytes in windows that begin with a wait for the client.
#[derive(Debug)]
pub(super) struct Pace {
    bytes_per_second: u64,
    window: Duration,
    since: Option<Instant>,
    bytes: u64,
}

impl Pace {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { bytes_per_second: limits.min_bytes_per_second, window: limits.pace_window, since: None, bytes: 0 }
    }

    /// Bytes that the client took or sent.
    pub(super) fn moved(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
    }

    /// Forgets the window: what follows has nothing to do with what was before.
    pub(super) fn reset(&mut self) {
        self.since = None;
    }

    /// Called while waiting for the client. Returns the end of the window, or `None` without a limit.
    ///
    /// # Errors
    /// When the window has ended with too few bytes.
    pub(super) fn waits(&mut self, now: Instant) -> Result<Option<Instant>, TooSlow> {
        if self.bytes_per_second == 0 {
            return Ok(None);
        }
        let mut since = self.since.unwrap_or_else(|| {
            self.bytes = 0;
            now
        });
        let elapsed = now.saturating_duration_since(since);
        if elapsed >= self.window {
            if u128::from(self.bytes) * 1000 < u128::from(self.bytes_per_second) * elapsed.as_millis() {
                return Err(TooSlow);
            }
            (since, self.bytes) = (now, 0);
        }
        self.since = Some(since);
        Ok(Some(since + self.window))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace() -> (Pace, Instant) {
        let window = Duration::from_secs(30);
        (Pace { bytes_per_second: 1000, window, since: None, bytes: 0 }, Instant::now())
    }

    #[test]
    fn a_client_below_the_rate_is_too_slow_at_the_windows_end() {
        let (mut pace, start) = pace();
        assert_eq!(pace.waits(start), Ok(Some(start + pace.window)));
        pace.moved(29_000);
        assert!(pace.waits(start + Duration::from_secs(29)).is_ok());
        assert_eq!(pace.waits(start + Duration::from_secs(30)), Err(TooSlow));
    }

    #[test]
    fn each_window_counts_its_own_bytes() {
        let (mut pace, start) = pace();
        pace.moved(1_000_000);
        assert!(pace.waits(start).is_ok());
        pace.moved(30_000);
        let second = start + Duration::from_secs(30);
        assert_eq!(pace.waits(second), Ok(Some(second + pace.window)), "what came before the wait does not count");
        assert_eq!(pace.waits(second + Duration::from_secs(30)), Err(TooSlow));
    }

    #[test]
    fn a_rate_of_zero_is_no_bound() {
        let (mut pace, start) = pace();
        pace.bytes_per_second = 0;
        assert_eq!(pace.waits(start), Ok(None));
        assert_eq!(pace.waits(start + Duration::from_secs(300)), Ok(None));
    }
}

//! Computes waiting times: between checks of an unreachable API, and after a rate limit. Does not use the browser.

/// The delay before check number `attempt` (from 0) of `/health/live`, in milliseconds: 2 s, doubling, at most 60 s,
/// with up to a quarter more by `jitter` (0 to 1), so that many visitors do not return in the same second.
pub(crate) fn pause_ms(attempt: u32, jitter: f64) -> i32 {
    let base = (2_000_i32 << attempt.min(5)).min(60_000);
    base + (f64::from(base) * 0.25 * jitter.clamp(0.0, 1.0)) as i32
}

/// The seconds to wait after a rate limit with a hint of `seconds`: 1 to 3600.
pub(crate) fn wait_seconds(seconds: f64) -> u32 {
    seconds.clamp(1.0, 3600.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_a_minute() {
        let pauses: Vec<i32> = (0..8).map(|attempt| pause_ms(attempt, 0.0)).collect();
        assert_eq!(pauses, [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    }

    #[test]
    fn jitter_adds_at_most_a_quarter() {
        assert_eq!(pause_ms(0, 1.0), 2_500);
        assert_eq!(pause_ms(9, 7.0), 75_000);
    }

    #[test]
    fn a_rate_limit_is_waited_for_within_bounds() {
        let waits = [12.0, 0.0, -1.0, 99_999.0].map(wait_seconds);
        assert_eq!(waits, [12, 1, 1, 3600]);
    }
}
